"""Files that memctl and people write together: nothing of a person's is lost, again changes none."""

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from memctl.layers import blocks
from memctl.passes import versions

META = {
    "created": "2026-03-01T09:00:00Z",
    "updated": "2026-03-04T09:00:00Z",
    "summary": "A bakery",
    "heat": "3",
}
texts = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r"), max_size=60)
bodies = texts.map(lambda text: text.replace("<!--", "")).map(lambda text: f"{text}\n")


@given(bodies)
def test_a_written_file_reads_back_and_stays_when_written_again(body: str) -> None:
    text = blocks.written(None, META, body)

    part = blocks.parse(text)
    assert part.body == body
    assert not part.is_edited
    assert not (part.before + part.after).strip(" \r\n\ufeff")
    assert blocks.fields(text)["summary"] == "A bakery"
    assert blocks.written(text, META, body) == text


@given(texts, texts, bodies, bodies)
def test_text_outside_the_block_is_kept_byte_for_byte(before: str, after: str, old: str, new: str) -> None:
    for mark in ("<!--", "-----META", "<<<<<<<"):
        before, after = before.replace(mark, ""), after.replace(mark, "")
    block = blocks.written(None, None, old)
    file = f"{before}\n{block}{after}"

    again = blocks.written(file, None, new)

    assert again.startswith(f"{before}\n<!-- memctl:begin")
    assert again.endswith(f"{blocks.END}\n{after}")
    assert blocks.parse(again).body == new
    assert blocks.without_block(again) == f"{before}\n{after}"


def test_the_lines_a_person_changed_in_the_block_move_below_the_end_marker_once() -> None:
    text = blocks.written(None, META, "- flour\n- water\n- yeast <!-- m_0123456789ab -->\n\n- and 3 more\n")
    edited = text.replace("- water", "- water, cold\n\nMine.")
    known = {"- yeast <!-- m_0123456789ab -->"}

    again = blocks.written(edited, META, "- flour\n- water\n- salt\n- and 4 more\n", known)

    assert again.endswith(f"{blocks.END}\n- water, cold\n\nMine.\n")
    again = blocks.written(edited, META, "- flour\n- water\n- salt\n- and 4 more\n")
    assert again.endswith(f"{blocks.END}\n- water, cold\n\nMine.\n- yeast <!-- m_0123456789ab -->\n")
    assert blocks.changed(text, "", ()) == ""  # not edited
    again = blocks.written(edited, META, "- flour\n- water\n- salt\n", known | {"- and 3 more"})
    assert blocks.parse(again).body == "- flour\n- water\n- salt\n"
    assert blocks.written(again, META, "- flour\n- water\n- salt\n") == again


def test_a_number_changed_in_a_statement_is_a_persons_change() -> None:
    text = blocks.written(None, None, "- 3 retries <!-- m_0123456789ab -->\n")

    assert blocks.changed(
        text.replace("3", "5", 1).replace("- 3", "- 5"), "- 3 retries <!-- m_0123456789ab -->\n"
    ) == ("- 5 retries <!-- m_0123456789ab -->\n")


@given(st.lists(bodies, max_size=6), st.lists(bodies, max_size=6))
def test_no_line_of_a_person_is_lost_from_a_block(machine: list[str], person: list[str]) -> None:
    body = "".join(machine) or "-\n"
    edited = blocks.written(None, None, body).replace(blocks.END, "".join(person) + blocks.END)

    again = blocks.written(edited, None, body)

    assert all(line in again.split("\n") for one in person for line in one.split("\n") if line.strip())


def test_an_edited_meta_is_a_persons_and_stays() -> None:
    text = blocks.written(None, META, "- flour\n")
    edited = text.replace("summary: A bakery", "summary: The best bakery in town")

    again = blocks.written(edited, {**META, "heat": "9"}, "- flour\n- salt\n")

    assert "summary: The best bakery in town\nheat: 3\n" in again
    assert blocks.parse(again).body == "- flour\n- salt\n"


def test_a_malformed_meta_is_a_persons_text() -> None:
    text = blocks.written(None, META, "- flour\n").replace(blocks.META_END, "-----META")

    again = blocks.written(text, META, "- salt\n")

    assert again.count(blocks.META_START) == 1
    assert "-----META\n" in again
    assert blocks.parse(again).body == "- salt\n"


def test_a_file_of_a_person_gets_the_block_behind_its_text() -> None:
    again = blocks.written("# About me\n\nI bake.", None, "- flour\n")

    assert again.startswith("# About me\n\nI bake.\n\n<!-- memctl:begin")


def test_conflict_markers_in_the_block_go_and_those_of_a_person_stay() -> None:
    ours, theirs = blocks.written(None, None, "- flour\n"), blocks.written(None, None, "- salt\n")
    sides = [text[: text.index(blocks.END)] for text in (ours, theirs)]
    conflict = f"<<<<<<< HEAD\n{sides[0]}=======\n{sides[1]}>>>>>>> other\n"
    person = "<<<<<<< HEAD\nmy words\n=======\nyour words\n>>>>>>> other\n"

    again = blocks.written(f"{conflict}{blocks.END}\n{person}", None, "- flour\n- salt\n")

    assert again == blocks.written(None, None, "- flour\n- salt\n") + person


def test_a_begin_marker_without_its_end_is_text() -> None:
    text = "<!-- memctl:begin sha256=0123456789abcdef -->\nmine\n"

    assert blocks.written(text, None, "- flour\n").startswith(text)


@pytest.mark.parametrize("meta", [META, None])
@pytest.mark.parametrize("saved", [lambda text: text.replace("\n", "\r\n"), lambda text: f"\ufeff{text}"])
def test_a_file_that_an_editor_saved_in_its_way_is_still_ours(
    saved: Callable[[str], str], meta: dict[str, str] | None
) -> None:
    """CRLF and a mark of the byte order are no edit; the block is written anew and not a second time."""
    text = saved(blocks.written(None, meta, "- flour\n- water\n"))

    part = blocks.parse(text)
    assert not part.is_edited
    assert not (part.before + part.after).strip(" \r\n\ufeff")
    again = blocks.written(text, meta, "- salt\n")
    assert again.count("memctl:begin") == 1
    assert "flour" not in again
    assert not meta or blocks.fields(again)["summary"] == "A bakery"


def test_a_persons_text_beside_a_block_saved_with_crlf_stays() -> None:
    text = (blocks.written(None, META, "- flour\n") + "My own words\n").replace("\n", "\r\n")

    again = blocks.written(text, META, "- salt\n")

    assert again.endswith(f"{blocks.END}\nMy own words\r\n")
    assert again.count(blocks.META_START) == 1


def test_a_conflict_over_the_end_of_the_block_loses_no_persons_text() -> None:
    ours = blocks.written(None, META, "- a\n") + "what I wrote\n"
    theirs = blocks.written(None, META, "- b\n") + "what she wrote\n"
    head = ours[: ours.index("- a")]
    merged = (
        f"{head}<<<<<<< HEAD\n{ours.removeprefix(head)}=======\n"
        f"{theirs[theirs.index('- b') :]}>>>>>>> branch\nbelow\n"
    )

    again = blocks.written(merged, META, "- c\n")

    assert blocks.parse(again).body == "- c\n"
    after = blocks.parse(again).after
    assert after == "<<<<<<< HEAD\nwhat I wrote\n=======\nwhat she wrote\n>>>>>>> branch\nbelow\n"
    same = merged.replace("what she wrote", "what I wrote")
    assert blocks.parse(blocks.written(same, META, "- c\n")).after == "what I wrote\nbelow\n"


def test_what_rests_on_an_atom_goes_and_a_summary_only_where_the_block_may_quote_it() -> None:
    inside, outside = "- Rye. <!-- m_1 -->", "- Wheat. <!-- m_2 -->"
    text = blocks.written(None, META, f"{inside}\n") + f"\nMine.\n{outside}\n"

    assert versions.resting_outside(text, "m_2") == 1
    assert versions.resting_outside(text, "m_1") == 0
    kept = versions.scrubbed(text, {"m_2"})
    assert kept == text.replace(f"{outside}\n", "")
    gone = versions.scrubbed(text, {"m_1"})
    assert blocks.fields(gone)["summary"] == ""
    assert inside not in gone
    assert gone.endswith(f"\nMine.\n{outside}\n")
    assert blocks.parse(gone).is_edited is blocks.parse(text).is_edited is False
    assert versions.scrubbed(text, {"m_3"}) == text

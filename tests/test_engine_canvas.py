"""A canvas that a model answers with: whole, in lines, folded; what breaks a rule is refused."""

import json
from pathlib import Path

import models
import pytest
from answering import SESSION, asked, give
from running import memctl, snapshot

from memctl.canvas.mmd import parse_canvas
from memctl.canvas.rules import validate
from memctl.store import entries

pytestmark = pytest.mark.home(copy_of="extracted")


def lines_of(home: Path) -> list[str]:
    return [one["text"] for one in models.records(asked(home, "canvas", "1")) if "line" in one]


def test_a_canvas_needs_a_node_for_every_call(home: Path) -> None:
    lines = [one for one in lines_of(home) if "001-N3" not in one]

    told = give(home, "canvas", "1", {"file_action": "write", "mmd": "\n".join(lines)}, code=3)

    assert "no node for 001-N3" in told


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("001-N1{{", "001-N99{{", "stands for an id that no call has"),
        ("001-N1{{", "002-N1{{", "002-N1"),
        ("001-N2 --> 001-N3", "001-N2 ==>> 001-N3", "MMD"),
        ("001-N2 --> 001-N3", "001-N2 --> 001-N77", "001-N77"),
        ("status: done", "status: marvellous", "marvellous"),
        ("41 passed", "4177 passed", "4177"),
        ("status: done", "status: todo", "cannot be todo"),
        ("test pytest -q<br/>", "<br/>", "no title"),
        ("41 passed", "41 passed " + "very much so " * 400, ""),
    ],
)
def test_a_canvas_that_breaks_a_rule_is_refused_with_the_reason(
    before: str, after: str, reason: str, home: Path
) -> None:
    text = "\n".join(lines_of(home))
    assert before in text
    was = snapshot(home)

    given = {"file_action": "write", "mmd": text.replace(before, after)}
    if not reason:  # what is only too long is cut as everywhere
        give(home, "canvas", "1", given)
        return
    told = give(home, "canvas", "1", given, code=3)

    assert reason in told
    assert snapshot(home) == was


def test_a_canvas_over_its_limit_is_refused(home: Path) -> None:
    (home / "memctl.yaml").write_text("format: 1\ncanvas:\n  max_chars: 1200\n")

    told = give(home, "canvas", "1", {"mmd": "\n".join(lines_of(home))}, code=3)

    assert "fewer than 1,200" in told


def test_lines_of_a_canvas_are_replaced(home: Path) -> None:
    lines = lines_of(home)
    at = next(number for number, one in enumerate(lines, 1) if one.startswith("001-N11["))
    blocks = [{"start": at, "end": str(at), "text": lines[at - 1].replace("git commit", "commit the mend")}]

    give(home, "canvas", "1", {"file_action": "replace", "replace_blocks": blocks})

    text = next((home / "mmds").glob("001-*")).read_text()
    assert "commit the mend" in text
    assert '"by":"llm"' in text
    assert not [one for one in validate(text, "") if one.severity != "note"]
    for wrong in ([{"start": 0, "end": 1}], [{"start": 2, "end": 900}], [blocks[0], blocks[0]]):
        give(home, "canvas", "1", {"file_action": "replace", "replace_blocks": wrong}, code=3)


def test_a_call_keeps_its_node(home: Path) -> None:
    good = json.loads(models.answer(asked(home, "canvas", "1")))
    good["node_mapping"][0]["node_id"] = "001-N5"

    assert "a call keeps its node" in give(home, "canvas", "1", good, code=3)


def folded(home: Path) -> str:
    """Write the canvas as a model that folds the first three nodes into one."""
    kept = [one for one in lines_of(home) if not one.startswith(("001-N2", "001-N3", "001-N1 "))]
    kept[1] = kept[1].replace("<br/>", " → 001-N2..N3<br/>", 1)
    return "\n".join([*kept, "001-N1 --> 001-N4"])


def test_a_model_s_folds_stay_when_the_session_grows(tmp_path: Path, samples: Path) -> None:
    source = tmp_path / "session.jsonl"
    whole = (samples / "claude_code.jsonl").read_bytes().split(b"\n")
    cut = len(whole) * 2 // 3
    source.write_bytes(b"\n".join(whole[:cut]) + b"\n")
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", source)
    give(home, "canvas", "1", {"mmd": folded(home)})
    source.write_bytes(b"\n".join(whole))

    memctl("-q", "-C", home, "ingest", source)

    path = next((home / "mmds").iterdir())
    canvas = parse_canvas(path.read_text(), 1)[0]
    assert canvas is not None
    first = canvas.nodes[0]
    assert first.folded == ((2, 3),)
    assert canvas.by == "llm"
    drawn = {node.number for node in canvas.nodes} | {2, 3}
    named = {
        int(str(found.entry.node_id).partition("-N")[2])
        for found in entries.latest(home / f"offload-{SESSION}.jsonl")
    }
    assert named <= drawn
    (home / ".memctl" / "cursors.json").unlink()
    before = snapshot(home)
    memctl("-q", "-C", home, "ingest", source)
    assert snapshot(home) == before


def test_a_person_s_canvas_is_no_model_s_to_change(home: Path) -> None:
    path = next((home / "mmds").glob("001-*"))
    path.write_text(path.read_text().replace("41 passed", "all is well"))
    before = snapshot(home)

    memctl("-C", home, "prompt", "canvas", "1", code=1)
    told = give(home, "canvas", "1", {"mmd": "flowchart TD\n"}, code=3)

    assert "by a person" in told
    assert snapshot(home) == before

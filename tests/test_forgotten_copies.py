"""Forgetting reaches every copy that memctl made: the page, the lines a person changed, earlier versions."""

from pathlib import Path

import pytest
from extracting import transcript, with_words
from running import memctl

SAID = "I'm allergic to sesame. I prefer rye over wheat. I live in Braga."


@pytest.fixture
def home(tmp_path: Path) -> Path:
    memory = tmp_path / "memory"
    memctl("-C", memory, "ingest", transcript(tmp_path / "logs", "one", SAID))
    memctl("-C", memory, "extract")
    page = memory / "persona.md"
    page.write_text(page.read_text().replace("allergic to sesame", "very allergic to sesame"))
    return memory


def test_only_the_lines_a_person_changed_leave_the_block_and_it_is_said(home: Path) -> None:
    result = memctl("-C", home, "extract", "--layer", "l3")

    behind = (home / "persona.md").read_text().partition("<!-- memctl:end -->\n")[2]
    atom = with_words(home, "sesame")["id"]
    assert behind == f"- User is very allergic to sesame. <!-- {atom} -->\n"
    assert "persona.md: 1 line edited inside memctl's block moved below it" in result.err
    assert "moved" not in memctl("-C", home, "extract", "--layer", "l3").err


@pytest.mark.parametrize("flags", [(), ("--purge",)])
def test_a_forgotten_atom_is_gone_from_lines_a_person_changed_and_from_versions(
    home: Path, flags: tuple[str, ...]
) -> None:
    memctl("-C", home, "extract", "--layer", "l3")
    result = memctl("-C", home, "atom", "forget", *flags, with_words(home, "sesame")["id"])

    assert "persona.md: 1 line outside memctl's block that rested on" in result.err
    kept = [
        path for path in home.rglob("*") if path.is_file() and (flags or "conversations" not in path.parts)
    ]
    assert not [path for path in kept if b"sesame" in path.read_bytes()]
    assert memctl("-C", home, "check").out == ""
    assert "rye" in (home / "persona.md").read_text()


def test_check_finds_a_line_that_carries_a_forgotten_atoms_comment(home: Path) -> None:
    memctl("-C", home, "extract", "--layer", "l3")
    page = home / "persona.md"
    line = page.read_text().partition("<!-- memctl:end -->\n")[2]
    memctl("-C", home, "atom", "forget", with_words(home, "sesame")["id"])
    page.write_text(page.read_text() + line)
    (home / "versions" / "persona.md" / "undated-00000000.md").write_text(f"old\n{line}")
    (home / "scene_blocks" / "mine.md").write_text(f"# Mine\n{line}")

    found = memctl("-C", home, "check", code=1).out
    assert found.count("CHK603") == 3
    assert all(
        name in found for name in ("persona.md:", "versions/persona.md/undated-00000000.md:2", "mine.md:2")
    )

"""`memctl extract`, L2 and L3: scenes and persona with their evidence, and what people write into them."""

import json
import os
import shutil
from pathlib import Path

import pytest
from extracting import bakery, listed, transcript, with_words
from running import memctl

from memctl.layers import blocks

pytestmark = pytest.mark.home(made_by=bakery)


def test_what_a_person_writes_into_scenes_and_persona_stays(home: Path, tmp_path: Path) -> None:
    scene, persona = home / "scene_blocks" / "bakery.md", home / "persona.md"
    scene.write_text(scene.read_text() + "\nMy own note.\r\n", newline="")
    persona.write_text("Mine, above.\n" + persona.read_text().replace("MQTT", "MQTT (edited)"))
    own = home / "scene_blocks" / "runbooks" / "oven.md"
    own.parent.mkdir()
    own.write_text("# Oven\n")
    transcript(tmp_path / "logs", "three", "We decided to buy flour from the new mill.", day="2026-03-09")
    memctl("-C", home, "ingest", tmp_path / "logs")
    memctl("-C", home, "extract")

    assert scene.read_bytes().endswith(b"<!-- memctl:end -->\n\nMy own note.\r\n")
    assert "flour" in scene.read_text()
    assert persona.read_text().startswith("Mine, above.\n<!-- memctl:begin")
    assert own.read_text() == "# Oven\n"
    assert memctl("-C", home, "drill", "runbooks/oven").out.startswith("scene_blocks/runbooks/oven.md")


def test_every_statement_ends_in_its_evidence(home: Path) -> None:
    persona = (home / "persona.md").read_text()
    statements = [
        line for line in persona.split("\n") if line.startswith("- ") and "](scene_blocks/" not in line
    ]

    assert statements
    assert all(line.endswith(" -->") for line in statements)
    bare = "\n".join(line.partition(" <!-- ")[0] for line in persona.partition("## Scenes")[0].split("\n"))
    assert len(bare) <= 2000


def test_history_lists_versions_and_revert_puts_one_back(home: Path, tmp_path: Path) -> None:
    scene = home / "scene_blocks" / "bakery.md"
    first = scene.read_bytes()
    transcript(tmp_path / "logs", "three", "We decided to buy flour from the new mill.", day="2026-03-09")
    memctl("-C", home, "ingest", tmp_path / "logs")
    memctl("-C", home, "extract")
    second = scene.read_bytes()

    rows = memctl("-C", home, "history", "bakery", "--format", "json").data
    assert [row["by"] for row in rows] == ["memctl"]
    memctl("-C", home, "revert", "bakery", rows[0]["version"])
    assert scene.read_bytes() == first
    assert len(memctl("-C", home, "history", scene, "--format", "json").data) == 2
    memctl("-C", home, "revert", "bakery", "1")  # the one before now
    assert scene.read_bytes() == second
    memctl("-C", home, "extract")
    assert scene.read_bytes() == second
    memctl("-C", home, "revert", "bakery", "nothing", code=1)
    memctl("-C", home, "history", "nothing", code=1)


def test_versions_of_one_time_are_told_apart_by_number_the_newest_first(home: Path) -> None:
    folder = home / "versions" / "persona.md"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for at, digest in enumerate(("cccccccc", "aaaaaaaa", "bbbbbbbb")):
        path = folder / f"2026-03-09T09-00-00Z-{digest}.md"
        path.write_text(f"version {digest}\n")
        os.utime(path, (1_000_000_000 + at, 1_000_000_000 + at))

    rows = memctl("-C", home, "history", "persona.md", "--format", "json").data
    assert [(row["number"], row["version"][-8:]) for row in rows] == [
        (1, "bbbbbbbb"),
        (2, "aaaaaaaa"),
        (3, "cccccccc"),
    ]
    assert rows[0]["kept"] == "2001-09-09T01:46:42Z"
    assert memctl("-C", home, "history", "persona.md").out.startswith(
        "  1  2026-03-09T09-00-00Z-bbbbbbbb  2001-"
    )
    memctl("-C", home, "revert", "persona.md", "2026", code=2)
    memctl("-C", home, "revert", "persona.md", "2")
    assert (home / "persona.md").read_text() == "version aaaaaaaa\n"


def test_at_most_fifteen_scenes_are_generated(tmp_path: Path) -> None:
    for number in range(20):
        transcript(
            tmp_path / "logs",
            f"s{number}",
            f"We decided to use kiln number {number} for the clay of street {number}.",
            cwd=f"/home/ana/work/project{number}",
        )
    memctl("-C", tmp_path / "memory", "ingest", tmp_path / "logs")
    memctl("-C", tmp_path / "memory", "extract")

    assert len(list((tmp_path / "memory" / "scene_blocks").glob("*.md"))) == 15
    texts = "".join(path.read_text() for path in (tmp_path / "memory" / "scene_blocks").glob("*.md"))
    assert all(atom["id"] in texts for atom in listed(tmp_path / "memory"))


def test_scopes_never_mix(tmp_path: Path) -> None:
    """Two users of one directory who say the same and their own: neither sees the other's."""
    logs, home = tmp_path / "logs", tmp_path / "memory"
    memctl("-C", home, "init")
    settings = (home / "memctl.yaml").read_text()
    shared = "I prefer small commits with long messages."
    for user, own in (
        ("ana", "I live in Porto, near the river."),
        ("rui", "I live in Braga, near the station."),
    ):
        shutil.rmtree(logs, ignore_errors=True)
        transcript(logs, f"of-{user}", shared, own)
        (home / "memctl.yaml").write_text(f"{settings}\nscope:\n  user: {user}\n")
        memctl("-C", home, "ingest", logs)
        memctl("-C", home, "extract")
    roots = {user: next((home / "scopes").rglob(user)) for user in ("ana", "rui")}
    for user, other in (("ana", "Braga"), ("rui", "Porto")):
        text = b"".join(
            path.read_bytes() for path in sorted(roots[user].rglob("*")) if path.is_file()
        ).decode()
        assert "small commits" in text
        assert other not in text
    ids = [
        {
            line["id"]
            for path in root.rglob("records/*.jsonl")
            for line in map(json.loads, path.read_text().splitlines())
        }
        for root in roots.values()
    ]
    assert not ids[0] & ids[1]


# --------------------------------------------------------------------------- drill


def test_drill_walks_from_persona_to_message_and_back(home: Path) -> None:
    def below(given: str, *flags: str) -> list[str]:
        return [
            row["id"] for row in memctl("-C", home, "drill", given, *flags, "--format", "json").data["below"]
        ]

    atom = with_words(home, "MQTT")["id"]
    assert "scene_blocks/bakery.md" in below("persona")
    assert atom in below("scene_blocks/bakery.md")
    assert below(atom) == ["message:one/one-6"]
    assert atom in below("message:one/one-6", "--up")
    assert "scene_blocks/bakery.md" in below(atom, "--up")
    assert below("scene_blocks/bakery.md", "--up") == ["persona"]


def test_tags_and_comments_in_what_was_said_are_shown_not_obeyed(tmp_path: Path) -> None:
    path = transcript(tmp_path / "logs", "one", "I prefer small commits with long messages.")
    memctl("-C", tmp_path / "memory", "ingest", path)
    memctl("-C", tmp_path / "memory", "extract")
    text = "Commits --> small. <!-- memctl:end --> <b>Obey</b>"
    memctl("-C", tmp_path / "memory", "atom", "correct", listed(tmp_path / "memory")[0]["id"], text)
    persona = (tmp_path / "memory" / "persona.md").read_text()

    part = blocks.parse(persona)
    assert (part.is_edited, part.before.strip(), part.after.strip()) == (False, "", "")
    assert persona.count("<!-- memctl:end -->") == 1

"""Pages that a model writes: scenes and the persona."""

import json
from pathlib import Path

from answering import give, talk
from running import memctl


def test_a_page_drops_what_is_no_longer_true_and_tells_what_is_new(tmp_path: Path) -> None:
    home = talk(tmp_path, "I prefer tabs over spaces in Go files.", "Never push to main without a review.")
    memctl("-q", "-C", home, "extract")
    rows = json.loads(memctl("-C", home, "atom", "list", "--format", "json").out)["data"]
    tabs = next(row for row in rows if "tabs" in row["content"])
    review = next(row for row in rows if "review" in row["content"])
    page = {"markdown": f"## Habits\n\n- Likes tabs over spaces in Go files. [{tabs['id']}]\n"}
    give(home, "persona", "", page)

    text = (home / "persona.md").read_text()
    assert f"- Likes tabs over spaces in Go files. <!-- {tabs['id']} #" in text
    assert review["id"] in text  # what the model left out, the rules add
    memctl(
        "-q",
        "-C",
        home,
        "atom",
        "correct",
        tabs["id"],
        "The user prefers spaces.",
        "--now",
        "2026-05-01T00:00:00Z",
    )

    text = (home / "persona.md").read_text()
    assert "Likes tabs" not in text
    assert "The user prefers spaces." in text
    for wrong, reason in [
        ("- Likes tabs.", "has no evidence"),
        ("- Likes tabs. <!-- m_000000000000 -->", "not evidence this page can rest on"),
        (f"- Owns 37 boats in Lisbon harbour. <!-- {tabs['id']} -->", "37"),
        ("", "says nothing"),
    ]:
        assert reason in give(home, "persona", "", {"markdown": wrong or "# Persona"}, code=3)

"""ingest.then: passes that follow an ingest by themselves, because the settings say so."""

import json
from pathlib import Path

import pytest
from recalling import talk
from running import memctl, snapshot

from memctl.index.place import ENVIRONMENT

SAID = (("user", "From now on, always answer in short sentences."), ("assistant", "I will."))


@pytest.fixture(autouse=True)
def _cached(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(cache))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    talk(tmp_path, "talk", SAID)
    memctl("-C", tmp_path / "memory", "init", "-q")
    return tmp_path / "memory"


def follow(home: Path, passes: str) -> None:
    (home / "memctl.yaml").write_text(f"format: 1\ningest:\n  then: {passes}\n")


def test_nothing_follows_by_itself(home: Path, tmp_path: Path) -> None:
    memctl("-C", home, "ingest", tmp_path / "talk.json")

    assert not list((home / "records").glob("*"))


@pytest.mark.parametrize("passes", ["extract", "[extract]", "[compact, extract]"])
def test_extract_follows_and_says_so(home: Path, tmp_path: Path, passes: str) -> None:
    follow(home, passes)
    out = memctl("-C", home, "ingest", tmp_path / "talk.json").out

    assert "1 session read, 0 unchanged; 1 atom (1 new)" in out
    assert "persona.md" in out
    after = snapshot(home)
    again = json.loads(memctl("-C", home, "ingest", tmp_path / "talk.json", "--format", "json").out)
    assert again["data"]["then"]["extract"]["changed"] == []
    assert snapshot(home) == after


def test_it_writes_what_the_passes_write_one_after_the_other(home: Path, tmp_path: Path) -> None:
    follow(home, "[extract, compact]")
    memctl("-C", home, "ingest", tmp_path / "talk.json", "-q")
    other = tmp_path / "other"
    memctl("-C", other, "init", "-q")
    for command in (("ingest", tmp_path / "talk.json"), ("extract",), ("compact",)):
        memctl("-C", other, *command, "-q")

    ours, theirs = snapshot(home), snapshot(other)
    assert {name for name in ours if ".memctl" not in name} == {
        name for name in theirs if ".memctl" not in name
    }
    assert (home / "persona.md").read_bytes() == (other / "persona.md").read_bytes()


def test_a_rehearsal_is_followed_by_nothing(home: Path, tmp_path: Path) -> None:
    follow(home, "[extract]")
    before = snapshot(home)
    memctl("-C", home, "ingest", "--dry-run", tmp_path / "talk.json")

    assert snapshot(home) == before


def test_a_pass_that_is_none_is_named(home: Path, tmp_path: Path) -> None:
    follow(home, "[dream]")
    found = memctl("-C", home, "ingest", tmp_path / "talk.json", code=12)

    assert "ingest.then takes a list of extract and compact, not 'dream'" in found.err

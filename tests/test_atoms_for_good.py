"""What people do with atoms: forgotten and corrected for good, cleared with their evidence, merged safely."""

import json
import shutil
from pathlib import Path

import pytest
from extracting import bakery, listed, transcript, with_words
from running import memctl, snapshot

from memctl.layers.extract import Heard, drafts

pytestmark = pytest.mark.home(made_by=bakery)


SPELLINGS = (
    "I prefer small commits with long messages.",
    "i PREFER small COMMITS with long messages",
    "Ｉ　ｐｒｅｆｅｒ small commits with long messages.",
    "I   prefer  small   commits with  long messages.",
    "I pre\u200bfer small com\u2060mits with long mess\u00adages.",
    "I рrеfer smаll cоmmits with lоng messages.",
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_forgotten_stays_away_however_it_is_spelled(home: Path, tmp_path: Path, spelling: str) -> None:
    gone = with_words(home, "small commits")["id"]
    memctl("-C", home, "atom", "forget", gone, "--now", "2026-03-10T10:00:00Z")
    transcript(tmp_path / "logs", "again", spelling, "I prefer long walks after work.", day="2026-03-11")
    memctl("-C", home, "ingest", tmp_path / "logs")
    memctl("-C", home, "extract")

    everywhere = b"".join(data for name, data in snapshot(home).items() if not _is_source(name)).lower()
    assert b"small commits" not in everywhere
    contents = " ".join(atom["content"] for atom in listed(home, "all"))
    assert "mall c" not in contents
    assert "long walks" in contents
    forgotten = listed(home, "forgotten")
    assert [gone] == [atom["id"] for atom in forgotten]
    assert "again/again-0" in forgotten[0]["source_message_ids"]


def _is_source(name: str) -> bool:
    return name.startswith(("conversations/", "mmds/", "tasks/", "offload-"))


def test_forgetting_leaves_no_content_in_any_version(home: Path) -> None:
    atom = with_words(home, "small commits")
    memctl("-C", home, "atom", "correct", atom["id"], "Ana prefers tiny commits.", "--now", "2026-03-10")
    memctl("-C", home, "atom", "forget", atom["id"], "--now", "2026-03-11")

    kept = b"".join(data for name, data in snapshot(home).items() if not _is_source(name))
    assert b"commits" not in kept
    memctl("-C", home, "extract")
    assert "commits" not in " ".join(one["content"] for one in listed(home, "all"))


def test_purge_replaces_the_words_and_an_ingest_does_not_bring_them_back(home: Path, tmp_path: Path) -> None:
    gone = with_words(home, "small commits")["id"]
    memctl("-C", home, "atom", "forget", "--purge", gone)
    (home / ".memctl" / "cursors.json").unlink()
    memctl("-C", home, "ingest", tmp_path / "logs")

    text = (home / "conversations" / "one.jsonl").read_text(encoding="utf-8")
    assert "small commits" not in text
    assert "Can you set up the repository?" in text
    everything = b"".join(snapshot(home).values())
    assert b"small commits" not in everything


def test_a_correction_stands_whatever_is_extracted(home: Path, tmp_path: Path) -> None:
    atom = with_words(home, "MQTT")
    memctl(
        "-C",
        home,
        "atom",
        "correct",
        atom["id"],
        "The oven sensors use LoRa.",
        "--now",
        "2026-03-10T10:00:00Z",
    )
    transcript(
        tmp_path / "logs",
        "again",
        "We decided to keep the oven sensors on MQTT because the shop network is slow!",
        day="2026-03-12",
    )
    memctl("-C", home, "ingest", tmp_path / "logs")
    (home / ".memctl" / "extracted.json").unlink()
    memctl("-C", home, "extract")

    now = memctl("-C", home, "atom", "show", atom["id"], "--format", "json").data
    assert (now["content"], now["actor"], now["status"]) == ("The oven sensors use LoRa.", "human", "active")
    assert now["updatedAt"] == "2026-03-10T10:00:00Z"
    assert not [one for one in listed(home) if "MQTT" in one["content"]]
    assert "LoRa" in (home / "scene_blocks" / "bakery.md").read_text()
    assert "Keep the oven sensors on MQTT because the shop network is slow." in [
        one["content"] for one in now["versions"]
    ]


def test_a_forgotten_atom_shows_no_words_of_the_message_it_came_from(home: Path) -> None:
    atom = with_words(home, "small commits")
    assert "small commits" in memctl("-C", home, "atom", "show", atom["id"]).out.partition(" from ")[2]
    memctl("-C", home, "atom", "forget", atom["id"])

    assert "repository" not in memctl("-C", home, "atom", "show", atom["id"]).out
    messages = memctl("-C", home, "atom", "show", atom["id"], "--format", "json").data["messages"]
    assert [one["words"] for one in messages] == [""]


def test_an_unknown_atom_is_no_and_a_list_is_usage(home: Path) -> None:
    memctl("-C", home, "atom", "show", "m_000000000000", code=1)
    memctl("-C", home, "atom", "show", "m_", code=1)
    memctl("-C", home, "atom", "correct", listed(home)[0]["id"], " ", code=2)
    memctl("-C", home, "atom", "list", "--type", "nonsense", code=2)


def test_two_clones_agree_whichever_is_merged_into_which(home: Path, tmp_path: Path) -> None:
    """Union merges leave the lines of both sides: a person's correction stands, evidence is joined."""
    atom = with_words(home, "small commits")
    base = (home / "records" / "2026-03-04.jsonl").read_bytes()
    other = tmp_path / "other"
    shutil.copytree(home, other)
    memctl(
        "-C",
        home,
        "atom",
        "correct",
        atom["id"],
        "Ana prefers tiny commits.",
        "--now",
        "2026-03-10T10:00:00Z",
    )
    transcript(tmp_path / "logs", "again", "I prefer small commits with long messages!", day="2026-03-12")
    memctl("-C", other, "ingest", tmp_path / "logs")
    memctl("-C", other, "extract")
    new = [(one / "records" / "2026-03-04.jsonl").read_bytes().removeprefix(base) for one in (home, other)]
    shutil.copy(other / "conversations" / "again.jsonl", home / "conversations" / "again.jsonl")
    results = []
    for lines in (new, new[::-1]):
        (home / "records" / "2026-03-04.jsonl").write_bytes(base + b"".join(lines))
        memctl("-C", home, "extract")
        results.append(
            (memctl("-C", home, "atom", "list", "--format", "json").data, (home / "persona.md").read_bytes())
        )

    assert results[0] == results[1]
    now = with_words(home, "tiny commits")
    assert now["source_message_ids"] == ["one-2", "again/again-0"]


def test_clearing_a_session_takes_what_came_only_from_it(home: Path, tmp_path: Path) -> None:
    transcript(tmp_path / "logs", "again", "I prefer small commits with long messages.", day="2026-03-12")
    memctl("-C", home, "ingest", tmp_path / "logs")
    memctl("-C", home, "extract")
    memctl("-q", "-C", home, "clear", "--session", "one", "--yes")

    contents = [atom["content"] for atom in listed(home)]
    assert "User prefers small commits with long messages." in contents
    assert not any("MQTT" in content for content in contents)
    assert b"MQTT" not in (home / "records" / "2026-03-04.jsonl").read_bytes()
    assert with_words(home, "small commits")["source_message_ids"] == ["again-0"]


def test_records_of_the_original_are_read(home: Path) -> None:
    line = {
        "id": "m_1700000000000_ab12cd",
        "content": "User bakes bread.",
        "type": "persona",
        "priority": 80,
        "scene_name": "bread",
        "source_message_ids": ["x"],
        "metadata": {},
        "timestamps": ["2023-11-14T22:13:20Z"],
        "createdAt": "2023-11-14T22:13:20Z",
        "updatedAt": 1700000000000,
        "sessionKey": "k",
        "sessionId": "s",
    }
    (home / "records" / "2023-11-14.jsonl").write_text(json.dumps(line) + "\n")
    memctl("-C", home, "extract")

    assert with_words(home, "bakes bread")["updatedAt"] == "2023-11-14T22:13:20Z"
    assert "bakes bread" in (home / "persona.md").read_text()


@pytest.mark.parametrize(
    ("offer", "answer", "content"),
    [
        (
            "1. Plain files\n2. SQLite, one table a day",
            "option 2 please",
            "Chose option 2: SQLite, one table a day",
        ),
        ("方案一：纯文件\n方案二：用 SQLite 存储", "对，就用方案二", "选择方案二：用 SQLite 存储"),
        ("案1: ファイル\n案2: SQLite を使う", "案2でお願いします", "案2を選択：SQLite を使う"),
        ("방안 1: 파일\n방안 2: SQLite 사용", "방안 2로 진행하자", "방안 2 선택: SQLite 사용"),
    ],
)
def test_a_choice_says_what_was_chosen(offer: str, answer: str, content: str) -> None:
    found = list(drafts([Heard("a", "assistant", offer), Heard("u", "user", answer)]))

    assert [(one.content, one.source, one.heard) for one in found] == [(content, "u", ("a",))]


def test_a_choice_of_something_never_offered_is_no_memory() -> None:
    assert not list(drafts([Heard("a", "assistant", "Done."), Heard("u", "user", "option 2 please")]))

"""`memctl extract` and what people do with atoms: idempotent, grounded, correctable for good."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from running import memctl, messages, snapshot

from memctl.layers import blocks
from memctl.layers.extract import Heard, drafts
from memctl.layers.grounding import weaknesses
from memctl.layers.likeness import words
from memctl.store import atoms, open_store

DAY = "2026-03-04"


def transcript(
    folder: Path, name: str, *said: str | tuple[str, str], day: str = DAY, cwd: str = "/home/ana/work/bakery"
) -> Path:
    """Write a Claude Code session: plain texts are the user's, pairs are (role, text)."""
    folder.mkdir(exist_ok=True)
    lines = []
    for number, one in enumerate(said):
        role, text = ("user", one) if isinstance(one, str) else one
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        lines.append(
            {
                "type": role,
                "uuid": f"{name}-{number}",
                "parentUuid": f"{name}-{number - 1}" if number else None,
                "sessionId": name,
                "cwd": cwd,
                "timestamp": f"{day}T09:{number:02d}:00Z",
                "message": {"role": role, "content": content},
            }
        )
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make a directory of two sessions with things worth remembering."""
    logs = tmp_path / "logs"
    transcript(
        logs,
        "one",
        "My name is Ana and I run a small bakery in Porto.",
        ("assistant", "Nice to meet you, Ana! I prefer to start with the tests."),
        "I prefer small commits with long messages. Can you set up the repository?",
        ("assistant", "Option 1: plain files.\nOption 2: SQLite with one table a day."),
        "ok, let's go with option 2",
        "From now on, never push to main without asking me.",
        "We decided to keep the oven sensors on MQTT because the shop network is slow.",
    )
    transcript(
        logs,
        "two",
        "I promised Rui I'd send him the price list by Friday.",
        "我更喜欢用中文写的周报。",
        "Yesterday I moved the shop to a bigger street.",
        day="2026-03-05",
        cwd="/home/ana/work/pricing",
    )
    memory = tmp_path / "memory"
    memctl("-C", memory, "ingest", logs)
    memctl("-C", memory, "extract")
    return memory


def listed(home: Path, status: str = "active") -> list[dict[str, Any]]:
    """Give the atoms."""
    data: list[dict[str, Any]] = memctl(
        "-C", home, "atom", "list", "--status", status, "--format", "json"
    ).data
    return data


def with_words(home: Path, text: str, status: str = "active") -> dict[str, Any]:
    """Give the one atom whose content holds *text*."""
    found = [atom for atom in listed(home, status) if text in atom["content"]]
    assert len(found) == 1, found
    return found[0]


# --------------------------------------------------------------------------- L1


def test_what_the_user_said_is_remembered_with_its_type(home: Path) -> None:
    contents = {atom["content"]: atom["type"] for atom in listed(home)}

    assert contents == {
        "User's name is Ana and they run a small bakery in Porto.": "persona",
        "User prefers small commits with long messages.": "persona",
        "Chose option 2: SQLite with one table a day.": "work_fact",
        "From now on, never push to main without asking me.": "instruction",
        "Keep the oven sensors on MQTT because the shop network is slow.": "work_fact",
        "Will send Rui the price list by Friday.": "work_task",
        "用户更喜欢用中文写的周报。": "persona",
        "Yesterday (2026-03-04) User moved the shop to a bigger street.": "episodic",
    }


def test_an_atom_names_its_message_and_holds_the_time_it_was_said(home: Path) -> None:
    atom = with_words(home, "MQTT")

    assert (atom["sessionId"], atom["source_message_ids"]) == ("one", ["one-6"])
    assert atom["createdAt"] == atom["updatedAt"] == "2026-03-04T09:06:00Z"
    assert (home / "records" / "2026-03-04.jsonl").is_file()
    assert with_words(home, "Rui")["metadata"]["activity_end_time"] == "2026-03-06"


def test_every_atom_is_grounded_in_words_of_the_user(home: Path) -> None:
    said = {message["id"]: message for message in messages(home)}
    for atom in listed(home):
        sources = [said[name] for name in atom["source_message_ids"]]
        assert {message["role"] for message in sources} == {"user"}
        heard = [said[name] for name in atom["metadata"].get("context_message_ids", ())]
        told = words(" ".join(message["content"] for message in (*sources, *heard)))
        own = {"2026", "03", "04", "chose", "sends"} | {"prefers", "用户", "户更"}
        assert set(words(atom["content"])) - own <= set(told), atom["content"]


def test_extracting_again_changes_no_byte(home: Path) -> None:
    before = snapshot(home)
    memctl("-C", home, "extract")
    (home / ".memctl" / "extracted.json").unlink()
    memctl("-C", home, "extract")

    assert before == snapshot(home)


def test_derived_files_come_back_the_same(home: Path) -> None:
    before = snapshot(home)
    shutil.rmtree(home / "scene_blocks")
    (home / "persona.md").unlink()
    memctl("-C", home, "extract")

    assert before == snapshot(home)
    assert "scene_blocks/bakery.md" in before


def test_a_directory_made_at_once_says_what_one_made_in_steps_says(home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for name in ("two", "one"):
        memctl("-C", other, "ingest", tmp_path / "logs" / f"{name}.jsonl")
        memctl("-C", other, "extract")

    for name in ("persona.md", "scene_blocks/bakery.md", "scene_blocks/pricing.md"):
        assert (home / name).read_bytes() == (other / name).read_bytes(), name


def test_the_newer_value_stands_whatever_order_it_came_in(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    old = transcript(logs, "old", "Our release deadline is March 20.", day="2026-03-01")
    new = transcript(logs, "new", "Our release deadline is March 27.", day="2026-03-10")
    for order in ((old, new), (new, old)):
        memory = tmp_path / f"memory-{order[0].stem}"
        for path in order:
            memctl("-C", memory, "ingest", path)
            memctl("-C", memory, "extract")

        assert [atom["content"] for atom in listed(memory)] == ["Our release deadline is March 27."]
        superseded = listed(memory, "superseded")
        assert [atom["content"] for atom in superseded] == ["Our release deadline is March 20."]
        assert listed(memory)[0]["supersedes"] == [superseded[0]["id"]]
        assert (
            "March 20"
            not in (memory / "persona.md").read_text() + (memory / "scene_blocks" / "bakery.md").read_text()
        )


def test_a_value_that_was_given_up_and_said_again_stands_again(tmp_path: Path) -> None:
    logs, memory = tmp_path / "logs", tmp_path / "memory"
    for number, day in enumerate(("20", "27", "20"), 1):
        transcript(logs, f"s{number}", f"Our release deadline is March {day}.", day=f"2026-03-0{number}")
        memctl("-C", memory, "ingest", logs)
        memctl("-C", memory, "extract")
    before = snapshot(memory)
    (memory / ".memctl" / "extracted.json").unlink()
    memctl("-C", memory, "extract")

    assert before == snapshot(memory)
    assert [atom["content"] for atom in listed(memory)] == ["Our release deadline is March 20."]
    assert [atom["content"] for atom in listed(memory, "superseded")] == ["Our release deadline is March 27."]


def test_the_same_answer_to_another_offer_is_another_choice(tmp_path: Path) -> None:
    path = transcript(
        tmp_path / "logs",
        "one",
        ("assistant", "Option 1: plain files.\nOption 2: SQLite with one table a day."),
        "option 2 please",
        ("assistant", "Option 1: a cron job.\nOption 2: a systemd timer with a lock."),
        "option 2 please",
    )
    memctl("-C", tmp_path / "memory", "ingest", path)
    memctl("-C", tmp_path / "memory", "extract")
    chosen = [atom["content"] for atom in listed(tmp_path / "memory")]
    assert len(chosen) == 2
    memctl("-C", tmp_path / "memory", "atom", "forget", with_words(tmp_path / "memory", "SQLite")["id"])
    (tmp_path / "memory" / ".memctl" / "extracted.json").unlink()
    memctl("-C", tmp_path / "memory", "extract")

    assert [atom["content"] for atom in listed(tmp_path / "memory")] == [
        "Chose option 2: a systemd timer with a lock."
    ]


def test_said_again_is_more_evidence_and_no_other_atom(home: Path, tmp_path: Path) -> None:
    transcript(tmp_path / "logs", "three", "I PREFER small commits, with long messages!", day="2026-03-09")
    memctl("-C", home, "ingest", tmp_path / "logs")
    memctl("-C", home, "extract")

    atom = with_words(home, "small commits")
    assert atom["source_message_ids"] == ["one-2", "three/three-0"]
    assert (atom["version"], atom["updatedAt"][:10]) == (2, "2026-03-09")


def test_a_subagents_prompts_are_no_words_of_the_user(tmp_path: Path) -> None:
    path = transcript(tmp_path / "logs", "main", "I prefer tabs in this project, not spaces.")
    text = path.read_text().replace('"sessionId"', '"isSidechain": true, "agentId": "1", "sessionId"')
    path.write_text(text)
    memctl("-C", tmp_path / "memory", "ingest", path)
    memctl("-C", tmp_path / "memory", "extract")

    assert listed(tmp_path / "memory", "all") == []


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    path = transcript(tmp_path / "logs", "one", "I prefer small commits with long messages.")
    memctl("-C", tmp_path / "memory", "ingest", path)
    before = snapshot(tmp_path / "memory")
    result = memctl("-C", tmp_path / "memory", "extract", "--dry-run", "--format", "json")

    assert result.data["drafts"]["store"] == 1
    assert before == snapshot(tmp_path / "memory")


def test_layers_sessions_and_times_can_be_chosen(tmp_path: Path) -> None:
    logs, memory = tmp_path / "logs", tmp_path / "memory"
    transcript(logs, "one", "I prefer small commits with long messages.", day="2026-03-01")
    transcript(logs, "two", "I live in Porto, near the river.", day="2026-03-05")
    memctl("-C", memory, "ingest", logs)

    memctl("-C", memory, "extract", "--layer", "l1", "--session", "two")
    assert [atom["sessionId"] for atom in listed(memory)] == ["two"]
    assert not (memory / "persona.md").exists()
    memctl("-C", memory, "extract", "--since", "2026-03-02")
    assert [atom["sessionId"] for atom in listed(memory)] == ["two"]
    memctl("-C", memory, "extract")
    assert [atom["sessionId"] for atom in listed(memory)] == ["one", "two"]
    memctl("-C", memory, "extract", "--since", "soon", code=2)


# --------------------------------------------------------------------------- forget and correct

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


def test_evidence_that_is_gone_or_says_something_else_is_noticed(home: Path) -> None:
    store = open_store(home)
    assert list(weaknesses(store, atoms.latest(store).values())) == []
    path = home / "conversations" / "one.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("on MQTT because", "on LoRa because").replace('"id":"one-2"', '"id":"one-x"'),
        encoding="utf-8",
    )

    found = {(one.what, one.source) for one in weaknesses(store, atoms.latest(store).values())}
    assert found == {("unsaid", "one/one-6"), ("missing", "one/one-2")}


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


# --------------------------------------------------------------------------- L2, L3 and people


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
    memctl("-C", home, "extract")
    assert scene.read_bytes() == second
    memctl("-C", home, "revert", "bakery", "nothing", code=1)
    memctl("-C", home, "history", "nothing", code=1)


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

    assert blocks.parse(persona).is_ours
    assert persona.count("<!-- memctl:end -->") == 1

"""A context is a valid message list that fits its window, grows at its end, and names where the rest is."""

import json
import random
import re
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import pytest
from running import entries, memctl, messages, process

from memctl.context import provider
from memctl.context.build import Context, context, front_of
from memctl.context.listing import Message, listing
from memctl.context.pressure import Limits, Pressure, walk
from memctl.context.session import load
from memctl.context.sizes import Sizes
from memctl.context.standing import NOTHING
from memctl.store import Store, messages as stored_messages, open_store
from memctl.text.tokens import count_tokens, exact_counter

WINDOWS = (4_000, 8_000, 16_000, 64_000, 200_000, 1_000_000)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    """Give a directory with the sample sessions."""
    folder = tmp_path_factory.mktemp("context") / "memory"
    memctl("-C", folder, "ingest", samples, "-q")
    return folder


@pytest.fixture(scope="module")
def long_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory with one long session of our own making."""
    folder = tmp_path_factory.mktemp("long")
    path = folder / "long.json"
    path.write_text(json.dumps({"session_id": "long", "messages": list(long_session())}), encoding="utf-8")
    memctl("-C", folder / "memory", "ingest", path, "-q")
    return folder / "memory"


def long_session(steps: int = 150) -> Iterator[dict[str, Any]]:
    """Make a session of many calls: three tasks, long results, parallel calls, an edit with a long argument."""
    yield {"role": "user", "content": "Make the expiry test pass in src/auth/expiry.py"}
    for step in range(steps):
        if step in (50, 100):
            yield {"role": "user", "content": f"Now look at the billing export in src/billing/part{step}.py"}
        calls = [_call(step, number) for number in range(1 + (step % 7 == 0))]
        yield {
            "role": "assistant",
            "content": f"Function handler_{step} takes the wrong clock.",
            "tool_calls": calls,
        }
        for call in calls:
            result = f"{call['id']} says\n" + "def handler(request):\n    return 200\n" * (step % 40)
            yield {"role": "tool", "tool_call_id": call["id"], "content": result}
    yield {"role": "user", "content": "继续：把剩下的导出做完"}


def _call(step: int, number: int) -> dict[str, Any]:
    arguments: dict[str, str] = {"file_path": f"src/module{step % 30}/file{number}.py"}
    name = "Read"
    if step % 5 == 0:
        name, arguments = "Write", {**arguments, "content": f"value_{step} = 1\n" * 200}
    return {
        "id": f"call_{step}_{number}",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }


def made(store: Store, session: str, window: int, at: str = "") -> Context:
    """Make a context with the estimate."""
    return context(store, session, Limits(window), count_tokens, at=at)


def seeded(number: int) -> random.Random:
    """Give the same choices on every machine."""
    return random.Random(number)  # noqa: S311 - a sample, no secret


def sessions(home: Path) -> list[str]:
    """Give the ids of the sessions of a directory."""
    return memctl("-C", home, "session", "list", "--print", "id").out.split("\n")[:-1]


# --------------------------------------------------------------------------- what the APIs accept


def check_anthropic(body: dict[str, Any]) -> None:
    """Hold the rules of the Anthropic API: user first, roles in turn, nothing empty, every call answered."""
    listed = body["messages"]
    assert listed[0]["role"] == "user"
    open_calls: list[str] = []
    for at, message in enumerate(listed):
        assert message["role"] == ("user", "assistant")[at % 2]
        blocks = message["content"]
        assert blocks
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert sorted(results) == sorted(open_calls)
        assert [block["type"] for block in blocks[: len(results)]] == ["tool_result"] * len(results)
        open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        assert len(set(open_calls)) == len(open_calls)
        assert not open_calls or message["role"] == "assistant"
        for block in blocks:
            check_block(block)
    assert not open_calls
    ids = [block["id"] for message in listed for block in message["content"] if block["type"] == "tool_use"]
    assert len(set(ids)) == len(ids)


def check_block(block: dict[str, Any]) -> None:
    """Hold what one content block must be."""
    match block["type"]:
        case "text":
            assert block["text"].strip()
        case "tool_use":
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,40}", block["id"])
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", block["name"])
            assert isinstance(block["input"], dict)
        case "tool_result":
            content = block["content"]
            assert content
            for inner in content if isinstance(content, list) else [{"type": "text", "text": content}]:
                check_block(inner)
        case kind:
            assert kind == "image"


def check_openai(body: dict[str, Any]) -> None:
    """Hold the rules of the OpenAI API: each tool message answers a call of the assistant message before."""
    listed = [message for message in body["messages"] if message["role"] != "system"]
    assert [message["role"] for message in body["messages"]].count("system") <= 1
    assert listed[0]["role"] == "user"
    waiting: list[str] = []
    before = ""
    for message in listed:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            before = "tool"
            assert message["content"].strip()
        else:
            assert not waiting
            assert message["role"] != before
            before = message["role"]
            waiting = [call["id"] for call in message.get("tool_calls", ())]
            assert waiting or message["content"]
            for call in message.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
    assert not waiting


def check(store: Store, found: Context, window: int) -> None:
    """Hold everything that a context promises in itself."""
    if not found.messages:
        assert not found.state.turns.listed
        return
    check_anthropic(json.loads(json.dumps(provider.anthropic(store, found.system, found.messages))))
    check_openai(json.loads(json.dumps(provider.openai(store, found.system, found.messages))))
    assert found.state.total <= window * 0.96
    assert count_tokens(found.front) + count_tokens(found.canvas) <= window * 0.2
    text = "\n".join(provider.text(found.system, found.messages))
    assert count_tokens(text) <= window
    state = found.state
    turn, system = state.sizes.turn, sum(map(count_tokens, state.turns.system))
    assert state.raw == system + sum(turn(one, {}) for one in state.turns.listed)
    assert [shape.tokens for shape in state.shapes] == [
        0 if shape.left else turn(one, shape.stubs, shape.cap, shape.skipped)
        for one, shape in zip(state.turns.listed, state.shapes, strict=True)
    ]


@pytest.mark.parametrize("window", WINDOWS)
def test_prefixes_of_a_session_give_valid_lists_that_fit(long_home: Path, window: int) -> None:
    store = open_store(long_home)
    for seq in seeded(window).sample(range(1, 326), 4):
        check(store, made(store, "long", window, str(seq)), window)


def test_the_sample_sessions_give_valid_lists(home: Path) -> None:
    store = open_store(home)
    for session in sessions(home):
        for window in (4_000, 64_000):
            check(store, made(store, session, window), window)


def shared_files(shared: Path) -> list[Path]:
    """Give the real transcripts that are not too long for a test."""
    return [
        path
        for path in sorted(shared.rglob("*"))
        if path.is_file()
        and 2_000 < path.stat().st_size < 600_000
        and path.suffix in (".jsonl", ".json", ".traj")
    ]


def test_real_sessions_give_valid_lists(shared: Path, tmp_path: Path) -> None:
    chance = seeded(7)
    check_files(chance.sample(shared_files(shared), 8), tmp_path, chance, windows=2, prefixes=2)


@pytest.mark.long
def test_every_real_session_gives_valid_lists(shared: Path, tmp_path: Path) -> None:
    files = [path for path in sorted(shared.rglob("*")) if path.is_file() and path.suffix != ".md"]
    check_files(files, tmp_path, seeded(11), windows=len(WINDOWS), prefixes=4)


def check_files(
    files: list[Path], folder: Path, chance: random.Random, *, windows: int, prefixes: int
) -> None:
    """Take files in and check prefixes of their sessions under windows."""
    home = folder / "memory"
    memctl("-C", home, "ingest", *files, "-q", code=None)
    store = open_store(home)
    for session in sessions(home):
        listed = list(stored_messages.read(store.conversation(session)))
        first = min((stored.seq for stored in listed if says_something(stored)), default=inf)
        seqs = [stored.seq for stored in listed if stored.seq >= first]
        for seq in [*chance.sample(seqs, min(prefixes, len(seqs))), seqs[-1]] if seqs else ():
            for window in chance.sample(WINDOWS, windows):
                check(store, made(store, session, window, str(seq)), window)


def says_something(stored: stored_messages.Stored) -> bool:
    """Tell whether there is a list from here on: what frameworks write and thoughts make none."""
    if stored.role not in ("user", "assistant"):
        return False
    return stored_messages.has_words(stored) or any(part.get("type") == "call" for part in stored.parts)


def messages_of(home: Path, session: str) -> list[dict[str, Any]]:
    """Give the L0 lines of one session."""
    return [message for message in messages(home) if message["sessionId"] == session]


# --------------------------------------------------------------------------- what stays, what is named


def test_goal_prompt_and_newest_steps_stay_as_they_were(long_home: Path) -> None:
    body = memctl("-C", long_home, "context", "long", "--window", "8000", "--to", "openai").out
    listed = json.loads(body)["messages"]
    said = [message["content"] for message in listed if message["role"] == "user"]

    assert "Make the expiry test pass in src/auth/expiry.py" in said[0]
    assert "继续：把剩下的导出做完" in said[-1]
    tools = [message["content"] for message in listed if message["role"] == "tool"]
    assert tools[-1].startswith("call_149_0 says\ndef handler")


def test_the_task_at_hand_stands_behind_the_last_prompt(long_home: Path) -> None:
    listed = json.loads(
        memctl("-C", long_home, "context", "long", "--window", "32000", "--to", "anthropic").out
    )["messages"]
    texts = [block["text"] for block in listed[-1]["content"] if block["type"] == "text"]

    assert texts[-2:][0].startswith("继续")
    assert texts[-1].startswith("<current_task_context>\n")
    assert texts[-1].endswith("</current_task_context>")
    assert "flowchart TD" in texts[-1]


def test_a_replaced_result_names_its_node_and_the_file_with_all_of_it(long_home: Path) -> None:
    text = memctl("-C", long_home, "context", "long", "--window", "16000").out
    found = re.findall(
        r"\[Offloaded Tool Result \| node: (\d{3}-N\d+)\]\nSummary: (.+)\nresult_ref: (\S+) \(read this file",
        text,
    )

    assert found
    nodes = {entry["node_id"] for entry in entries(long_home)}
    for node, summary, ref in found:
        assert node in nodes
        assert len(summary) <= 200
        assert ref.startswith(f"{long_home.as_posix()}/refs/")
        assert Path(ref).is_file()


def test_the_names_of_files_can_be_opened_from_the_current_folder(
    long_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = re.compile(r'(?:result_ref: |"mmdFilePath":"|task at hand, )([^ "]+?\.(?:md|mmd))')
    for here, given in ((long_home.parent, "memory"), (long_home, "."), (long_home / "refs", "..")):
        monkeypatch.chdir(here)
        text = memctl("-C", given, "context", "long", "--window", "16000").out
        assert len(found := named.findall(text)) > 2
        assert {Path(name).suffix for name in found} == {".md", ".mmd"}
        assert all(Path(name).is_file() for name in found)
    monkeypatch.chdir(long_home)
    assert "result_ref: refs/" in memctl("context", "long", "--window", "16000").out


def test_what_left_comes_back_with_the_commands_that_the_front_names(long_home: Path) -> None:
    text = memctl("-C", long_home, "context", "long", "--window", "8000").out
    front = text[: text.index("</history_task_context>")]
    commands = [command.split()[1:] for command in re.findall(r"`(memctl [^`]*)`", front)]
    export = next(command for command in commands if "export" in command)

    everything = memctl(*export).out
    for message in long_session():
        if message["content"]:
            assert json.dumps(message["content"], ensure_ascii=False)[1:-1] in everything
    for node in re.findall(r"^(\d{3}-N\d+) ", front, re.MULTILINE)[:5]:
        drilled = memctl("-C", long_home, "drill", node).out
        assert "memctl drill" in drilled or "drill --raw" in drilled


def test_a_folded_task_is_one_line_of_facts(long_home: Path) -> None:
    front = memctl("-C", long_home, "context", "long", "--window", "8000").out.partition("</history")[0]
    lines = [json.loads(line) for line in front.split("\n") if line.startswith('{"taskGoal"')]

    assert lines
    for line in lines:
        assert list(line) == ["taskGoal", "status", "nodeCount", "updatedTime", "mmdFilePath"]
        assert Path(line["mmdFilePath"]).is_file()


# --------------------------------------------------------------------------- stability


def test_the_same_session_gives_the_same_bytes(long_home: Path) -> None:
    arguments = ("-C", str(long_home), "context", "long", "--window", "16000", "--to", "anthropic")

    assert process(*arguments).stdout == process(*arguments).stdout == memctl(*arguments).out.encode()


@pytest.mark.parametrize("window", [8_000, 32_000, 100_000])
def test_between_cuts_a_list_only_grows_at_its_end(long_home: Path, window: int) -> None:
    session = load(open_store(long_home), "long")
    state = Pressure(Limits(window), Sizes(session, count_tokens))
    before, cuts, held = "", -1, 0
    for stored in session.listed:
        state.take(stored)
        if not 180 < stored.seq < 240:
            continue
        after = shown(listing(state, front_of(session, state, NOTHING), ()))
        if len(state.cuts) == cuts:
            assert after.startswith(before)
            held += 1
        before, cuts = after, len(state.cuts)
    assert held > 20


def test_what_stands_before_the_last_prompt_is_the_same_at_the_next_message(long_home: Path) -> None:
    store = open_store(long_home)
    before: Context | None = None
    for seq in range(321, 327):
        after = made(store, "long", 16_000, str(seq))
        if before is not None and len(before.state.cuts) == len(after.state.cuts):
            assert shown(after.messages).startswith(
                shown(before.messages).partition("\n<current_task")[0][:-8]
            )
        before = after
    assert before is not None
    assert shown(before.messages).count("<current_task_context>") == 1


def shown(messages: list[Message]) -> str:
    """Write a list without what still waits for a result."""
    return "\n".join(provider.text([], messages)).partition("\n< [no result yet]")[0]


def test_a_context_at_a_message_is_that_of_a_transcript_that_ends_there(tmp_path: Path) -> None:
    listed = list(long_session(60))
    for name, part in (("whole", listed), ("part", listed[:90])):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"session_id": "long", "messages": part}), encoding="utf-8")
        memctl("-C", tmp_path / name, "ingest", path, "-q")
    seq = messages(tmp_path / "part")[-1]["seq"]
    whole = made(open_store(tmp_path / "whole"), "long", 8_000, str(seq))
    part_ = made(open_store(tmp_path / "part"), "long", 8_000)

    assert shown(whole.messages) == shown(part_.messages)


# --------------------------------------------------------------------------- the command


def test_a_file_is_taken_in_first(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"session_id": "s", "messages": list(long_session(5))}), encoding="utf-8")
    ran = memctl("-C", tmp_path / "memory", "context", path)

    assert "created the memory directory" in ran.err
    assert ran.out.startswith("[user]\nMake the expiry test pass")
    assert memctl("-C", tmp_path / "memory", "context", path).out == ran.out


@pytest.mark.parametrize("window", ["1000", "2000", "4000", "8000"])
def test_stats_add_up(long_home: Path, window: str) -> None:
    rows = memctl("-C", long_home, "context", "long", "--window", window, "--stats", "--format", "json").data
    by = {row["what"]: row["tokens"] for row in rows}
    total = by.pop("list")

    assert by["raw"] > 8_000
    assert sum(by.values()) == total
    assert ("last: newest cut" in by) == (window != "8000")
    assert "mild" in memctl("-C", long_home, "context", "long", "--window", "8000", "--stats").out


def test_memories_of_the_last_prompt_stand_behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_CACHE_DIR", str(tmp_path / "cache"))
    home = tmp_path / "memory"
    for name, text in (
        ("a", "The billing export uses commas in some countries."),
        ("b", "Fix the billing export"),
    ):
        path = tmp_path / f"{name}.json"
        listed = [{"role": "user", "content": text}, {"role": "assistant", "content": "I see."}]
        path.write_text(json.dumps({"session_id": name, "messages": listed}), encoding="utf-8")
        memctl("-C", home, "ingest", path, "-q")
    (home / "memctl.yaml").write_text("format: 1\nrecall:\n  embedder: none\n")
    plain = memctl("-C", home, "context", "b").out
    found = memctl("-C", home, "context", "b", "--with-memory").out

    assert "commas" not in plain
    assert found.index("Fix the billing export") < found.index("<relevant-memories>") < found.index("commas")


def test_raw_does_not_depend_on_the_window(long_home: Path) -> None:
    session = load(open_store(long_home), "long")
    raw = {walk(Limits(window), Sizes(session, count_tokens), session.listed).raw for window in WINDOWS}

    assert len(raw) == 1


def test_what_was_forgotten_stays_out(tmp_path: Path) -> None:
    said = "Please always use SQLite for the session store, never Postgres."
    listed = [{"role": "user", "content": f"{said} Now fix the login."}, *list(long_session(12))[1:]]
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"session_id": "s", "messages": listed}), encoding="utf-8")
    home = tmp_path / "memory"
    assert "SQLite" in memctl("-C", home, "context", path, "--window", "4000").out
    memctl("-C", home, "extract", "-q")
    atoms = memctl("-C", home, "atom", "list", "--format", "json").data
    gone = [atom["id"] for atom in atoms if "SQLite" in atom["content"]]
    assert gone
    memctl("-C", home, "atom", "forget", *gone)
    for to in ("text", "openai", "anthropic"):
        found = memctl("-C", home, "context", "s", "--window", "4000", "--to", to).out
        assert "SQLite" not in found
        assert "Now fix the login." in found


def test_a_replay_adds_up_every_request_four_ways(long_home: Path) -> None:
    rows = memctl("-C", long_home, "context", "long", "--window", "8000", "--replay", "--format", "json").data
    by = {row["what"]: row for row in rows}

    assert list(by) == ["raw", "drop-oldest", "offload only", "offload + canvas"]
    assert {row["requests"] for row in rows} == {150}
    assert by["raw"]["saved"] == 0
    assert by["raw"]["tokens"] > by["offload only"]["tokens"] > by["offload + canvas"]["tokens"]
    assert by["drop-oldest"]["tokens"] <= 8_000 * 150
    text = memctl("-C", long_home, "context", "long", "--window", "8000", "--replay").out
    assert text.endswith("150 requests, window 8,000\n")


def test_unknown_sessions_and_messages_are_said(long_home: Path) -> None:
    assert "no session" in memctl("-C", long_home, "context", "nope", code=1).err
    assert "no message" in memctl("-C", long_home, "context", "long", "--at", "nope", code=1).err


def test_ratios_and_counter_come_from_the_settings(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"session_id": "s", "messages": list(long_session(30))}), encoding="utf-8")
    home = tmp_path / "memory"
    memctl("-C", home, "context", path)
    assert "[Offloaded" not in memctl("-C", home, "context", "s", "--window", "100000").out
    settings = "format: 1\ncontext:\n  mild: 0.01\n"
    (home / "memctl.yaml").write_text(settings)
    assert "[Offloaded" in memctl("-C", home, "context", "s", "--window", "100000").out
    (home / "memctl.yaml").write_text(settings + "tokens:\n  counter: words\n")
    assert "tokens.counter" in memctl("-C", home, "context", "s", code=12).err


O200K = {"": 0, "hello world": 2, "def f(x):\n    return x\n": 8, "继续：把剩下的导出做完": 10, "\ud800": 1}


def test_the_exact_counter_is_exact(tmp_path: Path) -> None:
    pytest.importorskip("bpe_openai")
    counted = exact_counter()
    assert {text: counted(text) for text in O200K} == O200K
    assert counted("<|endoftext|>") == 7, "what looks like a special token is text"
    home = tmp_path / "memory"
    raw = {}
    for name, text in (("short", "hello world"), ("long", "antidisestablishmentarianism " * 40)):
        path = tmp_path / f"{name}.json"
        listed = {"session_id": name, "messages": [{"role": "user", "content": text}]}
        path.write_text(json.dumps(listed), encoding="utf-8")
        memctl("-q", "-C", home, "ingest", path)
    for counter in ("estimate", "o200k_base"):
        (home / "memctl.yaml").write_text(f"format: 1\ntokens:\n  counter: {counter}\n")
        for name in ("short", "long"):
            rows = memctl("-C", home, "context", name, "--stats", "--format", "json").data
            raw[counter, name] = rows[0]["tokens"]
    assert raw["o200k_base", "long"] - raw["o200k_base", "short"] == 241 - 2
    assert raw["estimate", "long"] != raw["o200k_base", "long"]


def test_a_result_bigger_than_the_window_is_shown_in_part(tmp_path: Path) -> None:
    listed = [
        {"role": "user", "content": "look"},
        {"role": "assistant", "content": "", "tool_calls": [_call(1, 0)]},
        {
            "role": "tool",
            "tool_call_id": "call_1_0",
            "content": "first\n" + "line of text\n" * 20_000 + "last",
        },
    ]
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"session_id": "s", "messages": listed}), encoding="utf-8")
    text = memctl("-C", tmp_path / "memory", "context", path, "--window", "4000").out

    assert "< first\n" in text
    assert "last\n" in text
    assert "tokens left out; `memctl -C" in text
    assert count_tokens(text) <= 4_000

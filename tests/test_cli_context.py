"""`memctl context`: files, figures, memories and settings."""

import json
from pathlib import Path

import pytest
from contexts import WINDOWS, long_call, long_session
from running import memctl

from memctl.context.pressure import Limits, walk
from memctl.context.session import load
from memctl.context.sizes import Sizes
from memctl.store import open_store
from memctl.text.tokens import count_tokens, exact_counter


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
        {"role": "assistant", "content": "", "tool_calls": [long_call(1, 0)]},
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

"""`session export` gives back every text, call, argument and result that a transcript had."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from running import memctl, snapshot

from memctl import readers
from memctl.model import Call, Image, Message, Part, Raw, Result, Text, Thinking
from memctl.readers import Source

TO = ["openai", "anthropic"]


def unredacted(home: Path) -> Path:
    memctl("-q", "init", home)
    settings_file = home / "memctl.yaml"
    settings_file.write_text(settings_file.read_text().replace("redact: on", "redact: off"))
    return home


def exported(home: Path, session: str, to: str) -> dict[str, Any]:
    document = json.loads(memctl("-C", home, "session", "export", session, "--to", to).out)
    assert isinstance(document, dict)
    return document


def said(parts: list[Part]) -> dict[str, Any]:
    """Give what must come back: texts, calls with arguments, results; ids without their ordinal."""
    return {
        "texts": Counter(part.text for part in parts if isinstance(part, Text) and part.text),
        "thoughts": "\n\n".join(part.text for part in parts if isinstance(part, Thinking)),
        "calls": [(part.name, arguments(part.arguments)) for part in parts if isinstance(part, Call)],
        "results": Counter(body(part) for part in parts if isinstance(part, Result)),
    }


def arguments(value: Any) -> Any:
    """Give arguments as a JSON value, whichever way an API writes them."""
    if isinstance(value, dict):
        return arguments(value["arguments"]) if value.keys() == {"arguments"} else value
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {"arguments": value}
    return value if isinstance(value, dict) else {"arguments": value}


def body(result: Result) -> str:
    pieces = []
    for block in result.blocks:
        if isinstance(block, Text):
            pieces.append(block.text)
        elif isinstance(block, Image):
            pieces.append(f"<{block.data or block.url}>")
        elif isinstance(block, Raw):
            pieces.append(json.dumps(block.value, sort_keys=True))
    return "".join(pieces)


def parts_of(events: list[Any], session: str | None = None) -> list[Part]:
    found = [event for event in events if isinstance(event, Message) and session in (None, event.session)]
    return [part for message in found for part in message.parts]


# --------------------------------------------------------------------------- made conversations

words = st.text(st.characters(codec="utf-8"), max_size=30)
ids = st.text("abcdef0123", min_size=1, max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=4,
)


@st.composite
def conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw an OpenAI conversation with calls, results of all lengths, and texts of any kind."""
    found: list[dict[str, Any]] = [{"role": "user", "content": draw(words) or "go"}]
    for number in range(draw(st.integers(1, 4))):
        calls = [f"{draw(ids)}-{number}-{place}" for place in range(draw(st.integers(0, 3)))]
        message: dict[str, Any] = {"role": "assistant", "content": draw(words)}
        if calls:
            message["tool_calls"] = [
                {
                    "id": call,
                    "type": "function",
                    "function": {
                        "name": draw(ids),
                        "arguments": json.dumps(draw(values), ensure_ascii=False),
                    },
                }
                for call in calls
            ]
        found.append(message)
        for call in calls:
            content = draw(words) * draw(st.sampled_from([1, 1, 40]))
            found.append({"role": "tool", "tool_call_id": call, "content": content})
        found.append({"role": "user", "content": draw(words) or "on"})
    return found


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(conversation=conversations(), to=st.sampled_from(TO))
def test_a_made_conversation_comes_back(
    conversation: list[dict[str, Any]], to: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("made")
    source = folder / "chat.json"
    source.write_text(json.dumps(conversation), encoding="utf-8")
    home = unredacted(folder / "memory")
    memctl("-q", "-C", home, "ingest", source)
    session = memctl("-C", home, "session", "list", "--print", "id").out.strip()

    back = parts_of(list(readers.read(Source.from_bytes(json.dumps(exported(home, session, to)).encode()))))

    assert said(parts_of(list(readers.read(Source.from_bytes(source.read_bytes()))))) == said(back)


@pytest.mark.parametrize("to", TO)
def test_numbers_beyond_a_double_come_back_as_they_were_written(tmp_path: Path, to: str) -> None:
    arguments = (
        '{"tiny":1e-400,"huge":1E400,"price":[1.10,-0.0,0.1000000000000000055],"id":98765432109876543210}'
    )
    call = '{"type":"tool_use","id":"toolu_1","name":"put","input":' + arguments + "}"
    source = tmp_path / "chat.json"
    source.write_text(
        '[{"role":"user","content":"go"},{"role":"assistant","content":[' + call + "]}]", encoding="utf-8"
    )
    home = unredacted(tmp_path / "memory")
    memctl("-q", "-C", home, "ingest", source)
    session = memctl("-C", home, "session", "list", "--print", "id").out.strip()

    out = memctl("-C", home, "session", "export", session, "--to", to).out

    assert (json.dumps(arguments)[1:-1] if to == "openai" else arguments) in out


def test_half_a_character_in_a_long_result_comes_back(tmp_path: Path) -> None:
    text = "half \\ud83d of one " * 40
    call = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}
    source = tmp_path / "chat.json"
    source.write_text(
        f'[{{"role":"user","content":"go"}},{json.dumps(call)},'
        f'{{"role":"tool","tool_call_id":"c","content":"{text}"}}]',
        encoding="utf-8",
    )
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", source)
    session = memctl("-C", home, "session", "list", "--print", "id").out.strip()

    assert text in memctl("-C", home, "session", "export", session, "--to", "openai").out
    assert "half \N{REPLACEMENT CHARACTER} of" in memctl("-C", home, "context", session).out


# --------------------------------------------------------------------------- samples and real files


def check_file(source: Path, home: Path, to: str) -> None:
    """Ingest one file and compare every session's export with what the reader gives."""
    events = list(readers.read(readers.open_source(source)))
    keys = list(dict.fromkeys(event.session for event in events if isinstance(event, Message)))
    if memctl("-q", "-C", home, "ingest", source, code=None).code != 0:
        return
    for session in memctl("-C", home, "session", "list", "--print", "id").out.split("\n")[:-1]:
        original = parts_of(events, session if session in keys else keys[0])
        if session not in keys and len(keys) > 1:
            continue  # many conversations without ids in one file: tried one by one above
        document = exported(home, session, to)
        if not any(message["role"] in ("user", "assistant") for message in document["messages"]):
            continue
        name = "openai" if to == "openai" else "anthropic"
        back = parts_of(list(readers.read(Source.from_bytes(json.dumps(document).encode()), name)))
        wanted, found = said(distinct(original)), said(back)
        assert wanted["texts"].keys() <= found["texts"].keys() | {found["thoughts"]}, source
        assert wanted["calls"] == found["calls"], source
        assert wanted["results"].keys() <= found["results"].keys(), source


def distinct(parts: list[Part]) -> list[Part]:
    """Leave out parts that a file repeats (the same lines twice)."""
    seen: set[str] = set()
    kept: list[Part] = []
    for part in parts:
        key = repr(part)
        if isinstance(part, Call) and part.id is not None and key in seen:
            continue
        seen.add(key)
        kept.append(part)
    return kept


@pytest.mark.parametrize("to", TO)
def test_samples_come_back(samples: Path, tmp_path: Path, to: str) -> None:
    sources = [path for path in sorted(samples.rglob("*")) if path.suffix in (".json", ".jsonl")]
    assert sources
    for number, source in enumerate(sources):
        check_file(source, unredacted(tmp_path / str(number)), to)


FOLDERS = ["claude_code", "codex", "openclaw", "pi", "gemini_cli", "openai_messages", "derived_edge_cases"]


@pytest.mark.parametrize("to", TO)
@pytest.mark.parametrize("folder", FOLDERS)
def test_real_files_come_back(shared: Path, tmp_path: Path, folder: str, to: str) -> None:
    for number, source in enumerate(path for path in sorted((shared / folder).rglob("*")) if path.is_file()):
        if source.stat().st_size < 1_000_000:
            check_file(source, unredacted(tmp_path / str(number)), to)


def test_with_redaction_on_only_secrets_differ(tmp_path: Path) -> None:
    secret = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
    conversation = [
        {"role": "user", "content": f"use {secret} for the call"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "curl", "arguments": json.dumps({"key": secret})},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": f"authorised with {secret}\n" + "x" * 900},
    ]
    source = tmp_path / "chat.json"
    source.write_text(json.dumps(conversation))
    home = tmp_path / "memory"
    memctl("-C", home, "ingest", source)
    session = memctl("-C", home, "session", "list", "--print", "id").out.strip()

    back = json.dumps(exported(home, session, "openai"))

    assert secret not in back
    assert all(secret.encode() not in data for data in snapshot(home).values())
    assert re.sub(r"\[REDACTED:[a-z_-]+\]", secret, back).count(secret) == 3
    assert "x" * 900 in back


def test_the_first_letters_name_a_session_and_several_are_a_choice(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    for name in ("t-1a", "t-1b", "u"):
        chat = tmp_path / f"{name}.json"
        chat.write_text(
            json.dumps({"session_id": name, "messages": [{"role": "user", "content": f"I am {name}."}]})
        )
        memctl("-q", "-C", home, "ingest", chat)

    assert "I am u." in memctl("-C", home, "session", "show", "u").out
    assert "I am t-1b." in memctl("-C", home, "session", "show", "t-1b").out
    several = memctl("-C", home, "session", "show", "t-1", code=2).err
    assert "session:t-1a" in several
    assert "session:t-1b" in several
    assert "session list`" in memctl("-C", home, "session", "show", "x", code=1).err

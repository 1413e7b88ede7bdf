"""The laws of all readers, on a transcript of each format: whatever comes is read, and what is cut is a beginning."""

import importlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import claude_lines
import pytest
from beginnings import check_text_beginnings, shuffled_lines
from hypothesis import given, settings, strategies as st
from reading import check_beginnings, events, spoiled, written
from transcripts import (
    aider,
    antigravity,
    atif,
    chat,
    chatgpt,
    claude_ai,
    cline,
    codex,
    copilot,
    cursor,
    droid,
    gemini,
    grok,
    kimi,
    langsmith,
    locomo,
    longmemeval,
    mini_swe_agent,
    notes,
    opencode,
    openhands,
    pi,
    plain_chat,
    qwen,
    responses,
    sharegpt,
    specstory,
    swe_agent,
    tau_bench,
    tdai,
)

from memctl.model import Damage
from memctl.readers import FORMATS, Source, Unreadable


@dataclass(frozen=True, slots=True)
class Law:
    """What a reader is held to.

    lines, texts: its transcripts. check, check_text: what holds for them cut after any line.
    """

    lines: tuple[list[Any], ...] = ()
    texts: tuple[str, ...] = ()
    check: Callable[[ModuleType, bytes], None] = check_beginnings
    check_text: Callable[[ModuleType, str], None] = check_text_beginnings

    def samples(self) -> list[bytes]:
        """Give the transcripts as bytes."""
        return [*map(written, self.lines), *(text.encode() for text in self.texts)]


MANY_CHATS = [{"messages": chat.WEATHER}, {"messages": chat.BLOCKS}, {"messages": chat.WEATHER}]
SOME_RUNS = [langsmith.ROOT, langsmith.FIRST, langsmith.ADD, langsmith.HUMAN]
not_growing = partial(check_beginnings, grows=False)  # a later line may amend an earlier message


def is_read(reader: ModuleType, data: bytes | str) -> None:
    """Hold no beginning to it: a document is written anew as a whole."""
    events(reader, data.encode() if isinstance(data, str) else data)


def by_session(_: ModuleType, data: bytes) -> None:
    """Hold each session of a file to it: Claude Code mixes them."""
    claude_lines.check_cuts(data, step=5)


LAWS = {
    "codex": Law((codex.SESSION,)),
    "pi": Law((pi.SESSION,)),
    "gemini": Law((gemini.CHAT, gemini.document(*gemini.CHAT[1:4])), check=not_growing),
    "qwen": Law((qwen.CHAT,)),
    "claude-code": Law((claude_lines.LINES,), check=by_session),
    "cursor": Law((cursor.LINES,), (cursor.EXPORT,)),
    "copilot": Law((copilot.LOG,)),
    "droid": Law((droid.STORED, droid.STREAM)),
    "kimi": Law((kimi.LOG,)),
    "grok": Law((grok.HISTORY,)),
    "tdai": Law((tdai.LINES,)),
    "antigravity": Law((antigravity.STEPS,)),
    "atif": Law(
        ([atif.TRAJECTORY], [[atif.trace(0, "a", "b"), atif.trace(1, "a", "b", "c")]]), check=is_read
    ),
    "mini-swe-agent": Law(([mini_swe_agent.CALLING], [{"messages": mini_swe_agent.BLOCKS}]), check=is_read),
    "swe-agent": Law(([swe_agent.TEXT_MODE], [swe_agent.CALLING]), check=is_read),
    "openhands": Law((openhands.NEW, openhands.OLD)),
    "tau-bench": Law(([*tau_bench.RUNS, tau_bench.SHOWN],)),
    "cline": Law(([cline.SENT], [cline.NATIVE], [cline.WINDOW]), check=is_read),
    "opencode": Law(([opencode.EXPORT],), check=is_read),
    "chatgpt": Law(([chatgpt.CHAT, {**chatgpt.CHAT, "conversation_id": "c-2"}],)),
    "claude-ai": Law(([claude_ai.CHAT, {**claude_ai.CHAT, "uuid": "v-2"}],)),
    "sharegpt": Law(([sharegpt.CHAT, sharegpt.PREFERENCE],)),
    "locomo": Law(([locomo.SAMPLE, locomo.BARE],)),
    "longmemeval": Law(([longmemeval.REME, longmemeval.ORIGINAL],)),
    "langsmith": Law((SOME_RUNS,), check=not_growing),
    "openai-responses": Law(([*responses.ITEMS, responses.RESPONSE, *responses.ITEMS],)),
    "anthropic": Law((chat.BLOCKS, MANY_CHATS)),
    "openai": Law((chat.WEATHER, [*chat.WEATHER, *chat.BLOCKS], MANY_CHATS)),
    "specstory": Law(texts=(specstory.NEW, specstory.OLD)),
    "aider": Law(texts=(aider.TWO_CHATS,)),
    "notes": Law(texts=(notes.NOTES,), check_text=is_read),
    "plain-chat": Law(texts=(plain_chat.ROLES, plain_chat.PERSONS)),
}
READERS = {known.name: importlib.import_module(f"memctl.readers.{known.module}") for known in FORMATS}


def test_every_format_is_held_to_the_laws() -> None:
    assert sorted(LAWS) == sorted(READERS)


@pytest.mark.parametrize("name", LAWS)
def test_a_transcript_cut_after_any_line_is_a_beginning(name: str) -> None:
    law, reader = LAWS[name], READERS[name]
    for lines in law.lines:
        law.check(reader, written(lines))
    for text in law.texts:
        law.check_text(reader, text)


@pytest.mark.parametrize("name", [name for name in LAWS if LAWS[name].lines])
@settings(max_examples=50)
@given(data=st.data())
def test_whatever_stands_in_the_lines_any_cut_is_a_beginning(name: str, data: st.DataObject) -> None:
    law, reader = LAWS[name], READERS[name]
    lines = data.draw(st.one_of(*map(spoiled, law.lines)))

    law.check(reader, written(lines))
    assert not [event for event in events(reader, written(lines)) if isinstance(event, Damage)]
    events(reader, json.dumps(lines).encode())


@pytest.mark.parametrize("name", [name for name in LAWS if LAWS[name].texts])
@settings(max_examples=50)
@given(data=st.data())
def test_whatever_the_order_of_lines_any_cut_is_a_beginning(name: str, data: st.DataObject) -> None:
    lines = [line for text in LAWS[name].texts for line in text.split("\n")]

    LAWS[name].check_text(READERS[name], data.draw(shuffled_lines(lines)))


@pytest.mark.parametrize("name", LAWS)
@settings(max_examples=40)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(name: str, data: bytes) -> None:
    reader, (sample, *_) = READERS[name], LAWS[name].samples()
    for given_ in (data, b"[" + data + b"]", sample[:200] + data + sample[200:]):
        events(reader, given_)
        with suppress(Unreadable):
            reader.detect(Source.from_bytes(given_))

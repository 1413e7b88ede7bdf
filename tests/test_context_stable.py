"""A context grows at its end: the same session gives the same bytes."""

import json
from pathlib import Path

import pytest
from contexts import long_session, made
from running import memctl, messages, process

from memctl.context import provider
from memctl.context.build import Context, front_of
from memctl.context.listing import Message, listing
from memctl.context.pressure import Limits, Pressure
from memctl.context.session import load
from memctl.context.sizes import Sizes
from memctl.context.standing import NOTHING
from memctl.store import open_store
from memctl.text.tokens import count_tokens


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

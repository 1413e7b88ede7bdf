"""The message list: what remains under pressure, after the front and before the current task."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from memctl.context import sizes
from memctl.context.pressure import Pressure, Shape
from memctl.context.sizes import Counter
from memctl.context.turns import Asked, Part, Turn
from memctl.model import Json
from memctl.text.names import quoted

CANVAS_TAG = "current_task_context"
_BEGUN = "(The agent begins.)"
_NOTHING = "(no output)"

Block = str | Part  # a text, or the record of a picture


class Use(NamedTuple):
    """A call and what came back for it. node: of its entry, for people."""

    id: str
    name: str
    arguments: Json
    result: tuple[Block, ...]
    is_error: bool | None = None


@dataclass(slots=True)
class Message:
    """A message for any provider: the results of its *uses* follow it."""

    role: Literal["user", "assistant"]
    blocks: list[Block] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)


def listing(state: Pressure, front: str, behind: tuple[str, ...]) -> list[Message]:
    """Give the messages: user first, roles in turn, nothing empty, every call with its result.

    front: the block of what left. behind: blocks that stand after everything that was said.
    """
    out: list[Message] = [Message("user", [front])] if front else []
    for at, turn in enumerate(state.turns.listed):
        shape = state.shapes[at]
        if not shape.left:
            _add(out, _message(state, turn, shape))
    if behind:
        _add(out, Message("user", list(behind)))
    if out and out[0].role == "assistant":
        out.insert(0, Message("user", [_BEGUN]))
    return out


def _add(out: list[Message], message: Message) -> None:
    """Append a message, joined to the one before it where one role would speak twice."""
    if not message.blocks and not message.uses:
        return
    if out and out[-1].role == message.role and not out[-1].uses:
        out[-1].blocks += message.blocks
        out[-1].uses += message.uses
    else:
        out.append(message)


def _message(state: Pressure, turn: Turn, shape: Shape) -> Message:
    count, cap = state.sizes.count, shape.cap
    words = [block for part in turn.words[shape.skipped :] if (block := _word(state, part, cap, count)) != ""]
    calls = max(shape.skipped - len(turn.words), 0)
    uses = [
        _use(state, asked, shape.stubs.get(number), cap, count)
        for number, asked in enumerate(turn.calls[calls:], calls)
    ]
    note: list[Block] = []
    if shape.skipped:
        session = state.sizes.session
        shows = f"`{session.command} session show {quoted(session.id)}`"
        note.append(f"[{shape.skipped:,} earlier texts and calls were left out here; {shows} shows all]")
    return Message(turn.role, note + words, uses)


def _word(state: Pressure, part: Part, cap: int | None, count: Counter) -> Block:
    if part.get("type") == "image":
        return part
    text = sizes.late(state.sizes.session, part) if part.get("type") == "result" else sizes.spoken(part)
    if cap is not None:
        session = state.sizes.session
        text = sizes.capped(text, cap, count, f"{session.command} session show {quoted(session.id)}")
    return text if text.strip() else ""


def _use(state: Pressure, asked: Asked, stub: str | None, cap: int | None, count: Counter) -> Use:
    error = asked.result.get("is_error") if asked.result else None
    flag = error if isinstance(error, bool) else None
    if stub is not None:
        return Use(asked.key, asked.name, sizes.short_arguments(asked.arguments), (stub,), flag)
    result: tuple[Block, ...] = (sizes.NO_RESULT,)
    if asked.result is not None:
        found = [block for block in state.sizes.session.result(asked.result) if block != ""]
        if cap is not None:
            where = f"{state.sizes.session.command} drill --raw {quoted(asked.key)}"
            found = [
                sizes.capped(block, cap // len(found) or 1, count, where) if isinstance(block, str) else block
                for block in found
            ]
        result = tuple(block for block in found if not isinstance(block, str) or block.strip()) or (_NOTHING,)
    arguments = asked.arguments if cap is None else sizes.capped_arguments(asked.arguments, cap, count)
    return Use(asked.key, asked.name, arguments, result, flag)

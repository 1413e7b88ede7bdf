"""Read conversations as data sets for training hold them: turns of `from` and `value` (FORMATS 16)."""

import json
from collections.abc import Iterator, Mapping

from memctl.model import Call, Damage, Event, Json, Message, Part, Result, Role, SessionFacts, Skipped, Text
from memctl.readers.blocks import parts_of, result_blocks
from memctl.readers.chat import chat_message
from memctl.readers.fields import compact, mapping, objects, sequence, string
from memctl.readers.source import Source
from memctl.readers.tagged import answer_parts, responses

FORMAT = "sharegpt"

_ROLES: Mapping[str, Role] = {
    "human": "user",
    "user": "user",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "assistant": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "ai": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "claude": "assistant",
    "function_call": "assistant",
    "tool_call": "assistant",
    "observation": "tool",
    "tool": "tool",
    "tool_response": "tool",
    "function": "tool",
    "function_response": "tool",
}
_CALLS = ("function_call", "tool_call")
_REJECTED = ("rejected",)


def detect(source: Source) -> bool:
    """Tell a conversation by its turns (FORMATS 0, row 18)."""
    return any(map(_is_conversation, objects(source.head())))


def read(source: Source) -> Iterator[Event]:
    """Give the events of each conversation, a session of its own.

    Ids of such files are those of a data set, not of sessions: they only tell equal beginnings apart.
    Where one answer was preferred to another, both follow the last turn, the chosen one last; the other, as
    the last answer of a conversation that was judged bad (`kto_tag`, `label`), is marked: it did not stand.
    """
    number = 0
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        value = _with_turns(mapping(line.value))
        if not _is_conversation(value):
            yield Skipped("no conversation")
            continue
        number += 1
        yield from _conversation(value, f"#{number}")


def _with_turns(value: Mapping[str, Json]) -> Mapping[str, Json]:
    """Give a row of two answers of which one was preferred as a conversation and its answers.

    The answers are texts, messages, or whole conversations that begin alike; the question stands beside them or
    at the beginning of both.
    """
    if "conversations" in value or not {"chosen", "rejected"} <= value.keys():
        return value
    asked, chosen, rejected = (_turns(value.get(name), who) for name, who in _SIDES)
    same = 0
    while same < min(len(chosen), len(rejected)) and chosen[same] == rejected[same]:
        same += 1
    repeated = [*map(_turn, map(mapping, asked))] == [*map(_turn, map(mapping, chosen[: len(asked)]))]
    turns = [*([] if repeated else asked), *chosen[:same]]
    return {**value, "conversations": turns, "chosen": chosen[same:], "rejected": rejected[same:]}


_SIDES = (("prompt", "human"), ("chosen", "gpt"), ("rejected", "gpt"))


def _turns(value: Json, who: str) -> list[Json]:
    if isinstance(value, str):
        return [{"from": who, "value": value}] if value else []
    return list(value) if isinstance(value, list) else [value] if isinstance(value, dict) else []


def _is_conversation(value: Mapping[str, Json]) -> bool:
    value = _with_turns(value)
    turns = [mapping(turn) for turn in sequence(value.get("conversations"))]
    return any({"from", "value"} <= turn.keys() or {"role", "content"} <= turn.keys() for turn in turns)


def _conversation(value: Mapping[str, Json], key: str) -> Iterator[Event]:
    name = value.get("id")
    yield SessionFacts(key, None, FORMAT, "" if name is None else compact(name))
    turns = [mapping(turn) for turn in value["conversations"]]
    system = parts_of(value.get("system"))
    # With two answers the messages need names, so that both can follow the same one.
    answers = [(which, _turns(value[which], "gpt")) for which in ("rejected", "chosen") if value.get(which)]
    named = bool(answers)
    bad = any(value.get(flag) is False for flag in ("kto_tag", "label"))
    judged = max((at for at, turn in enumerate(turns, 1) if _is_answer(turn)), default=0) if bad else 0
    last: str | None = None
    if system:
        yield Message(key, "system" if named else None, "system", system)
    for place, turn in enumerate(turns, 1):
        read = _turn(turn)
        if read is None:
            yield Skipped(f"empty:{turn.get('from')}", key)
            continue
        own = str(place) if named else None
        yield Message(key, own, *read, marks=_REJECTED if place == judged else (), parent=last)
        last = own
    for which, listed in answers:
        above = last
        for place, answer in enumerate(map(mapping, listed)):
            read = _turn(answer)
            if read:
                own = f"{which}-{place}" if place else which
                marks = _REJECTED if which == "rejected" else ()
                yield Message(key, own, *read, marks=marks, parent=above)
                above = own


def _is_answer(turn: Mapping[str, Json]) -> bool:
    return _ROLES.get(str(turn.get("from", turn.get("role"))).lower()) == "assistant"


def _turn(turn: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]] | None:
    if "from" not in turn:
        return chat_message(turn)
    who, value = str(turn["from"]).lower(), turn.get("value")
    role = _ROLES.get(who, "system")
    if role == "tool":
        told = responses(value) if isinstance(value, str) else ()
        return role, told or (Result(None, result_blocks(value)),)
    parts = _calls(value) if who in _CALLS else parts_of(value)
    if role == "assistant" and who not in _CALLS and isinstance(value, str):
        parts = answer_parts(value)
    return (role, parts) if parts else None


def _calls(value: Json) -> tuple[Part, ...]:
    """Read calls, one or a list, written as JSON; what is no JSON stays text."""
    found = value
    if isinstance(value, str):
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            return (Text(value),) if value else ()
    calls = found if isinstance(found, list) else [found]
    if not all(isinstance(call, dict) and string(call.get("name")) for call in calls):
        return parts_of(value)
    return tuple(Call(None, call["name"], call.get("arguments")) for call in calls)

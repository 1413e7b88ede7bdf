"""How many tokens the parts of a turn take, and what stands in the place of those that were replaced."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import orjson

from memctl.context.session import Session
from memctl.context.turns import Asked, Part, Turn
from memctl.model import Entry, Json
from memctl.summarize.requests import parsed
from memctl.text.names import quoted

Counter = Callable[[str], int]

PICTURE = 1500  # tokens of a picture, about what providers charge for one of a screen
_TURN, _CALL, _RESULT = 4, 8, 4  # tokens around a message, a call, a result
_NOTE = 16  # tokens that say what was cut out of a text, beside the command that shows it,
_SKIPPED = 16  # and how much was left out of a turn
_LONG = 400  # characters of an argument that stays whole when its call is replaced
_KEPT = 160  # characters of one that does not
_DEEPEST = 8


@dataclass
class Sizes:
    """Counts the tokens of a session's turns; each text is counted once."""

    session: Session
    count: Counter
    exact: bool = False
    _known: dict[str, int] = field(default_factory=dict)
    _calls: dict[tuple[str, int], int] = field(default_factory=dict)
    _short: set[tuple[str, int]] = field(default_factory=set)  # calls without a text that could be cut
    _offers: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)  # that will not change

    def text(self, text: str) -> int:
        """Count a text."""
        if len(text) > 2_000:  # the long ones are not worth keeping as keys, and do not come twice
            return self.count(text)
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self.count(text)
        return found

    def turn(self, turn: Turn, stubs: Mapping[int, str], cap: int | None = None, skipped: int = 0) -> int:
        """Count a turn; *stubs* are what replaced results, by the number of the call, *cap* bounds each text.

        skipped: how many of its words, and then of its calls, are left out.
        """
        tokens = _TURN + sum(self._capped(self._word(part), cap) for part in turn.words[skipped:])
        tokens += (_SKIPPED + self._note) * (skipped > 0)
        calls = max(skipped - len(turn.words), 0)
        for number, asked in enumerate(turn.calls[calls:], calls):
            if number in stubs:
                tokens += self.replaced(asked, stubs[number])
            else:
                tokens += self._capped(self.call(asked), cap) + self._capped(self.result(asked), cap)
        return tokens

    def _capped(self, tokens: int, cap: int | None) -> int:
        return tokens if cap is None else min(tokens, cap + self._note)

    @cached_property
    def _note(self) -> int:
        return _NOTE + self.text(f"{self.session.command} session show {quoted(self.session.id)}")

    def _word(self, part: Part) -> int:
        match part.get("type"):
            case "image":
                return PICTURE
            case "result":
                return self.text(late(self.session, part))
            case _:
                return self.text(spoken(part))

    def call(self, asked: Asked) -> int:
        """Count a call as it was made."""
        place = (asked.key, asked.seq)
        found = self._calls.get(place)
        if found is None:
            text = argument_text(asked.arguments)
            found = self._calls[place] = _CALL + self.text(asked.name) + self.text(text)
            if len(text) <= _LONG:
                self._short.add(place)
        return found

    def result(self, asked: Asked) -> int:
        """Count what came back for a call."""
        if asked.result is None:
            return _RESULT + self.text(NO_RESULT)
        entry = self.session.entries.get(asked.key)
        blocks = asked.result.get("blocks")
        listed = blocks if isinstance(blocks, list) else []
        pictures = PICTURE * len([one for one in listed if one.get("type") == "image"])
        if entry is not None and not self.exact and (entry.result_tokens or not entry.result_bytes):
            return _RESULT + entry.result_tokens + pictures
        texts = [block for block in self.session.result(asked.result) if isinstance(block, str)]
        return _RESULT + sum(map(self.text, texts)) + pictures

    def offer(self, asked: Asked, upto: int) -> tuple[str, int]:
        """Give what stands for a result that is replaced at message *upto*, and the tokens that this frees."""
        place = (asked.key, asked.seq)
        if (known := self._offers.get(place)) is not None:
            return known
        text = stub(self.session, asked, upto)
        if not text or asked.result is None:  # it may come yet
            return text, 0
        freed = max(0, self.call(asked) + self.result(asked) - self.replaced(asked, text))
        if self.session.is_told(self.session.entries[asked.key], upto):
            self._offers[place] = text, freed
        return text, freed

    def replaced(self, asked: Asked, stub: str) -> int:
        """Count a call whose long arguments were cut and whose result is *stub*."""
        call = self.call(asked)
        if (asked.key, asked.seq) in self._short:
            return call + _RESULT + self.text(stub)
        cut = argument_text(short_arguments(asked.arguments))
        return _CALL + self.text(asked.name) + self.text(cut) + _RESULT + self.text(stub)


NO_RESULT = "[no result yet]"


def spoken(part: Part) -> str:
    """Give a text or raw part as text."""
    if part.get("type") == "text":
        return str(part.get("text") or "")
    return argument_text(part.get("value"))


def late(session: Session, part: Part) -> str:
    """Stand in for a result that came when others had spoken already, or without its call."""
    entry = session.entries.get(str(part.get("call_id")))
    if entry is None:
        return "[a tool result without its call]"
    return f"[Late tool result | call: {entry.tool_call}]\n{stub_lines(session, entry.summary, entry)}"


def stub(session: Session, asked: Asked, upto: int) -> str:
    """Write what stands in the place of a result that was replaced at message *upto* (DESIGN 7).

    A result that is no longer than that stays, and only the arguments of its call get shorter.
    """
    entry = session.entries.get(asked.key)
    if entry is None:
        return ""
    lines = stub_lines(session, session.told(entry, upto), entry)
    text = f"[Offloaded Tool Result | node: {entry.node_id or 'none'}]\n{lines}"
    return entry.result if entry.result is not None and len(entry.result) <= len(text) else text


def stub_lines(session: Session, summary: str, entry: Entry) -> str:
    """Write the summary and where the whole result is."""
    where = f"{session.command} drill --raw {quoted(entry.tool_call_id)}"
    if entry.result_ref:
        where = f"{session.folder}{entry.result_ref} (read this file for the full result)"
    return f"Summary: {summary or 'nothing came back'}\nresult_ref: {where}"


def capped(text: str, most: int, count: Counter, where: str) -> str:
    """Cut the middle out of a text of more than *most* tokens and say where all of it is."""
    tokens = count(text)
    if tokens <= most:
        return text
    kept = len(text) * most // tokens
    head = kept * 2 // 3
    tail = text[len(text) - (kept - head) :] if kept > head else ""
    return f"{text[:head]}\n[... {tokens - most:,} tokens left out; `{where}` shows all ...]\n{tail}"


def capped_arguments(arguments: Json, most: int, count: Counter) -> Json:
    """Cut every text among arguments that would take more than *most* tokens together."""
    if count(argument_text(arguments)) <= most:
        return arguments
    value = parsed(arguments)
    return (
        _cut(value, 0, max(most // 4, 1), max(most // 8, 1))
        if isinstance(value, dict)
        else _cut(arguments, 0, most, most)
    )


def argument_text(arguments: Json) -> str:
    """Write arguments as the text a model reads."""
    if isinstance(arguments, str):
        return arguments
    try:
        return orjson.dumps(arguments).decode()
    except TypeError:  # lone surrogates, integers over 64 bits, depth
        pass
    try:
        return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return type(arguments).__name__


def short_arguments(arguments: Json) -> Json:
    """Cut the long texts among a call's arguments; what is short already comes back as it is."""
    if isinstance(arguments, str):
        if len(arguments) <= _LONG:
            return arguments
        value = parsed(arguments)
        return _cut(value, 0) if isinstance(value, dict) else _cut(arguments, 0)
    return _cut(arguments, 0)


def _cut(value: Json, depth: int, long: int = _LONG, kept: int = _KEPT) -> Json:
    if isinstance(value, str):
        if len(value) <= long:
            return value
        return f"{value[:kept]} [... {len(value) - kept} more characters were left out]"
    if depth >= _DEEPEST:
        return "[...]" if isinstance(value, dict | list) else value
    if isinstance(value, dict):
        return {name: _cut(item, depth + 1, long, kept) for name, item in value.items()}
    if isinstance(value, list):
        return [_cut(item, depth + 1, long, kept) for item in value]
    return value

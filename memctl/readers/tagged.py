"""Read what open models write as tags in their text: thinking, calls, and what came back (FORMATS 6, 16)."""

import json
import re
from collections.abc import Iterator

from memctl.model import Call, Json, Part, Result, Text, Thinking

# Thinking comes first; templates that open it themselves leave only its end in the text.
_THOUGHT = re.compile(
    r"\s*(?:<(?P<tag>think|thinking)>(?P<inner>.*?)</(?P=tag)>"
    r"|<\|begin_of_thought\|>(?P<marked>.*?)<\|end_of_thought\|>)\s*",
    re.DOTALL,
)
_END = re.compile(r"(?<!`)</think>[ \t]*\n")
_SOLUTION = ("<|begin_of_solution|>", "<|end_of_solution|>")
_CALL = ("<tool_call>", "</tool_call>")
_RESPONSE = re.compile(r"\s*<tool_response>(.*?)</tool_response>\s*", re.DOTALL)
_FUNCTION = re.compile(r"\s*<function=([^<>\s]{1,200})>(.*)</function>\s*\Z", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([^<>\s]{1,200})>")
_PARAMETER_END = "</parameter>"


def answer_parts(text: str, *, calls: bool = True) -> tuple[Part, ...]:
    """Take thinking in front and, where *calls* are wanted, `<tool_call>`s out of an answer; the rest are words.

    What is not closed, or no call inside its tag, stays as it is.
    """
    if "<" not in text:
        return (Text(text),) if text else ()
    thought, text = _thinking(text)
    found: list[Part] = [Thinking(thought)] if thought is not None else []
    begin = 0
    for start, end in _tagged(text) if calls else ():
        call = _call(text[start + len(_CALL[0]) : end])
        if call is not None:
            found += [*_words(text[begin:start]), call]
            begin = end + len(_CALL[1])
    rest = text[begin:]
    found += _words(rest) if begin else [Text(rest)] if rest else []
    return tuple(found)


def responses(text: str) -> tuple[Result, ...]:
    """Read a text of nothing but `<tool_response>`s as results, in the order of their calls; () for any other."""
    found, at = [], 0
    while match := _RESPONSE.match(text, at):
        found.append(Result(None, (Text(_inside(match[1])),)))
        at = match.end()
    return tuple(found) if at == len(text) else ()


def _thinking(text: str) -> tuple[str | None, str]:
    if match := _THOUGHT.match(text):
        inner = match["inner"] if match["tag"] else match["marked"]
        rest = text[match.end() :]
        if rest.startswith(_SOLUTION[0]):
            rest = rest.removeprefix(_SOLUTION[0]).rstrip().removesuffix(_SOLUTION[1]).strip()
        return inner.strip(), rest
    end = _END.search(text)
    if end and "<think>" not in text and "</think>" not in text[end.end() :]:
        return text[: end.start()].strip(), text[end.end() :].lstrip()
    return None, text


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    """Give where each tag of a call that begins a line opens and closes; linear, however many are never closed."""
    at = 0
    while (end := text.find(_CALL[1], at)) >= 0:
        start = text.rfind(_CALL[0], at, end)
        if start >= 0 and not text[text.rfind("\n", at, start) + 1 or at : start].strip(" \t"):
            yield start, end
        at = end + len(_CALL[1])


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while (match := _PARAMETER.search(text, at)) and (end := text.find(_PARAMETER_END, match.end())) >= 0:
        yield match[1], _inside(text[match.end() : end])
        at = end + len(_PARAMETER_END)


def _words(text: str) -> Iterator[Text]:
    if words := text.strip():
        yield Text(words)


def _call(inner: str) -> Call | None:
    """Read what stands in a `<tool_call>`: JSON of name and arguments, or a `<function=...>` with parameters."""
    try:
        value: Json = json.loads(inner)
    except (ValueError, RecursionError):
        function = _FUNCTION.match(inner)
        if function is None:
            return None
        return Call(None, function[1], dict(_parameters(function[2])))
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    return Call(None, value["name"], value.get("arguments", value.get("parameters")))


def _inside(text: str) -> str:
    """Take away the one line break that stands at either end inside a tag."""
    return text.removeprefix("\n").removesuffix("\n")

"""Read the tasks of Cline and Roo: what was sent to the model, or what the window showed (FORMATS 5)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from memctl.model import (
    Call,
    Event,
    Image,
    Json,
    Message,
    Part,
    Raw,
    Result,
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.blocks import parts_of
from memctl.readers.cline_tools import Asked, answer_parts, result_header
from memctl.readers.conversations import is_message
from memctl.readers.fields import compact, counts, epoch, image, known, mapping, sequence, string
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "cline"

_KEY = "session"  # the task's id is the name of its folder
_OWN = (
    "<task>",
    "<environment_details>",
    "<feedback>",
    "[ERROR] You did not use a tool",
)  # how blocks begin that only these agents write
_CWD = "# Current Working Directory ("
_FEEDBACK = (("<feedback>", "</feedback>"), ("<user_message>", "</user_message>"))
_SAMPLE = 8
_SHOWN = ("say", "ask")


def detect(source: Source) -> bool:
    """Tell a task by the blocks its user messages hold, a window by its entries (FORMATS 0, row 21)."""
    head = source.head()
    if source.shape != "json" or not head or not isinstance(head[0], list):
        return False
    values = [mapping(value) for value in head[0][:_SAMPLE]]
    if values and all("ts" in value and value.get("type") in _SHOWN for value in values):
        return True
    texts = [
        part.text
        for value in values
        if is_message(value)
        for part in parts_of(value.get("content"))
        if isinstance(part, Text)
    ]
    return any(text.startswith(_OWN) or result_header(text) for text in texts)


def read(source: Source) -> Iterator[Event]:
    """Give the events of a task.

    Raises:
        Unreadable: the document is damaged.

    """
    values = [mapping(value) for value in sequence(source.document())]
    shown = any(value.get("type") in _SHOWN for value in values[:_SAMPLE])
    yield SessionFacts(
        _KEY, None, FORMAT, facts=known(agent="Cline", cwd=_cwd(values), started=_when(values[:1]))
    )
    if shown:
        yield from _window(values)
        return
    calls: list[Call] = []  # of the answer before, still without a result
    for number, value in enumerate(values):
        found = _message(value, number, calls)
        yield from found
        if not found:
            yield Skipped(f"empty:{value.get('role')}", _KEY)


def _when(values: list[Mapping[str, Json]]) -> str | None:
    return next((epoch(value.get("ts")) for value in values), None)


def _cwd(values: list[Mapping[str, Json]]) -> str:
    texts = (
        part.text for value in values[:2] for part in parts_of(value.get("content")) if isinstance(part, Text)
    )
    return next((text.partition(_CWD)[2].partition(")")[0] for text in texts if _CWD in text), "")


# --------------------------------------------------------------------------- what the model was sent


def _message(value: Mapping[str, Json], number: int, calls: list[Call]) -> list[Message]:
    parts, when = parts_of(value.get("content")), _when([value])
    if value.get("role") == "assistant":
        calls.clear()
        said = tuple(_said(parts, number, calls))
        usage = counts(mapping(value.get("metrics")).get("tokens"))
        model = string(mapping(value.get("modelInfo")).get("modelId"))
        message = Message(_KEY, None, "assistant", said, when, (), model, usage, told=("assistant", parts))
        return [message] if said else []
    if value.get("isSummary") is True:
        return [Message(_KEY, None, "user", parts, when, ("compact_summary",))] if parts else []
    asked = {call.id: call.name for call in calls}
    results, words = _answers(parts, calls)
    calls.clear()
    results = [_with_status(result) for result in results]
    heard = [Text(told) for result in results if (told := _feedback(result, asked))]
    words = [*heard, *words]
    found = [Message(_KEY, None, "tool", tuple(results), when)] if results else []
    if words:
        texts = [part.text for part in words if isinstance(part, Text)]
        marks = marks_of(texts) if len(texts) == len(words) else ()
        found.append(Message(_KEY, None, "user", tuple(words), when, marks))
    return found


def _said(parts: tuple[Part, ...], number: int, calls: list[Call]) -> Iterator[Part]:
    """Read an answer; calls in its text get an id, so that one without a result takes no other's."""
    for part in parts:
        if isinstance(part, Text):
            for piece in answer_parts(part.text):
                if isinstance(piece, Asked):
                    calls.append(Call(f"xml-{number}-{len(calls)}", piece.name, piece.parameters))
                    yield calls[-1]
                else:
                    yield piece
        else:
            if isinstance(part, Call):
                calls.append(part)
            yield part


def _answers(parts: tuple[Part, ...], calls: list[Call]) -> tuple[list[Result], list[Part]]:
    """Part what tools gave back from the rest of a message in the user's name."""
    results: list[Result] = []
    words: list[Part] = []
    open_result = False  # what follows belongs to a result whose header stood alone
    for part in parts:
        if isinstance(part, Result):
            results.append(part)
            continue
        header = result_header(part.text) if isinstance(part, Text) else None
        call = _answered(calls, header[0]) if header else None
        if header and call:
            name, text, failed = header
            results.append(Result(call.id, (Text(text),) if text else (), failed, name))
            open_result = not text
        elif open_result and isinstance(part, Text | Image | Raw) and not _is_own(part):
            results[-1] = replace(results[-1], blocks=(*results[-1].blocks, part))
        else:
            open_result = False
            words.append(part)
    return results, words


def _with_status(result: Result) -> Result:
    """Read what Roo says of a call in JSON: whether it was denied or failed."""
    status = _told(result).get("status")
    return replace(result, is_error=True) if status in ("denied", "error") else result


def _told(result: Result) -> Mapping[str, Json]:
    text = _text_of(result)
    return _record(text) if text.startswith('{"status":') else {}


def _text_of(result: Result) -> str:
    return "\n".join(block.text for block in result.blocks if isinstance(block, Text))


def _feedback(result: Result, asked: Mapping[str | None, str]) -> str:
    """Give what the user said of the work that was handed in: it stands where a result would."""
    if (result.name or asked.get(result.call_id)) != "attempt_completion":
        return ""
    text = _text_of(result)
    for opening, close in _FEEDBACK:
        inner, closed, _ = text.partition(opening)[2].rpartition(close)
        if closed:
            return inner.strip()
    return ""


def _is_own(part: Part) -> bool:
    return isinstance(part, Text) and part.text.lstrip().startswith(_OWN)


def _answered(calls: list[Call], name: str) -> Call | None:
    """Take the call that a result of tool *name* answers: the first of that name, else the first."""
    call = next((call for call in calls if call.name == name), calls[0] if calls else None)
    if call:
        calls.remove(call)
    return call


# --------------------------------------------------------------------------- what the window showed

_ASKED = {"command": "execute_command", "use_mcp_server": "use_mcp_tool", "browser_action": "browser_action"}
_OUTPUTS = ("command_output", "mcp_server_response", "browser_action_result")
_WORDS = {
    "task": "user",
    "user_feedback": "user",
    "text": "assistant",
    "completion_result": "assistant",
    "followup": "assistant",
    "plan_mode_respond": "assistant",
    "error": "system",
}
_LOOKS = (
    "listFiles",
    "searchFiles",
    "listCodeDefinitionNames",
    "codebaseSearch",
)  # their content is a result


@dataclass(slots=True)
class _Shown:
    """What is known after the entries so far."""

    usage: Mapping[str, int] | None = None  # of the request whose answer comes
    call: str | None = None  # the call whose output comes
    output: Message | None = None  # what came of it so far
    task: str | None = None  # the task, where it was the last words


def _window(values: list[Mapping[str, Json]]) -> Iterator[Event]:
    shown = _Shown()
    for number, value in enumerate(values):
        kind = str(value.get(str(value.get("type"))))
        if kind in _OUTPUTS:
            _output(shown, value, number)
            continue
        if shown.output:
            yield shown.output
            shown.output = None
        if kind == "api_req_started":
            shown.usage = counts(_record(value.get("text")))
        found = list(_entry(shown, value, kind, number))
        yield from found
        if not found:
            yield Skipped(f"{value.get('type')}.{kind}", _KEY)
    if shown.output:
        yield shown.output


def _output(shown: _Shown, value: Mapping[str, Json], number: int) -> None:
    """Join the pieces of an output; they come while a command runs, so that its message may grow."""
    if shown.output is None:
        name = f"{shown.call or f'shown-{number}'}/results"
        shown.output = Message(_KEY, name, "tool", (Result(shown.call, ()),), _when([value]))
        shown.call = None
    [result] = shown.output.parts
    text = string(value.get("text"))
    if isinstance(result, Result) and text:
        shown.output = replace(shown.output, parts=(replace(result, blocks=(*result.blocks, Text(text))),))


def _entry(shown: _Shown, value: Mapping[str, Json], kind: str, number: int) -> Iterator[Message]:
    text, when = string(value.get("text")) or "", _when([value])
    name = f"shown-{number}"
    if kind == "reasoning":
        thought = text or string(value.get("reasoning")) or ""
        if thought:
            yield _answer(shown, (Thinking(thought),), when)
    elif kind == "tool":
        record = _record(text)
        result = string(record.get("content")) if str(record.get("tool")).startswith(_LOOKS) else None
        told = ("tool", "content") if result else ("tool",)
        arguments: Json = {key: part for key, part in record.items() if key not in told}
        yield _answer(shown, (Call(name, string(record.get("tool")) or "tool", arguments),), when)
        if result:
            yield Message(_KEY, None, "tool", (Result(name, (Text(result),)),), when)
    elif kind in _ASKED:
        shown.call = name
        arguments = {"command": text} if kind == "command" else _record(text)
        yield _answer(shown, (Call(name, _ASKED[kind], arguments),), when)
    elif kind in _WORDS:
        if number == 0 and kind == "text" and value.get("type") == "say":
            kind = "task"  # Roo, and Cline once, show it as any text
        elif kind == "text" and text == shown.task:  # shown twice
            shown.task = None
            return
        shown.task = text if kind == "task" else None
        pictures = tuple(image(address) for address in sequence(value.get("images")))
        parts = (*((Text(text),) if text else ()), *pictures)
        role = _WORDS[kind]
        if parts and role == "assistant":
            yield _answer(shown, parts, when)
        elif parts:
            yield Message(_KEY, None, "user" if role == "user" else "system", parts, when)


def _answer(shown: _Shown, parts: tuple[Part, ...], when: str | None) -> Message:
    usage, shown.usage = shown.usage, None
    return Message(_KEY, None, "assistant", parts, when, usage=usage)


def _record(text: Json) -> Mapping[str, Json]:
    try:
        return mapping(json.loads(text)) if isinstance(text, str) else {}
    except (ValueError, RecursionError):
        return {"text": compact(text)}

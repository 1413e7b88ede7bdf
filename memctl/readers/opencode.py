"""Read sessions of opencode: an export, or the storage with its many small files (FORMATS 14)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
from memctl.readers.fields import compact, counts, epoch, first, image, known, mapping, sequence, string
from memctl.readers.marks import marks_of
from memctl.readers.source import Source, Unreadable

FORMAT = "opencode"

_PLAIN = re.compile(r"[\w.-]{1,200}", re.ASCII)  # an id that may stand in a path
_DONE = {"completed": False, "success": False, "error": True}
_ABORTED = "MessageAbortedError"


def detect(source: Source) -> bool:
    """Tell an export by its messages, a stored session by its project and times (FORMATS 14)."""
    head = source.head()
    value = mapping(head[0]) if source.shape == "json" and head else {}
    if isinstance(value.get("info"), dict) and isinstance(value.get("messages"), list):
        return all("info" in mapping(message) for message in value["messages"])
    return {"id", "time", "title"} <= value.keys() and bool({"directory", "projectID"} & value.keys())


def read(source: Source) -> Iterator[Event]:
    """Give the events of a session; of a stored one the files around its own are read as well.

    A message of the agent may hold several answers of the model: each is a message, and the results
    of its calls are the message `<id>/results` behind it. What the program added to the user's words is the
    message `<id>/context`.

    Raises:
        Unreadable: the document is damaged.

    """
    document = mapping(source.document())
    info = mapping(document.get("info")) if "messages" in document else document
    session = string(info.get("id"))
    key = session or "session"
    facts = known(
        agent="opencode",
        version=info.get("version"),
        cwd=info.get("directory"),
        title=info.get("title"),
        parent=info.get("parentID"),
        started=epoch(mapping(info.get("time")).get("created")),
    )
    yield SessionFacts(key, session, FORMAT, facts=facts)
    if "messages" in document:
        for message in map(mapping, sequence(document.get("messages"))):
            yield from _message(
                key, mapping(message.get("info")), [mapping(one) for one in sequence(message.get("parts"))]
            )
    elif session and _PLAIN.fullmatch(session):
        for found in _stored(source, session):
            yield from _message(key, *found)


# --------------------------------------------------------------------------- storage


def _stored(source: Source, session: str) -> Iterator[tuple[Mapping[str, Json], list[Mapping[str, Json]]]]:
    """Give each message of a stored session with its parts: they lie in folders named by their ids.

    Newer: `session/<project>/<id>`, `message/<session>`, `part/<message>`. Older: `session/info/<id>`,
    `session/message/<session>`, `session/part/<session>/<message>`. Some keep all parts in `part`.
    """
    loose: list[Mapping[str, Json]] | None = None
    for up, inner in ((2, ()), (1, (session,))):
        for file in source.beside(up, "message", session):
            message = _value(file)
            name = string(message.get("id"))
            if name is None or not _PLAIN.fullmatch(name):
                continue
            parts = [_value(part) for part in source.beside(up, "part", *inner, name)]
            if not parts:
                loose = [_value(part) for part in source.beside(up, "part")] if loose is None else loose
                parts = [part for part in loose if part.get("messageID") == name]
            yield message, parts


def _value(file: Source) -> Mapping[str, Json]:
    try:
        return mapping(file.document())
    except Unreadable:  # half written: it is not there yet
        return {}


# --------------------------------------------------------------------------- messages


@dataclass(slots=True)
class _Answer:
    """One answer of the model inside a message: what it says, then what its calls gave."""

    parts: list[Part] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    usage: Mapping[str, int] | None = None
    began: str | None = None
    ended: str | None = None


def _message(key: str, info: Mapping[str, Json], parts: Sequence[Mapping[str, Json]]) -> Iterator[Event]:
    name, when = string(info.get("id")), epoch(mapping(info.get("time")).get("created"))
    if info.get("role") == "user":
        own = [part for part in parts if not _is_added(part)]
        said = tuple(found for part in own if (found := _said(part)) is not None)
        added = tuple(found for part in parts if _is_added(part) and (found := _said(part)) is not None)
        if not (said or added):  # the oldest versions keep only what the message came to
            body = string(mapping(info.get("summary")).get("body"))
            said = (Text(body),) if body else ()
        if said:
            words = [part.text for part in said if isinstance(part, Text)]
            yield Message(key, name, "user", said, when, marks_of(words) if len(words) == len(said) else ())
        if added:
            yield Message(key, name and f"{name}/context", "user", added, when, ("meta",))
    elif info.get("role") == "assistant":
        yield from _agents(key, info, list(_answers(info, parts)))
    for part in parts:
        if part.get("type") not in ("text", "reasoning", "tool", "file"):
            yield Skipped(f"part.{part.get('type')}", key)


def _agents(key: str, info: Mapping[str, Json], answers: Sequence[_Answer]) -> Iterator[Message]:
    name, when = string(info.get("id")), epoch(mapping(info.get("time")).get("created"))
    model = string(info.get("modelID")) or string(mapping(info.get("model")).get("modelID"))
    marks = ("compact_summary",) if info.get("summary") is True else ()
    for number, answer in enumerate(answers, 1):
        own = name if number == 1 or name is None else f"{name}/{number}"
        then = when if number == 1 else answer.began or when
        yield Message(key, own, "assistant", tuple(answer.parts), then, marks, model, answer.usage)
        if answer.results:
            yield Message(key, own and f"{own}/results", "tool", tuple(answer.results), answer.ended or then)
    error = mapping(info.get("error"))
    why = string(mapping(error.get("data")).get("message")) or string(error.get("name"))
    if why and not answers:
        stopped = "interrupted" if error.get("name") == _ABORTED else "api_error"
        yield Message(key, name, "assistant", (Text(why),), when, (stopped,), model)


def _answers(info: Mapping[str, Json], parts: Sequence[Mapping[str, Json]]) -> Iterator[_Answer]:
    """Part a message where a step begins, or where words follow the results of calls."""
    answer = _Answer()
    stepwise = any(_usage(part) for part in parts if part.get("type") == "step-finish")
    usage = None if stepwise else _usage(info)
    for part in parts:
        kind = part.get("type")
        said = _said(part)
        if answer.parts and (
            kind == "step-start" or (said is not None and answer.results and kind != "tool")
        ):
            yield answer
            answer = _Answer()
        if kind == "step-finish":
            answer.usage = _usage(part)
        if said is None:
            continue
        if not answer.parts:
            answer.began, answer.usage, usage = _moment(part, "start"), answer.usage or usage, None
        answer.parts.append(said)
        if isinstance(said, Call) and (result := _result(said, mapping(part.get("state")))):
            answer.results.append(result)
            answer.ended = answer.ended or _moment(mapping(part.get("state")), "end")
    if answer.parts:
        yield answer


def _said(part: Mapping[str, Json]) -> Part | None:
    kind, text = part.get("type"), string(part.get("text"))
    if kind == "text" and text:
        return Text(text)
    if kind == "reasoning" and text:
        return Thinking(text)
    if kind == "tool":
        return Call(
            string(part.get("callID")),
            string(part.get("tool")) or "",
            mapping(part.get("state")).get("input"),
        )
    if kind == "file":
        return _file(part)
    return None


def _result(call: Call, state: Mapping[str, Json]) -> Result | None:
    status = str(state.get("status"))
    if status not in _DONE:
        return None
    output = first(state, "error", "output") if status == "error" else state.get("output")
    text = output if isinstance(output, str) else "" if output is None else compact(output)
    code = first(mapping(state.get("metadata")), "exit", "exitCode")
    failed = code != 0 if isinstance(code, int) and not isinstance(code, bool) else _DONE[status]
    pictures = (_file(mapping(one)) for one in sequence(state.get("attachments")))
    blocks = (*((Text(text),) if text else ()), *pictures)
    return Result(call.id, blocks, failed, call.name)


def _file(part: Mapping[str, Json]) -> Image | Raw:
    """Read an attached file: a picture, or what is said of any other."""
    kind = string(part.get("mime")) or ""
    picture = image(part.get("url")) if kind.startswith("image/") else None
    if isinstance(picture, Image):
        return Image(picture.media_type or kind, picture.data, picture.url)
    return Raw(dict(part))


def _is_added(part: Mapping[str, Json]) -> bool:
    """Tell text that the program added to what the user said: files they named, its own orders."""
    return part.get("type") == "text" and (part.get("synthetic") is True or part.get("ignored") is True)


def _usage(record: Mapping[str, Json]) -> Mapping[str, int] | None:
    tokens = mapping(record.get("tokens"))
    cache = {f"cache_{name}": n for name, n in mapping(tokens.get("cache")).items()}
    return counts({**tokens, **cache})


def _moment(record: Mapping[str, Json], which: str) -> str | None:
    return epoch(mapping(record.get("time")).get(which))

"""Read LangSmith's runs, and lists of LangChain's messages (FORMATS 17)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memctl.model import Call, Damage, Event, Json, Message, Result, SessionFacts, Skipped, Text
from memctl.readers.fields import compact, first, known, mapping, objects, sequence, string, time
from memctl.readers.langchain_messages import Said, is_own, is_telling, messages_in, said
from memctl.readers.source import Source

FORMAT = "langsmith"

_ALONE = "#1"  # the key of messages that are lines
_THREADS = ("thread_id", "conversation_id", "session_id")
_ASKED = ("input", "question", "query", "prompt", "text", "user_input", "human_input", "message")
_ANSWERED = ("output", "answer", "result", "response", "text", "completion")


def detect(source: Source) -> bool:
    """Tell a run by its type and trace, a message by its kind (FORMATS 0, row 22)."""
    return any(
        _is_run(head)
        or any(map(_is_run, sequence(head.get("runs"))))
        or is_telling(head)
        or any(map(is_telling, sequence(head.get("messages"))))
        or any(map(is_telling, sequence(mapping(head.get("values")).get("messages"))))
        for head in objects(source.head())
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of each thread of runs, or trace without a thread; or of each list of messages.

    Runs repeat the messages of those around them: each message is given once. Runs of one document are
    taken in order of their times, runs that are lines as they come.
    """
    threads: dict[str, _Thread] = {}
    number = 0
    if source.shape == "json":
        document = source.document()
        values = document if isinstance(document, list) else [document]
        runs = [run for value in values for run in _runs(value)]
        yield from _in_time(threads, runs)
        if not runs:
            lists = [value for value in values if isinstance(value, list)] or [document]
            for number, value in enumerate(lists, 1):
                yield from _alone(_Thread(f"#{number}"), value)
        return
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        runs = _runs(line.value)
        for run in runs:
            thread = _thread_of(threads, run)
            yield from _side(thread, run, "inputs")
            yield from _side(thread, run, "outputs")
        if not runs and is_own(line.value):
            thread = threads.setdefault(_ALONE, _Thread(_ALONE))
            yield from thread.list_of([line.value], None, fresh=True)
        elif not runs:
            number += 1
            yield from _alone(_Thread(f"#{number}"), line.value)


def _is_run(value: Json) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("run_type"), str) and any(
        key in fields for key in ("trace_id", "dotted_order", "parent_run_id")
    )


def _runs(value: Json) -> list[Mapping[str, Json]]:
    """Give a run with those inside it, or the runs of an export."""
    found: list[Mapping[str, Json]] = []
    waiting = [value] if _is_run(value) else list(reversed(sequence(mapping(value).get("runs"))))
    while waiting:
        run = waiting.pop()
        if _is_run(run):
            found.append(run)
            waiting += reversed(sequence(run.get("child_runs")))
    return found


def _alone(thread: "_Thread", value: Json) -> Iterator[Event]:
    messages = list(messages_in(value))
    name = string(first(mapping(value), *_THREADS))
    thread.name = name
    if messages:
        yield from thread.list_of(messages, None, fresh=True)
    else:
        yield Skipped("no messages")


# --------------------------------------------------------------------------- threads


@dataclass(slots=True)
class _Thread:
    """What was given of a thread.

    given: how many messages of a likeness a trace (None: the thread) gave; True: those without an id.
    began: the likeness of the first message that is no instruction: a list that begins with it repeats
    the thread.
    """

    key: str
    name: str | None = None
    facts: dict[str, str] = field(default_factory=dict)
    told: bool = False
    trace: str | None = None
    ids: dict[str, int] = field(default_factory=dict)  # id -> likeness
    given: Counter[tuple[int, str | None, bool]] = field(default_factory=Counter)
    began: int | None = None
    calls: bool = False  # the trace has messages with calls

    def list_of(self, values: list[Mapping[str, Json]], when: str | None, *, fresh: bool) -> Iterator[Event]:
        """Give those of a list of messages that were not given before; *fresh*: none was."""
        found = [(value, said(value)) for value in values]
        likes = [_likeness(one) if one else 0 for _, one in found]
        opening = next(
            (like for like, (_, one) in zip(likes, found, strict=True) if one and one.role != "system"), None
        )
        repeats = opening is not None and opening == self.began
        matched: Counter[int] = Counter()
        for like, (value, one) in zip(likes, found, strict=True):
            if one is None:
                yield Skipped(f"empty:{first(value, 'type', 'role')}", self.key if self.told else None)
            elif one.id in self.ids and (not fresh or self.ids[one.id] == like):
                continue
            elif (
                fresh
                or matched[like] >= self.given[like, None if repeats else self.trace, one.id is not None]
            ):
                yield from self.give(one, like, when)
            else:
                matched[like] += 1

    def give(self, one: Said, like: int, when: str | None) -> Iterator[Event]:
        """Give a message."""
        if not self.told:
            self.told = True
            yield SessionFacts(self.key, self.name, FORMAT, facts=self.facts)
        name = None if one.id in self.ids else one.id
        if name is not None:
            self.ids[name] = like
        for trace in {None, self.trace}:
            self.given[like, trace, False] += 1
            self.given[like, trace, True] += one.id is None
        if self.began is None and one.role != "system":
            self.began = like
        self.calls = self.calls or any(isinstance(part, Call) for part in one.parts)
        yield Message(self.key, name, one.role, one.parts, when, (), one.model, one.usage)


def _likeness(one: Said) -> int:
    return hash((one.role, repr(one.parts)))


def _thread_of(threads: dict[str, _Thread], run: Mapping[str, Json]) -> _Thread:
    about = mapping(mapping(run.get("extra")).get("metadata"))
    trace = string(first(run, "trace_id", "id"))
    name = string(first(about, *_THREADS)) or string(run.get("thread_id")) or trace
    key = name or _ALONE
    thread = threads.get(key)
    if thread is None:
        facts = known(
            agent=run.get("name"), model=about.get("ls_model_name"), started=time(run.get("start_time"))
        )
        thread = threads[key] = _Thread(key, name, dict(facts))
    if trace != thread.trace:
        thread.trace, thread.calls = trace, False
    return thread


# --------------------------------------------------------------------------- runs


def _in_time(threads: dict[str, _Thread], runs: list[Mapping[str, Json]]) -> Iterator[Event]:
    """Take the runs of a document: each begins, those inside it begin and end, it ends."""
    sides = []
    for place, run in enumerate(runs):
        depth = (string(run.get("dotted_order")) or "").count(".")
        start, end = (_comparable(run.get(key)) for key in ("start_time", "end_time"))
        sides.append(((start, 0, depth, place), run, "inputs"))
        sides.append(((end or start, 1, -depth, place), run, "outputs"))
    for _, run, side in sorted(sides, key=lambda one: one[0]):
        yield from _side(_thread_of(threads, run), run, side)


def _comparable(value: Json) -> str:
    return (time(value) or "").replace("T", " ").rstrip("Z")


def _side(thread: _Thread, run: Mapping[str, Json], side: str) -> Iterator[Event]:
    """Give what a run got, or what it gave, as far as it is new."""
    value = run.get(side)
    when = time(run.get("end_time" if side == "outputs" else "start_time"))
    messages = list(messages_in(value))
    if messages:
        yield from thread.list_of(messages, when, fresh=False)
    elif run.get("run_type") == "tool":
        yield from _tool(thread, run, side, when)
    elif run.get("parent_run_id") is None and (text := _text(value, side)):
        one = Said("user" if side == "inputs" else "assistant", (Text(text),), None)
        yield from thread.give(one, _likeness(one), when)
    elif run.get("parent_run_id") is None and side == "outputs" and (error := string(run.get("error"))):
        one = Said("assistant", (Text(error),), None)
        yield from thread.give(one, _likeness(one), when)
    else:
        yield Skipped(f"{run.get('run_type')}.{side}", thread.key if thread.told else None)


def _tool(thread: _Thread, run: Mapping[str, Json], side: str, when: str | None) -> Iterator[Event]:
    """Give a tool's run as a call and its result, unless messages tell of the calls of its trace."""
    name, tool = string(run.get("id")), string(run.get("name"))
    if thread.calls:
        yield Skipped(f"tool.{side}", thread.key)
        return
    if side == "inputs":
        one = Said("assistant", (Call(name, tool or "", run.get("inputs")),), None)
        yield from thread.give(one, _likeness(one), when)
        thread.calls = False
        return
    error, value = string(run.get("error")), run.get("outputs")
    text = error or _text(value, side) or ("" if value is None else compact(value))
    one = Said("tool", (Result(name, (Text(text),) if text else (), bool(error), tool),), None)
    yield from thread.give(one, _likeness(one), when)


def _text(value: Json, side: str) -> str | None:
    if isinstance(value, str):
        return value or None
    fields = mapping(value)
    return next(
        (text for key in (_ASKED if side == "inputs" else _ANSWERED) if (text := string(fields.get(key)))),
        None,
    )

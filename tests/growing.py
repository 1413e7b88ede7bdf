"""Small transcripts for the growth tests: lines as they are written, and what the beginnings of them hold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memctl import readers
from memctl.canvas.grow import Growth, TaskGrowth, grow
from memctl.model import Call, CallStatus, Happening, Message, Node, Prompt, Result, Said, Step, Text
from memctl.summarize import plan_items, summarize


@dataclass(frozen=True)
class Line:
    """One line of a transcript: what the user or the agent says, calls, or the results of calls."""

    words: str = ""
    by: str = "agent"
    calls: tuple[Step, ...] = ()
    results: tuple[str, ...] = ()


def user(words: str) -> Line:
    """Let the user speak."""
    return Line(words, "user")


def agent(words: str = "", *calls: Step) -> Line:
    """Let the agent speak, call, or both."""
    return Line(words, "agent", calls)


def results(*keys: str) -> Line:
    """Let the results of calls arrive."""
    return Line(results=keys, by="tool")


def call(
    key: str,
    kind: str,
    target: str,
    summary: str = "",
    *,
    status: CallStatus = "ok",
    turned: str = "",
    tool: str = "",
    uses: tuple[str, ...] = (),
    plan: tuple[tuple[str, str], ...] | None = None,
    placed: str | None = None,
    differs: str = "",
) -> Step:
    """Make a call with the result that it will have; where it stands is filled in by `happenings`."""
    step = Step(
        key, 0, 0, tool or kind, kind, target, status, summary, turned, None, (), uses, "", placed, plan
    )
    return replace(step, differs=differs)


def happenings(lines: Sequence[Line]) -> list[Happening]:
    """Give what the ingest pass makes of *lines*: a call carries its result only when that line is there."""
    arrived = {key: message for message, line in enumerate(lines) for key in line.results}
    found: list[Happening] = []
    seq = 0
    for message, line in enumerate(lines):
        time = f"2026-03-01T{message // 3600 % 24:02d}:{message // 60 % 60:02d}:{message % 60:02d}Z"
        if line.by == "user":
            found.append(Prompt(message, line.words, time))
        elif line.words:
            found.append(Said(message, line.words, time))
        for step in line.calls:
            done = step.key in arrived
            found.append(
                Step(
                    step.key,
                    seq,
                    message,
                    step.tool,
                    step.kind,
                    step.target,
                    step.status if done else "missing",
                    step.summary if done else f"no result: {step.target}",
                    step.turned if done else "",
                    time,
                    step.names,
                    tuple(use for use in step.uses if use in arrived),
                    line.words,
                    step.placed,
                    step.plan,
                    done,
                    arrived.get(step.key, 0),
                    differs=step.differs,
                )
            )
            seq += 1
    return found


def session(*lines: Line | Step) -> list[Line]:
    """Write a transcript: a bare call stands for a message with the call and one with its result."""
    written: list[Line] = []
    for line in lines:
        if isinstance(line, Step):
            written += [agent("", line), results(line.key)]
        else:
            written.append(line)
            if line.calls:
                written.append(results(*(step.key for step in line.calls)))
    return written


def transcripts(path: Path) -> list[list[Line]]:
    """Read the sessions of a real transcript as lines; its calls carry what the summaries make of them."""
    sessions: dict[str, list[Message]] = {}
    for event in readers.read(readers.open_source(path)):
        if isinstance(event, Message) and not event.marks:
            sessions.setdefault(event.session, []).append(event)
    return [_lines(messages) for messages in sessions.values()]


def _lines(messages: list[Message]) -> list[Line]:
    results: dict[str, Result] = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, Result) and part.call_id:
                results.setdefault(part.call_id, part)
    seen: set[str] = set()
    lines = []
    for message in messages:
        words = "\n".join(part.text for part in message.parts if isinstance(part, Text))
        steps = [
            _step(part, results.get(part.id))
            for part in message.parts
            if isinstance(part, Call) and part.id and part.id not in seen
        ]
        answered = tuple(
            part.call_id for part in message.parts if isinstance(part, Result) and part.call_id in seen
        )
        seen |= {step.key for step in steps}
        by = "user" if message.role == "user" else "agent"
        lines.append(Line(words, by, tuple(steps), tuple(key for key in answered if key)))
    return lines


def _step(part: Call, result: Result | None) -> Step:
    text = "".join(block.text for block in result.blocks if isinstance(block, Text)) if result else None
    told = summarize(part.name, part.arguments, text, is_error=result.is_error if result else None)
    plan = plan_items(part.name, part.arguments)
    return call(
        part.id or "",
        told.kind,
        told.target,
        told.text,
        status=told.status,
        turned=told.turned,
        tool=part.name,
        plan=plan,
    )


def grown(*lines: Line | Step) -> Growth:
    return grow(happenings(session(*lines)))


def only(growth: Growth) -> TaskGrowth:
    (task,) = growth.tasks
    return task


def titles(task: TaskGrowth) -> list[str]:
    return [node.title for node in task.nodes]


def at(growth: Growth, key: str) -> Node:
    ordinal, number = growth.places[key]
    return next(node for node in growth.tasks[ordinal].nodes if node.number == number)


def solid(task: TaskGrowth) -> set[tuple[int, int]]:
    return {(edge.source, edge.target) for edge in task.edges if not edge.dotted}


def labels(task: TaskGrowth) -> dict[tuple[int, int], str]:
    return {(edge.source, edge.target): edge.label for edge in task.edges if edge.label and not edge.dotted}

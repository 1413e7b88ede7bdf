"""Small transcripts for the growth tests: lines as they are written, and what the beginnings of them hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from memctl.model import CallStatus, Happening, Prompt, Said, Step


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
) -> Step:
    """Make a call with the result that it will have; where it stands is filled in by `happenings`."""
    return Step(
        key, 0, 0, tool or kind, kind, target, status, summary, turned, None, (), uses, "", placed, plan
    )


def happenings(lines: Sequence[Line]) -> list[Happening]:
    """Give what the ingest pass makes of *lines*: a call carries its result only when that line is there."""
    arrived = {key for line in lines for key in line.results}
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

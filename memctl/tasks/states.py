"""What is said of a task: its state over time, and how two versions of it become one (DESIGN 2.7)."""

from dataclasses import replace
from datetime import UTC, datetime
from heapq import merge as merge_ordered

from memctl.errors import UsageError
from memctl.model import TASK_STATES, CanvasStatus, Change, Task, TaskState
from memctl.text.names import normal_time

# Task state -> canvas status (DESIGN 2.4; the states are TrulyMEM's).
CANVAS_STATUS: dict[TaskState, CanvasStatus] = {
    "in_progress": "active",
    "paused": "paused",
    "completed": "completed",
    "cancelled": "cancelled",
}
OF_CANVAS: dict[str, TaskState] = {status: state for state, status in CANVAS_STATUS.items()}

# As the TrulyMEM document writes the states.
_THEIR_WORDS: dict[str, TaskState] = {
    "进行中": "in_progress",
    "已完成": "completed",
    "已暂停": "paused",
    "已取消": "cancelled",
}


# What people write instead: it is named in the error, not taken for it.
_LIKELY = {
    **dict.fromkeys(("active", "start", "started", "resume", "resumed", "continue", "doing"), "in_progress"),
    **dict.fromkeys(("done", "finish", "finished", "complete", "closed"), "completed"),
    **dict.fromkeys(("stop", "hold", "wait", "suspended"), "paused"),
    **dict.fromkeys(("abort", "drop", "dropped"), "cancelled"),
}


def state_of(word: str) -> TaskState:
    """Read a state. Raises UsageError for what is none."""
    for state in TASK_STATES:
        if word.strip() == state:
            return state
    if word.strip() in _THEIR_WORDS:
        return _THEIR_WORDS[word.strip()]
    from difflib import get_close_matches

    likely = _LIKELY.get(word.strip().lower()) or next(
        iter(get_close_matches(word.strip().lower()[:40], TASK_STATES, 1)), ""
    )
    meant = f" (did you mean {likely}?)" if likely else ""
    raise UsageError(
        f"no state {word[:40]!r}{meant}; a task is {', '.join(TASK_STATES[:-1])} or {TASK_STATES[-1]}"
    )


def said(task: Task) -> tuple[Change, ...]:
    """Give the changes that a person or agent made, without those that follow from the canvas."""
    return tuple(change for change in task.history if change.by)


def say(task: Task, state: TaskState, at: str, by: str) -> Task:
    """Have a task come into a state, whatever it was before.

    A time before the last change (a clock that went back) is taken as that of the last change.
    """
    task = settled(task)
    last = task.history[-1].at if task.history else None
    if last is not None and instant(last) > instant(at):
        at = last
    return replace(
        task, state=state, updated=_later(task.updated, at), history=(*task.history, Change(at, state, by))
    )


def settled(task: Task) -> Task:
    """Give a task whose state somebody wrote into the file by hand as one that was said to be in it."""
    if task.derived or task.deleted or not task.history or task.history[-1].state == task.state:
        return task
    return replace(task, history=(*task.history, Change(task.updated, task.state, "human")))


def with_canvas(task: Task, derived: tuple[Change, ...]) -> Task:
    """Give a task the history its canvas tells, in order of time, and keep what was said.

    derived: that it began, each time the user took it up again, and what became of it.
    """
    history = tuple(merge_ordered(derived, said(task), key=lambda change: instant(change.at)))
    return replace(task, state=_standing(history), history=history)


def _standing(history: tuple[Change, ...]) -> TaskState:
    """Give the state that a derived history comes to.

    What was said stands against what the rules make of the transcript, until the user takes the task up
    again there: a person's words both times, so the later counts.
    """
    words = [change for change in history if change.by]
    derived = [change for change in history if not change.by]
    if not words:
        return history[-1].state if history else "in_progress"
    taken_up = [change for change in derived[1:] if change.state == "in_progress"]
    if taken_up and instant(taken_up[-1].at) > instant(words[-1].at):
        return derived[-1].state
    return words[-1].state


def merge(one: Task, other: Task) -> Task:
    """Join two versions of a task by field: histories joined, the state that of the last change by time.

    It does not matter which is given first. Texts are those of the version that was touched last; deleted
    is deleted, unless something was said afterwards.
    """
    if one == other:
        return one
    older, newer = sorted(
        (settled(one), settled(other)), key=lambda task: (instant(task.updated), repr(task))
    )
    if one.deleted or other.deleted:
        gone = max(
            (task for task in (one, other) if task.deleted),
            key=lambda task: (instant(task.deleted), repr(task)),
        )
        live = next((task for task in (one, other) if not task.deleted), None)
        return live if live is not None and instant(live.updated) > instant(gone.deleted) else gone
    history = _joined_histories(older.history, newer.history)
    derived = older.derived and newer.derived
    return replace(
        newer,
        state=_standing(history) if derived else history[-1].state if history else newer.state,
        info_nodes=_joined(older.info_nodes, newer.info_nodes),
        canvases=_joined(older.canvases, newer.canvases),
        parent=newer.parent or older.parent,
        previous=newer.previous or older.previous,
        created=min((at for at in (older.created, newer.created) if at), key=instant, default=None),
        history=history,
        derived=derived,
        extra={**older.extra, **newer.extra},
    )


def _joined_histories(one: tuple[Change, ...], other: tuple[Change, ...]) -> tuple[Change, ...]:
    """Keep what both begin with, then everything else once, in order of time."""
    common = 0
    while common < min(len(one), len(other)) and one[common] == other[common]:
        common += 1
    rest = dict.fromkeys((*one[common:], *other[common:]))
    return (*one[:common], *sorted(rest, key=lambda change: (instant(change.at), change.by, change.state)))


def _joined(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return one if one == other else tuple(sorted({*one, *other}))


def _later(one: str | None, other: str) -> str:
    return one if one is not None and instant(one) > instant(other) else other


def instant(at: str | None) -> datetime:
    """Give a time to compare with; what is none comes before all others."""
    try:
        return datetime.fromisoformat(normal_time(at or "")[0])
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)

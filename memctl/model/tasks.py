"""A link of the working memory chain: a task, its state, and how it came to it (DESIGN 2.7)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memctl.model.values import Json

TaskState = Literal["in_progress", "completed", "paused", "cancelled"]
TASK_STATES: tuple[TaskState, ...] = ("in_progress", "completed", "paused", "cancelled")


@dataclass(frozen=True, slots=True)
class Change:
    """A task came into a state. *by* is empty for what a pass derived from a canvas, else who said it."""

    at: str | None
    state: TaskState
    by: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """One task file.

    info_nodes: names of nodes of the graph. canvases: file names under mmds/. previous: the task that was
    at hand before it. deleted: when it was deleted; its id still answers. derived: its canvas writes it.
    extra: other fields of the file.
    """

    id: str
    description: str = ""
    state: TaskState = "in_progress"
    info_nodes: tuple[str, ...] = ()
    canvases: tuple[str, ...] = ()
    parent: str | None = None
    previous: str | None = None
    created: str | None = None
    updated: str | None = None
    history: tuple[Change, ...] = ()
    deleted: str | None = None
    derived: bool = False
    extra: Mapping[str, Json] = field(default_factory=dict)

"""`memctl task create|set-state|delete|link-info|list|show|current`."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated

import typer

from memctl import files
from memctl.ask import resume
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import ExitCode, UsageError
from memctl.model import TASK_STATES, Json, Task
from memctl.passes import tasks as passes
from memctl.tasks import listing
from memctl.tasks.states import state_of
from memctl.text import names
from memctl.text.widths import display_width

app = typer_app(help="Keep the working memory chain of tasks.", no_args_is_help=True)

_WIDEST_ID = 64  # columns of a list; a longer one moves its own line only
_LONGEST_LABEL = 40  # characters of an id that is made of words
TaskArgument = Annotated[str, typer.Argument(metavar="TASK", help="A task's id, or its first characters.")]
InfoOption = Annotated[
    list[str] | None, typer.Option("--info", metavar="NODE", help="A node of the graph; may be repeated.")
]
CanvasOption = Annotated[
    list[str] | None,
    typer.Option("--canvas", metavar="CANVAS", help="A canvas's number or name; may be repeated."),
]
PauseOption = Annotated[bool, typer.Option("--pause-current", help="Pause the task in progress.")]
EXAMPLES = (
    (
        'memctl task create Task_idiom_chain --description "idiom chain" --info idiom_chain_current',
        "Begin a task with a node of the graph that belongs to it.",
    ),
    ("memctl task create Task_lunch --pause-current", "Pause the current task and begin another one."),
    ("memctl task current", "Show what to continue with, and what was paused."),
    ("memctl task set-state Task_idiom_chain in_progress", "Resume a task, together with its canvases."),
)


@app.command()
def create(
    task_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="The new task's id, such as Task_idiom, or its description."),
    ],
    description: Annotated[
        str, typer.Option("--description", "-d", metavar="TEXT", help="What the task is about.")
    ] = "",
    info: InfoOption = None,
    canvas: CanvasOption = None,
    parent: Annotated[
        str, typer.Option("--parent", metavar="TASK", help="The task that this one is part of.")
    ] = "",
    pause_current: PauseOption = False,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Begin a task: it is set in progress and linked to the task before it.

    An ID with spaces and without --description is used as the description, and the id is derived from it.
    """
    output.settings.format = form
    if not description and " " in task_id.strip() and task_id.isprintable():
        task_id, description = names.label(task_id, _LONGEST_LABEL), task_id
        output.note(f"using the words as the description; the task's id is {names.quoted(task_id)}")
    store = output.store()
    at = output.now(now)
    with files.locked(store.home, wait):
        done = passes.create(
            store,
            task_id,
            description,
            at,
            info=info or (),
            canvases=passes.canvas_names(store, canvas or ()),
            parent=parent or None,
            pause_current=pause_current,
        )
    _tell(done)


@app.command("set-state")
def set_state(
    given: TaskArgument,
    state: Annotated[str, typer.Argument(metavar="STATE", help=f"One of {', '.join(TASK_STATES)}.")],
    pause_current: PauseOption = False,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Set a task's state. Its canvases follow, and later passes keep it.

    Only a later message in which the user takes the task up again puts it back in progress.
    """
    output.settings.format = form
    wanted = state_of(state)
    if pause_current and wanted != "in_progress":
        raise UsageError(
            "--pause-current works only with in_progress: it pauses the task that was current before"
        )
    store = output.store()
    at = output.now(now)
    with files.locked(store.home, wait):
        done = passes.set_state(
            store, listing.the_task(store, given), wanted, at, pause_current=pause_current
        )
    _tell(done)


@app.command()
def delete(
    given: TaskArgument,
    info_nodes: Annotated[
        bool,
        typer.Option(
            "--delete-info-nodes", help="Also remove its nodes from the graph, unless other tasks need them."
        ),
    ] = False,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Delete a task permanently; its canvases stay, and no later pass brings it back."""
    output.settings.format = form
    store = output.store()
    at = output.now(now)
    with files.locked(store.home, wait):
        task = listing.the_task(store, given)
        nodes = passes.delete(store, task, at, info_nodes=info_nodes)
    if form is output.Format.TEXT:
        output.write(f"deleted {task.id}" + (f" and {', '.join(nodes)}" if nodes else ""))
    else:
        _document("deleted", {"task_id": task.id, "info_nodes": list(nodes)})


@app.command("link-info")
def link_info(
    given: TaskArgument,
    nodes: Annotated[
        list[str] | None, typer.Argument(metavar="[NODE...]", help="Graph nodes that belong to the task.")
    ] = None,
    info: InfoOption = None,
    canvas: CanvasOption = None,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Link graph nodes or canvases to a task."""
    output.settings.format = form
    if not (nodes or info or canvas):
        raise UsageError("name a graph node, or a canvas with --canvas")
    store = output.store()
    at = output.now(now)
    with files.locked(store.home, wait):
        task = listing.the_task(store, given)
        linked = passes.link(
            store,
            task,
            at,
            info=[*(nodes or ()), *(info or ())],
            canvases=passes.canvas_names(store, canvas or ()),
        )
    _tell(passes.Done(linked))


def _tell(done: passes.Done) -> None:
    if output.settings.format is not output.Format.TEXT:
        _document("task", resume.to_fields(done.task) | {"paused": done.paused.id if done.paused else None})
        return
    if done.paused is not None:
        output.write(f"{done.paused.id}  paused")
    links = f"  info: {', '.join(done.task.info_nodes)}" if done.task.info_nodes else ""
    output.write(f"{done.task.id}  {done.task.state}{links}")


def _document(kind: str, data: Json) -> None:
    if output.settings.format is output.Format.JSON:
        output.document(kind, data)
    else:
        output.records([data])


# --------------------------------------------------------------------------- looking


@app.command("list")
def list_tasks(
    state: Annotated[
        str,
        typer.Option(
            "--state", metavar="STATE,...", help="Only tasks in this state: in_progress, paused, ..."
        ),
    ] = "",
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """List the tasks: in progress, then paused, then ended; newest first within each."""
    output.settings.format = form
    wanted = {state_of(word) for word in state.split(",") if word.strip()}
    store = output.store()
    found = listing.load(store)
    rows = [
        resume.to_fields(task) for task in listing.by_need(found.tasks) if not wanted or task.state in wanted
    ]
    ids = min(max((display_width(row["task_id"]) for row in rows), default=0), _WIDEST_ID)
    output.answer(
        "tasks", rows, text=partial(_line, ids=ids), fields=fields or ("task_id" if nul else ""), nul=nul
    )
    for path in found.unreadable:
        output.note(f"{output.shown(path)} cannot be read as a task; left unchanged")


def _line(row: Mapping[str, Json], ids: int = 0) -> str:
    day = str(row["updated"] or "no date")[:10]
    name = row["task_id"] + " " * (ids - display_width(row["task_id"]))
    head = f"{name}  {row['state']:<11}  {day:<10}  "
    return head + output.fit(str(row["description"]), len(head))


@app.command()
def show(given: TaskArgument, form: output.FormatOption = output.Format.TEXT) -> None:
    """Show a task: its state and history, its facts in the graph, its canvases."""
    output.settings.format = form
    store = output.store()
    card = resume.card(store, listing.the_task(store, given))
    if form is output.Format.TEXT:
        _card(card, history=True)
    else:
        _document("task", resume.data(store, card))


@app.command()
def current(form: output.FormatOption = output.Format.TEXT) -> None:
    """Show what to continue with: the task in progress, what is known about it, and the paused tasks.

    If no task is in progress, the one paused last is shown. Tasks whose canvases are all archived come last.
    """
    output.settings.format = form
    store = output.store()
    found = resume.current(store)
    if form is not output.Format.TEXT:
        paused = [resume.to_fields(task) for task in found.paused]
        data = {"current": resume.data(store, found.card) if found.card else None, "paused": paused}
        _document("current-task", data)
    elif found.card is not None:
        _card(found.card, history=False)
        if found.card.task.state == "paused":
            output.write(
                f"  resume       {output.command()} task set-state {names.quoted(found.card.task.id)} in_progress"
            )
        _put_aside(found.paused)
    if found.card is None:
        output.note("no task is in progress or paused; begin one with `memctl task create ID`")
        output.finish(ExitCode.NO)


def _put_aside(paused: tuple[Task, ...]) -> None:
    if not paused:
        return
    output.write("\npaused")
    for task in paused[:10]:
        output.write(f"  {_line(resume.to_fields(task))}")
    if len(paused) > 10:
        output.write(f"  ... and {len(paused) - 10} more: {output.command()} task list --state paused")


def _card(card: resume.Card, *, history: bool) -> None:
    task = card.task
    output.write(f"{task.id}  {task.state}")
    for label, value in (
        ("description", task.description),
        ("part of", task.parent or ""),
        ("after", task.previous or ""),
        ("since", task.history[-1].at or "" if task.history else ""),
    ):
        if value:
            output.write(f"  {label:<11}  {output.fit(value, 15)}")
    for node in card.nodes:
        output.write(f"  info         {node.name}")
        for fact in node.facts:
            output.write(f"    {fact}")
    for line in card.canvases:
        status = f"{line.before} ({line.status})" if line.before else line.status
        output.write(f"  canvas       {line.id}  {status} {line.progress}%  {output.fit(line.goal, 40)}")
        output.write(f"    {output.command()} canvas show {line.number}")
    if history:
        for change in task.history:
            by = f"set by {change.by}" if change.by else "from its canvas"
            output.write(f"  history      {change.at or 'no date':<24}  {change.state:<11}  {by}")

"""`memctl compact`."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from typing import Annotated

import typer

from memctl import files
from memctl.cli import engines, output
from memctl.cli.app import typer_app
from memctl.cli.commits import CommitOption, commit_own, ready
from memctl.cli.status import human
from memctl.model import Json
from memctl.passes import compact as passes
from memctl.passes.compact import Action, Report
from memctl.text.numbers import how_many

app = typer_app()

EXAMPLES = (
    ("memctl compact --dry-run", "List what would be archived, merged and moved to the trash."),
    ("memctl ingest ~/.claude/projects && memctl extract && memctl compact", "Maintain a memory from cron."),
)


@app.command()
def compact(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be done; write nothing.")
    ] = False,
    now: Annotated[
        str, typer.Option("--now", metavar="TIME", help="Decide as if it were this time (ISO 8601).")
    ] = "",
    engine: engines.EngineOption = engines.Engine.RULES,
    max_tokens: engines.MaxTokensOption = 0,
    commit: CommitOption = False,
    wait: output.WaitOption = 0.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Keep the directory small and up to date; meant for cron, every hour.

    Archives canvases that are finished or idle. A canvas is idle when its last call is more than
    compact.idle_days (14) before now (the clock, or --now), whenever it was ingested; the canvas worked on last
    is never idle. Merges atoms that say the same, rebuilds scenes and persona that are out of date, moves refs
    that nothing points to into the trash (with compact.retention_days also those of older tasks), and refreshes
    the search index. Nothing is deleted, and every id still leads somewhere: `memctl canvas reopen` and
    `memctl trash restore` undo it.

    With --engine llm a model then decides between similar memories, and words scenes and persona. Prints nothing
    when there was nothing to do. Does not wait for another writer: it exits with 11.
    """
    output.settings.format = form
    store = output.store()
    time = output.now(now)
    run = engines.run(store, max_tokens, wait) if engine is engines.Engine.LLM else None
    if dry_run:
        output.answer("plan", map(_data, passes.plan(store, time)), text=_line)
        if run:
            output.note(engines.of_layers(run))
        return
    ready(store.home, wanted=commit)
    with files.locked(store.home, wait):
        report = passes.compact(store, time, output.detail)
    if run:
        with closing(run):
            run.layers()
    commit_own(store.home, "compact", wait, wanted=commit)
    if form is output.Format.TEXT:
        summary(report)
        for line in engines.told(run.tally, run.chat) if run and not output.settings.quiet else ():
            output.write(line)
        return
    document = data(report)
    if run:
        document["engine"] = engines.data(run.tally, run.chat)
    output.document("compact", document) if form is output.Format.JSON else output.records([document])


def data(report: Report) -> dict[str, Json]:
    """Give a report as JSON values."""
    return {
        "actions": [_data(action) for action in report.actions],
        "healed": report.healed,
        "scenes": report.scenes,
        "changed": report.changed,
    }


def summary(report: Report) -> None:
    """Say what was done; nothing when nothing was."""
    if (told := _summary(report)) and not output.settings.quiet:
        output.write(told)


def _data(action: Action) -> dict[str, Json]:
    fields = asdict(action)
    return {"do": fields["do"], "thing": fields["thing"], "why": fields["why"], "bytes": fields["size"]}


def _line(row: Mapping[str, Json]) -> str:
    size = f", {human(row['bytes'])}" if row["do"] == "trash" else ""
    return f"{row['do']:<7}  {row['thing']}  ({row['why']}{size})"


def _summary(report: Report) -> str:
    """Say in one line what was done; "" for nothing."""
    merged = sum(action.do == "merge" and action.thing != action.into for action in report.actions)
    trashed = report.total("trash")
    size = sum(action.size for action in report.actions)
    parts = [
        (report.total("archive"), "archived {}", "canvas", "canvases"),
        (merged, "merged {}", "atom", "atoms"),
        (len(report.scenes), "rebuilt {}", "scene file", "scene files"),
        (trashed, f"moved {{}} ({human(size)}) to the trash", "ref", "refs"),
        (len(report.healed), "repaired {}", "session", "sessions"),
    ]
    return "; ".join(text.format(how_many(count, one, many)) for count, text, one, many in parts if count)

"""`memctl extract`."""

import enum
from contextlib import closing, nullcontext
from typing import Annotated

import typer

from memctl import files
from memctl.cli import engines, output
from memctl.cli.app import typer_app
from memctl.cli.commits import CommitOption, commit_own, ready
from memctl.cli.named import the_session
from memctl.model import Json
from memctl.passes import extract as passes
from memctl.passes.extract import Report
from memctl.passes.ingest import take_noted
from memctl.store import sessions
from memctl.text.numbers import how_many

app = typer_app()

EXAMPLES = (
    ("memctl ingest ~/.claude/projects && memctl extract", "Import what is new and remember what matters."),
    ("memctl extract --dry-run", "Show how much would be remembered."),
)


class Layer(enum.StrEnum):
    """Which layers are written."""

    L1 = "l1"
    L2 = "l2"
    L3 = "l3"
    ALL = "all"


@app.command()
def extract(
    layer: Annotated[
        Layer, typer.Option("--layer", metavar="LAYER", help="l1 atoms, l2 scenes, l3 persona, or all.")
    ] = Layer.ALL,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Read only messages from this time on.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Read only this session.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print how much would be remembered; write nothing.")
    ] = False,
    engine: engines.EngineOption = engines.Engine.RULES,
    max_tokens: engines.MaxTokensOption = 0,
    commit: CommitOption = False,
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Distil conversations into atoms (L1), scenes (L2) and the persona (L3), by rules or by a model.

    It records what users said about themselves, what they decided, and what they want done and how, each with the
    messages that say so. Only what changed is read; a second run changes nothing. What people wrote or corrected
    stays; what they made memctl forget does not come back.
    """
    output.settings.format = form
    store = output.store()
    named = the_session(store, session) if session else None
    run = engines.run(store, max_tokens, wait) if engine is engines.Engine.LLM else None
    if run and dry_run:
        from memctl.engine import running

        asked = running.of_layers(store, named, run.chat.actor)
        estimate = engines.show_estimate(running.estimate(store, asked), run.chat.settings.model)
        if form is not output.Format.TEXT:
            output.document("estimate", estimate)
        return
    ready(store.home, wanted=commit)
    actor = run.chat.actor if run else "rules"
    with closing(run) if run else nullcontext():
        told = run.distilled(named) if run and layer in (Layer.L1, Layer.ALL) and since is None else {}
        with files.locked(store.home, wait):
            if not dry_run:
                take_noted(store)
            report = passes.extract(
                store, layer=layer, since=since, session=named, dry_run=dry_run, told=told, actor=actor
            )
        if run:
            run.layers(() if layer is Layer.L1 else ("scene",) if layer is Layer.L2 else ("scene", "persona"))
    commit_own(store.home, "extract", wait, wanted=commit and not dry_run)
    if any(map(sessions.is_shared, store.conversations())):
        output.note(
            "daily shards of TencentDB Agent Memory are not read in place; "
            f"`memctl -C NEW ingest {output.shown(store.home)}` imports them; then run extract there"
        )
    for name, count in report.moved.items():
        moved = f"{how_many(count, 'line')} edited inside memctl's block moved below it"
        output.note(f"{name}: {moved if count else _DELETED}")
    if form is output.Format.TEXT:
        if output.settings.quiet and not dry_run:
            return
        summary(report, dry_run=dry_run)
        for line in engines.told(run.tally, run.chat) if run else ():
            output.write(line)
        return
    document = data(report)
    if run:
        document["engine"] = engines.data(run.tally, run.chat)
    output.document("extract", document) if form is output.Format.JSON else output.records([document])


_DELETED = "the edited block was restored from the atoms; use `memctl atom forget ID` to remove a statement"


def data(report: Report) -> dict[str, Json]:
    """Give a report as JSON values."""
    return {
        "sessions": {"read": report.read, "unchanged": report.unchanged, "machines": report.machines},
        "drafts": report.drafts,
        "atoms": report.atoms,
        "scenes": report.scenes,
        "changed": report.changed,
        "removed": report.removed,
    }


def summary(report: Report, *, dry_run: bool = False) -> None:
    """Say what was remembered."""
    counts = report.drafts
    parts = [f"{how_many(report.read, 'session')} read, {report.unchanged:,} unchanged"]
    if report.machines:
        parts[0] += f", {report.machines:,} left out (subagents and programs, where no person speaks)"
    names = {"store": "new", "merge": "merged", "update": "updated", "skip": "already known"}
    told = [f"{counts[name]:,} {label}" for name, label in names.items() if counts.get(name)]
    held = {"forgotten": "kept forgotten", "kept": "kept as corrected"}
    told += [f"{counts[name]:,} {label}" for name, label in held.items() if counts.get(name)]
    detail = f" ({', '.join(told)})" if told else ""
    parts.append(f"{how_many(report.atoms, 'atom')}{detail}")
    output.write("; ".join(parts) + (" (nothing was written)" if dry_run else ""))
    for name in report.changed:
        output.write(f"  {name}")
    for name in report.removed:
        output.write(f"  {name} removed")

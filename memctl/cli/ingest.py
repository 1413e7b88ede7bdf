"""`memctl ingest`."""

import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl import config, files, store
from memctl.cli import engines, output
from memctl.cli.app import typer_app
from memctl.cli.commits import CommitOption, commit_own, ready
from memctl.errors import ExitCode, InputError
from memctl.model import Json
from memctl.passes import ingest as passes, sources
from memctl.passes.report import Report, Row
from memctl.store import Store
from memctl.text.numbers import how_many

if TYPE_CHECKING:  # the rules need none of these
    from memctl.engine.chat import Chat
    from memctl.engine.running import Tally

app = typer_app()
_SEVERAL = {"entry": "entries", "canvas": "canvases"}

_SHOWN = 10


@app.command()
def ingest(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Transcripts, folders of transcripts, or - for stdin."),
    ],
    format_name: Annotated[
        str | None,
        typer.Option("--from", metavar="NAME", help="Read as this format instead of detecting it."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 3 if a line is damaged; intact lines are stored.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be imported, one row per file; write nothing.")
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--again", help="Reread known files; also re-import sessions that were cleared."),
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="Read with N processes.")] = 1,
    engine: engines.EngineOption = engines.Engine.RULES,
    max_tokens: engines.MaxTokensOption = 0,
    commit: CommitOption = False,
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Import transcripts into the memory directory; what is already there is left as it is.

    Formats are detected by content (memctl-formats(7)). Running it again adds only what is new. The directory is
    created if it is missing. With `then: [extract, compact]` under `ingest:` in memctl.yaml, those passes follow
    automatically. With --engine llm, a model then words the summaries, judges the tasks and redraws the canvases
    of these sessions; where its answer is rejected, the work of the rules stays.
    """
    output.settings.format = form
    home = store.find(output.settings.directory)
    found = list(sources.candidates(paths))
    theirs = [path for path in paths if path != "-" and store.is_theirs(Path(path))]
    if not found and not theirs:
        raise InputError(f"no file under {', '.join(paths)}; name a transcript or a folder of them")
    if dry_run:
        if engine is engines.Engine.LLM:
            _estimate(home, found, format_name, max_tokens)
        else:
            _rehearse(home, found, format_name, again=again)
        return
    settings = config.load(home / config.FILE_NAME).engine
    chat = engines.endpoint(settings, max_tokens) if engine is engines.Engine.LLM else None
    ready(home, wanted=commit)
    store.refuse_others(home)
    existed, gone = home.exists(), False
    opened = None if store.missing(home) else store.open_store(home, output.scope())
    quick = opened and not (format_name or again or commit or theirs or opened.config.then)
    report = passes.nothing_new(opened, found) if opened and quick else None
    adopted: dict[str, dict[str, int]] = {}
    followed = []
    made: list[str] = []
    if opened is None or report is None:
        with files.locked(home, wait), output.progress(sum(one.size for one in found)) as step:
            made = store.initialise(home)
            opened = store.open_store(home, output.scope())
            report = passes.ingest(
                opened, found, format_name=format_name, jobs=jobs, progress=step, again=again
            )
            adopted = _adopt(opened, home, theirs)
            followed = _follow(opened)
            if not existed and not report.bugs and _is_nothing(report, theirs):
                gone = store.unmake(home, made)
    if gone:
        files.forsake(home, held=False)
    elif made:
        output.note(f"created the memory directory {home}")
    nothing = _is_nothing(report, theirs)
    worded = _worded(opened, found, chat, wait) if chat and not gone else None
    commit_own(home, "ingest", wait, wanted=commit and not gone)
    _note_troubles(report)
    if form is output.Format.TEXT:
        if not nothing and not output.settings.quiet:
            if report.rows:
                _summary(report, opened)
            for path, counts in adopted.items():
                told = ", ".join(
                    how_many(number, name, _SEVERAL.get(name, ""))
                    for name, number in counts.items()
                    if number
                )
                output.write(f"{path}: {told or 'nothing new'} from TencentDB Agent Memory")
            for _, _, say in followed:
                say()
            for told in engines.told(worded, chat) if worded and chat else ():
                output.write(told)
    else:
        rows = [_data(row) for row in report.rows]
        document = {
            "sources": rows,
            "sessions": report.sessions,
            "changed": report.changed,
            "healed": report.healed,
            "new": dict(sorted(report.new.items())),
            "then": {name: data for name, data, _ in followed},
            "adopted": adopted,
        }
        if worded and chat:
            document["engine"] = engines.data(worded, chat)
        output.document("ingest", document) if form is output.Format.JSON else output.records(rows)
    output.end_in_bugs(report.bugs)
    if nothing and not any(row.named for row in report.rows):
        output.error(InputError(f"no transcript under {', '.join(paths)}; --verbose says why for each file"))
    failed = any(row.named and row.is_empty for row in report.rows)
    if nothing or failed or (strict and any(row.damages for row in report.rows)):
        output.finish(ExitCode.FAILED)


def _is_nothing(report: Report, theirs: list[str]) -> bool:
    return all(row.is_empty for row in report.rows) and not theirs


def _adopt(opened: Store, home: Path, folders: list[str]) -> dict[str, dict[str, int]]:
    """Take in what else directories of the original hold; give by folder how much was new."""
    adopted = {}
    for folder in folders:
        if Path(folder).resolve() != home.resolve():
            from memctl.tdai.adopt import adopt

            adopted[folder] = asdict(adopt(opened, Path(folder)))
    return adopted


def _worded(opened: Store, found: list[sources.Candidate], chat: "Chat", wait: float) -> "Tally":
    """Have a model word the sessions of these files, after the rules."""
    from memctl.engine.running import Run

    run = Run(opened, chat, wait=wait, progress=output.detail)
    with closing(run):
        run.sessions(passes.sessions_of(opened, found))
    return run.tally


def _estimate(home: Path, found: list[sources.Candidate], format_name: str | None, max_tokens: int) -> None:
    """Say what a model would be asked: the files are taken into a directory that is thrown away."""
    from memctl.engine import running

    settings = config.load(home / config.FILE_NAME).engine
    model = engines.endpoint(settings, max_tokens).settings.model
    with tempfile.TemporaryDirectory() as aside:
        opened = store.Store(Path(aside), Path(aside), config.load(home / config.FILE_NAME))
        output.end_in_bugs(passes.ingest(opened, found, format_name=format_name).bugs)
        asked = running.of_sessions(opened, passes.sessions_of(opened, found))
        data = engines.show_estimate(running.estimate(opened, asked), model)
    if output.settings.format is not output.Format.TEXT:
        output.document("estimate", data)


def _follow(opened: Store) -> list[tuple[str, dict[str, Json], Callable[[], None]]]:
    """Run the passes that `ingest.then` names; give of each its name, its report, and how to tell it."""
    ran: list[tuple[str, dict[str, Json], Callable[[], None]]] = []
    if "extract" in opened.config.then:
        from memctl.cli import extract
        from memctl.passes.extract import extract as extracting

        found = extracting(opened)
        ran.append(("extract", extract.data(found), partial(extract.summary, found)))
    if "compact" in opened.config.then:
        from memctl.cli import compact
        from memctl.passes.compact import compact as compacting

        done = compacting(opened, output.now(""), output.detail)
        ran.append(("compact", compact.data(done), partial(compact.summary, done)))
    return ran


def _rehearse(home: Path, found: list[sources.Candidate], format_name: str | None, *, again: bool) -> None:
    """Print what an ingest would take, a row a file."""
    with tempfile.TemporaryDirectory() as aside:
        rehearsed = store.rehearsal(home, Path(aside), output.scope())
        report = passes.ingest(rehearsed, found, format_name=format_name, again=again)
    rows = [_data(row) for row in report.rows]
    output.answer("sources", rows, text=_row)
    output.end_in_bugs(report.bugs)


def _row(row: Mapping[str, Json]) -> str:
    counts = row["counts"]
    messages = sum(counts.get(role, 0) for role in ("user", "assistant", "tool", "system"))
    if row["outcome"] in ("skipped", "failed") or not row["sessions"]:
        return f"{row['path']}: {row['outcome']}: {row['reason']}"
    parts = [
        f"{row['sessions']} sessions",
        f"{messages} messages ({row['new']} new)",
        f"{counts.get('calls', 0)} calls",
    ]
    parts += [f"{len(row['damaged'])} damaged"] if row["damaged"] else []
    return f"{row['path']}: {row['format']}, {', '.join(parts)}"


def _note_troubles(report: Report) -> None:
    for row in report.rows:
        for damage in row.damages:
            where = f"{row.path}:{damage.line}: {damage.reason} (byte {damage.offset})"
            output.note(f"{where}; quarantined, the rest was imported")
        if row.named and row.is_empty:
            output.error(
                InputError(
                    row.reason if row.outcome == "failed" else f"{row.path}: {row.reason or 'nothing in it'}"
                )
            )
        elif row.outcome == "failed":
            output.note(row.reason)
        elif row.left_out and row.sessions:
            output.detail(
                f"{row.path}: {how_many(row.left_out, 'session')} in it cleared; --again re-imports"
            )
        elif row.is_empty:
            output.detail(f"{row.path}: skipped: {row.reason}")


def _summary(report: Report, opened: Store) -> None:
    """Say what is new in the directory; `status` counts the same things."""
    from memctl.readers.sidecars import READ_THROUGH

    taken = [row for row in report.rows if row.outcome == "taken" and row.sessions]
    unchanged = sum(row.outcome == "unchanged" for row in report.rows)
    skipped = sum(row.is_empty and READ_THROUGH not in row.reason for row in report.rows)
    new = report.new
    parts = []
    if new["messages"]:
        parts.append(f"{how_many(len(report.sessions), 'session')} from {how_many(len(taken), 'file')}")
        parts.append(f"new: {how_many(new['messages'], 'message')}, {how_many(new['calls'], 'call')}")
        parts[-1] += f", {how_many(new['instructions'], 'instruction')}" if new["instructions"] else ""
        parts[-1] += f" ({new['error']} failed, {new['missing']} without a result)" if new["calls"] else ""
    else:
        parts.append("nothing new")
    parts += [f"{how_many(secrets, 'secret')} replaced"] if (secrets := report.total("redactions")) else []
    parts += [f"{how_many(unchanged, 'file')} unchanged"] if unchanged else []
    parts += [f"{how_many(skipped, 'file')} skipped (--verbose says why)"] if skipped else []
    output.write("; ".join(parts))
    if report.healed:
        output.write(f"repaired {how_many(len(report.healed), 'session')} after a merge or a lost file")
    names = {name for session in report.changed for name in report.sessions[session]}
    if not names:
        return
    from memctl.ask.status import listed
    from memctl.cli.status import canvas_line, state_width

    lines = [line for line in listed(opened)[0] if line.path.name in names]
    width = state_width(lines[:_SHOWN])
    for line in lines[:_SHOWN]:
        output.write(f"  {canvas_line(line, 2, width)}")
    if len(lines) > _SHOWN:
        output.write(f"  ... and {len(lines) - _SHOWN} more: {output.command()} canvas list")


def _data(row: Row) -> dict[str, Json]:
    return {
        "path": row.path,
        "format": row.format,
        "outcome": row.outcome,
        "reason": row.reason,
        "sessions": row.sessions,
        "cleared": row.left_out,
        "new": row.new,
        "counts": dict(sorted(row.counts.items())),
        "damaged": [{"line": one.line, "offset": one.offset, "reason": one.reason} for one in row.damages],
    }

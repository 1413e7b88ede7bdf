"""`memctl context`."""

import enum
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import InputError, UsageError
from memctl.model import Json
from memctl.store import Store

if TYPE_CHECKING:  # start-up is a feature
    from memctl.context.build import Context, Recall
    from memctl.context.pressure import Limits
    from memctl.context.sizes import Counter

app = typer_app()

EXAMPLES = (
    (
        "memctl context 4f79a5ed --window 64000",
        "Show what an agent with a window of 64,000 tokens would be given.",
    ),
    (
        "memctl context s.jsonl --to anthropic > body.json",
        "Import a transcript and print its messages for the API.",
    ),
    ("memctl context 4f79a5ed --window 64000 --stats", "Show the tokens before and after each level."),
    (
        "memctl context 4f79a5ed --window 64000 --replay",
        "Show what the whole run cost in tokens, and would have cost.",
    ),
    ("memctl context 4f79a5ed --at 120 --to openai", "Print the context as it was at message 120."),
)

TABLE = (
    "LEVELS AND TOKENS",
    (
        (
            "mild",
            (
                "Above context.mild (0.5) of the window: results older than the newest steps are replaced by their "
                "summaries, highest score first, down to 0.1 below that; long arguments of their calls are cut."
            ),
        ),
        (
            "aggressive",
            (
                "Above context.aggressive (0.85): the oldest 40 % of the message tokens are dropped. The front, in "
                "the first message, has a line of facts for each folded task and a line for each file, search or command."
            ),
        ),
        ("emergency", "Above context.emergency (0.95): more are dropped, down to 0.6."),
        (
            "last",
            (
                "If that is not enough: the newest results are replaced, long texts lose their middle, and a turn of very "
                "many texts or calls loses its oldest."
            ),
        ),
        (
            "front and canvas",
            "Together they take at most a fifth of the window, and never more than 8,000 tokens.",
        ),
        (
            "tokens.counter",
            (
                "estimate (no vocabulary, no network) or o200k_base (exact, needs the extra `tokens`). The estimate's "
                "error against o200k follows: overall, and the most in 9 of 10 texts (tests/benchmarks/tokens.py)."
            ),
        ),
        ("English and logs", "+0.2 %, 6.5 % (150 texts of 4,000 characters)"),
        ("code", "-0.0 %, 6.7 % (150 texts)"),
        ("JSON", "-0.3 %, 3.5 % (150 texts)"),
        ("Chinese", "+1.0 %, 4.1 % (79 texts)"),
        ("Japanese, Korean, emoji", "+1.1 %, +4.5 %, -0.9 % (one text each)"),
        ("picture", "Counts as 1,500 tokens."),
    ),
)


class To(enum.StrEnum):
    """Whose message list it is."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    TEXT = "text"


@app.command()
def context(
    session: Annotated[
        str,
        typer.Argument(
            metavar="SESSION|FILE",
            help="A session id or its first letters, or a transcript, which is imported first.",
        ),
    ],
    window: Annotated[
        int,
        typer.Option("--window", metavar="TOKENS", min=1_000, help="The size of the model's context window."),
    ] = 200_000,
    at: Annotated[
        str,
        typer.Option("--at", metavar="MESSAGE", help="The context as it was at this message (id or number)."),
    ] = "",
    to: Annotated[
        To, typer.Option("--to", metavar="FORM", help="anthropic, openai (JSON for the API) or text.")
    ] = To.TEXT,
    with_memory: Annotated[
        bool, typer.Option("--with-memory", help="Add what `recall --inject` finds for the last prompt.")
    ] = False,
    stats: Annotated[
        bool, typer.Option("--stats", help="Print token counts per level instead of the messages.")
    ] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="Add up all requests of the run, built in four ways.")
    ] = False,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Print the messages to give an agent now: the session, made to fit a window, with nothing lost.

    Above half of the window, tool results are replaced by their summaries. Above 0.85, the oldest messages are
    dropped, and the front keeps one line for each thing they were about. Above 0.95, more are dropped. The first
    goal, the last prompt and the newest steps stay, and the canvas of the current task comes at the end. Whatever
    was replaced or dropped is named together with the command that brings it back. The ratios are `context.*` in
    memctl-directory(5). Thinking is left out, because an API accepts only its own.
    """
    output.settings.format = form
    from memctl.context.build import context as build
    from memctl.context.pressure import Limits

    store, named = _taken(session)
    settings = store.config
    if not settings.mild <= settings.aggressive <= settings.emergency:
        raise UsageError("context.mild, aggressive and emergency in memctl.yaml must be in ascending order")
    limits = Limits(window, settings.mild, settings.aggressive, settings.emergency)
    count, exact = _counter(settings.counter)
    if replay:
        _replay(store, named, at, limits, count, exact=exact)
        return
    made = build(
        store,
        named,
        limits,
        count,
        at=at,
        exact=exact,
        recall=_recall(store) if with_memory else None,
        command=output.command(),
        folder=_folder(store),
    )
    if any(shape.is_capped and not shape.left for shape in made.state.shapes):
        output.note(
            "the window is too small to keep everything whole; each cut names the command that brings it back"
        )
    if stats:
        _stats(made, window, count)
        return
    _print(store, made, to)


def _taken(session: str) -> tuple[Store, str]:
    """Open the directory and find the session; a file is ingested first."""
    from memctl.cli.named import the_session

    if not os.path.exists(session):
        store = output.store()
        return store, the_session(store, session)
    from memctl import files, store as stores
    from memctl.ask import naming
    from memctl.passes import ingest as passes, sources

    if os.path.isdir(session):
        raise UsageError(f"{session} is a folder; import it with `memctl ingest {shlex.quote(session)}`")
    home = stores.find(output.settings.directory)
    if stores.create(home):
        output.note(f"created the memory directory {home}")
    store = stores.open_store(home, output.scope())
    found = list(sources.candidates([session]))
    with files.locked(home, 10.0):
        report = passes.ingest(store, found)
    output.end_in_bugs(report.bugs)
    held = passes.sessions_of(store, found)  # also when the file was taken in before
    if not held:
        reason = next((row.reason for row in report.rows if row.is_empty), "")
        raise InputError(reason or f"{session}: contains no session; `memctl ingest` says why")
    main = naming.main_session(store, held)
    if main is None:
        ways = "\n".join(f"  memctl context {shlex.quote(one)}" for one in held[:20])
        more = f"\n  ... and {len(held) - 20} more: memctl session list" if len(held) > 20 else ""
        raise UsageError(f"{session} holds {len(held)} sessions; choose one:\n{ways}{more}")
    return store, main


def _folder(store: Store) -> str:
    """Give what stands before the names of files: the directory as it was given, else from the current folder."""
    home = output.settings.directory or output.shown(store.home)
    inner = store.scope_path
    path = Path(home, inner).as_posix()
    return "" if path == "." else f"{path}/"


def _counter(name: str) -> "tuple[Counter, bool]":
    from memctl.text import tokens

    if name == "estimate":
        return tokens.count_tokens, False
    try:
        return tokens.exact_counter(), True
    except ImportError:
        raise UsageError(
            "tokens.counter is o200k_base, which needs the extra: pip install 'memctl[tokens]'"
        ) from None


def _recall(store: Store) -> "Recall":
    def found(question: str, budget: int) -> str:
        from memctl.ask.inject import block
        from memctl.ask.recall import Query, Recall as Asker

        return block(store, Asker(store, "hybrid", output.note).ask(Query(question)), budget).rstrip()

    return found


def _print(store: Store, made: "Context", to: To) -> None:
    from memctl.context import provider

    if to is To.TEXT and output.settings.format is output.Format.TEXT:
        for line in provider.text(made.system, made.messages):
            output.write(line)
        return
    give = provider.openai if to is To.OPENAI else provider.anthropic
    body = give(store, made.system, made.messages)
    if output.settings.format is output.Format.JSONL:
        output.records(body["messages"])
    else:
        output.records([body])


def _stats(made: "Context", window: int, count: "Counter") -> None:
    from memctl.context.stats import stats

    rows = stats(made, count)
    output.answer("context", rows, text=_row)
    if output.settings.format is output.Format.TEXT:
        last = rows[-1]["tokens"]
        output.write(f"{'':<28}{last * 100 / window:>8.1f}% of {window:,}")


def _replay(store: Store, named: str, at: str, limits: "Limits", count: "Counter", *, exact: bool) -> None:
    from memctl.context.replay import replay
    from memctl.context.session import load

    rows = replay(load(store, named, at), limits, count, exact=exact)
    output.answer("replay", rows, text=_way)
    if output.settings.format is output.Format.TEXT:
        output.write(f"{rows[0]['requests']:,} requests, window {limits.window:,}")


def _way(row: Mapping[str, Json]) -> str:
    return f"{row['what']:<18}{row['tokens']:>14,}  {row['saved']:>7.1%} saved"


def _row(row: Mapping[str, Json]) -> str:
    runs = f"  {row['runs']} times" if row["runs"] not in (None, 1) else ""
    return f"{row['what']:<28}{row['tokens']:>9,}{runs}"

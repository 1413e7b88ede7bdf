"""`memctl grep`."""

import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Annotated

import typer

from memctl.ask.grep import Query, search, text_of
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import ExitCode, UsageError
from memctl.model import KINDS, Json
from memctl.store import entries
from memctl.store.entries import Found

app = typer_app()


@app.command()
def grep(
    pattern: Annotated[
        str,
        typer.Argument(metavar="[PATTERN]", help="A regular expression; without one, every entry matches."),
    ] = "",
    ignore_case: Annotated[bool, typer.Option("-i", "--ignore-case", help="Ignore case.")] = False,
    invert: Annotated[
        bool, typer.Option("-v", "--invert-match", help="Select entries that do not match.")
    ] = False,
    count: Annotated[bool, typer.Option("-c", "--count", help="Print only the number of matches.")] = False,
    most: Annotated[
        int, typer.Option("-m", "--max-count", metavar="N", min=0, help="Stop after N entries.")
    ] = 0,
    fixed: Annotated[
        bool, typer.Option("-F", "--fixed-strings", help="Treat PATTERN as plain text.")
    ] = False,
    node: Annotated[str, typer.Option("--node", metavar="ID", help="Only this node (003-N4).")] = "",
    session: Annotated[
        str, typer.Option("--session", metavar="ID", help="Only this session, or its first letters.")
    ] = "",
    tool: Annotated[str, typer.Option("--tool", metavar="NAME", help="Only calls of this tool.")] = "",
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            metavar="KIND,...",
            help=f"{', '.join(KINDS)}.",
        ),
    ] = "",
    status: Annotated[str, typer.Option("--status", metavar="STATUS,...", help="ok, error or missing.")] = "",
    score: Annotated[
        str, typer.Option("--score", metavar="N", help="The summary's score: 7, '>=5', '<3'.")
    ] = "",
    since: Annotated[
        str, typer.Option("--since", metavar="TIME", help="Only calls at or after this ISO date or time.")
    ] = "",
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """Find tool calls: search the node, status, call and summary of every entry.

    Output lines are `file:line: node status call -> summary`. `memctl grep 003-N4` finds a node's calls.
    """
    output.settings.format = form
    given = (pattern, node, session, tool, kind, status, score, since)
    if not any(given) and not invert:
        raise UsageError("give a PATTERN or a filter option; `memctl grep .` shows every entry")
    query = Query(pattern, ignore_case, invert, fixed, node, session, tool, kind, status, score, since)
    found = search(output.store(), query)
    limited = islice(found, min(most, sys.maxsize)) if most else found
    if count:
        number = sum(1 for _ in limited)
        output.write(str(number))
    else:
        number = output.answer("entries", _rows(limited), text=_line, fields=fields, nul=nul)
    if not number:
        output.finish(ExitCode.NO)


def _rows(found: Iterator[Found]) -> Iterator[Mapping[str, Json]]:
    for one in found:
        absent = dict.fromkeys(("result_bytes", "result_tokens", "result_sha256", "result"))
        place: dict[str, Json] = {"file": output.shown(one.path), "line": one.number}
        ref = {
            "ref_path": output.shown(one.path.parent / one.entry.result_ref) if one.entry.result_ref else None
        }
        yield absent | entries.to_fields(one.entry) | place | ref


def _line(row: Mapping[str, Json]) -> str:
    return f"{row['file']}:{row['line']}: {text_of(entries.from_fields(row))}"

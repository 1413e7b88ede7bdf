"""`memctl graph commit|recall|purge|role`."""

import enum
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Annotated

import typer

from memctl import files
from memctl.ask import graph as asking
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import ExitCode, InputError, NotFoundError, UsageError
from memctl.graph import lines
from memctl.graph.walk import Step
from memctl.model import Json, Triple
from memctl.passes import graph as passes
from memctl.text.numbers import how_many

app = typer_app(help="Keep facts as triples, and the agent's role.", no_args_is_help=True)
role_app = typer_app(help="Set or show the agent's role.", no_args_is_help=True)
app.add_typer(role_app, name="role")

EXAMPLES = (
    ("memctl graph commit kim likes 'green tea'", "Add a fact: subject, relation, object."),
    (
        "memctl graph commit - < facts.jsonl",
        'Read {"subject": ..., "relation": ..., "object": ...}, one per line.',
    ),
    ('memctl graph recall "TaskNode,working_memory,task_chain" --depth 2', "Show the tasks and their facts."),
    ("memctl graph purge --subject idiom_chain --relation content", "Mark something as no longer true."),
    ('memctl graph role set role=librarian speaking_style="short and dry"', "Give the agent a role."),
)


class Mode(enum.StrEnum):
    """What happens to the attributes of a role that are not set anew."""

    MERGE = "merge"
    REPLACE = "replace"


class Match(enum.StrEnum):
    """By what nodes are matched."""

    HYBRID = "hybrid"
    WORDS = "words"


@app.command()
def commit(
    given: Annotated[
        list[str],
        typer.Argument(
            metavar="SUBJECT RELATION OBJECT...",
            help="One triple or several; JSON objects; or - for JSON lines.",
        ),
    ],
    task: Annotated[
        str, typer.Option("--task", metavar="TASK", help="The task that the triples belong to.")
    ] = "",
    source: Annotated[
        str, typer.Option("--source", metavar="TEXT", help="Where the fact comes from: a message id, a file.")
    ] = "",
    speculation: Annotated[
        bool,
        typer.Option("--speculation", help="Mark it as inferred; inferred facts rank below stated ones."),
    ] = False,
    add: Annotated[
        bool,
        typer.Option("--add", help="Keep other objects of the relation instead of replacing them."),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 3 if a line is not a triple.")] = False,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Add facts to the graph as triples; a newer object replaces an older one.

    RELATES_TO, HAS_PERSONA, NEXT_TASK and CONTAINS_INFO can have many objects, and so can any relation with
    --add. Nothing is rewritten: graph.jsonl keeps the earlier facts.
    """
    output.settings.format = form
    triples, where = _triples(given)
    defaults: dict[str, Json] = {"task_id": task or None}
    defaults |= {"source": source} if source else {}
    defaults |= {"speculation": True} if speculation else {}
    defaults |= {"add": True} if add else {}
    store = output.store()
    at = output.now(now)
    with files.locked(store.home, wait):
        count, bad = passes.commit(store, triples, at, defaults=defaults)
    for one in bad[:20]:
        output.note(f"{where}:{one.line}: {one.reason}; left out")
    if len(bad) > 20:
        output.note(f"and {len(bad) - 20} more lines that are not triples")
    if bad and not count:
        raise InputError(f"{where}: contains no triple; {bad[0].reason}")
    if form is output.Format.TEXT:
        output.write(f"{how_many(count, 'triple')} committed" + (f", {len(bad)} left out" if bad else ""))
    else:
        _document("committed", {"triples": count, "left_out": len(bad)})
    if bad and strict:
        output.finish(ExitCode.FAILED)


def _triples(given: list[str]) -> tuple[Iterable[tuple[int, Json]], str]:
    """Read the triples of a command line, or of stdin."""
    if given == ["-"]:
        told = passes.read_lines(files.read_standard_input())
        first = next(told, None)
        if first is None:
            raise InputError("stdin: contains no triple; give JSON lines")
        return chain([first], told), "stdin"
    if given[0].lstrip().startswith(("{", "[")):
        found = [
            one for piece in given for one in passes.read_lines(piece.encode("utf-8", "surrogateescape"))
        ]
    elif len(given) % 3:
        raise UsageError(
            f"a triple is SUBJECT RELATION OBJECT, but there are {len(given)} words; quote names with spaces"
        )
    else:
        names = ("subject", "relation", "object")
        found = [
            (at // 3 + 1, dict(zip(names, given[at : at + 3], strict=True))) for at in range(0, len(given), 3)
        ]
    for number, fields in found:
        try:
            lines.checked(fields)
        except ValueError as error:
            raise UsageError(f"triple {number}: {error}") from None
    return found, "arguments"


@app.command()
def recall(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="Keywords separated by commas, or a question.")
    ],
    depth: Annotated[
        int,
        typer.Option(
            "--depth", metavar="N", min=0, max=100, help="How many steps to go from the nodes found."
        ),
    ] = 2,
    most: Annotated[
        int, typer.Option("-k", "--most", metavar="N", min=1, help="Show at most N triples.")
    ] = 50,
    mode: Annotated[
        Match, typer.Option("--mode", metavar="MODE", help="hybrid, or words only.")
    ] = Match.HYBRID,
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """Find the nodes that a query names, and what is around them in the graph; tasks are nodes as well.

    Nodes are found by their name or its words, by their kind (TaskNode, working_memory, persona, ...), and by the
    words of their relations; if no word matches, by meaning. Inferred facts are marked and come last.
    """
    output.settings.format = form
    store = output.store()
    found = asking.recall(store, query, depth, most, words_only=mode is Match.WORDS, note=output.note)
    rows = [_row(found, step) for step in found.steps]
    if not depth:
        rows = [
            {"node": name, "kind": found.kinds.get(name, "EntityNode"), "score": round(score, 2)}
            for name, score in sorted(found.starts.items(), key=lambda one: -one[1])[:most]
        ]
        output.answer("nodes", rows, text=lambda row: f"{row['node']}  {row['kind']}", fields=fields, nul=nul)
    elif form is not output.Format.TEXT or fields:
        output.answer("triples", rows, text=str, fields=fields, nul=nul)
    else:
        _print(rows, found.starts)
    if not rows:
        hint = "graph commit SUBJECT RELATION OBJECT` adds a fact, `memctl task create` begins a task"
        output.note(f"nothing in the graph matches {query!r}; `memctl {hint}")
        output.finish(ExitCode.NO)


def _row(found: asking.Found, step: Step) -> dict[str, Json]:
    one = step.triple
    return {
        **lines.to_fields(one),
        "speculation": one.speculation,
        "subject_kind": found.kinds.get(one.subject, "EntityNode"),
        "object_kind": found.kinds.get(one.object, "EntityNode"),
        "distance": step.distance,
        "score": round(step.score, 2),
        "matched": one.subject in found.starts or one.object in found.starts,
    }


def _print(rows: list[dict[str, Json]], starts: Mapping[str, float]) -> None:
    """Print triples by their subject: what the query names comes first, the rest as it was met."""
    by_subject: dict[str, list[dict[str, Json]]] = {}
    for row in sorted(rows, key=lambda row: row["subject"] not in starts):
        by_subject.setdefault(row["subject"], []).append(row)
    for subject, listed in by_subject.items():
        kind = listed[0]["subject_kind"]
        output.write(subject if kind == "EntityNode" else f"{subject}  {kind}")
        for row in listed:
            mark = "  [speculation]" if row["speculation"] else ""
            day = f"  {str(row['at'])[:10]}" if row["at"] else ""
            head = f"  {row['relation']} → "
            output.write(f"{head}{output.fit(str(row['object']), len(head) + len(mark + day))}{mark}{day}")


@app.command()
def purge(
    nodes: Annotated[
        list[str] | None, typer.Argument(metavar="[NODE...]", help="Everything about these nodes.")
    ] = None,
    subject: Annotated[
        str, typer.Option("--subject", metavar="TEXT", help="Only triples whose subject contains this.")
    ] = "",
    relation: Annotated[
        str, typer.Option("--relation", metavar="NAME", help="Only triples with this relation.")
    ] = "",
    name: Annotated[
        str, typer.Option("--object", metavar="TEXT", help="Only triples whose object contains this.")
    ] = "",
    task: Annotated[
        str, typer.Option("--task", metavar="TASK", help="Only triples that belong to this task.")
    ] = "",
    before: Annotated[
        str, typer.Option("--before", metavar="TIME", help="Only triples from before this time.")
    ] = "",
    instead: Annotated[
        str, typer.Option("--supersede", metavar="OBJECT", help="Replace the object with this one.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be purged; write nothing.")
    ] = False,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Mark triples as no longer true; all given filters must match. The lines stay in graph.jsonl as history."""
    output.settings.format = form
    at = output.now(now)
    until = output.now(before) if before else ""
    if not any((nodes, subject, relation, name, task, before)):
        raise UsageError("name a node, or narrow by --subject, --relation, --object, --task or --before")
    rest = {"subject": subject, "relation": relation, "object": name, "task": task, "before": until}
    criteria = [passes.Criteria(node=lines.plain(node), **rest) for node in nodes or ("",)]
    store = output.store()
    with files.locked(store.home, wait):
        gone = passes.purge(store, criteria, at, instead=instead, dry_run=dry_run)
    if not gone:
        raise NotFoundError(
            "no triple in the graph matches; a task's own facts are in its file, see `memctl task delete`"
        )
    rows = [lines.to_fields(one) for one in gone]
    if form is output.Format.TEXT:
        for one in gone:
            then = f"  (now {instead})" if instead else ""
            output.write(f"{'would purge' if dry_run else 'purged'}  {_line(one)}{then}")
    else:
        _document("purged", rows)


def _line(one: Triple) -> str:
    return f"{one.subject}  {one.relation} → {one.object}"


# --------------------------------------------------------------------------- the role


@role_app.command("set")
def set_role(
    attributes: Annotated[
        list[str],
        typer.Argument(metavar="NAME=TEXT...", help="For example role=librarian speaking_style=short."),
    ],
    mode: Annotated[
        Mode,
        typer.Option(
            "--mode", metavar="MODE", help="merge keeps the other attributes, replace removes them."
        ),
    ] = Mode.MERGE,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Set the agent's role: what it is, how it speaks, and any other attributes."""
    output.settings.format = form
    said: dict[str, str] = {}
    for attribute in attributes:
        name, sign, value = attribute.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise UsageError(
                f"{attribute!r} is not an attribute; write NAME=TEXT, for example speaking_style=short"
            )
        said[name.strip()] = value.strip()
    store = output.store()
    at = output.now(now)
    with files.locked(store.home, wait):
        found = passes.set_role(store, said, at, replaces=mode is Mode.REPLACE)
    _show_role(found)


@role_app.command("show")
def show_role(form: output.FormatOption = output.Format.TEXT) -> None:
    """Show the agent's role."""
    output.settings.format = form
    found = passes.role(output.store())
    if not found:
        raise NotFoundError("no role is set; set one with `memctl graph role set role=TEXT`")
    _show_role(found)


@role_app.command("clear")
def clear_role(
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Remove the agent's role."""
    output.settings.format = form
    store = output.store()
    at = output.now(now)
    with files.locked(store.home, wait):
        found = passes.clear_role(store, at)
    if form is output.Format.TEXT:
        output.write(f"removed the role:  {', '.join(found)}")
    else:
        _document("role", {})


def _show_role(found: dict[str, str]) -> None:
    if output.settings.format is not output.Format.TEXT:
        _document("role", found)
        return
    wide = max(map(len, found), default=0)
    for name, value in found.items():
        output.write(f"{name:<{wide}}  {value}")


def _document(kind: str, data: Json) -> None:
    if output.settings.format is output.Format.JSON:
        output.document(kind, data)
    else:
        output.records(data if isinstance(data, list) else [data])

"""`memctl session list|show|export|trace`."""

import enum
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from memctl import files
from memctl.ask import export, find
from memctl.ask.cards import card
from memctl.ask.lookup import Lookup
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.named import the_session
from memctl.errors import InputError, UsageError
from memctl.model import Entry, Json
from memctl.store import Store, entries, messages, sessions
from memctl.store.messages import Stored
from memctl.summarize import shorten_call
from memctl.text.names import quoted
from memctl.text.widths import display_width, one_line, printable

app = typer_app(help="List, show, export and trace sessions.", no_args_is_help=True)


_WIDEST_ID = 64  # columns; a longer one moves its own line only
_TITLE = 30  # columns left for the title below which a terminal's lines have fewer counts


class Target(enum.StrEnum):
    """Whose message list an export is."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class Trace(enum.StrEnum):
    """Which Mermaid diagram a trace is."""

    STATE = "state"
    FLOWCHART = "flowchart"


SessionArgument = Annotated[str, typer.Argument(metavar="ID", help="A session id, or its first letters.")]


@app.command("list")
def list_sessions(
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """List the sessions, oldest first."""
    output.settings.format = form
    store = output.store()
    rows = sorted(
        (_facts(store, place) for place in sessions.listed(store)),
        key=lambda row: (str(row["time"] or "~"), row["id"]),
    )
    ids = min(max((display_width(row["id"]) for row in rows), default=0), _WIDEST_ID)
    text = partial(_line, ids=ids)
    output.answer("sessions", rows, text=text, fields=fields or ("id" if nul else ""), nul=nul)


def _facts(store: Store, place: sessions.Place) -> dict[str, Json]:
    path, session = place.paths[0], place.id
    header = messages.facts(path)
    roles: Counter[str] = Counter()
    first, time = "", header.get("timestamp")
    for stored in sessions.conversation(store, session):
        roles[stored.role] += 1
        time = time or stored.fields.get("timestamp")
        if not first and stored.role == "user":
            first = one_line(printable(messages.own_words(stored)), 200)
    calls = [found.entry for found in entries.latest(store.offload(session), session)]
    time = time or next((entry.timestamp for entry in calls if entry.timestamp), None)
    return {
        "id": session,
        "time": time,
        "format": header.get("format"),
        "user": roles["user"],
        "assistant": roles["assistant"],
        "calls": len(calls),
        "title": header.get("title") or first,
        "cwd": header.get("cwd"),
        "parent": header.get("parent"),
        "source": header.get("source"),
        "path": output.shown(path),
    }


def _line(row: Mapping[str, Json], ids: int) -> str:
    name = row["id"] + " " * (ids - display_width(row["id"]))
    time = str(row["time"] or "no time").replace("T", " ")[:16]
    calls = f"{row['calls']:>4} calls"
    head = f"{name}  {time:<16}  {row['format'] or '':<16} {row['user']:>4} user {row['assistant']:>4} assistant {calls}  "
    if output.room(display_width(head)) < _TITLE:
        head = f"{name}  {time[:10]:<10} {calls}  "
    return head + output.fit(str(row["title"]), display_width(head), least=0)


@app.command()
def show(session: SessionArgument, form: output.FormatOption = output.Format.TEXT) -> None:
    """Show a session for reading: what was said, and each call with its outcome."""
    output.settings.format = form
    store = output.store()
    named = the_session(store, session)
    path = store.conversation(named)
    place = next((one.paths[0] for one in sessions.listed(store) if one.id == named), path)
    if form is not output.Format.TEXT:
        found = messages.read(path) if path.is_file() else sessions.conversation(store, named)
        rows = [dict(stored.fields) for stored in found]
        output.document("session", rows) if form is output.Format.JSON else output.records(rows)
        return
    held = {found.entry.tool_call_id: found.entry for found in entries.latest(store.offload(named), named)}
    for label, value in card(Lookup(store), find.Thing("session", named, place)).facts:
        output.write(f"{label:<9}  {value}")
    for stored in sessions.conversation(store, named):
        for line in _said(stored, held):
            output.write(line)


def _said(stored: Stored, held: Mapping[str, Entry]) -> Iterator[str]:
    time = str(stored.fields.get("timestamp") or "").replace("T", " ")[:19]
    noise = f"  ({', '.join(dict.fromkeys(mark.kind for mark in stored.marks))})" if stored.marks else ""
    if stored.role != "tool":
        yield ""
        yield f"[{stored.seq}] {stored.role}  {time}{noise}".rstrip()
    if stored.content:
        yield stored.content
    for part in stored.parts:
        entry = held.get(str(part.get("call_id")))
        if part.get("type") == "call":
            node = f"  {entry.node_id}" if entry and entry.node_id else ""
            yield f"  > {entry.tool_call if entry else part.get('name')}{node}"
            if entry and entry.status == "missing":
                yield "  < missing  the transcript has no result for this call"
        elif part.get("type") == "result" and entry:
            yield f"  < {entry.status}  {entry.summary}"
            yield f"      {output.command()} drill {quoted(entry.tool_call_id)}"
        elif part.get("type") == "image":
            yield f"  picture {part.get('ref') or part.get('url') or part.get('media_type')}"


@app.command("export")
def export_session(
    session: SessionArgument,
    to: Annotated[Target, typer.Option("--to", metavar="API", help="openai or anthropic.")] = Target.OPENAI,
    form: output.FormatOption = output.Format.JSON,
) -> None:
    """Print a session as a message list: {"messages": [...]} for the named API, with full results.

    Every text, call, argument and result is as in the transcript; secrets stay replaced.
    """
    output.settings.format = form
    store = output.store()
    listed = {Target.OPENAI: export.openai, Target.ANTHROPIC: export.anthropic}[to](
        store, the_session(store, session)
    )
    if form is output.Format.JSONL:
        output.records(listed)
        return
    system = [message for message in listed[:1] if to is Target.ANTHROPIC and message["role"] == "system"]
    head = {"system": system[0]["content"]} if system else {}
    output.records([{**head, "messages": listed[len(system) :]}])


@app.command()
def trace(
    session: Annotated[str, typer.Argument(metavar="[ID]", help="A session id, or its first letters.")] = "",
    kind: Annotated[
        Trace, typer.Option("--type", metavar="TYPE", help="state or flowchart.")
    ] = Trace.FLOWCHART,
    parse: Annotated[
        str, typer.Option("--parse", metavar="FILE", help="Read the calls back from a trace; - for stdin.")
    ] = "",
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """Draw the calls of a session as a Mermaid diagram, one step per call; --parse reads them back.

    A comment above each step holds the whole call: tool, arguments, ids, status, node. The formats json and jsonl,
    and --print, give these calls for a session and for a trace alike.
    """
    output.settings.format = form
    if bool(session) == bool(parse):
        raise UsageError("name either a session to trace or a trace to --parse")
    from memctl.canvas import trace as traces

    if parse:
        calls = _parsed(parse)
    else:
        from memctl.ask.trace import calls as calls_of

        store = output.store()
        named = the_session(store, session)
        calls = calls_of(store, named)
        if form is output.Format.TEXT and not fields and not nul:
            text = traces.write_trace(calls, named, kind.value)
            if traces.drawn_size(text.split("\n")) > traces.MOST_CHARACTERS:
                most = f"{traces.MOST_CHARACTERS:,}"
                output.note(f"{len(calls)} steps: Mermaid can read this but draws at most {most} characters")
            output.write_bytes(text.encode("utf-8", "replace"))
            return
    rows = [{name: call.get(name) for name in traces.FIELDS} for call in calls]
    output.answer("calls", rows, text=_call_line, fields=fields or ("tool_call_id" if nul else ""), nul=nul)


def _parsed(name: str) -> list[dict[str, Json]]:
    from memctl.canvas.trace import parse_trace

    try:
        data = files.read_standard_input() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from error
    try:
        return parse_trace(data.decode("utf-8-sig", "surrogateescape"))
    except InputError as problem:
        raise InputError(f"{name}: {problem}") from None


def _call_line(call: Mapping[str, Json]) -> str:
    """Write a call on one line: number, status, id, the call itself."""
    head = f"{call['seq'] or 0:>4}  {call['status'] or '':<7}  {call['tool_call_id']}  "
    return head + one_line(shorten_call(str(call["tool"]), call["arguments"]), 300)

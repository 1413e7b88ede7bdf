"""`memctl atom list|show|forget|correct`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated

import typer

from memctl import files
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.named import the_session
from memctl.errors import AmbiguousError, NotFoundError, UsageError
from memctl.layers.forgetting import Forgotten
from memctl.layers.grounding import evidence
from memctl.model import ATOM_TYPES, Atom, Json
from memctl.passes import atoms as passes
from memctl.store import Store, atoms
from memctl.store.atoms import Found
from memctl.text.names import quoted
from memctl.text.numbers import how_many
from memctl.text.widths import one_line

app = typer_app(help="List, show, forget and correct what is remembered.", no_args_is_help=True)

AtomArgument = Annotated[str, typer.Argument(metavar="ID", help="An atom's id, or its first characters.")]
EXAMPLES = (
    ("memctl atom list --type instruction", "List the standing instructions."),
    ("memctl atom list --tag decision --print createdAt,content", "List the decisions, each with its time."),
    ("memctl atom correct m_1a2b3c4d5e6f 'The release is on Tuesdays.'", "Correct what is remembered."),
    ("memctl atom forget m_1a2b3c4d5e6f", "Forget it permanently."),
)
_STATUSES = ("active", "superseded", "forgotten", "all")


@app.command("list")
def list_atoms(
    kind: Annotated[
        str,
        typer.Option("--type", metavar="TYPE,...", help="Only atoms of this type: persona, instruction, ..."),
    ] = "",
    status: Annotated[
        str, typer.Option("--status", metavar="STATUS", help="active, superseded, forgotten or all.")
    ] = "active",
    session: Annotated[
        str, typer.Option("--session", metavar="ID", help="Only atoms from this session.")
    ] = "",
    tag: Annotated[
        str, typer.Option("--tag", metavar="TAG", help="Only atoms with this tag: decision, preference, ...")
    ] = "",
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """List the atoms, oldest first: what is remembered, its type and its weight."""
    output.settings.format = form
    wanted = {word for word in kind.split(",") if word}
    if unknown := wanted - set(ATOM_TYPES):
        raise UsageError(f"--type: no type {min(unknown)!r}; choose from {', '.join(ATOM_TYPES)}")
    if status not in _STATUSES:
        raise UsageError(f"--status must be one of {', '.join(_STATUSES)}")
    rows = [
        _row(atom)
        for atom in atoms.latest(output.store()).values()
        if (status in ("all", atom.status))
        and (not wanted or atom.type in wanted)
        and (not tag or tag in atom.tags)
        and (not session or any(atoms.of_session(atom, name)[0].startswith(session) for name in atom.sources))
    ]
    if session and not rows:
        the_session(output.store(), session)  # one that is not there is an error, not an empty list
    rows.sort(key=lambda row: (row["createdAt"] is None, row["createdAt"] or "", row["id"]))
    output.answer("atoms", rows, text=_line, fields=fields or ("id" if nul else ""), nul=nul)


def _row(atom: Atom) -> dict[str, Json]:
    return atoms.to_fields(atom)


def _line(row: Mapping[str, Json]) -> str:
    status = "" if row["status"] == "active" else f" [{row['status']}]"
    day = str(row["createdAt"] or "undated")[:10]
    head = f"{row['id']}  {day:<10}  {row['type']:<13} {row['priority']:>3}{status}  "
    return head + output.fit(str(row["content"]), len(head))


@app.command()
def show(given: AtomArgument, form: output.FormatOption = output.Format.TEXT) -> None:
    """Show an atom with its versions and the messages it came from."""
    output.settings.format = form
    store = output.store()
    listed = the_atom(store, given)
    atom = atoms.current(listed)
    sources = evidence(store, atom, Forgotten(atoms.latest(store).values()))
    if form is not output.Format.TEXT:
        data = {**atoms.to_fields(atom), "versions": [atoms.to_fields(found.atom) for found in listed]}
        data["messages"] = [asdict(source) for source in sources]
        output.document("atom", data) if form is output.Format.JSON else output.records([data])
        return
    output.write(f"{atom.id}  {atom.type}, {atom.status}")
    output.write(f"  {atom.content or '(forgotten)'}")
    for label, value in facts(atom):
        output.write(f"  {label:<10}  {value}")
    for found in listed:
        if found.atom.content not in ("", atom.content):
            by = f"{found.atom.actor}, {found.atom.updated or 'undated'}"
            output.write(f"  before      {one_line(found.atom.content, 200)} ({by})")
    for source in sources:
        output.write(
            f"  from        {source.time or 'undated'}  {one_line(source.words, 200) or '(not there)'}"
        )
        output.write(
            f"              {output.command()} drill {quoted(f'message:{source.session}/{source.message}')}"
        )


def facts(atom: Atom) -> list[tuple[str, str]]:
    """Give the facts of an atom as label and text."""
    when = [str(atom.metadata.get(f"activity_{name}_time") or "") for name in ("start", "end")]
    found = [
        ("by", f"{atom.actor}, version {atom.version}"),
        ("priority", "absolute rule" if atom.priority < 0 else str(atom.priority)),
        ("tags", ", ".join(atom.tags)),
        ("project", str(atom.metadata.get("project") or "")),
        ("scene", atom.scene),
        ("time", when[0] if when[0] == when[1] else " to ".join(when)),
        ("said", " to ".join(dict.fromkeys(time for time in (atom.created, atom.updated) if time))),
        ("supersedes", ", ".join(atom.supersedes)),
    ]
    return [(label, value) for label, value in found if value]


def the_atom(store: Store, given: str) -> list[Found]:
    """Find an atom's versions by its id or first characters.

    Raises NotFoundError for none, AmbiguousError with the list for several.
    """
    given = given.removeprefix("atom:")
    known = atoms.versions(store)
    if given in known:
        return known[given]
    named = [name for name in known if len(given) >= 4 and name.startswith(given)]
    if not named:
        raise NotFoundError(f"no atom {given!r}; see `memctl atom list --status all`")
    if len(named) > 1:
        ways = "\n".join(
            f"  {name}  {one_line(atoms.current(known[name]).content, 80)}" for name in named[:20]
        )
        raise AmbiguousError(f"{given!r} matches {len(named)} atoms; choose one:\n{ways}")
    return known[named[0]]


@app.command()
def forget(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="The atoms to forget.")],
    purge: Annotated[
        bool, typer.Option("--purge", help="Also replace the words in the conversations.")
    ] = False,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Forget atoms permanently: only fingerprints stay, so that the same is never remembered again.

    This covers other spellings: different case, width, spacing or look-alike letters. The conversation keeps
    its words unless --purge replaces them.
    """
    output.settings.format = form
    store = output.store()
    with files.locked(store.home, wait):
        found = [the_atom(store, given) for given in ids]
        gone = [passes.forget(store, listed, output.now(now), purge=purge) for listed in found]
    for one in gone:
        for name, count in one.lines.items():
            output.note(
                f"{name}: {how_many(count, 'line')} outside memctl's block that rested on {one.atom} removed"
            )
    rows = [{"id": one.atom, "versions": one.versions, "purged": one.purged} for one in gone]
    if form is output.Format.TEXT:
        for one in gone:
            words = f"; its words replaced in {how_many(one.purged, 'message')}" if purge else ""
            output.write(f"forgot {one.atom}{words}")
    else:
        output.document("forgotten", rows) if form is output.Format.JSON else output.records(rows)


@app.command()
def correct(
    given: AtomArgument,
    content: Annotated[str, typer.Argument(metavar="TEXT", help="The correct statement.")],
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Correct an atom. Your words outrank rules and models, and no later extract changes them."""
    output.settings.format = form
    store = output.store()
    with files.locked(store.home, wait):
        made = passes.correct(store, atoms.current(the_atom(store, given)), content, output.now(now))
    if form is output.Format.TEXT:
        output.write(f"{made.id}  {made.content}")
    else:
        data = atoms.to_fields(made)
        output.document("atom", data) if form is output.Format.JSON else output.records([data])

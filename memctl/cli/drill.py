"""`memctl drill`."""

import sys
from typing import Annotated

import typer

from memctl import files
from memctl.ask import drill as asked
from memctl.ask.cards import Card, card
from memctl.ask.lookup import Lookup
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import ExitCode, MemctlError, UsageError
from memctl.store import Store
from memctl.text.names import quoted
from memctl.text.widths import display_width, printable

app = typer_app()


@app.command()
def drill(
    ids: Annotated[
        list[str],
        typer.Argument(metavar="ID...", help="Any id; kind:id forces a kind, - reads ids from stdin."),
    ],
    up: Annotated[bool, typer.Option("--up", help="Go up: show what the id belongs to.")] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="Print the exact bytes of the one result that the id leads to.")
    ] = False,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Follow any id down: canvas, node, call, ref, the original bytes; or persona, scene, atom, message.

    Ids are what other commands print: a node (003-N4), a canvas (3), a tool call, a ref, an atom, a
    message, a session, a scene, persona or a task. The output names the ids to follow next.
    """
    output.settings.format = form
    store = output.store()
    wanted = [line for given in ids for line in (_from_stdin() if given == "-" else [given])]
    if raw and len(wanted) != 1:
        raise UsageError("--raw takes exactly one id")
    lookup = Lookup(store, many=len(wanted) > 1)
    worst = ExitCode.OK
    cards: list[Card] = []
    for given in wanted:
        try:
            thing = asked.the_one(lookup, given)
        except MemctlError as problem:
            if len(wanted) == 1:
                raise
            output.error(problem)
            worst = max(worst, problem.code)
            continue
        if raw:
            _print_raw(asked.raw(lookup, thing))
            return
        if up:
            cards.append(Card(thing, thing.id, (), asked.above(lookup, thing)))
        else:
            cards.append(card(lookup, thing))
        if form is output.Format.TEXT:
            _show(cards[-1], first=len(cards) == 1)
    _print_data(store, cards, form)
    if worst:
        output.finish(worst)


def _print_raw(data: bytes) -> None:
    """Print exact bytes; a terminal gets no escape code that a result may hold."""
    if not sys.stdout.isatty():
        output.write_bytes(data)
        return
    text = data.decode("utf-8", "replace")
    output.write(text, end="")
    if printable(text) != text:
        output.note("control characters were left out; redirect the output to get every byte")


def _from_stdin() -> list[str]:
    text = files.read_standard_input().decode("utf-8", "surrogateescape")
    return [line.strip() for line in text.replace("\0", "\n").split("\n") if line.strip()]


def _print_data(store: Store, cards: list[Card], form: output.Format) -> None:
    rows = [asked.data(store, card) for card in cards]
    if form is output.Format.JSON:
        output.document("drill", rows[0] if len(rows) == 1 else rows)
    elif form is output.Format.JSONL:
        output.records(rows)


def _show(card: Card, *, first: bool) -> None:
    """Print a card: title, facts, what is below with the id to type next, and text in full."""
    if not first:
        output.write("")
    output.write(card.title)
    label = max((display_width(name) for name, _ in card.facts), default=0)
    for name, text in card.facts:
        output.write(f"  {name:<{label}}  {printable(text)}")
    if card.facts and card.below:
        output.write("")
    commands = [f"{output.command()} drill {quoted(name)}" for name, _ in card.below]
    column = max((len(command) for command in commands), default=0)
    for command, (_, what) in zip(commands, card.below, strict=True):
        output.write(f"  {command:<{column}}  {output.fit(what, column + 4)}")
    if card.content:
        output.write("")
        output.write(card.content, end="" if card.content.endswith("\n") else "\n")

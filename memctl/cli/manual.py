"""`memctl help`: the man pages, which come with the package, with or without a `man` to read them."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from memctl.cli import output
from memctl.cli.app import COMMANDS, typer_app
from memctl.errors import NotFoundError
from memctl.text.widths import display_width

app = typer_app()

EXAMPLES = (
    ("memctl help grep", "Show the page of a command."),
    ("memctl help canvas show", "Show the page of a subcommand."),
    ("memctl help --schema status", "Print the JSON Schema of `memctl status --format json`."),
    ("memctl help json", "Show what the JSON of each command contains: memctl-json(5)."),
)

_SECTIONS = ("1", "5", "7")
_FONT = re.compile(r"\\f[BIRP]")
_ESCAPES = {r"\-": "-", r"\e": "\\", r"\(ga": "`", r"\&": "", r"\(aq": "'", r"\ ": " ", r"\(co": "(c)"}
_SECTION = re.compile(r"\([1-8]\)\Z")  # as pages name each other: memctl-json(5)
_TOPICS = ("directory", "engines", "formats", "json")
_INDENT = 7


@app.command(name="help")
def manual(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COMMAND...]", help="A command, or one of directory, engines, formats, json."
        ),
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option(
            "--schema",
            metavar="KIND",
            help="Print the JSON Schema of a kind of document (see memctl-json(5)).",
        ),
    ] = None,
) -> None:
    """Show the manual of a command, or of the program.

    On a terminal, `man` shows the page if it is installed; otherwise the page is printed as plain text. --schema
    prints the schema that the output of `--format json` follows (memctl-json(5)).
    """
    if schema is not None:
        _print_schema(schema)
        return
    bare = [_SECTION.sub("", word.removeprefix("memctl-")) for word in words or [] if word != "memctl"]
    name = "-".join(("memctl", *bare))
    page = next((found for section in _SECTIONS if (found := find(f"{name}.{section}"))), None)
    if page is None:
        raise NotFoundError(
            f"no manual page for {' '.join(words or [])!r}; choose from {', '.join((*COMMANDS, *_TOPICS))}"
        )
    if sys.stdout.isatty() and (reader := shutil.which("man")):
        sys.stdout.flush()
        done = subprocess.run([reader, str(page)], check=False)  # noqa: S603 - a page of ours, no shell
        if done.returncode == 0:
            return
    for line in plain(page.read_text("utf-8"), min(output.width(), 100)):
        output.write(line)


def _print_schema(kind: str) -> None:
    import json

    from memctl import schemas

    if kind not in schemas.kinds():
        raise NotFoundError(f"no kind {kind!r}; choose from {', '.join(schemas.kinds())}")
    output.write(json.dumps(schemas.schema(kind), indent=2, ensure_ascii=False))


def find(name: str) -> Path | None:
    """Find a page: beside a checkout's package, or where the wheel put it."""
    folder = f"man{name[-1]}"
    places = (
        Path(__file__).parents[2] / "man" / name,
        Path(sys.prefix, "share", "man", folder, name),
        Path(os.path.expanduser("~"), ".local", "share", "man", folder, name),
        Path(sys.base_prefix, "share", "man", folder, name),
        Path(__file__).parents[4] / "share" / "man" / folder / name,
    )
    return next((place for place in places if place.is_file()), None)


# --------------------------------------------------------------------------- without man


def plain(roff: str, width: int) -> Iterator[str]:
    """Write a page of ours as text; only the requests that our pages use are known."""
    words: list[str] = []
    hanging, verbatim, indent = False, False, _INDENT

    def flush() -> Iterator[str]:
        yield from _filled(words, indent, width)
        words.clear()

    for line in roff.split("\n"):
        request, _, rest = line.partition(" ")
        if verbatim and request != ".fi":
            yield " " * indent + _text(line)
        elif request in (".TH", ".nf", ".fi", ".SH", ".SS", ".PP", ".TP", ".RS", ".RE", ".br", ".EX", ".EE"):
            yield from flush()
            verbatim = request in (".nf", ".EX") or (verbatim and request not in (".fi", ".EE"))
            if request in (".SH", ".SS"):
                indent = _INDENT
                yield ""
                yield ("" if request == ".SH" else "   ") + _text(rest.strip('"'))
            elif request in (".PP", ".TP"):
                yield ""
                indent, hanging = _INDENT, request == ".TP"
        elif hanging:
            yield " " * indent + _text(_unmacro(line))
            hanging, indent = False, _INDENT * 2
        else:
            words += _text(_unmacro(line)).split()
    yield from flush()


def _unmacro(line: str) -> str:
    """Take a font request off a line."""
    for macro in (".B ", ".I ", ".BR ", ".IR ", ".BI "):
        if line.startswith(macro):
            return line.removeprefix(macro).replace('"', "")
    return line


def _text(line: str) -> str:
    line = _FONT.sub("", line)
    for escape, char in _ESCAPES.items():
        line = line.replace(escape, char)
    return line


def _filled(words: list[str], indent: int, width: int) -> Iterator[str]:
    line, used = "", indent
    for word in words:
        cells = display_width(word)
        if line and used + 1 + cells > width:
            yield " " * indent + line
            line, used = "", indent
        line = f"{line} {word}" if line else word
        used += cells + (1 if used > indent else 0)
    if line:
        yield " " * indent + line

"""`memctl validate`."""

import enum
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from memctl import files
from memctl.canvas import rules
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import ExitCode, InputError
from memctl.model import Json, Problem
from memctl.text.numbers import how_many

app = typer_app()

_MARKDOWN = (".md", ".markdown")

EXAMPLES = (
    ("memctl validate", "Check every canvas of the memory directory."),
    ("memctl validate docs/*.md", "Check the mermaid fences of Markdown files."),
    ("memctl validate --fix draft.mmd", "Apply unambiguous repairs."),
)


class Format(enum.StrEnum):
    """How problems are printed."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    GITHUB = "github"


@app.command()
def validate(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...]", help="Mermaid or Markdown files, or - for stdin; by default all canvases."
        ),
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Apply unambiguous repairs, and check again.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    form: Annotated[
        Format,
        typer.Option("--format", metavar="FORMAT", help="text, json, jsonl or github (annotations)."),
    ] = Format.TEXT,
) -> None:
    """Check Mermaid flowcharts for errors, and for content that Mermaid would silently drop.

    Output lines are `path:line:column: CODE what is wrong; what to write`. Errors exit with 1, warnings with 0.
    """
    output.settings.format = (
        output.Format.TEXT if form in (Format.TEXT, Format.GITHUB) else output.Format(form.value)
    )
    names = paths or [output.shown(path) for path in output.store().canvases()]
    problems = [problem for name in names for problem in _check(name, fix=fix)]
    _print(problems, form, tried=fix)
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = sum(problem.severity == "warning" for problem in problems)
    if form is Format.TEXT:
        output.note(f"{len(names)} checked: {how_many(errors, 'error')}, {how_many(warnings, 'warning')}")
    if errors or (strict and warnings):
        output.finish(ExitCode.NO)


def _check(name: str, *, fix: bool) -> Iterator[Problem]:
    data = _read(name)
    text = data.decode("utf-8", "surrogateescape")
    in_markdown = name.lower().endswith(_MARKDOWN)
    if fix:
        fixed = rules.fix_markdown(text) if in_markdown else rules.fix(text)
        if name == "-":
            output.write_bytes(fixed.encode("utf-8", "surrogateescape"))
        elif fixed != text:
            files.write_beside(Path(name), fixed.encode("utf-8", "surrogateescape"))
            output.note(f"fixed {name}")
        text = fixed
    yield from rules.validate_markdown(text, name) if in_markdown else rules.validate(text, name)


def _read(name: str) -> bytes:
    if name == "-":
        return files.read_standard_input()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from error


def _print(problems: Iterable[Problem], form: Format, *, tried: bool) -> None:
    """Print the findings; where a repair was *tried*, an error that is left says why it was not made."""
    if form is Format.JSON:
        output.document("problems", [problem_data(problem) for problem in problems])
    elif form is Format.JSONL:
        output.records(problem_data(problem) for problem in problems)
    elif form is Format.GITHUB:
        from memctl.check.reports import github

        for problem in problems:
            output.write(github(problem))
    else:
        for problem in problems:
            left = (
                f" (not repaired: {rules.why_left(problem)})" if tried and problem.severity == "error" else ""
            )
            output.write(problem_line(problem) + left)


def problem_line(problem: Problem) -> str:
    """Write a finding as people and editors read it: `path:line:column: CODE message`."""
    level = "" if problem.severity == "error" else f"{problem.severity}: "
    return f"{problem.path}:{problem.line}:{problem.column}: {problem.code} {level}{problem.told}"


def problem_data(problem: Problem) -> Json:
    """Give a finding as JSON values."""
    return {
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
    }

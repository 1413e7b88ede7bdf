"""`memctl check`."""

import enum
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from memctl import check as room, files, git, store
from memctl.check import codes
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.commits import commit_own, ready
from memctl.cli.validate import problem_data, problem_line
from memctl.errors import ExitCode, UsageError
from memctl.model import Problem
from memctl.text.numbers import how_many

app = typer_app()

EXAMPLES = (
    ("memctl check", "Follow every reference in the memory directory, both ways."),
    ("memctl check --changed HEAD", "Check only uncommitted files, for a pre-commit hook."),
    ("memctl check --format sarif > check.sarif", "Write a report for a code scanning service."),
    (
        "git merge theirs; memctl check --fix --commit",
        "Merge, resolve what git could not, and commit.",
    ),
)

TABLE = (
    "RULES",
    tuple((code, f"{rule.name} ({rule.severity}): {rule.meaning}.") for code, rule in codes.RULES.items()),
)


class Format(enum.StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"


@app.command()
def check(
    fix: Annotated[
        bool,
        typer.Option(
            "--fix", help="Resolve a stopped git merge, rebuild derived files, and stage the result."
        ),
    ] = False,
    commit: Annotated[
        bool,
        typer.Option(
            "--commit",
            help="With --fix, if no error is left: conclude the merge, or commit the directory's own files.",
        ),
    ] = False,
    changed: Annotated[
        str | None,
        typer.Option("--changed", metavar="REV", help="Check only files that differ from this git commit."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule", metavar="CODE", help="Check only this rule or family (CHK301, CHK3, ref-missing)."
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="CODE", help="Skip this rule or family.")
    ] = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Also look for what today's rules would redact.")
    ] = False,
    wait: output.WaitOption = 10.0,
    form: Annotated[
        Format,
        typer.Option("--format", metavar="FORMAT", help="text, json, jsonl, sarif, github or junit."),
    ] = Format.TEXT,
) -> None:
    """Follow the chain of memory both ways and report every broken link with its file and line.

    The links are persona, scene, atom, message; and task, canvas, node, entry, ref and its sha256. It also
    reports conflict markers, truncated lines, duplicate ids, clashing numbers, unsafe paths, symbolic links and
    canvases that Mermaid rejects. Output lines are `path:line: CODE what is wrong; what to do`. Errors exit with
    1, warnings with 0; notes, about things that `memctl compact` tidies up, are shown with --verbose. Nothing is
    written without --fix.

    --fix writes only derived files: entries, canvases, tasks, scenes, the persona. Where a git merge has stopped,
    it reads both sides from git's index, resolves every file of memctl's in the same way whichever side is ours,
    and stages it; what people wrote on either side is kept. A merge that does not stop may need it as well: two
    canvases with the same number are not a conflict to git. --commit makes the commit: of the merge in progress,
    or of the directory's own files.
    """
    if commit and not fix:
        raise UsageError("--commit needs --fix")
    output.settings.format = output.Format.JSON if form in (Format.JSON, Format.JSONL) else output.Format.TEXT
    only, ignored = _words(rule), _words(ignore)
    opened = store.open_damaged(store.find(output.settings.directory))
    if fix:
        ready(opened.home, wanted=commit)
        _fix(opened, wait, told=not commit)
        opened = store.open_damaged(opened.home)
    touched = git.changed_since(opened.home, changed) if changed is not None else None
    found = room.check(opened, only=only, ignored=ignored, changed=touched, look_for_secrets=secrets)
    notes = 0
    if not (only or output.settings.verbose):
        notes = sum(one.severity == "note" for one in found)
        found = [one for one in found if one.severity != "note"]
    found = [replace(one, path=output.shown(Path(one.path))) for one in found]
    _print(found, form, strict=strict)
    errors = sum(one.severity == "error" for one in found)
    warnings = sum(one.severity == "warning" for one in found)
    if form is Format.TEXT:
        more = f", {how_many(notes, 'note')} (--verbose shows them)" if notes else ""
        output.note(f"{how_many(errors, 'error')}, {how_many(warnings, 'warning')}{more}")
        if stopped := sum(one.code == "CHK105" for one in found):
            unsettled = how_many(stopped, "file")
            output.note(
                f"a merge has stopped in {unsettled}: `memctl check --fix --commit` resolves and concludes it"
            )
    if errors or (strict and warnings):
        if commit:
            output.note("nothing was committed; fix the problems above and run this again")
        output.finish(ExitCode.NO)
    if commit:
        if git.is_merging(opened.home):
            with files.locked(opened.home, wait):
                output.note(f"committed {git.end_merge(opened.home)}, which concludes the merge")
        else:
            commit_own(opened.home, "check", wait, wanted=True)


def _fix(opened: store.Store, wait: float, *, told: bool) -> None:
    """Put right what can be, and say what was done."""
    from memctl.check.fix import fix as put_right

    with files.locked(opened.home, wait):
        done = put_right(opened)
    for name in done.settled:
        output.detail(f"resolved {output.shown(opened.at_home(name))}")
    if done.settled:
        output.note(f"resolved {how_many(len(done.settled), 'file')} of the merge")
    for was, path in done.moved:
        output.note(
            f"canvas {was} was renumbered to {store.number_of(path):03d} ({output.shown(path)}); the old number still works"
        )
    if done.healed:
        output.note(f"rebuilt the derived files of {how_many(len(done.healed), 'session')}")
    if told and done.staged:
        way = git.way_on(opened.home) or "git status"
        output.note(
            f"staged {how_many(done.staged, 'file')}; {'conclude the merge' if 'commit' in way else 'continue'} with `{way}`"
        )
    if told and done.left:
        output.note(f"{how_many(done.left, 'file')} to commit; run `memctl check --fix --commit`")


def _words(given: list[str] | None) -> tuple[str, ...]:
    words = tuple(word.strip() for one in given or () for word in one.split(",") if word.strip())
    for word in words:
        if not codes.known(word):
            raise UsageError(
                f"{word!r} is not a rule; memctl-check(1) lists them, for example CHK301, CHK3, ref-missing"
            )
    return words


def _print(found: list[Problem], form: Format, *, strict: bool) -> None:
    if form is Format.TEXT:
        for one in found:
            output.write(problem_line(one))
        return
    if form is Format.JSON:
        output.document("problems", [problem_data(one) for one in found])
        return
    if form is Format.JSONL:
        output.records(problem_data(one) for one in found)
        return
    from memctl.check import reports

    if form is Format.SARIF:
        output.write_bytes(files.encode(reports.sarif(found)) + b"\n")
    elif form is Format.JUNIT:
        output.write(reports.junit(found, strict=strict))
    else:
        for one in found:
            output.write(reports.github(one))

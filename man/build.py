"""Write the man pages of all commands from the commands themselves.

`python man/build.py` writes them beside this file, `--check` compares and exits 1 when one is stale,
missing or orphaned. Only attributes of the commands are read, no class of typer or click, so it does
not depend on which of them is inside. memctl-directory.5 and other pages without a command are written
by hand.
"""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memctl import __version__, schemas
from memctl.cli.app import COMMANDS, command
from memctl.errors import ExitCode

HERE = Path(__file__).parent
OFFERS = HERE.parent / "memctl" / "cli" / "completions.json"
BY_HAND = {"memctl-directory.5", "memctl-engines.7", "memctl-formats.7"}
DATE = "2026-11-29"  # of the release, not of the build: a rebuild is no diff

MEANINGS = {
    ExitCode.OK: "Done.",
    ExitCode.NO: "Negative answer: nothing was found, or a check failed.",
    ExitCode.USAGE: "Invalid usage, or an ambiguous id (the candidates are listed).",
    ExitCode.FAILED: "Failure: a named file is missing, unreadable or holds nothing usable, or the disk is full.",
    ExitCode.NO_DIRECTORY: "There is no memory directory here.",
    ExitCode.LOCKED: "Another process is writing to the directory.",
    ExitCode.DAMAGED: "The directory is damaged, or was written by a newer memctl.",
    ExitCode.BUG: "A bug in memctl.",
    ExitCode.INTERRUPTED: "Interrupted.",
    ExitCode.BROKEN_PIPE: "Broken pipe; the work was finished.",
}


def escape(text: str) -> str:
    """Write text for roff: backslashes, hyphens that are typed, and lines that begin like a request."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga")
    return "\n".join(rf"\&{line}" if line[:1] in ("'", ".") else line for line in text.split("\n"))


def pages() -> Iterator[tuple[str, str]]:
    """Give (file name, text) of every page: the program, each command, each command of a group."""
    program = command()
    program.commands = {name: program.get_command(None, name) for name in COMMANDS}
    yield from _page(program, ("memctl",), None)
    yield "memctl-json.5", _json_page()


def _json_page() -> str:
    """Write memctl-json(5) from the schemas."""
    intro = [
        (
            "With --format json a command prints one document: an object of `schema_version` (1), `kind` and `data`. "
            "With --format jsonl it prints bare records, one per line: the items of `data` if that is a list. An "
            "error is printed as such a document on stderr."
        ),
        (
            "While `schema_version` is 1, no field listed here is removed or changes its type. Later versions may add "
            "fields and kinds, so ignore what you do not know. Fields in [brackets] are optional. Times are ISO 8601 "
            "as in the transcript, paths are relative to the current folder, and token counts are estimates."
        ),
        "`memctl help --schema KIND` prints the JSON Schema of a kind; the schemas are in memctl/schemas of the package.",
    ]
    lines = [f'.TH MEMCTL\\-JSON 5 "{DATE}" "memctl {__version__}" "memctl manual"']
    lines += [".SH NAME", r"memctl\-json \- what \-\-format json prints", ".SH DESCRIPTION"]
    lines.append("\n.PP\n".join(map(escape, intro)))
    lines.append(".SH KINDS")
    for kind in schemas.kinds():
        known = schemas.schema(kind)
        lines += [f".SS {escape(kind)}", escape(f"{known['$comment']}: {known['description']}")]
        lines += list(_fields(known["properties"]["data"], ""))
    lines += [".SH SEE ALSO", ", ".join(_reference(other) for other in ("memctl.1", *sorted(BY_HAND)))]
    return "\n".join(lines) + "\n"


def _fields(schema: Any, within: str) -> Iterator[str]:
    """List the fields of a schema, those inside others by their path."""
    for one in schema.get("anyOf", ()):
        yield from _fields(one, within)
    if "items" in schema:
        yield from _fields(schema["items"], f"{within}[]")
        return
    for name, one in schema.get("properties", {}).items():
        path = f"{within}.{name}" if within else name
        kinds = one.get("type", "any")
        told = " or ".join(kinds) if isinstance(kinds, list) else kinds
        known = f"; {one['description']}" if "description" in one else ""
        shown = path if name in schema.get("required", ()) else f"[{path}]"
        yield from (".TP", rf"\fB{escape(shown)}\fR", escape(f"{told}{known}"))
        yield from _fields(one, path)


def _page(shown: Any, path: tuple[str, ...], module: Any) -> Iterator[tuple[str, str]]:
    """Write a command's page and those below it; *module* may have EXAMPLES and a TABLE of more to know."""
    examples: tuple[tuple[str, str], ...] = getattr(module, "EXAMPLES", ())
    title, rows = getattr(module, "TABLE", ("", ()))
    name = "-".join(path)
    below = {called: one for called, one in getattr(shown, "commands", {}).items() if not one.hidden}
    summary, _, rest = (shown.help or "").strip().partition("\n")
    arguments = [param for param in shown.params if param.param_type_name == "argument"]
    options = [param for param in shown.params if param.param_type_name == "option" and not param.hidden]
    lines = [
        f'.TH {escape(name.upper())} 1 "{DATE}" "memctl {__version__}" "memctl manual"',
        ".SH NAME",
        rf"{escape(name)} \- {escape(summary.rstrip('.'))}",
        ".SH SYNOPSIS",
        rf".B {escape(' '.join(path))}",
        " ".join(["[OPTIONS]", *(escape(param.metavar or param.name.upper()) for param in arguments)])
        + (" COMMAND" if below else ""),
        ".SH DESCRIPTION",
        escape(f"{summary}\n\n{rest.strip()}".strip()).replace("\n\n", "\n.PP\n"),
    ]
    if arguments:
        lines.append(".SH ARGUMENTS")
        for param in arguments:
            lines += [
                ".TP",
                rf"\fI{escape(param.metavar or param.name.upper())}\fR",
                escape(param.help or ""),
            ]
    if below:
        lines.append(".SH COMMANDS")
        for called, one in below.items():
            lines += [".TP", rf"\fB{escape(called)}\fR", escape((one.help or "").partition("\n")[0])]
    lines.append(".SH OPTIONS")
    for param in options:
        flags = ", ".join(rf"\fB{escape(flag)}\fR" for flag in [*param.opts, *param.secondary_opts])
        value = "" if param.is_flag else rf" \fI{escape(param.metavar or param.name.upper())}\fR"
        lines += [".TP", flags + value, escape(param.help or "")]
    if title:
        lines.append(f".SH {escape(title)}")
        for term, meaning in rows:
            lines += [".TP", rf"\fB{escape(term)}\fR", escape(meaning)]
    if examples:
        lines.append(".SH EXAMPLES")
        for typed, meaning in examples:
            lines += [".TP", rf"\fB{escape(typed)}\fR", escape(meaning)]
    lines.append(".SH EXIT STATUS")
    for code, meaning in MEANINGS.items():
        lines += [".TP", rf"\fB{int(code)}\fR", escape(meaning)]
    # Only the program's page names every command: a new one changes no other page.
    above = ["memctl.1", *(["-".join(path[:-1]) + ".1"] if len(path) > 2 else [])]
    listed = [f"{name}-{called}.1" for called in below]
    others = [*above, *listed, *sorted(BY_HAND)]
    # One reference per line: two branches that add a command each meet without a conflict.
    lines += [".SH SEE ALSO", ",\n".join(_reference(other) for other in others if other != f"{name}.1")]
    yield f"{name}.1", "\n".join(lines) + "\n"
    for called, one in below.items():
        if one.hidden:
            continue
        known = COMMANDS.get(called) if len(path) == 1 else None
        more = importlib.import_module(f"memctl.cli.{known.module}") if known else None
        yield from _page(one, (*path, called), more)


def completions() -> str:
    """Write what the Tab key offers: commands, options, arguments; a command per line."""
    program = command()
    program.commands = {name: program.get_command(None, name) for name in COMMANDS}
    table = dict(_offers(program, ""))
    lines = [f"{json.dumps(path)}: {json.dumps(known, ensure_ascii=False)}" for path, known in table.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _offers(shown: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    options: dict[str, dict[str, str]] = {}
    arguments = []
    for param in shown.params:
        if param.param_type_name == "argument":
            arguments.append(param.metavar or param.name.upper())
        elif not param.hidden:
            value = "" if param.is_flag else str(param.metavar or param.name.upper())
            known = {"help": (param.help or "").partition(". ")[0].rstrip("."), "value": value}
            if choices := getattr(param.type, "choices", None):
                known["choices"] = " ".join(getattr(one, "value", str(one)) for one in choices)
            options |= dict.fromkeys([*param.opts, *param.secondary_opts], known)
    below = {name: one for name, one in getattr(shown, "commands", {}).items() if not one.hidden}
    told = {name: (one.help or "").partition("\n")[0].rstrip(".") for name, one in below.items()}
    yield path, {"commands": told, "options": options, "arguments": arguments}
    for name, one in below.items():
        yield from _offers(one, f"{path} {name}".strip())


def _reference(page: str) -> str:
    name, _, section = page.rpartition(".")
    return rf"\fB{escape(name)}\fR({section})"


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check say which are not as they would be written."""
    wanted = dict(pages())
    there = {path.name for path in HERE.iterdir() if path.suffix[1:].isdigit()}
    stale = [
        name for name, text in wanted.items() if name not in there or (HERE / name).read_text("utf-8") != text
    ]
    orphans = sorted(there - wanted.keys() - BY_HAND)
    offered = completions()
    behind = not OFFERS.exists() or OFFERS.read_text("utf-8") != offered
    if "--check" in arguments:
        for name in stale:
            print(f"man/{name}: stale or missing; run python man/build.py")
        for name in orphans:
            print(f"man/{name}: no command of this name")
        if behind:
            print(f"{OFFERS.name}: stale or missing; run python man/build.py")
        return 1 if stale or orphans or behind or BY_HAND - there else 0
    if behind:
        OFFERS.write_text(offered, encoding="utf-8")
    for name in stale:
        (HERE / name).write_text(wanted[name], encoding="utf-8")
    for name in orphans:
        (HERE / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

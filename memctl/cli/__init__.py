"""The command line: commands parse, call one function of a room, print.

The only room that knows typer and rich.
"""

import gc
import os
import sys

# New objects before cycles are looked for: start-up makes many objects, and hardly a cycle.
_GARBAGE = (100_000, 50, 50)


def main() -> None:
    """Run memctl as a program; the process ends here, with one of `errors.ExitCode`."""
    if os.name == "posix" and sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode:
        # Names of the directory are UTF-8 whatever the locale says, and Python decides this at its start.
        os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], os.environ)  # noqa: S606 - ourselves
    if sys.argv[1:2] == ["--complete"]:  # the Tab key: nothing else is loaded
        from memctl.cli.completing import complete

        complete(sys.argv[2:])
        return
    gc.set_threshold(*_GARBAGE)
    from memctl.cli import streams

    streams.open_streams()
    try:
        code = _hook(sys.argv[1:])
        if code is None:
            from memctl.cli.app import run

            code = run(sys.argv[1:], as_program=True)
    except KeyboardInterrupt:  # while the modules were still loading
        code = 130
    sys.exit(code)


def _hook(arguments: list[str]) -> int | None:
    """Serve a plain `memctl [-C DIR] hook AGENT [JSON]` without loading the rest: an agent waits for it."""
    directory = None
    rest = list(arguments)
    if rest[:1] == ["-C"] and len(rest) > 1:
        directory, rest = rest[1], rest[2:]
    if len(rest) not in (2, 3) or rest[0] != "hook" or rest[1] not in ("claude-code", "codex"):
        return None
    if rest[2:] and (rest[1] != "codex" or rest[2].startswith("-")):
        return None
    from memctl.engine import hooks

    return hooks.run(rest[1], directory, rest[2] if rest[2:] else None)

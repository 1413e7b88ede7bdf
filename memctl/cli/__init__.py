"""The command line: commands parse, call one function of a room, print.

The only room that knows typer and rich.
"""

import sys


def main() -> None:
    """Run memctl as a program; the process ends here, with one of `errors.ExitCode`."""
    try:
        from memctl.cli import output

        output.open_streams()
        from memctl.cli.app import run

        code = run(sys.argv[1:], as_program=True)
    except KeyboardInterrupt:  # while the modules were still loading
        code = 130
    sys.exit(code)

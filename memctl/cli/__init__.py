"""The command line: commands parse, call one function of a room, print.

The only room that knows typer and rich.
"""

import sys


def main() -> None:
    """Run memctl as a program; the process ends here, with one of `errors.ExitCode`."""
    from memctl.cli import output

    output.open_streams()
    from memctl.cli.app import run

    sys.exit(run(sys.argv[1:], as_program=True))

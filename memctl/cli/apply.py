"""`memctl apply`."""

from typing import Annotated

import typer

from memctl import files
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.prompt import KindArgument, SubjectArgument, the_kind, the_subject
from memctl.engine import table

app = typer_app()

EXAMPLES = (
    ("memctl prompt canvas 3 | llm | memctl apply canvas 3", "Let any program redraw a canvas."),
    (
        "memctl apply atoms 5e1f0c7a --by qwen3 <answer.json",
        "Apply an answer from a file and name the model.",
    ),
)

_LONGEST = 4_000_000  # bytes of an answer


@app.command()
def apply(
    kind: KindArgument,
    subject: SubjectArgument = "",
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="The model's name, stored with its work.")
    ] = "other",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Apply a model's answer from stdin, as a whole or not at all.

    The answer is parsed leniently (prose and fences around the JSON, trailing commas) but checked strictly:
    known ids, a node for every call, valid Mermaid, grounded in what was said, within the limits. A rejected
    answer exits with 3 and prints the reasons, which can be given to the model as they are.
    """
    output.settings.format = form
    kind = the_kind(kind)
    store = output.store()
    answer = files.read_standard_input(_LONGEST).decode("utf-8", "replace")
    named = the_subject(store, kind, subject)
    with files.locked(store.home, wait):
        done = table.take(store, kind, named, answer, " ".join(by.split()) or "other")
    if form is output.Format.TEXT:
        output.write(done.told)
        return
    data = {"kind": kind, "subject": named, "told": done.told, "counts": dict(done.counts)}
    output.document("applied", data) if form is output.Format.JSON else output.records([data])

"""`memctl prompt`."""

from typing import Annotated

import typer

from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.named import the_canvas, the_session
from memctl.engine.table import KINDS
from memctl.errors import NotFoundError, UsageError
from memctl.store import Store
from memctl.text.numbers import how_many

app = typer_app()

EXAMPLES = (
    ("memctl prompt canvas 3 | llm | memctl apply canvas 3", "Let any program redraw a canvas."),
    (
        "memctl prompt summaries 5e1f0c7a | llm | memctl apply summaries 5e1f0c7a",
        "Let a model word the next summaries.",
    ),
    ("memctl prompt persona --schema", "Print the JSON Schema of the answer."),
)

KindArgument = Annotated[str, typer.Argument(metavar="KIND", help=f"One of {', '.join(KINDS)}.")]
SubjectArgument = Annotated[
    str,
    typer.Argument(
        metavar="[SUBJECT]",
        help="A session for summaries, task and atoms; a canvas for canvas, a scene for scene; nothing for the others.",
    ),
]
_OTHER_NAMES = {"summary": "summaries", "tasks": "task", "atom": "atoms", "scenes": "scene", "judge": "task"}


@app.command()
def prompt(
    kind: KindArgument,
    subject: SubjectArgument = "",
    part: Annotated[
        int, typer.Option("--part", metavar="N", min=1, help="Print this part, if the prompt has several.")
    ] = 1,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of the answer instead.")
    ] = False,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Print the prompt that asks a model for summaries, a task's state, a canvas, atoms, scenes or the persona.

    Give it to any model or program, and pass the answer to `memctl apply`. Secrets are replaced, and recorded text
    is fenced as data. Exits with 1 if there is nothing to ask.
    """
    output.settings.format = form
    kind = the_kind(kind)
    if schema:
        if form is output.Format.TEXT:
            import json

            output.write(json.dumps(KINDS[kind].schema, indent=2))
        else:
            output.document("schema", KINDS[kind].schema)
        return
    store = output.store()
    named = the_subject(store, kind, subject)
    parts = KINDS[kind].prompts(store, named)
    if not parts:
        raise NotFoundError(f"nothing to ask a model about {kind} {subject}".rstrip())
    if part > len(parts):
        raise UsageError(f"--part {part}: this prompt has {how_many(len(parts), 'part')}")
    if len(parts) > 1:
        output.note(f"part {part} of {len(parts)}; use --part N for the others")
    asked = parts[part - 1]
    if form is output.Format.TEXT:
        output.write(asked.text, end="")
        return
    data = {
        "kind": kind,
        "subject": named,
        "part": part,
        "parts": len(parts),
        "system": asked.system,
        "user": asked.data,
        "schema": asked.schema,
    }
    output.document("prompt", data) if form is output.Format.JSON else output.records([data])


def the_kind(given: str) -> str:
    """Find a kind by its name."""
    kind = _OTHER_NAMES.get(given, given)
    if kind not in KINDS:
        raise UsageError(f"no kind {given!r}; choose from {', '.join(KINDS)}")
    return kind


def the_subject(store: Store, kind: str, given: str) -> str:
    """Find what a kind is asked about: a session's id, a canvas's or a scene's file name."""
    wanted = KINDS[kind].subject
    if not wanted:
        return ""
    if not given:
        lists = {"session": "memctl session list", "canvas": "memctl canvas list", "scene": "ls scene_blocks"}
        raise UsageError(
            f"{kind} needs a {wanted}: memctl prompt {kind} {wanted.upper()}; see `{lists[wanted]}`"
        )
    if wanted == "session":
        return the_session(store, given)
    if wanted == "canvas":
        return the_canvas(store, given).name
    name = given.replace("\\", "/").rpartition("scene_blocks/")[2]
    return name if name.endswith(".md") else f"{name}.md"

"""`memctl recall`."""

import codecs
import enum
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl import files
from memctl.ask.recall import Answer, Hit, Query, Recall, within
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import ExitCode, InputError, UsageError
from memctl.index.documents import LAYERS, Layer
from memctl.model import Json
from memctl.store import Store
from memctl.text.tokens import count_tokens

if TYPE_CHECKING:  # start-up is a feature
    from memctl.ask.neighbours import Around

app = typer_app()

EXAMPLES = (
    ('memctl recall "why did the auth test fail"', "Find the best memories of all layers."),
    ("memctl recall 港校表格 -k 3 --layer canvas", "Find the three tasks that fit best."),
    ("memctl recall --inject --budget 800 TEXT", "Print a block of at most 800 tokens for a prompt."),
    ("memctl recall --queries questions.txt --format jsonl", "Answer a file of questions, one per line."),
    (
        "memctl recall --syntax 'auth* AND (expiry OR \"time zone\") NOT layer:message'",
        "Find exactly what matches.",
    ),
)


class Mode(enum.StrEnum):
    """Which signals run."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    VECTOR = "vector"


@app.command()
def recall(
    question: Annotated[
        str,
        typer.Argument(
            metavar="[QUERY]", help="What to look for, in any language; plain text without operators."
        ),
    ] = "",
    most: Annotated[
        int, typer.Option("-k", "--most", metavar="N", min=1, help="Show at most N memories.")
    ] = 10,
    layer: Annotated[
        str | None,
        typer.Option("--layer", metavar="LAYER,...", help=f"Only these layers: {', '.join(LAYERS)}."),
    ] = None,
    mode: Annotated[
        Mode,
        typer.Option("--mode", metavar="MODE", help="hybrid, bm25 (words only) or vector (meaning only)."),
    ] = Mode.HYBRID,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            metavar="TOKENS",
            min=1,
            help="Print at most this many tokens per answer; by default no limit, and 2,000 with --inject.",
        ),
    ] = None,
    min_score: Annotated[
        float,
        typer.Option(
            "--min-score",
            metavar="N",
            min=0,
            max=1,
            help="Only memories with at least this score, 0 to 1; 1 is first in every ranking.",
        ),
    ] = 0.0,
    since: Annotated[
        str, typer.Option("--since", metavar="TIME", help="Only memories from this ISO date or time on.")
    ] = "",
    session: Annotated[
        str, typer.Option("--session", metavar="ID", help="Only this session, or its first letters.")
    ] = "",
    syntax: Annotated[
        bool,
        typer.Option(
            "--syntax",
            help='Read QUERY in Whoosh\'s query language: AND OR NOT ( ) "a phrase" auth* te?t word^2 '
            "layer:atom session:ID day:[2026-04-01 TO 2026-04-30].",
        ),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show rank, score and terms for each ranking.")
    ] = False,
    inject: Annotated[
        bool, typer.Option("--inject", help="Print a block for a prompt, fenced as data.")
    ] = False,
    queries: Annotated[
        str, typer.Option("--queries", metavar="FILE", help="Answer each line of FILE (- for stdin).")
    ] = "",
    context: Annotated[
        int, typer.Option("--context", metavar="N", min=0, help="Show N messages before and after a message.")
    ] = 0,
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """Find the memories that a question is about: persona, scenes, atoms, tool calls, canvases, messages.

    Memories are searched by keyword (BM25) and by meaning (vectors), offline. Text output is ordered from the top
    layer down; where that is not best first, #1 marks the best hit and #2 the next. json and jsonl list the best
    first. Each hit names the id to give to `memctl drill`.
    """
    output.settings.format = form
    if bool(question.strip()) == bool(queries):
        raise UsageError("give a QUERY, or several with --queries FILE")
    if min_score != min_score:  # noqa: PLR0124 - what no number equals, itself included
        raise UsageError("--min-score takes a number from 0 to 1, not nan")
    if inject and (form is not output.Format.TEXT or fields):
        raise UsageError("--inject prints a block of text and cannot be combined with --format or --print")
    asked = _lines(queries) if queries else [question]
    layers = () if layer is None else _layers(layer)
    if syntax:
        from memctl.ask.syntax import parse

        for text in asked:
            parse(text)  # a question that cannot be read is told before an index is built
    store = output.store()
    asker = Recall(store, mode.value, output.note, output.progress)
    shown = _Shown(store, form, explain, context, fields, nul, many=bool(queries))
    found = 0
    documents: list[Json] = []
    for text in asked:
        answer = asker.ask(Query(text, most, layers, since, session, min_score, explain, syntax))
        if inject:
            from memctl.ask.inject import block

            piece = block(store, answer, budget or 0)
            if answer.hits and not piece:
                _nothing_fits(budget)
            output.write(piece, end="")
            found += bool(piece)
            continue
        if budget and answer.hits:
            answer = within(answer, budget, partial(shown.tokens, answer))
            if not answer.hits:
                _nothing_fits(budget)
        found += len(answer.hits)
        if form is output.Format.JSON and not fields:
            documents.append(shown.data(answer, answer.hits))
        else:
            shown.print(answer)
    if form is output.Format.JSON and not fields and not inject:
        output.document("recall", documents if queries else documents[0])
    if not found:
        if form is output.Format.TEXT and not inject:
            output.note(
                "no match"
                if mode is not Mode.HYBRID
                else "no match; --mode vector also shows what is less near"
            )
        output.finish(ExitCode.NO)


def _nothing_fits(budget: int | None) -> None:
    from memctl.ask.inject import BUDGET

    output.note(f"every match is larger than --budget {budget or BUDGET}; raise the budget")


def _layers(given: str) -> tuple[Layer, ...]:
    names = [name.strip() for name in given.split(",") if name.strip()]
    if not names:
        raise UsageError(f"--layer is empty; choose from {', '.join(LAYERS)}")
    for name in names:
        if name not in LAYERS:
            raise UsageError(f"--layer: no layer {name!r}; choose from {', '.join(LAYERS)}")
    return tuple(layer for layer in LAYERS if layer in names)


def _lines(given: str) -> list[str]:
    if given == "-":
        data = files.read_standard_input()
    else:
        try:
            data = Path(given).read_bytes()
        except OSError as error:
            raise InputError(f"cannot read {given}: {error.strerror or error}") from error
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    if encoding == "utf-8-sig" and b"\0" in data:
        raise InputError(f"{given} is not UTF-8 text; save it as UTF-8, or as UTF-16 with a byte order mark")
    lines = data.decode(encoding, "replace").split("\n")
    asked = [line.strip() for line in lines if line.strip()]
    if not asked:
        raise InputError(f"{given} contains no question; write one per line")
    return asked


class _Shown:
    """How answers are printed; the same text is what --budget counts."""

    def __init__(
        self,
        store: Store,
        form: output.Format,
        explain: bool,
        context: int,
        fields: str,
        nul: bool,
        *,
        many: bool,
    ) -> None:
        self._store, self._form, self._explain, self._context = store, form, explain, context
        self._fields, self._nul, self._many = fields, nul, many

    def print(self, answer: Answer) -> None:
        if self._fields:
            rows = (self.row(answer, hit) for hit in answer.hits)
            output.answer("recall", rows, text=str, fields=self._fields, nul=self._nul)
        elif self._form is output.Format.JSONL:
            output.records([self.data(answer, answer.hits)] if self._many else self.rows(answer, answer.hits))
        else:
            output.write(self.text(answer, answer.hits), end="")

    def tokens(self, answer: Answer, hits: Sequence[Hit]) -> int:
        """Count the tokens of what is printed."""
        return count_tokens(self.text(answer, hits))

    def text(self, answer: Answer, hits: Sequence[Hit]) -> str:
        """Write an answer as it is printed."""
        if self._form is not output.Format.TEXT:
            return files.encode(self.data(answer, hits)).decode()
        lines = [f"? {answer.question}"] if self._many else []
        if self._explain:
            lines.append(f"signals: {', '.join(answer.signals) or 'none'}")
        order = sorted(hits, key=lambda hit: (LAYERS.index(hit.found.layer), hit.rank))
        ranked = [hit.rank for hit in order] == sorted(hit.rank for hit in order)
        for hit in order:
            lines += self._hit(hit, "" if ranked else f"  #{hit.rank}")
        return "".join(f"{line}\n" for line in lines)

    def _hit(self, hit: Hit, place_among: str) -> Iterator[str]:
        found = hit.found
        place = output.shown(self._store.at(found.path)) + (f":{found.line}" if found.line else "")
        facts = " ".join(filter(None, (found.layer, found.role, (found.time or "")[:10])))
        yield f"{hit.score:.2f}  {facts}  {place}{place_among}"
        if found.title:
            yield f"      {output.fit(found.title, 6)}"
        before, after = self._around(hit)
        yield from (f"      {role}: {output.fit(text, 8 + len(role))}" for _, role, text in before)
        mark = f"[corrected later by {', '.join(hit.corrected)}] " if hit.corrected else ""
        mark += "[reads like an instruction; it is data] " if hit.suspect else ""
        if hit.text and hit.text != found.title:
            yield f"    {'> ' if before or after else '  '}{mark}{hit.text}"
        yield from (f"      {role}: {output.fit(text, 8 + len(role))}" for _, role, text in after)
        if self._explain:
            yield f"      {_why(hit)}"
        yield f"      {output.command()} drill {shlex.quote(found.id)}"

    def _around(self, hit: Hit) -> "tuple[Around, Around]":
        if not self._context or hit.found.layer != "message":
            return (), ()
        from memctl.ask.neighbours import around

        return around(self._store, hit.found, self._context)

    def data(self, answer: Answer, hits: Sequence[Hit]) -> dict[str, Json]:
        """Give an answer as JSON values, best first."""
        return {"query": answer.question, "signals": list(answer.signals), "hits": self.rows(answer, hits)}

    def rows(self, answer: Answer, hits: Sequence[Hit]) -> list[Mapping[str, Json]]:
        """Give hits as JSON values."""
        return [self.row(answer, hit) for hit in hits]

    def row(self, answer: Answer, hit: Hit) -> dict[str, Json]:
        """Give a hit as JSON values; every field is always there but `why` and `context`."""
        found = hit.found
        row: dict[str, Json] = {
            "rank": hit.rank,
            "id": found.id,
            "layer": found.layer,
            "score": round(hit.score, 4),
            "title": found.title,
            "text": hit.text,
            "role": found.role,
            "session": found.session,
            "time": found.time,
            "path": output.shown(self._store.at(found.path)),
            "line": found.line or None,
            "evidence": list(found.evidence),
            "suspect": hit.suspect,
            "corrected": list(hit.corrected),
        }
        if self._explain:
            row["why"] = {"signals": list(answer.signals), **asdict(hit.why)}
        if self._context:
            before, after = self._around(hit)
            row["context"] = [
                {"id": name, "role": role, "text": text, "at": at}
                for at, side in (("before", before), ("after", after))
                for name, role, text in side
            ]
        return row


def _why(hit: Hit) -> str:
    why = hit.why
    words = "no words"
    if why.words_score is not None:
        rank = why.words_rank or "far"
        words = f"words {rank} (bm25 {why.words_score:.2f}: {' '.join(why.terms)})"
    if why.vectors_rank is None:
        return words
    return f"{words}, vectors {why.vectors_rank} (cosine {why.cosine:.2f})"

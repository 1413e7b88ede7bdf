"""What the canvases of real sessions say: `python tests/benchmarks/canvas_quality.py [--show] [PATH...]`.

Prints, over the sessions with 30 calls and more of the transcripts given (by default the shared ones): calls
mapped, size, canvas tokens against the tokens of the tool log, nodes that name something, the template that
repeats most once names and numbers are masked, and failures and corrections that cannot be reached. At the end
the time to grow 2,500 and 10,000 calls.
"""

import re
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memctl.ask import canvas_files
from memctl.ask.trace import calls
from memctl.canvas.fold import draw
from memctl.canvas.grow import grow
from memctl.canvas.judge import corrects
from memctl.canvas.mmd import write_canvas
from memctl.cli.app import run
from memctl.model import Canvas, Entry, Node, Prompt, Said, Step
from memctl.store import Store, entries, messages, open_store
from memctl.text.tokens import count_tokens

SHARED = Path(__file__).resolve().parents[3] / "shared" / "sessions"
LEAST = 30  # calls of a session that counts

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_WORD = re.compile(r"[^\s·,;:()]+")
_NAME = re.compile(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]|[./_\\=#@$*|<>{}\[\]]|\d|^[A-Z]{2,}$|^-")
_COMMAND = re.compile(
    r"(?:^|· )(?:test|build|run|git|gh|go|npm|mkdir|ls|find|rm|mv|cp|open|search|agent:|edit|read|write|list) \S"
)


@dataclass
class Measured:
    """What was counted over all sessions."""

    calls: int = 0
    mapped: int = 0
    nodes: int = 0
    named: int = 0
    templates: Counter[str] = field(default_factory=Counter)
    worst: tuple[float, str, str] = (0.0, "", "")
    shares: list[float] = field(default_factory=list)
    longest: int = 0
    failures: int = 0
    unreached: int = 0
    shown: int = 0
    corrections: int = 0
    told: int = 0


def masked(text: str) -> str:
    """Give a text with its names, numbers and quotes replaced: what is left is its template."""
    bare = _QUOTED.sub("X", text)
    return re.sub(
        r"X(?:[\s,]+X)+", "X", _WORD.sub(lambda word: "X" if _NAME.search(word[0]) else word[0], bare)
    )


def names_something(node: Node) -> bool:
    """Say whether a node names a file, a command's target, an address or a symbol."""
    words = _WORD.findall(f"{node.title} {node.summary}")
    return _COMMAND.search(node.title) is not None or any(_NAME.search(word) for word in words)


def main() -> None:
    """Ingest, measure, print."""
    paths = [Path(given) for given in sys.argv[1:] if not given.startswith("--")] or [SHARED]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "memory"
        run(["-q", "-C", str(home), "ingest", *map(str, paths)])
        store = open_store(home)
        counted = Measured()
        for session, held, canvases in _sessions(store):
            _measure(counted, store, session, held, canvases)
    _report(counted)
    _growing()


def _sessions(store: Store) -> Iterator[tuple[str, list[Entry], list[tuple[str, Canvas]]]]:
    drawn: dict[str, list[tuple[str, Canvas]]] = defaultdict(list)
    for path, canvas in canvas_files.canvases(store):
        drawn[canvas.session].append((path.read_text(encoding="utf-8"), canvas))
    for session in sorted(drawn):
        held = [found.entry for found in entries.latest(store.offload(session), session)]
        if len(held) >= LEAST:
            yield session, held, drawn[session]


def _measure(
    counted: Measured, store: Store, session: str, held: list[Entry], canvases: list[tuple[str, Canvas]]
) -> None:
    owners = {
        (canvas.number, number): node
        for _text, canvas in canvases
        for node in canvas.nodes
        for first, last in ((node.number, node.number), *node.folded)
        for number in range(first, last + 1)
    }
    nodes = [node for _text, canvas in canvases for node in canvas.nodes if node.status != "todo"]
    log = sum(entry.result_tokens for entry in held)
    log += sum(count_tokens(str(call["arguments"])) for call in calls(store, session))
    size = sum(count_tokens(text) for text, _canvas in canvases)
    counted.shares.append(size / log)
    counted.longest = max(counted.longest, *(len(text) for text, _canvas in canvases))
    templates = Counter(masked(node.summary) for node in nodes)
    counted.templates.update(templates)
    common, times = templates.most_common(1)[0]
    if times > 1:
        counted.worst = max(counted.worst, (times / len(nodes), common, session))
    counted.nodes += len(nodes)
    counted.named += sum(map(names_something, nodes))
    for node in nodes:
        if "--show" in sys.argv and not names_something(node):
            print(f"   names nothing: {node.title} | {node.summary}")
    for entry in held:
        counted.calls += 1
        owner = owners.get(_place(entry))
        counted.mapped += owner is not None
        if entry.status == "error" or entry.extra.get("turned") == "red":
            counted.failures += 1
            counted.unreached += owner is None
            counted.shown += owner is not None and (owner.number == _place(entry)[1])
    shown = " ".join(text for text, _canvas in canvases)
    for stored in messages.conversation(store.conversation(session)):
        if stored.role == "user" and corrects(messages.own_words(stored)):
            counted.corrections += 1
            words = messages.own_words(stored).split()[:3]
            counted.told += " ".join(words)[:14] in shown
    print(
        f"{session[:28]:<28} {len(held):>4} calls {len(canvases):>2} canvases {len(nodes):>3} nodes "
        f"{size:>5} of {log:>7} tokens {size / log:6.1%}  most alike {times}: {common[:40]}"
    )


def _place(entry: Entry) -> tuple[int, int]:
    canvas, _, number = (entry.node_id or "0-N0").partition("-N")
    return int(canvas), int(number)


def _report(counted: Measured) -> None:
    common, times = counted.templates.most_common(1)[0]
    share, alike, where = counted.worst
    print(f"calls mapped                   {counted.mapped} of {counted.calls}")
    print(f"longest canvas                 {counted.longest} characters")
    print(
        f"canvas tokens of the tool log  {statistics.median(counted.shares):.1%} median, {max(counted.shares):.1%} most"
    )
    print(f"nodes that name something      {counted.named / counted.nodes:.1%} of {counted.nodes}")
    print(f"most frequent template         {times / counted.nodes:.1%}: {common[:60]!r}")
    print(f"... within one session         {share:.1%}: {alike[:60]!r} ({where[:20]})")
    print(
        f"failures                       {counted.failures}, {counted.shown} in a node of their own, "
        f"{counted.unreached} not reachable"
    )
    print(f"corrections by the user        {counted.corrections}, {counted.told} told on a node or edge")


def _growing() -> None:
    for count in (2_500, 10_000):
        happenings: list[Prompt | Said | Step] = [Prompt(1, "Fix the parser of app/main.py", None)]
        for at in range(count):
            if at % 5 == 0:
                happenings.append(Said(2 * at + 2, f"The bug is in mod{at}.py: it returns None.", None))
            if at % 50 == 49:
                happenings.append(
                    Prompt(2 * at + 2, f"no, not mod{at}.py, look at the tests of app/main.py", None)
                )
            kind = ("read", "edit", "test", "search")[at % 4]
            happenings.append(
                Step(
                    f"c{at}", at + 1, 2 * at + 3, "Tool", kind, f"app/mod{at % 97}.py", "error" if at % 19 == 0 else "ok",
                    f"{at} found in mod{at}.py", "", None, uses=(f"c{at - 3}",) if at > 3 else (), answered=2 * at + 4,
                )
            )  # fmt: skip
        start = time.process_time()
        growth = grow(happenings)
        size = max(len(write_canvas(draw(task, 1, "s", count))) for task in growth.tasks)
        print(f"{count:>6} calls grown and folded in {time.process_time() - start:5.2f} s, {size} characters")


if __name__ == "__main__":
    main()

"""Canvases and texts that tests are made from: hostile on purpose."""

import random

from hypothesis import settings, strategies as st

from memctl.canvas.mmd import BRACKETS, write_canvas
from memctl.canvas.rules import validate
from memctl.model import Canvas, Edge, Node, NodeStatus, Shape

SHAPES: list[Shape] = list(BRACKETS)
STATUSES: list[NodeStatus] = ["todo", "doing", "done", "paused", "blocked"]

# Pieces of text that mean something to Mermaid, to HTML, to JSON, to a terminal or to the canvas format.
PIECES = [
    *(
        '"',
        "'",
        "`",
        "#",
        ";",
        "&",
        "<",
        ">",
        "\\",
        "\\n",
        "$$",
        "%%",
        "%",
        "%%{init: {}}%%",
        "}%%",
        "|",
        "(",
        "]",
    ),
    *(
        "&amp;",
        "&lt;",
        "&copy;",
        "#35;",
        "#quot;",
        "#x41;",
        "<br/>",
        "<b>b</b>",
        "<script>x</script>",
        "<a href='",
    ),
    *(
        "direction TB",
        "direction LR",
        "direction",
        "style",
        "style a fill:#f00;",
        "classDef c",
        "click A",
        "end",
    ),
    *(
        "subgraph",
        "flowchart TD",
        "C4Container",
        "C4Context",
        "fa:fa-car",
        "fab:fa-x",
        "- a",
        "1. b",
        "* c",
        "---",
    ),
    *(
        "**bold**",
        "__x__",
        "[x](http://e.org)",
        "-->",
        "==>",
        "@{ shape: x }",
        "@",
        "=",
        '="a"',
        ":::c",
        "~~~",
    ),
    *(
        "\n",
        "\t",
        "  ",
        "\u3000",
        "\xa0",
        "\u200b",
        "\u2060",
        "\u202e",
        "\x00",
        "\x1b[31m",
        "\ufffe",
        "\ufb02°",
        "¶ß",
    ),
    *(
        "中文",
        "測試：（通過）",
        "日本語",
        "한국어",
        "é",
        "😀",
        "👨‍👩‍👧",
        "\ud83d",
        "\r\n",
        "\r",
        "\x85",
        "\u2028",
    ),
    *(
        "status: done",
        "summary: x",
        "Timestamp: 1",
        "→ 003-N2",
        "→003-N2..N3",
        "003-N1",
        "a",
        "b c",
        "f(x)",
        "0",
    ),
    *(
        "NullPointerException",
        "C:\\new\\table",
        "user@host.com",
        "lifestyle",
        "accTitle: x",
        "```",
        "{{x}}",
        "<!-- c",
    ),
]

texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=8).map("".join)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(texts, values, max_size=3),
    max_leaves=5,
)
times = st.none() | st.just("2026-04-16T22:10:31+08:00") | texts.map(lambda text: text or None)
ranges = st.lists(st.tuples(st.integers(1, 99), st.integers(0, 9)), max_size=3).map(
    lambda pairs: tuple((first, first + more) for first, more in pairs)
)


@st.composite
def canvases(draw: st.DrawFn) -> Canvas:
    """Give any canvas there can be: hostile texts, edges to anywhere, extra keys in the header."""
    numbers = draw(st.lists(st.integers(1, 999), min_size=1, max_size=5, unique=True))
    nodes = tuple(
        Node(
            number,
            draw(texts),
            draw(st.sampled_from(STATUSES)),
            draw(texts),
            draw(times),
            draw(st.sampled_from(SHAPES)),
            draw(ranges),
        )
        for number in numbers
    )
    end = st.sampled_from(numbers)
    edges = st.builds(Edge, end, end, texts, st.booleans())
    return Canvas(
        number=draw(st.integers(1, 2000)),
        goal=draw(texts),
        status=draw(st.sampled_from(["active", "paused", "completed", "cancelled", "archived"])),
        progress=draw(st.integers(0, 100)),
        created=draw(times),
        updated=draw(times),
        session=draw(texts),
        upto=draw(st.integers(-1, 10**6)),
        nodes=nodes,
        edges=tuple(draw(st.lists(edges, max_size=4))),
        by=draw(st.sampled_from(["rules", "human", "llm:x"])),
        extra=draw(st.dictionaries(texts, json_values, max_size=2)),
    )


def random_text(rng: random.Random) -> str:
    """Give a hostile text from a seeded source."""
    pieces = []
    for _ in range(rng.randrange(1, 8)):
        kind = rng.random()
        if kind < 0.75:
            pieces.append(rng.choice(PIECES))
        elif kind < 0.9:
            pieces.append(chr(rng.randrange(0x20, 0x3000)))
        else:
            pieces.append(chr(rng.randrange(0x3000, 0xD800)))
    return "".join(pieces)


def random_canvas(seed: int, nodes: int) -> Canvas:
    """Give a canvas of *nodes* nodes with hostile labels, always the same for a *seed*."""
    rng = random.Random(seed)  # noqa: S311 (seeded, so that a failure comes back)
    return Canvas(
        3,
        random_text(rng),
        "active",
        1,
        None,
        None,
        "s",
        1,
        tuple(
            Node(
                number,
                random_text(rng),
                rng.choice(STATUSES),
                random_text(rng),
                rng.choice([None, "2026-01-01T00:00:00Z"]),
                rng.choice(SHAPES),
            )
            for number in range(1, nodes + 1)
        ),
        tuple(Edge(at, at + 1, random_text(rng), rng.random() < 0.3) for at in range(1, nodes, 2)),
    )


def damaged(seed: int) -> str:
    """Give a canvas of ours with one character lost, added, changed or swapped, the same for a *seed*."""
    rng = random.Random(seed)  # noqa: S311 (seeded, so that a failure comes back)
    text = write_canvas(random_canvas(seed, rng.randrange(1, 4)))
    at = rng.randrange(len(text))
    char = rng.choice("abcxovN013 ()[]{}<>#;:&\"|`\\-%./=@~^!?*+,\n\t中✓$'_")
    kind = rng.randrange(4)
    if kind == 0:
        return text[:at] + text[at + 1 :]
    if kind == 1:
        return text[:at] + char + text[at:]
    if kind == 2:
        return text[:at] + char + text[at + 1 :]
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


FEW = settings(deadline=None, max_examples=25)


def refused(text: str) -> bool:
    return any(problem.severity == "error" for problem in validate(text, "x.mmd"))

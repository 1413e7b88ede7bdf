"""Pictures: drawn here, sent nowhere; and a page that holds whatever text there is without becoming it."""

import ast
import os
import re
import sys
import types
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from canvases import canvases, texts
from hypothesis import given, settings, strategies as st
from real_mermaid import judge
from running import memctl

from memctl.canvas import pictures
from memctl.canvas.mmd import normalise_canvas, parse_canvas
from memctl.canvas.pictures import COLOURS, draw, draw_with_ink, to_mermaid
from memctl.canvas.webpage import web_page
from memctl.errors import InputError, MemctlError, UsageError
from memctl.model import Canvas, Edge, Entry, Node

FEW = settings(deadline=None, max_examples=20)

CANVAS = Canvas(
    number=3,
    goal="Make expired tokens fail",
    status="active",
    progress=75,
    created="2026-04-16T22:10:31Z",
    updated="2026-04-16T22:25:08Z",
    session="4f79a5ed",
    upto=63,
    nodes=(
        Node(1, "read auth.ts", "done", "exp is in seconds", "2026-04-16T22:12:31Z", "read", ((2, 3),)),
        Node(4, "run tests", "blocked", "2 failed", "2026-04-16T22:19:53Z", "verify"),
        Node(5, "edit auth.ts", "doing", "", None, "edit"),
    ),
    edges=(Edge(1, 4), Edge(4, 5, "2 failed"), Edge(1, 5, "uses", dotted=True), Edge(5, 4, "again")),
)


def entry(node: str, call: str, **more: object) -> Entry:
    """Give an entry of node *node*."""
    base = Entry(None, node, None, call, "it said so", None, call, "s", 1, 2, "exec", "run", "ok", 5)
    return replace(base, **more)  # type: ignore[arg-type] # fields by name


# --------------------------------------------------------------------------- Mermaid with colours


def test_statuses_have_their_colours_and_the_canvas_stays_readable() -> None:
    text = to_mermaid(CANVAS)

    assert "class 003-N4 blocked\n" in text
    assert text.count("classDef ") == 3
    assert judge(text)["ok"]
    assert parse_canvas(text) == (CANVAS, [])


@FEW
@given(canvases())
def test_colours_never_make_a_canvas_unreadable(canvas: Canvas) -> None:
    assert parse_canvas(to_mermaid(canvas), canvas.number) == (normalise_canvas(canvas), [])


# --------------------------------------------------------------------------- drawn here


def test_a_canvas_is_drawn_as_svg() -> None:
    svg = draw(to_mermaid(CANVAS), "svg").decode()

    assert svg.startswith("<svg")
    assert all(text in svg for text in ("read auth.ts", "2 failed", COLOURS["blocked"][0]))


@pytest.mark.parametrize(("form", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF-")])
def test_a_canvas_is_drawn_as_a_picture(form: pictures.Format, magic: bytes) -> None:
    data = draw("flowchart TD\nA[x]\n", form, width=40)

    assert data.startswith(magic)


def test_what_mermaid_refuses_names_the_command_that_says_where() -> None:
    with pytest.raises(InputError, match="memctl validate"):
        draw("flowchart TD\nA[f(x)]\n", "svg")


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mermaidx", None)

    with pytest.raises(UsageError, match=r"pip install 'memctl\[render\]'"):
        draw("flowchart TD\nA\n", "svg")


def test_a_font_that_is_none_is_an_error_and_leaves_the_old_one() -> None:
    metrics = pytest.importorskip("mermaidx.font_metrics")
    before = metrics.get_font().measure("some words", 16)

    with pytest.raises(UsageError, match="cannot read this font"):
        draw("flowchart TD\nA[x]\n", "png", font=__file__)

    assert metrics.get_font().measure("some words", 16) == before


# --------------------------------------------------------------------------- sent away, only when asked


class _Ink:
    """A stand-in for mermaid-py that keeps what it was given."""

    calls: list[tuple[str, str | None]]

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failure: Exception | None = None) -> None:
        self.calls = []
        module = types.ModuleType("mermaid")
        module.MermaidError = type("MermaidError", (Exception,), {})  # type: ignore[attr-defined] # a stand-in

        def construct(text: str) -> object:
            self.calls.append((text, os.environ.get("MERMAID_INK_SERVER")))
            if failure:
                raise failure
            answer = types.SimpleNamespace(content=b"<svg/>")
            return types.SimpleNamespace(svg_response=answer, img_response=answer)

        module.Mermaid = construct  # type: ignore[attr-defined] # a stand-in
        monkeypatch.setitem(sys.modules, "mermaid", module)


def test_ink_gets_the_text_at_the_address_given(monkeypatch: pytest.MonkeyPatch) -> None:
    ink = _Ink(monkeypatch)
    monkeypatch.setenv("MERMAID_INK_SERVER", "https://other.example")

    assert draw_with_ink("flowchart TD", "svg", "https://ink.example/") == b"<svg/>"
    assert ink.calls == [("flowchart TD", "https://ink.example")]
    assert os.environ["MERMAID_INK_SERVER"] == "https://other.example"


def test_a_server_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _Ink(monkeypatch, OSError("no route"))

    with pytest.raises(MemctlError, match=r"https://ink\.example did not draw .*no route"):
        draw_with_ink("flowchart TD", "png", "https://ink.example")
    assert "MERMAID_INK_SERVER" not in os.environ


def test_an_address_that_is_none_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    ink = _Ink(monkeypatch)

    with pytest.raises(UsageError):
        draw_with_ink("flowchart TD", "svg", "ink.example")
    assert ink.calls == []


def test_only_one_function_imports_what_sends_text_away() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(pictures.__file__).parents[1].rglob("*.py")]
    trees = [ast.parse(source) for source in sources if re.search(r"\bmermaid\b", source)]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]

    assert sum(_imports_mermaid(tree) for tree in trees) == 1
    assert [function.name for function in functions if _imports_mermaid(function)] == ["draw_with_ink"]


def _imports_mermaid(tree: ast.AST) -> bool:
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return "mermaid" in {*names, *modules}


# --------------------------------------------------------------------------- the page

_VOID = {"meta", "link", "path", "br"}


class _Reader(HTMLParser):
    """Reads a page: its tags, attributes, ids and texts; and whether every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.ids: list[str] = []
        self.text = ""
        self.sections: dict[str, str] = {}
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.ids and "section" in self.open:
            self.sections[self.ids[-1]] = self.sections.get(self.ids[-1], "") + data


ALLOWED = frozenset(
    """
    html head meta link title style body header h1 p span progress main div section i b details summary code
    pre a svg path time
    """.split()
)


@FEW
@given(canvases(), st.lists(st.tuples(texts, texts, texts), max_size=3))
def test_no_text_becomes_a_tag_a_request_or_a_script(
    canvas: Canvas, told: list[tuple[str, str, str]]
) -> None:
    canvas = normalise_canvas(canvas)
    name = f"{canvas.number:03d}-N{canvas.nodes[0].number}"
    entries = [entry(name, call, summary=said, result_ref=f"refs/{said}") for call, said, _text in told]
    page = web_page(canvas, entries, {f"refs/{said}": text for _call, said, text in told})
    read = _Reader(page)

    assert read.tags <= ALLOWED
    assert len(read.ids) == len(set(read.ids)) == len(canvas.nodes)
    for tag, attribute, value in read.attributes:
        assert not attribute.startswith("on")
        assert attribute not in {"src", "srcset", "action", "formaction", "xlink:href"}
        if attribute == "href":
            assert value == "data:," if tag == "link" else value.removeprefix("#") in read.ids
    assert "url(" not in page.split("</style>")[0]
    assert not any(char in page for char in "\x00\x1b\u202e\u2066")
    assert "default-src 'none'" in page


def test_a_node_opens_to_its_entries_and_an_entry_to_its_ref() -> None:
    entries = [
        entry("003-N1", "read(auth.ts)", result_ref="refs/a.md", result_bytes=18_234),
        entry("003-N3", "read(clock.ts)", result="short & <plain>"),
        entry("003-N4", "exec(npm test)", status="error"),
        entry("003-N9", "of no node"),
        entry("004-N1", "of another canvas"),
    ]
    page = web_page(CANVAS, entries, {"refs/a.md": "line 1\n</pre><script>"})
    read = _Reader(page)

    assert list(read.sections) == ["003-N1", "003-N4", "003-N5"]
    first = read.sections["003-N1"]
    assert "2 entries" in first
    assert "read(auth.ts)" in first
    assert "18,234 bytes · refs/a.md" in first
    assert "line 1\n</pre><script>" in first
    assert "read(clock.ts)" in first, "an entry of a folded node stands under the one that folded it in"
    assert "short & <plain>" in first
    assert "error" in read.sections["003-N4"]
    assert "of no node" not in read.text
    assert "of another canvas" not in read.text
    assert page.count("<details>") == 2
    assert page.count('<details class="entry">') == 2, "an entry without a result has nothing to open"


def test_the_page_says_what_the_terminal_says() -> None:
    text = " ".join(_Reader(web_page(CANVAS, [], {})).text.split())

    for words in (
        *(
            "003 Make expired tokens fail",
            "active",
            "75% of 5 steps",
            "2026-04-16 22:10–22:25",
            "session 4f79a5ed",
        ),
        *(
            "003-N1 read auth.ts",
            "exp is in seconds",
            "+ 2 steps folded in: 003-N2–N3",
            "003-N4 run tests blocked",
        ),
        *("↓ 2 failed", "003-N5 edit auth.ts doing", "┄ uses 003-N1 read auth.ts", "↺ back to 003-N4: again"),
    ):
        assert words in text


def test_the_page_of_archived_work_says_what_it_was_before() -> None:
    archived = replace(CANVAS, status="archived", extra={**CANVAS.extra, "before": "paused"})

    assert "paused archived" in " ".join(_Reader(web_page(archived, [], {})).text.split())


def test_rails_turn_where_steps_part_and_meet() -> None:
    nodes = tuple(Node(number, "x", "done", "", None) for number in range(1, 5))
    diamond = replace(CANVAS, nodes=nodes, edges=(Edge(1, 2), Edge(1, 3), Edge(2, 4), Edge(3, 4)))

    page = web_page(diamond, [], {})

    assert 'd="M9 0V16M9 0C9 8 27 8 27 16"' in page
    assert 'd="M9 0V16M27 0C27 8 9 8 9 16"' in page
    assert page == web_page(diamond, [], {})


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
def test_a_page_that_is_asked_for_follows_the_umask_and_the_directory_stays_private(
    samples: Path, tmp_path: Path
) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    page, inside, kept = tmp_path / "a.html", home / "a.html", tmp_path / "kept.html"
    kept.touch(0o640)
    kept.chmod(0o640)
    before = os.umask(0o022)
    try:
        for path in (page, inside, kept):
            memctl("-C", home, "render", "1", "--to", "html", "-o", path)
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (page, inside, kept)] == [0o644, 0o600, 0o640]

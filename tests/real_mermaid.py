"""Mermaid itself, as the judge of tests: its verdict on a text, what it read, and what it would draw."""

import functools
import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

_SETUP = """
__resetDocument();
mermaid.initialize({startOnLoad: false, flowchart: {htmlLabels: true}, maxTextSize: 50000000});
globalThis.__judge = (text) => {
  globalThis.__verdict = null;
  Promise.resolve().then(() => mermaid.mermaidAPI.getDiagramFromText(text)).then((diagram) => {
    const db = diagram.db;
    globalThis.__verdict = JSON.stringify({
      ok: true,
      nodes: db.getVertices ? Array.from(db.getVertices().values()).map((node) => [node.id, node.text]) : [],
      edges: db.getEdges ? db.getEdges().map((edge) => [edge.start, edge.end, edge.text]) : [],
    });
  }).catch((error) => { globalThis.__verdict = JSON.stringify({ok: false, error: String(error)}); });
};
"""


@functools.cache
def _engine() -> Any:
    quickjs = pytest.importorskip("mermaidx.engines.quickjs_engine")
    engine = quickjs.Engine()
    engine.start()
    return engine


@functools.cache
def _set_up() -> None:
    _run(lambda: _engine()._ctx.eval(_SETUP))


def _run(work: Callable[[], Any]) -> Any:
    """Do *work* on the thread that owns the engine."""
    return _engine()._executor.submit(work).result()


def judge(text: str) -> dict[str, Any]:
    """Give Mermaid's verdict on *text*: ok, nodes (id, text) and edges (source, target, text)."""

    def work() -> dict[str, Any]:
        engine = _engine()
        engine._ctx.eval(f"__judge({json.dumps(text)})")
        while engine._ctx.eval("globalThis.__verdict") is None:
            if not engine._run_job() and not engine._ctx.eval("__runNextTimer()"):
                return {"ok": False, "error": "no verdict"}
        verdict: dict[str, Any] = json.loads(engine._ctx.eval("__flat(globalThis.__verdict)"))
        return verdict

    _set_up()
    result: dict[str, Any] = _run(work)
    return result


def draw(text: str) -> str:
    """Draw *text* as SVG, many in one engine; raises what Mermaid raises."""
    common = pytest.importorskip("mermaidx.engines._common")

    def work() -> str:
        context = _engine()._ctx
        context.eval(common.render_script(text, None, None, None))
        common.run_event_loop(context.eval, _engine()._run_job)
        svg: str = common.collect_svg(lambda script: context.eval(f"__flat({script})"))
        return svg

    _set_up()
    svg: str = _run(work)
    _run(lambda: _engine()._ctx.eval(_SETUP))
    return svg


def drawn_labels(svg: str, kind: str) -> list[str]:
    """Give the texts that *svg* shows, in order; kind: `nodeLabel` or `edgeLabel`; other tags stay."""
    texts = []
    for found in re.finditer(
        rf'<span class="{kind}[^"]*">(.*?)</span></div></foreignObject>', svg, re.DOTALL
    ):
        text = re.sub(r"^<p>|</p>$", "", found[1])
        text = re.sub(r"<br ?/>", "\n", text)
        text = re.sub(r"<[^>]*>", lambda tag: f"{{tag {tag[0]}}}", text)
        texts.append(html.unescape(text).replace("\u2060", ""))
    return texts

"""What a canvas of a real session must say: every call, something by name, nothing twice, in little room (DESIGN 2.4)."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from running import entries, memctl

from memctl.canvas.mmd import parse_canvas
from memctl.model import Canvas
from memctl.text.tokens import count_tokens

NAME = re.compile(r"[a-z][A-Z]|\w[./_]\w|\d|\w\(|(?:test|build|run|git|search|open) \S")
SESSIONS = [
    "claude_code/cli__4f-7199a81bd1-0.jsonl",
    "claude_code/cli__ad-a8171575ce-0.jsonl",
    "mini_swe_agent/mini-swe-agent__pydicom__pydicom-1256.traj.json",
]


@pytest.fixture(params=SESSIONS)
def drawn(
    request: pytest.FixtureRequest, shared: Path, tmp_path: Path
) -> tuple[Path, list[tuple[str, Canvas]]]:
    """Give a memory of one real session, and its canvases as text and as they are read back."""
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", shared / request.param)
    found = []
    for path in sorted((home / "mmds").glob("*.mmd")):
        text = path.read_text(encoding="utf-8")
        canvas, problems = parse_canvas(text, int(path.name.partition("-")[0]))
        assert canvas is not None
        assert not problems
        found.append((text, canvas))
    return home, found


def masked(text: str) -> str:
    bare = re.sub(r"'[^']*'|[^\s·,;:()]*(?:[a-z][A-Z]|[./_\\\d])[^\s·,;:()]*", "X", text)
    return re.sub(r"X(?:[\s,]+X)+", "X", bare)


def test_a_canvas_of_a_real_session_says_something(drawn: tuple[Path, list[tuple[str, Canvas]]]) -> None:
    home, canvases = drawn
    held = entries(home)
    owners = {
        f"{canvas.number:03d}-N{number}"
        for _text, canvas in canvases
        for node in canvas.nodes
        for low, high in ((node.number, node.number), *node.folded)
        for number in range(low, high + 1)
    }
    nodes = [node for _text, canvas in canvases for node in canvas.nodes if node.status != "todo"]
    templates = Counter(masked(node.summary) for node in nodes)
    log = sum(entry.get("result_tokens", 0) + count_tokens(json.dumps(entry["tool_call"])) for entry in held)

    assert {entry["node_id"] for entry in held} <= owners
    assert max(len(text) for text, _canvas in canvases) <= 4000
    assert sum(count_tokens(text) for text, _canvas in canvases) < 0.3 * log
    assert sum(NAME.search(f"{node.title} {node.summary}") is not None for node in nodes) >= 0.9 * len(nodes)
    assert templates.most_common(1)[0][1] <= max(2, 0.2 * len(nodes))

"""What is cut is cut where a clause ends; damage to the agent's own work, and how it was undone, is remembered."""

from memctl.canvas.gist import gist
from memctl.model import Node
from memctl.summarize import conclusion, summarize
from memctl.summarize.weighing import breaks_own
from memctl.summarize.wording import clause


def test_a_sentence_is_cut_where_a_clause_ends() -> None:
    said = "The cache keeps the old key, because the writer never calls flush() before the reader opens the second file"

    assert clause(said, 200) == said
    assert clause(said, 40) == "The cache keeps the old key…"
    assert clause("ab " * 40, 30).startswith("ab ab")
    assert len(clause("ab " * 40, 30)) <= 30


def test_a_cut_line_does_not_end_in_not_or_because() -> None:
    said = "The parser reads the header twice, but it does not keep the length of the first one at all"

    for limit in range(24, len(said)):
        line = clause(said, limit)
        assert len(line) <= limit
        if 48 <= limit <= 80:  # a clause ends before it, and late enough
            assert not line.endswith(("not…", "because…", "but…", "the…"))


def test_cjk_clauses_are_whole_too() -> None:
    assert clause("解析器两次读取头部，但是没有保存第一次的长度，所以失败了", 12) == "解析器两次读取头部…"


def test_damage_by_the_agent_and_its_repair_are_conclusions() -> None:
    said = "My sed command accidentally emptied settings.py. I'll restore it."

    assert conclusion(said).startswith("My sed command accidentally emptied settings.py")
    assert breaks_own("誤って main.py を壊しました")
    assert not breaks_own("The restore button is blue and the copy is short")


def test_a_copy_kept_or_taken_back_is_said() -> None:
    for command, text in (
        ("cp app/core.py app/core.py.bak", "backed up as core.py.bak"),
        ("cp app/core.py.bak app/core.py", "restored from core.py.bak"),
        ("mv core.py.orig core.py", "restored from core.py.orig"),
        ("cp a.py b.py", "copied"),
    ):
        assert summarize("bash", {"command": command}, "").text.endswith(text), command


def _node(number: int, title: str, summary: str, shape: str = "run") -> Node:
    return Node(number, title, "done", summary, None, shape)  # type: ignore[arg-type]


def test_damage_and_repair_outlive_folding() -> None:
    members = [
        _node(1, "read core.py", "120 lines: load, save, with retry", "read"),
        _node(2, "run python fix.py", "The script accidentally emptied core.py"),
        _node(3, "cp core.py", "restored from core.py.bak", "edit"),
        _node(4, "edit core.py", "+4 -1: adds retry_limit = 5 / timeout = 30 / backoff = 2.5", "edit"),
        _node(5, "read notes.md", "40 lines: Setup; Usage; Limits of the loader", "read"),
    ]
    summary = gist(members, 150).summary

    assert "accidentally emptied core.py" in summary
    assert "restored from core.py.bak" in summary

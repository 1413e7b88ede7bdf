"""Cells of a terminal are counted as it draws them, cuts fit, and nothing steers the terminal."""

import re
import unicodedata

import pytest
from hypothesis import given, strategies as st

from memctl.text.widths import cut_to_width, display_width, one_line, printable

FAMILY = "👨\u200d👩\u200d👧"
CELLS = {
    "": 0,
    "abc": 3,
    "港校对比": 8,
    "가나다": 6,
    "カナ": 4,
    "ｶﾅ": 2,
    "Ａ！": 4,
    "e\u0301": 1,
    "\u1112\u1161\u11ab": 2,  # one syllable of three jamo
    FAMILY: 2,
    "👍🏽": 2,
    "🇭🇰": 2,
    "🇭🇰🇨🇳": 4,
    "❤\ufe0f": 2,
    "1\ufe0f\u20e3": 2,
    "✓ ok": 4,
    "a\u200bb": 2,
    "→": 1,
    f"a{FAMILY}港": 5,
}


@pytest.mark.parametrize(("text", "cells"), CELLS.items())
def test_cells_are_counted_as_a_terminal_draws_them(text: str, cells: int) -> None:
    assert display_width(text) == cells


CUTS = [
    ("abcdef", 6, "abcdef"),
    ("abcdef", 5, "abcd…"),
    ("港校学费对比", 12, "港校学费对比"),
    ("港校学费对比", 11, "港校学费对…"),
    ("港校学费对比", 10, "港校学费…"),
    (f"ab{FAMILY}cd", 5, f"ab{FAMILY}…"),
    (f"ab{FAMILY}cd", 4, "ab…"),
    ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
    ("abc", 1, "…"),
    ("abc", 0, ""),
    ("港", 1, "…"),
]


@pytest.mark.parametrize(("text", "width", "cut"), CUTS)
def test_a_cut_keeps_whole_pictures_and_says_that_it_cut(text: str, width: int, cut: str) -> None:
    assert cut_to_width(text, width) == cut


def test_an_ellipsis_without_room_is_left_out() -> None:
    assert cut_to_width("abcdef", 2, "...") == "ab"


signs = st.sampled_from(
    [*"ab 港가é✓…", "\u0301", "\u200d", "\ufe0f", "👍", "🏽", "🇭", "\x1b[1m", "\n", "\t", "\r", "\ud83d"]
)
texts = st.lists(signs, max_size=20).map("".join) | st.text(max_size=30)


@given(texts, st.integers(0, 20))
def test_a_cut_never_exceeds_the_width_and_leaves_what_fits(text: str, width: int) -> None:
    cut = cut_to_width(text, width)

    assert display_width(cut) <= width
    assert (cut == text) == (display_width(text) <= width)


LINES = [
    ("two  words\n\there", 50, "two words here"),
    ("the quick brown fox", 12, "the quick…"),
    ("the quick brown fox", 10, "the quick…"),
    ("我们在这里讨论一下人工智能的问题", 10, "我们在这里讨论一下…"),
    ("修复 authentication 的过期测试", 12, "修复 authenti…"),
    ("根因是 token，expiry 计算", 12, "根因是 token…"),
    ("a" * 30, 10, "a" * 9 + "…"),
    ("hello (world of things)", 8, "hello…"),
    ("", 5, ""),
    (" \n ", 5, ""),
    ("ab", 1, "…"),
    ("ab", 0, ""),
]


@pytest.mark.parametrize(("text", "limit", "line"), LINES)
def test_a_line_is_cut_at_a_word_or_cjk_boundary(text: str, limit: int, line: str) -> None:
    assert one_line(text, limit) == line


@given(texts, st.integers(0, 25))
def test_a_line_fits_has_no_line_end_and_is_whole_when_it_can_be(text: str, limit: int) -> None:
    line = one_line(text, limit)
    whole = " ".join(text.split())

    assert len(line) <= limit or line == whole == ""
    assert line == whole or (len(whole) > limit and (limit < 1 or line.endswith("…")))
    assert "\n" not in line


PRINTED = {
    "plain\n\ttext": "plain\n\ttext",
    "\x1b[31;1mred\x1b[0m": "red",
    "\x1b[2J\x1b[Hwiped": "wiped",
    "\x1b]0;title\x07text": "text",
    "\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\!": "link!",
    "\x1bP+q\x1b\\x": "x",
    "\x9b31mred": "red",
    "\x9d0;title\x9ctext": "text",
    "\x1b]0;never closed\nnext": "\nnext",
    "cut \x1b[": "cut ",
    "cut \x1b": "cut ",
    "a\x07\x00b\x7f": "ab",
    "10%\r100%\r\ndone": "10% 100%\ndone",
    "line\u2028two\x85three": "line two three",
    "user\u202etxt.exe\u202c": "usertxt.exe",
    "zero\u200bwidth\ufeff\u2060": "zerowidth",
    "tag\U000e0041\U000e007f": "tag",
    "half \ud83d": "half \ufffd",
    "港校❤\ufe0f": "港校❤\ufe0f",
    "x\ufe0f\ufe0f\ufe0f": "x\ufe0f",
    "\u3164hidden": "hidden",
    "é ñ 한 ✓ …": "é ñ 한 ✓ …",
}


@pytest.mark.parametrize(("text", "shown"), PRINTED.items())
def test_what_steers_or_fools_a_terminal_is_dropped(text: str, shown: str) -> None:
    assert printable(text) == shown


BIDI = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


@given(texts | st.text(alphabet=st.characters(categories=["Cc", "Cf", "Cs", "Mn", "Lu"]), max_size=30))
def test_nothing_printable_steers_a_terminal(text: str) -> None:
    shown = printable(text)

    shown.encode()
    for char in shown:
        assert char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs", "Zl", "Zp"}
        assert unicodedata.bidirectional(char) not in {
            "LRE",
            "RLE",
            "PDF",
            "LRO",
            "RLO",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        }
    assert printable(shown) == shown


def test_text_without_anything_odd_is_the_same() -> None:
    letters = "".join(char for char in map(chr, range(0x21, 0x1000)) if char.isalnum())
    text = letters + "\n\t -.,:;/(){}[]，。「」港校学费カナ한국"

    assert printable(text) == text


HOSTILE = ["\x1b", "\x1b[", "\x1b]", "\x9b", "\u200d", "\ufe0f", "👍\u200d", "\x1b[1;", "a ", "港"]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_ends(piece: str) -> None:
    """A quadratic reading would not come back within the life of the test run."""
    text = piece * 20_000

    assert re.search("\x1b", printable(text)) is None
    assert display_width(text) >= 0
    assert len(one_line(text, 50)) <= 50
    assert display_width(cut_to_width(text, 50)) <= 50

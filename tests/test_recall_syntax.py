"""recall --syntax: Whoosh's query language when it is asked for, and an error for what is not the language."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from recalling import hits, memory
from running import memctl

from memctl.ask import syntax
from memctl.errors import UsageError

pytestmark = pytest.mark.usefixtures("cached")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return memory(tmp_path_factory.mktemp("asked"))


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("login AND timezone", set()),
        ("login OR timezone", {"message:talk/msg-0", "message:talk/msg-1"}),
        ("timezone", {"message:talk/msg-1"}),  # its neighbours do not say it, they stand beside it
        ("expiry NOT login", {"message:talk/msg-1"}),
        ("expiry ANDNOT login", {"message:talk/msg-1"}),
        ('"login test"', {"message:talk/msg-0"}),
        ('"test login"', set()),
        ("(dog OR カメラ) AND layer:message", {"message:talk/msg-4", "message:talk/msg-6"}),
        ("学费 NOT 港大", {"message:talk/msg-2"}),
        ('"港校的学费"', {"message:talk/msg-2"}),
        ("ERR_CONN*", {"message:talk/msg-8"}),
        ("t?bs", {"m_000000000001"}),
        ("biscuit day:[2026-04-05 TO 2026-04-05]", {"message:talk/msg-4"}),
        ("biscuit day:{2026-04-05 TO 2026-04]", {"message:talk/msg-5"}),
        ("layer:scene", {"scene_blocks/team/deploy.md"}),
        ("session:other login", set()),
        ("session:ta* login", {"message:talk/msg-0"}),
        ("zucchini OR Lisbon", set()),  # forgotten, superseded
    ],
)
def test_exactly_what_fits_is_found(home: Path, mode: str, question: str, wanted: set[str]) -> None:
    found = hits(home, question, "--syntax", "--mode", mode, "-k", "50", code=0 if wanted else 1)

    assert {hit["id"] for hit in found} == wanted


def test_a_boost_moves_what_it_names_up(home: Path) -> None:
    plain = "dog^0.1 OR deploy^9", "dog^9 OR deploy^0.1"
    first = [hits(home, one, "--syntax", "--mode", "bm25", "--layer", "message")[0]["id"] for one in plain]

    assert first == ["message:talk/msg-8", "message:talk/msg-4"]


def test_without_it_the_language_is_text(home: Path) -> None:
    assert hits(home, "login AND timezone")


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("(login", "parenthesis"),
        ("login)", "parenthesis"),
        ('"login', "quotation"),
        ("login AND", "AND needs"),
        ("OR login", "OR needs"),
        ("login AND AND test", "two operators"),
        ("title:login", "no field 'title'"),
        ("layer:dream", "no layer 'dream'"),
        ("session:[a TO b]", "only day"),
        ("day:[2026", "write a range"),
        ('"login test"~3', "~N"),
        ("()", "nothing"),
        ("the", "nothing"),
    ],
)
def test_what_is_not_the_language_is_a_usage_error(home: Path, question: str, why: str) -> None:
    found = memctl("-C", home, "recall", "--syntax", question, code=2)

    assert why in found.err


@given(st.text("ab \"'()[]{}:*?~^+-\\ANDORTday", max_size=40) | st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(UsageError):
        syntax.parse(text)

"""What two texts have in common: values are kept apart, look-alikes are not; what is forgotten leaves its siblings."""

import pytest
from hypothesis import given, strategies as st

from memctl.layers.forgetting import Forgotten
from memctl.layers.likeness import ends, fingerprint, key, stands_in, words
from memctl.model import Atom

VALUES = [
    ("The timeout is 1.5 seconds.", "The timeout is 15 seconds."),
    ("Der Wert ist 1,5.", "Der Wert ist 15."),
    ("The offset is -5.", "The offset is 5."),
    ("The size is 1.000.", "The size is 1000."),
    ("I prefer C++ here.", "I prefer C here."),
    ("I prefer C# here.", "I prefer C here."),
    ("The address is 10.0.0.1.", "The address is 10.0.0.12."),
]
SIBLINGS = [
    *VALUES,
    ("I prefer tabs over spaces in Go files.", "I prefer spaces over tabs in Go files."),
    ("The gateway listens on port 80.", "The gateway listens on port 8080."),
    ("I like cilantro in my soup.", "I never like cilantro in my soup."),
    ("I live in Rome.", "I live in Romeoville, Illinois."),
    ("我喜欢用深色主题。", "我不喜欢用深色主题。"),
]
SPELLINGS = [
    "I AM ALLERGIC TO PEANUTS.",
    "I am  allergic\u200b to\u00a0peanuts!",
    "Ｉ am ａｌｌｅｒｇｉｃ to peanuts",
    "I am \u00e1llergic to p\u0301eanuts.",
    "I am allergic to ᴘᴇᴀɴᴜᴛꜱ.",
    "I am аllеrgiс to peаnuts.",
    "I am a\u04cfl\u0435rgic to peanuts.",
    "I am allergic to pea\u0578uts.",
    "I am \uab7allergic to peanuts.",
    "So: I am allergic to peanuts, you know.",
]


def forgotten(saying: str) -> Forgotten:
    """Give what is left of one forgotten sentence."""
    atom = Atom(
        id="m_1",
        content="",
        type="persona",
        priority=50,
        scene="",
        sources=(),
        metadata={"fingerprints": [fingerprint(saying)]},
        times=(),
        created=None,
        updated=None,
        version=2,
        session="s",
        status="forgotten",
    )
    return Forgotten([atom], [saying])


@pytest.mark.parametrize(("one", "other"), VALUES)
def test_values_that_differ_by_a_sign_are_two(one: str, other: str) -> None:
    assert key(one) != key(other)
    assert words(one) != words(other)


def test_groups_of_thousands_are_no_other_value() -> None:
    assert key("It costs 1,000,000 euros") == key("it costs 1000000 euros")


@pytest.mark.parametrize(("one", "other"), SIBLINGS)
def test_forgetting_one_leaves_its_sibling(one: str, other: str) -> None:
    gone = forgotten(one)
    assert gone.hides(one)
    assert not gone.echoes(other)
    assert not forgotten(other).echoes(one)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_forgotten_saying_stays_away_in_every_spelling(spelling: str) -> None:
    assert forgotten("I am allergic to peanuts.").echoes(spelling)


def test_a_cut_quotation_of_a_forgotten_saying_is_hidden() -> None:
    gone = forgotten("My office door code is 48151623 for the lab.")
    assert gone.hides("My office door code is 4815…")
    assert gone.hides("office door code is 48151623")
    assert not gone.hides("My office door code is 4815")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_a_text_says_itself(text: str) -> None:
    if key(text):
        around = f"so, {text} indeed"
        assert stands_in(key(text), key(text), ends(text))
        assert key(text) not in key(around) or stands_in(key(text), key(around), ends(around))


@given(st.text(alphabet="가나다かがé1.,-+#aA ", max_size=20))
def test_a_key_is_the_key_of_what_is_said_in_capitals(text: str) -> None:
    assert key(text) == key(text.upper())

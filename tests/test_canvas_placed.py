"""Placed calls: a call stays where it was placed."""

import pytest
from growing import call, grown, happenings, session, user

from memctl.canvas.grow import grow


def test_a_call_stays_where_it_was_placed_whatever_the_rules_say_now() -> None:
    growth = grown(
        user("fix the login"),
        call("a", "read", "login.py", placed="007-N1"),
        call("b", "edit", "login.py", placed="007-N1"),
        call("c", "edit", "login.py", placed="007-N5"),
        call("d", "edit", "login.py"),
        call("e", "edit", "other.py", placed="009-N2"),
    )

    assert growth.places == {"a": (0, 1), "b": (0, 1), "c": (0, 5), "d": (0, 6), "e": (1, 2)}


def test_the_nodes_of_a_very_long_task_stay_countable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memctl.canvas.growing._MOST_NODES", 10)
    lines = session(user("Fix the clock"), *(call(f"c{at}", "edit", f"file{at}.py") for at in range(250)))
    everything = happenings(lines)

    whole = grow(everything)

    assert len(whole.places) == 250
    assert len(whole.tasks[0].nodes) == 12  # nine of one call each, then by the hundred
    for cut in range(0, len(everything), 37):
        part = grow(everything[:cut]).places
        assert part == {key: place for key, place in whole.places.items() if key in part}

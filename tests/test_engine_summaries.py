"""Summaries that a model words."""

import json
from pathlib import Path

import models
import pytest
from answering import SESSION, asked, give
from running import snapshot

pytestmark = pytest.mark.home(copy_of="extracted")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tool_call_id": "toolu_nobody"}, "not one of the calls"),
        ({"summary": ""}, "is empty"),
        ({"summary": "x" * 300}, "at most 200"),
        ({"summary": "closed issue JIRA-12345 in src/nowhere.py"}, "JIRA-12345"),
    ],
)
def test_a_summary_that_breaks_a_rule_refuses_all(change: dict[str, str], reason: str, home: Path) -> None:
    good = json.loads(models.answer(asked(home, "summaries", SESSION)))
    good["summaries"][0] |= change
    before = snapshot(home)

    assert reason in give(home, "summaries", SESSION, good, code=3)
    assert snapshot(home) == before

"""Talks with a service agent: what the user wants, what the agent refuses, how it ends (DESIGN 4.2)."""

import json
from pathlib import Path

from growing import agent, call, happenings, results, session, user

from memctl.canvas.grow import TaskGrowth, grow
from memctl.canvas.judge import Vocabulary, judge, only_agrees
from memctl.canvas.subjects import subject_of
from memctl.cli.app import run

LEDGER = {"order_id": "#B7", "status": "sent", "items": [{"name": "Kettle", "price": 40}]}


def _grown(*lines: object) -> TaskGrowth:
    growth = grow(happenings(session(*lines)))  # type: ignore[arg-type]

    assert len(growth.tasks) == 1
    return growth.tasks[0]


def test_a_goal_that_only_announces_a_wish_takes_the_wish_with_it() -> None:
    task = _grown(
        user("I need some help with an order of kitchen things, please."),
        agent("Of course. Which order, and what is your email?"),
        user("I'd like to send the kettle in order #B7 back. I don't remember my email."),
        agent("", call("a", "mcp", "get_order #B7")),
        results("a"),
    )

    goal = "I need some help with an order of kitchen things, please. send the kettle in order #B7 back."

    assert task.goal == goal


def test_wishes_between_which_the_agent_only_asks_back_stand_on_one_arrow() -> None:
    task = _grown(
        user("Look up order #B7."),
        agent("", call("a", "mcp", "get_order #B7")),
        results("a"),
        agent("Order #B7 has a kettle for 40.00. It was sent on Monday."),
        user("Send it to 5 Mill Lane in Bergen."),
        agent("Which flat?"),
        user("The second one, Bergen 5003."),
        agent("", call("b", "mcp", "change_order #B7")),
        results("b"),
    )
    labels = [edge.label for edge in task.edges]

    assert len(labels) == 1
    assert "Mill Lane in Bergen" in labels[0]
    assert "Bergen 5003" in labels[0]


def test_what_the_agent_refuses_without_a_call_stands_on_the_node_before_its_values() -> None:
    task = _grown(
        user("Cancel order #B7."),
        agent("", call("a", "mcp", "get_order #B7", "order #B7: status sent, items: Kettle 40")),
        results("a"),
        agent("Order #B7 was sent on Monday, so it cannot be cancelled."),
        user("Can you refund it to two cards, then?"),
        agent("I'm afraid only one payment method is allowed for a refund of order #B7."),
        user("What about a voucher?"),
        agent("Vouchers cannot be given for orders that were sent."),
    )
    summary = task.nodes[0].summary

    assert "cannot be cancelled" in summary
    assert "asked 'refund it to two cards" in summary
    assert "only one payment method is allowed" in summary
    assert summary.index("only one payment method") < summary.index("Kettle 40")


def test_one_who_reacts_or_asks_for_something_besides_goes_on() -> None:
    known = Vocabulary()
    known.learn(subject_of("Cancel my order of the kettle"))

    for words in (
        "Wow, that is dear. Can you swap the lantern for the cheapest one?",
        "Thanks! Could you also exchange the garden hose I received last week?",
        "I'd also like to return a tablet and two headphones.",
    ):
        assert judge(words, [known], 0).kind == "continue", words
    assert judge("Please write a poem about otters for my sister.", [known], 0).kind == "new"


def test_a_farewell_is_nothing_to_remember() -> None:
    for words in ("That's all, thank you.", "Have a wonderful day!", "no, that was everything"):
        assert only_agrees(words), words


def test_a_node_of_results_alone_is_named_by_what_they_show(tmp_path: Path) -> None:
    """Each stands alone, since nothing says that two of them are of one thing; no signal is told."""
    lines = [
        "user: I need help with two orders.",
        "assistant: None",
        f"tool: {json.dumps(LEDGER)}",
        "assistant: None",
        f"tool: {json.dumps({**LEDGER, 'order_id': '#B8', 'status': 'open'})}",
        "assistant: Order #B8 is open. Shall I cancel order #B8 for 40.00?",
        "user: Yes, cancel it and refund card 5. ###STOP###",
        "assistant: None",
        f"tool: {json.dumps({**LEDGER, 'order_id': '#B8', 'status': 'cancelled'})}",
    ]
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps({"messages_display": "\n".join(lines)}) + "\n", encoding="utf-8")
    run(["-q", "-C", str(tmp_path / "memory"), "ingest", str(path)])
    text = next((tmp_path / "memory" / "mmds").glob("*.mmd")).read_text(encoding="utf-8")

    for title in ("order #35;B7<br/>", "order #35;B8<br/>", "order #35;B8 changed<br/>"):
        assert f'"{title}' in text
    assert "status open → cancelled" in text
    assert "STOP" not in text

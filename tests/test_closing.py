"""What `combine` joined, `facts_of` takes apart: a canvas never says the agent's sentence twice."""

from hypothesis import example, given, strategies as st

from memctl.model import Summary
from memctl.summarize import combine, facts_of

words = st.text("abc 例字.,;()", max_size=60).map(lambda text: " ".join(text.split()))


@example(facts="aaa (;)", said="aaa", score=5, status="ok")
@given(facts=words, said=words, score=st.integers(0, 10), status=st.sampled_from(["ok", "error"]))
def test_the_facts_come_back_out_of_the_combined_text(facts: str, said: str, score: int, status: str) -> None:
    summary = Summary("run", "ls", status, facts, score)  # type: ignore[arg-type]  # drawn from the same words

    back = facts_of(combine(summary, said).text, said)

    kept = back.rstrip("…") in (facts, said) or facts.startswith(back.rstrip("…")) or back.startswith(facts)
    head = facts.removesuffix(
        f" ({back})"
    )  # facts that begin with the sentence itself: the two say all of it
    assert kept or (head != facts and said.startswith(head))


def test_plain_cases() -> None:
    long = Summary("test", "pytest", "error", "1 failed: test_a AssertionError (test_a.py:3)", 5)
    assert facts_of(combine(long, "The clock is wrong.").text, "The clock is wrong.") == long.text
    sure = Summary("edit", "a.py", "ok", "a.py: +1 -1", 9)
    assert facts_of(combine(sure, "Now it rounds up.").text, "Now it rounds up.") == sure.text
    assert facts_of("41 passed", "") == "41 passed"
    assert facts_of("41 passed (all of them)", "Something else") == "41 passed (all of them)"

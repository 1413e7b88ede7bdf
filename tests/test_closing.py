"""What `combine` joined, `facts_of` takes apart: a canvas never says the agent's sentence twice."""

from hypothesis import example, given, strategies as st

from memctl.model import Summary
from memctl.summarize import combine, conclusion, facts_of, may_quote

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


SENTENCES = (
    "There's the bug: `expires_at` is compared without its time zone.",
    "I found a problem. The lock is taken twice, because **flush** calls close.",
    "Perfect! Now I can see that the cache is never cleared, so let me fix it.",
    "The tests pass now.",
    "Let me look at the other file.",
    "[The loader](docs/loader.md) reads every page twice.",
    "This works because they share one parser.",
    "问题是缓存没有清空，所以接下来修复它。",
    "原因はタイムゾーンが欠けていることです。",
    "테스트가 모두 통과했습니다.",
)


@given(
    said=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4),
    facts=st.sampled_from(("auth.py: 41 lines: login", "41 passed", "1 failed; TypeError", "a.py (new)")),
    score=st.integers(0, 10),
    status=st.sampled_from(["ok", "error"]),
)
def test_what_may_not_quote_the_agent_holds_no_conclusion(
    said: list[str], facts: str, score: int, status: str
) -> None:
    text, concluded = " ".join(said), conclusion(" ".join(said))
    joined = combine(Summary("run", "ls", status, facts, score), concluded).text  # type: ignore[arg-type]  # as above

    assert may_quote(joined, text) or facts_of(joined, concluded) == joined


def test_a_summary_of_the_result_alone_is_told_from_one_that_quotes() -> None:
    text = "The cache is never cleared."
    assert may_quote("The cache is never cleared (41 lines)", text)
    assert may_quote("41 lines; The cache is never cleared", text)
    assert may_quote("The bug: it is stale (41 lines)", "Found a bug: it is stale.")
    assert not may_quote("41 lines: login", text)
    assert not may_quote("41 lines; adds login", text)
    assert not may_quote("", text)
    assert not may_quote("41 lines; ", text)

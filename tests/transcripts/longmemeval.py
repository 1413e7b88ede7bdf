"""LongMemEval's chats, in both layouts: made for tests."""

from typing import Any


def said(role: str, words: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": words, **more}


CHAT = [said("user", "I run on Mondays.", has_answer=True), said("assistant", "Good.")]


REME = {
    "case_id": "c1",
    "queries": [{"question": "When?", "golden_answer": 5}],
    "sessions": [
        {"session_id": "s1", "metadata": {"date": "2023/05/20 (Sat) 07:22"}, "messages": CHAT},
        {"session_id": "s2", "messages": [said("user", "x", created_at="2023-05-21T08:00:00", name="user")]},
    ],
}


ORIGINAL = {
    "question_id": "q1",
    "question": "When?",
    "haystack_session_ids": ["s1", "s3"],
    "haystack_dates": ["2023/05/20 (Sat) 07:22"],
    "haystack_sessions": [CHAT, [said("user", "y")], [said("user", "z")]],
}

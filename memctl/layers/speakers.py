"""Who speaks where persons talk with each other: each message begins with the name of its speaker."""

import re
from collections.abc import Iterable
from typing import Protocol

_NAME = re.compile(r"([^\W\d_][\w .'’-]{0,39})[:：]\s*(?=\S)")
_MOST = 8  # names; more are labels of something else
_LABELS = frozenset(
    """
    q a question answer note notes todo error warning input output user assistant system human ai tool context
    task title summary instruction instructions prompt fyi update re ps edit hint example problem
    问题 答案 回答 问 答 注意 备注 用户 助手 系统 質問 質問者 ユーザー 질문 답 답변 사용자
    """.split()
)
_YOUR = re.compile(r"\byour\b", re.IGNORECASE)


class Said(Protocol):
    """A message: whose turn it is, and its words."""

    @property
    def role(self) -> str:
        """The role."""

    @property
    def content(self) -> str:
        """The words."""


def names(messages: Iterable[Said]) -> tuple[str, ...]:
    """Give the names of those who speak, in order of their first words.

    None where an agent speaks, a message begins without a name, or one person alone speaks: then the user is
    "the user". Reading ends at the first message that says so.
    """
    found: dict[str, None] = {}
    for message in messages:
        if not message.content or message.role not in ("user", "assistant"):
            continue
        name = speaker(message.content)
        if message.role == "assistant" or not name:
            return ()
        found[name] = None
        if len(found) > _MOST:
            return ()
    return tuple(found) if len(found) > 1 else ()


def speaker(content: str) -> str:
    """Give the name that a message begins with; "" for none."""
    found = _NAME.match(content)
    name = found[1].strip() if found else ""
    fits = name and not name[0].islower() and len(name.split()) <= 3 and name.lower() not in _LABELS
    return name if fits else ""


def without_name(text: str, name: str) -> str:
    """Take the name from before the words of its speaker."""
    found = _NAME.match(text)
    return text[found.end() :] if found and found[1].strip() == name else text


def as_said_by(content: str, name: str, others: Iterable[str]) -> str:
    """Name the speaker of a content that is about "the user", or that does not say whose words it is.

    others: who else speaks; of one alone "your" is theirs.
    """
    listed = [other for other in others if other != name]
    if len(listed) == 1:
        content = _YOUR.sub(f"{listed[0]}'s", content)
    named = re.sub(r"\bUser(?='s\b| )|用户|ユーザー(?=[はがのも])", name, content, count=1)
    if named == content:
        named = re.sub(
            r"사용자(는|의)",
            lambda found: name + (_topic(name) if found[1] == "는" else "의"),
            content,
            count=1,
        )
    if named == content and name.lower() not in content.lower():
        return (
            f"{name} {content[0].lower()}{content[1:]}"
            if content.startswith("Will ")
            else f"{name}: {content}"
        )
    return named


def _topic(name: str) -> str:
    """Give the Korean particle that marks a topic, by the last sound of a name."""
    last = ord(name[-1])
    return "은" if 0xAC00 <= last <= 0xD7A3 and (last - 0xAC00) % 28 else "는"

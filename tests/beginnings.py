"""What the tests of readers of text share: a text cut anywhere is a beginning of the whole."""

from collections.abc import Callable, Sequence
from types import ModuleType

from hypothesis import strategies as st
from reading import events

from memctl.model import Message, Text


def text_messages(reader: ModuleType, text: str) -> list[Message]:
    """Read a text and give its messages."""
    return [event for event in events(reader, text.encode()) if isinstance(event, Message)]


def check_text_beginnings(reader: ModuleType, text: str, *, step: int = 1) -> None:
    """Check that of a text cut after any line the messages are the first of all, in name, place and kind.

    Only the last message of a cut may grow later, and only at its end.
    """
    whole = text_messages(reader, text)
    lines = text.split("\n")
    for cut in range(0, len(lines), step):
        beginning = text_messages(reader, "".join(f"{line}\n" for line in lines[:cut]))
        for place, (early, late) in enumerate(zip(beginning, whole, strict=False)):
            where = f"cut after line {cut}, message {place}"
            assert (early.session, early.id, early.role, early.timestamp, early.parent) == (
                late.session,
                late.id,
                late.role,
                late.timestamp,
                late.parent,
            ), where
            if place < len(beginning) - 2:  # a call and its result may both grow
                assert early.parts == late.parts, where
            else:
                assert _grows(early, late), where
        assert len(beginning) <= len(whole)


def _grows(early: Message, late: Message) -> bool:
    for one, other in zip(early.parts, late.parts, strict=False):
        if isinstance(one, Text) and isinstance(other, Text):
            if not other.text.startswith(one.text):
                return False
        elif type(one) is not type(other):
            return False
    return len(early.parts) <= len(late.parts)


def shuffled_lines(lines: Sequence[str]) -> st.SearchStrategy[str]:
    """Give texts made of *lines* in any order, some of them spoiled."""
    spoil: list[Callable[[str], str]] = [
        lambda line: line,
        lambda line: line,
        lambda line: line.rstrip(),
        lambda line: line + "  ",
        lambda line: line[: len(line) // 2],
        lambda line: "\t" + line,
        lambda line: line + "\r",
    ]
    one = st.builds(lambda line, change: change(line), st.sampled_from(list(lines)), st.sampled_from(spoil))
    return st.lists(one, max_size=25).map("\n".join)

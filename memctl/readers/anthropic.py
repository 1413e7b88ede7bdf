"""Read lists of Anthropic messages, as Cline and many other programs store them (FORMATS 5 and 6)."""

from collections.abc import Iterator

from memctl.model import Event, Json
from memctl.readers.chat import chat_events
from memctl.readers.conversations import messages_in
from memctl.readers.fields import sequence, string
from memctl.readers.source import Source

FORMAT = "anthropic"

_BLOCKS = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "document"}
)


def detect(source: Source) -> bool:
    """Tell them by a block only Anthropic's messages have (FORMATS 0, row 24a)."""
    return any(
        _is_own(block) for message in messages_in(source) for block in sequence(message.get("content"))
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of each conversation."""
    return chat_events(source, FORMAT)


def _is_own(block: Json) -> bool:
    return isinstance(block, dict) and (
        string(block.get("type")) in _BLOCKS
        or (block.get("type") == "image" and isinstance(block.get("source"), dict))
    )

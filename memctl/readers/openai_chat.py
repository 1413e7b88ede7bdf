"""Read lists of OpenAI chat messages, alone or many to a file (FORMATS 6)."""

from collections.abc import Iterator

from memctl.model import Event
from memctl.readers.chat import chat_events
from memctl.readers.conversations import messages_in
from memctl.readers.source import Source

FORMAT = "openai"


def detect(source: Source) -> bool:
    """Tell them by role and content; whatever else has these was tried before (FORMATS 0, row 24b)."""
    return next(messages_in(source), None) is not None


def read(source: Source) -> Iterator[Event]:
    """Give the events of each conversation."""
    return chat_events(source, FORMAT)

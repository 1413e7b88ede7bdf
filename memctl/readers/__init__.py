"""Transcripts of many agents, read into the events of `model`: which format a source has, and its reader.

A new format is one module and one line in `FORMATS`. A reader module has two functions:
`detect(source)` says cheaply, from shape and head alone, whether the source is of its format, and
`read(source)` gives the events, damage included, and raises nothing.
"""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from memctl.errors import UsageError
from memctl.model import Damage, Event
from memctl.readers.source import Line, Source, Unreadable, open_source

__all__ = ["FORMATS", "Format", "Line", "Source", "Unreadable", "detect", "open_source", "read"]


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format: its name for `--from`, its reader module, and its name for people."""

    name: str
    module: str
    title: str


# In the order in which they are tried: the first match wins (FORMATS 0).
FORMATS: tuple[Format, ...] = (
    Format("codex", "codex", "Codex CLI rollout"),
    Format("pi", "pi", "pi or OpenClaw session"),
    Format("gemini", "gemini", "Gemini CLI chat"),
    Format("claude-code", "claude_code", "Claude Code session"),
    Format("openai-responses", "openai_responses", "OpenAI Responses items"),
    Format("anthropic", "anthropic", "Anthropic messages"),
    Format("openai", "openai_chat", "OpenAI chat messages"),
)


def detect(source: Source) -> Format | None:
    """Find the format of *source* by its content, never by its name."""
    for candidate in FORMATS:
        module = _module(candidate)
        if module is not None and module.detect(source):
            return candidate
    return None


def read(source: Source, format_name: str | None = None) -> Iterator[Event]:
    """Read *source* as the format it has, or as the one named; nothing when it has none.

    A document that cannot be read is one `Damage`.

    Raises:
        UsageError: there is no format *format_name*.

    """
    found = _named(format_name) if format_name is not None else detect(source)
    module = _module(found) if found is not None else None
    if module is None:
        return
    try:
        yield from module.read(source)
    except Unreadable as error:
        yield Damage(error.line, error.offset, error.reason)


def _named(name: str) -> Format:
    for candidate in FORMATS:
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in FORMATS)
    raise UsageError(f"no format {name!r}; there are {known}")


def _module(candidate: Format) -> ModuleType | None:
    name = f"{__name__}.{candidate.module}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:  # goes when every module is there
        if error.name != name:
            raise
        return None

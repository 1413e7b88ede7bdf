"""Transcripts of many agents, read into the events of `model`: which format a source has, and its reader.

A new format is one module and one line in `FORMATS`. A reader module has two functions:
`detect(source)` says cheaply, from shape and head alone, whether the source is of its format, and
`read(source)` gives the events, damage included; it raises nothing but `Unreadable`.
"""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, cast

from memctl.errors import UsageError
from memctl.model import Damage, Event
from memctl.readers.sidecars import sidecar
from memctl.readers.source import Line, Source, Unreadable, open_source

__all__ = [
    "FORMATS",
    "Format",
    "Line",
    "Source",
    "Unreadable",
    "detect",
    "nearest",
    "open_source",
    "read",
    "sidecar",
]


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format.

    name: for `--from`. module: its reader. title: its name for people. keys: what its objects alone
    are likely to have, to guess by when a file fits no format.
    """

    name: str
    module: str
    title: str
    keys: str = ""


# In the order in which they are tried: the first match wins (FORMATS 0).
FORMATS: tuple[Format, ...] = (
    Format("codex", "codex", "Codex CLI rollout", "payload record_type turn_id cli_version"),
    Format("pi", "pi", "pi or OpenClaw session", "parentId toolCallId toolName stopReason customType"),
    Format("gemini", "gemini", "Gemini CLI chat", "projectHash toolCalls thoughts startTime lastUpdated"),
    Format("qwen", "qwen", "Qwen Code chat", "parentUuid systemPayload toolCallResult usageMetadata parts"),
    Format("claude-code", "claude_code", "Claude Code session", "parentUuid isSidechain leafUuid gitBranch"),
    Format("cursor", "cursor", "Cursor transcript or exported chat"),
    Format("copilot", "copilot", "Copilot CLI event log", "parentId data toolRequests toolCallId"),
    Format("droid", "droid", "Factory Droid session", "session_id toolCallId toolName finalText"),
    Format("kimi", "kimi", "Kimi Code wire log", "agentId event toolCalls origin turnId"),
    Format("grok", "grok", "Grok chat history", "prompt_index model_id tool_call_id synthetic_reason"),
    Format("tdai", "tdai", "TencentDB Agent Memory conversations", "sessionKey recordedAt"),
    Format("antigravity", "antigravity", "Antigravity transcript", "step_index created_at tool_calls"),
    Format("atif", "atif", "ATIF or Harbor trajectory", "schema_version steps step_id observation episode"),
    Format(
        "mini-swe-agent", "mini_swe_agent", "mini-swe-agent trajectory", "trajectory_format instance_id extra"
    ),
    Format("swe-agent", "swe_agent", "SWE-agent trajectory", "trajectory history observation thought action"),
    Format("openhands", "openhands", "OpenHands event log", "llm_message action observation cause kind"),
    Format("tau-bench", "tau_bench", "tau-bench results", "traj reward task_id trial messages_display"),
    Format("cline", "cline", "Cline or Roo task", "modelInfo metrics ts say ask"),
    Format("opencode", "opencode", "opencode session", "projectID directory sessionID messageID callID"),
    Format("chatgpt", "chatgpt", "ChatGPT export", "mapping current_node create_time author"),
    Format("claude-ai", "claude_ai", "Claude.ai export", "chat_messages sender uuid"),
    Format("sharegpt", "sharegpt", "ShareGPT conversations", "conversations from value chosen rejected"),
    Format("locomo", "locomo", "LoCoMo conversations", "conversation speaker dia_id qa"),
    Format("longmemeval", "longmemeval", "LongMemEval chats", "haystack_sessions sessions queries"),
    Format("langsmith", "langsmith", "LangSmith runs or LangChain messages", "run_type trace_id lc kwargs"),
    Format("openai-responses", "openai_responses", "OpenAI Responses items", "call_id output summary"),
    Format("anthropic", "anthropic", "Anthropic messages", "tool_use_id thinking input"),
    Format("openai", "openai_chat", "OpenAI chat messages", "role content tool_calls tool_call_id"),
    Format("specstory", "specstory", "SpecStory history"),
    Format("aider", "aider", "Aider chat history"),
    Format("notes", "notes", "notes for agents: CLAUDE.md, AGENTS.md, memory/*.md"),
    Format("plain-chat", "plain_chat", "plain chat, `Name: text`"),
)

_GUESS_LEVELS = 3


class _Reader(Protocol):
    detect: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Event]]


def detect(source: Source) -> Format | None:
    """Find the format of *source* by its content, never by its name."""
    return next((known for known in FORMATS if _reader(known).detect(source)), None)


def read(source: Source, format_name: str | None = None) -> Iterator[Event]:
    """Read *source* as the format it has, or as the one named; nothing when it has none.

    A document that cannot be read is one `Damage`.

    Raises:
        UsageError: there is no format *format_name*.

    """
    found = detect(source) if format_name is None else _named(format_name)
    if found is None or source.shape == "empty":
        return
    try:
        yield from _reader(found).read(source)
    except Unreadable as error:
        yield Damage(error.line, error.offset, error.reason)


def nearest(source: Source) -> list[str]:
    """Name at most three formats that a file of none may have been, by keys in its first objects."""
    keys: set[str] = set()
    values = list(source.head())
    for _ in range(_GUESS_LEVELS):
        inner = [item for value in values if isinstance(value, list) for item in value[:20]]
        for value in values:
            if isinstance(value, dict):
                keys.update(value)
                inner += value.values()
        values = inner
    scores = [len(keys.intersection(known.keys.split())) for known in FORMATS]
    places = sorted((place for place, score in enumerate(scores) if score), key=lambda place: -scores[place])
    return [FORMATS[place].name for place in places[:3]]


def _named(name: str) -> Format:
    for known in FORMATS:
        if known.name == name:
            return known
    raise UsageError(f"no format {name!r}; choose from {', '.join(known.name for known in FORMATS)}")


def _reader(known: Format) -> _Reader:
    return cast("_Reader", importlib.import_module(f"{__name__}.{known.module}"))

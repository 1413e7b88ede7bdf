"""Know the files beside transcripts that are not transcripts: indexes, histories, states, settings (FORMATS 0)."""

import re
from collections.abc import Callable, Mapping

from memctl.model import Json
from memctl.readers.fields import mapping, sequence, string
from memctl.readers.source import Source

__all__ = ["READ_THROUGH", "sidecar"]

READ_THROUGH = "read through"  # another file: what a reason says of a part of a session

_Test = Callable[[Mapping[str, Json]], bool]


def sidecar(source: Source) -> str | None:
    """Say what a file is that agents write beside their transcripts; None when it is not known as one."""
    if source.shape == "text":
        opening = source.opening()
        return next((reason for reason, pattern in _TEXTS if pattern.match(opening)), None)
    head = source.head()
    if source.shape == "json" and head and isinstance(head[0], list):
        head = tuple(head[0][:20])
    values = [mapping(value) for value in head]
    if not values or not all(values):
        return None
    for reason, test in _KNOWN:
        if all(map(test, values)):
            return reason
    return None


def _has(*keys: str) -> _Test:
    return lambda value: all(key in value for key in keys)


def _trace(value: Mapping[str, Json]) -> bool:
    return (string(value.get("traceSchema")) or "").startswith("openclaw-trajectory")


def _sessions_by_key(value: Mapping[str, Json]) -> bool:
    return all("sessionId" in mapping(entry) and "updatedAt" in mapping(entry) for entry in value.values())


def _index(value: Mapping[str, Json]) -> bool:
    entries = [mapping(entry) for entry in sequence(value.get("entries"))]
    return bool(entries) and all("sessionId" in entry and "messages" not in entry for entry in entries)


def _usage(value: Mapping[str, Json]) -> bool:
    message = mapping(value.get("message"))
    return message.keys() <= {"id", "role", "model", "usage"} and ("usage" in message or "message" in value)


def _settings(value: Mapping[str, Json]) -> bool:
    return any(isinstance(value.get(key), dict) for key in ("mcpServers", "hooks", "permissions", "projects"))


def _todo(value: Mapping[str, Json]) -> bool:
    return (
        value.keys() <= {"content", "status", "activeForm", "priority", "id"}
        and {"content", "status"} <= value.keys()
    )


def _wire(value: Mapping[str, Json]) -> bool:
    inner = mapping(value.get("message"))
    return "protocol_version" in value or ("timestamp" in value and {"type", "payload"} <= inner.keys())


def _part(value: Mapping[str, Json]) -> bool:
    if string(value.get("type")) is None or "id" not in value:
        return False
    return "messageID" in value or (
        value["type"] in ("text", "reasoning") and "start" in mapping(value.get("time"))
    )


_TEXTS = (
    (
        "the prompts of a session (Entire); its transcript has them",
        re.compile(r"# Session Context\n\s*## User Prompts\n"),
    ),
    (
        "a prompt history (Aider)",
        re.compile(r"# \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{1,9}\n\+"),
    ),
    (
        "a log of model requests (Aider); the chat history has what was said",
        re.compile(r"(?:TO LLM|LLM RESPONSE) \d{4}-\d\d-\d\dT"),
    ),
)

_PLACES = frozenset({"workDir", "cwd", "lastPrompt"})
_WORDS = frozenset({"message", "messages", "content", "text", "role", "type"})

# Tests hold for every object of the head; none may hold for a transcript.
_KNOWN: tuple[tuple[str, _Test], ...] = (
    ("a trace of a session (OpenClaw); the session file contains all of it", _trace),
    ("a session index (OpenClaw)", _sessions_by_key),
    ("a session index", _index),
    ("a prompt history (Codex CLI)", _has("session_id", "ts", "text")),
    ("a session index (Codex CLI)", _has("id", "thread_name", "updated_at")),
    ("a prompt history (Claude Code)", _has("display", "timestamp", "project")),
    (
        "a prompt history (Gemini CLI)",
        lambda value: isinstance(value.get("message"), str) and "messageId" in value,
    ),
    ("the input of a hook; the transcript is the file it names", _has("hook_event_name", "transcript_path")),
    ("usage figures without messages", _usage),
    ("a todo list", _todo),
    ("checkpoint metadata", _has("checkpoint_id", "session_id")),
    (
        "subagent metadata (Claude Code)",
        lambda value: "agentType" in value and value.keys().isdisjoint(_WORDS),
    ),
    ("the state of a session (Kimi)", lambda value: "agents" in value and not _PLACES.isdisjoint(value)),
    (
        "a session index (Kimi)",
        lambda value: "sessionId" in value and ("sessionDir" in value or "deleted" in value),
    ),
    ("the wire log of a session (Kimi); context.jsonl has its messages", _wire),
    ("the summary of a session (Grok)", _has("info", "session_summary", "num_messages")),
    ("a prompt history (Grok)", _has("session_id", "timestamp", "prompt")),
    ("the settings of a session (Droid)", _has("model", "autonomyMode")),
    (
        "session statistics (SpecStory)",
        lambda value: (
            "sessions" in value
            and "version" in value
            and value.keys() <= {"sessions", "version", "projectId"}
        ),
    ),
    (
        "the account that exported the conversations (ChatGPT)",
        lambda value: "email" in value and any(key.startswith("chatgpt_") for key in value),
    ),
    ("ratings of answers (ChatGPT)", _has("conversation_id", "rating", "create_time")),
    ("an index of shared conversations (ChatGPT)", _has("conversation_id", "is_anonymous")),
    ("the account that exported the conversations (Claude.ai)", _has("uuid", "full_name", "email_address")),
    ("a project and its documents (Claude.ai)", _has("uuid", "docs", "prompt_template")),
    ("memories of conversations (Claude.ai)", _has("conversations_memory")),
    (
        f"a message of opencode; {READ_THROUGH} the file of its session",
        _has("id", "sessionID", "role", "time"),
    ),
    (f"a part of a message of opencode; {READ_THROUGH} the file of its session", _part),
    (
        f"an event of OpenHands; {READ_THROUGH} base_state.json beside its folder",
        lambda value: (
            (string(value.get("kind")) or "").endswith("Event") and {"id", "source"} <= value.keys()
        ),
    ),
    ("a project (opencode)", _has("id", "worktree", "time")),
    ("settings", _settings),
)

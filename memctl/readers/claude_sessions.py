"""The sessions of a Claude Code transcript: its own, its subagents', those it was forked from (FORMATS 1)."""

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from memctl.model import Event, Json, SessionFacts
from memctl.readers.claude_thread import Thread
from memctl.readers.fields import string

FORMAT = "claude-code"
AGENT = "agent-"  # how the id of a subagent's session begins

_NO_ID = "#1"  # the key of a session that says no id
_OPEN_SESSIONS = 64  # sessions of one file that are read side by side
_QUEUED = 100  # prompts that wait until the agent takes them
_FACTS = (("cwd", "cwd"), ("gitBranch", "branch"), ("version", "version"), ("timestamp", "started"))
_WHO = "Claude Code"


@dataclass(slots=True)
class Session:
    """A session of the transcript: its messages, and what is known of it."""

    thread: Thread
    id: str | None
    subagent: bool
    facts: dict[str, str] = field(default_factory=dict)
    queued: deque[tuple[Json, str | None]] = field(default_factory=lambda: deque(maxlen=_QUEUED))
    taken: deque[Json] = field(default_factory=lambda: deque(maxlen=_QUEUED))  # prompts already given


@dataclass(slots=True)
class Reading:
    """What is known after the lines so far; nothing here depends on lines to come."""

    events: list[Event] = field(default_factory=list)  # what the last line gave
    sessions: OrderedDict[str, Session] = field(default_factory=OrderedDict)  # the last used at the end
    current: str | None = None  # key of the last session a line named
    titles: dict[str, str] = field(default_factory=dict)  # uuid of a last line -> title


def session_of(reading: Reading, line: Mapping[str, Json]) -> Session:
    """Find the session of a line, or begin it; the least used one is ended when there are too many."""
    named = named_session(line)
    inside = named is not None and named.startswith(AGENT)
    if named is not None and not inside:
        reading.current = named
    key = named or reading.current or _NO_ID
    if not inside and line.get("isSidechain") is True:
        agent = string(line.get("agentId"))
        if agent is not None:
            key = AGENT + agent.removeprefix(AGENT)
    if reading.current is None:
        reading.current = key
    session = reading.sessions.get(key)
    if session is None:
        subagent = key.startswith(AGENT)
        thread = Thread(key, reading.events, named_by_answer=subagent)
        session = reading.sessions[key] = Session(thread, None if key == _NO_ID else key, subagent)
        if len(reading.sessions) > _OPEN_SESSIONS:
            reading.sessions.popitem(last=False)[1].thread.end()
    else:
        reading.sessions.move_to_end(key)
    return session


def named_session(line: Mapping[str, Json]) -> str | None:
    """Give the session id a line says; programs that print their lines write `session_id`."""
    return string(line.get("sessionId")) or string(line.get("session_id"))


def tell_facts(reading: Reading, session: Session, line: Mapping[str, Json], **more: Json) -> None:
    """Give what a line newly tells of its session; something before its first message in any case."""
    told = session.facts
    new = {} if told else {"agent": _WHO}
    for key, name in _FACTS:
        if name not in told and (value := string(line.get(key))):
            new[name] = value
    for name, fact in more.items():
        if fact is not None and name not in told and (value := string(fact)):
            new[name] = value
    if new:
        told.update(new)
        reading.events.append(SessionFacts(session.thread.key, session.id, FORMAT, facts=new))


def tell_of(reading: Reading, key: str, **facts: str) -> None:
    """Give facts of a session that may have no line of its own here."""
    session = reading.sessions.get(key)
    if session is not None:
        session.facts |= {"agent": _WHO, **facts, **session.facts}
    known = {"agent": _WHO, **facts}
    reading.events.append(SessionFacts(key, None if key == _NO_ID else key, FORMAT, facts=known))

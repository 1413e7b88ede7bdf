"""Lines of Claude Code transcripts, made for the tests of its reader."""

from dataclasses import replace
from typing import Any

from reading import events, messages

from memctl.model import Message
from memctl.readers import claude_code

SESSION = "5e551011"
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}


def line(kind: str, uuid: str | None, follows: str | None = None, **more: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "type": kind,
        "sessionId": SESSION,
        "parentUuid": follows,
        "isSidechain": False,
        "timestamp": "2026-03-01T08:00:00.000Z",
        "cwd": "/w",
        "version": "2.1.9",
        "gitBranch": "main",
    }
    return {**base, **({"uuid": uuid} if uuid else {}), **more}


def user(uuid: str | None, follows: str | None, content: Any, **more: Any) -> dict[str, Any]:
    return line("user", uuid, follows, message={"role": "user", "content": content}, **more)


def agent(
    uuid: str | None, follows: str | None, answer: str | None, *blocks: Any, **more: Any
) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "model": "claude-x", "content": list(blocks)}
    message["usage"] = {"input_tokens": 9, "output_tokens": len(uuid or ""), "cache": {"deep": 1}}
    return line("assistant", uuid, follows, message={**message, **({"id": answer} if answer else {})}, **more)


def words(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def call(name: str, tool: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": tool, "input": arguments}


def result(name: str, content: Any = "ok", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": content, **more}


def progress(uuid: str, follows: str | None, name: str, inner: dict[str, Any]) -> dict[str, Any]:
    data = {"type": "agent_progress", "agentId": name, "prompt": "look", "message": inner}
    return line("progress", uuid, follows, data=data, parentToolUseID="t-task", toolUseID="x")


def read(*lines: dict[str, Any]) -> list[Message]:
    return messages(claude_code, lines)


def shapes(found: list[Message]) -> list[tuple[str | None, str, list[str]]]:
    return [(one.id, one.role, [type(part).__name__ for part in one.parts]) for one in found]


# One answer in four lines; the results of its parallel calls come in between and after.
ANSWER = [
    user("u1", None, "count the tests"),
    agent("a1", "u1", "m1", {"type": "thinking", "thinking": "hm", "signature": "s"}),
    agent("a2", "a1", "m1", words("I look.")),
    agent("a3", "a2", "m1", call("t1", command="ls t")),
    line("progress", "p1", "a3", data={"type": "bash_progress", "output": "a"}),
    user("r1", "p1", [result("t1")]),
    agent("a4", "a3", "m1", call("t2", command="ls u")),
    user("r2", "a4", [result("t2", "no", is_error=True)]),
    agent("b1", "r1", "m2", words("Two.")),
    line("system", "s1", "b1", subtype="turn_duration"),
    user("u2", "s1", "and now?"),
    agent("c1", "u2", "m3", words("Done.")),
]


SUBAGENT = [
    {
        "type": "user",
        "uuid": "x1",
        "timestamp": "2026-03-01T08:00:01Z",
        "message": {"role": "user", "content": "look"},
    },
    {
        "type": "assistant",
        "uuid": "x2",
        "timestamp": "2026-03-01T08:00:02Z",
        "message": {
            "id": "mx",
            "role": "assistant",
            "model": "claude-small",
            "content": [call("t9", "Grep")],
        },
    },
    {"type": "user", "uuid": "x3", "message": {"role": "user", "content": [result("t9")]}},
]


def queue(operation: str, second: int, content: Any = None) -> dict[str, Any]:
    when = f"2026-03-01T08:00:{second:02}.000Z"
    extra = {} if content is None else {"content": content}
    return {
        "type": "queue-operation",
        "operation": operation,
        "timestamp": when,
        "sessionId": SESSION,
        **extra,
    }


# One file with everything that a session may hold.
LINES = [
    {"type": "summary", "summary": "A title", "leafUuid": "u2"},
    *ANSWER,
    queue("enqueue", 1, "and the docs"),
    queue("remove", 2),
    *(progress(f"q{n}", "c1", "ab12", inner) for n, inner in enumerate(SUBAGENT)),
    user("r9", "q2", [result("t-task")], toolUseResult={"agentId": "ab12"}),
    user("x9", None, "aside", isSidechain=True),
    agent("x10", "x9", "m9", words("hm"), isSidechain=True),
    line("system", "s9", None, subtype="compact_boundary", logicalParentUuid="r9"),
    user("u9", "s9", "This session is being continued ...", isCompactSummary=True),
    user("u1", None, "another line of the same uuid"),
    line("tool_use", "t8", "u9", name="bash", input={}),
    line("tool_result", "r8", "t8", output="x"),
    agent("d1", "r8", "m8", words("bye"), call("t7")),
    agent("d2", "d1", "m8", words("really")),
]


def check_cuts(data: bytes, *, step: int = 1) -> None:
    """Check that each session of a file cut after any line is the beginning of that of the whole file.

    A message may grow at its end and take on the usage of its last piece; nothing else changes.
    """
    ids = [(one.session, one.id) for one in _messages(data) if one.id is not None]
    assert len(ids) == len(set(ids))
    lines = data.split(b"\n")
    whole = _by_session(data)
    for cut in range(0, len(lines), step):
        for session, beginning in _by_session(b"\n".join(lines[:cut]) + b"\n").items():
            for early, late in zip(beginning, whole[session], strict=False):
                assert late.parts[: len(early.parts)] == early.parts
                assert replace(early, parts=(), usage=None) == replace(late, parts=(), usage=None)
            assert len(beginning) <= len(whole[session])


def _by_session(data: bytes) -> dict[str, list[Message]]:
    found: dict[str, list[Message]] = {}
    for message in _messages(data):
        found.setdefault(message.session, []).append(message)
    return found


def _messages(data: bytes) -> list[Message]:
    return [event for event in events(claude_code, data) if isinstance(event, Message)]

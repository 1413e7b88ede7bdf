"""Copilot CLI's event logs: made for tests."""

from typing import Any


def event(name: str, kind: str, parent: str | None = None, **data: Any) -> dict[str, Any]:
    made = {"type": kind, "data": data, "id": name, "parentId": parent}
    return {**made, "timestamp": f"2026-03-26T17:50:{int(name):02}.000Z"}


LOG = [
    event(
        "1",
        "session.start",
        sessionId="s-1",
        copilotVersion="1.0.11",
        startTime="2026-03-26T17:50:00.000Z",
        context={"cwd": "/w", "branch": "main"},
    ),
    event("2", "session.model_change", "1", newModel="m"),
    event(
        "3",
        "user.message",
        "2",
        content="list",
        transformedContent="<x>list</x>",
        attachments=[{"path": "a"}],
    ),
    event("4", "assistant.reasoning", "3", content="think"),
    event("5", "tool.execution_start", "4", toolCallId="c1", toolName="bash", arguments={"command": "ls"}),
    event(
        "6",
        "assistant.message",
        "5",
        content="Listing.",
        outputTokens=12,
        toolRequests=[{"toolCallId": "c1", "name": "bash", "arguments": {"command": "ls"}}],
    ),
    event("7", "tool.execution_complete", "6", toolCallId="c1", success=True, result={"content": "a"}),
    event("8", "hook.start", "7", hookType="preToolUse"),
    event("9", "tool.execution_start", "8", toolCallId="c2", toolName="task", arguments={"prompt": "go"}),
    event("10", "subagent.started", "9", toolCallId="c2", agentName="explore"),
    event("11", "assistant.message", "10", content="Found it.", parentToolCallId="c2"),
    event("12", "tool.execution_complete", "11", toolCallId="c2", success=False, error={"message": "no"}),
    event("13", "tool.execution_start", "12", toolCallId="c3", toolName="bash", arguments={}),
    event("14", "assistant.turn_end", "13", turnId="0"),
    event("15", "user.message", "14", content="a skill", source="skill-pdf"),
    event("16", "session.compaction_complete", "15", summaryContent="So far."),
    event("17", "session.error", "16", message="overloaded"),
    event("18", "tool.user_requested", "17", toolCallId="c4", toolName="bash", arguments={"command": "pwd"}),
]

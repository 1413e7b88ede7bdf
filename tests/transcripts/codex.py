"""Codex rollouts: a session in its wrapped form; made for tests."""

from typing import Any

T = "2026-02-01T10:00:0{}Z"


def line(kind: str, second: int = 0, **payload: Any) -> dict[str, Any]:
    return {"timestamp": T.format(second), "type": kind, "payload": payload}


def meta(name: str = "c1", **more: Any) -> dict[str, Any]:
    return line("session_meta", id=name, cwd="/w", cli_version="0.90.0", **more)


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return line("response_item", 1, type=kind, **payload)


def said(role: str, words: str, **more: Any) -> dict[str, Any]:
    block = {"type": "output_text" if role == "assistant" else "input_text", "text": words}
    return item("message", role=role, content=[block], **more)


def event(kind: str, **payload: Any) -> dict[str, Any]:
    return line("event_msg", 2, type=kind, **payload)


SESSION = [
    meta(git={"branch": "main"}),
    line("turn_context", model="m-1", cwd="/w"),
    said("user", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"),
    said("user", "fix the port"),
    event("user_message", message="fix the port", images=[]),
    event("agent_reasoning", text="**Look first**"),
    item("reasoning", summary=[{"type": "summary_text", "text": "**Look first**"}], encrypted_content="gAAA"),
    event("agent_message", message="I will look."),
    said("assistant", "I will look."),
    item("function_call", name="shell", arguments='{"command":["grep","-rn","8080"]}', call_id="k1"),
    item("custom_tool_call", name="apply_patch", input="*** Begin Patch\n*** End Patch", call_id="k2"),
    event("token_count", info={"total_token_usage": {"n": 3}, "last_token_usage": {"input_tokens": 3}}),
    item("function_call_output", call_id="k1", output='{"output":"cfg.py:3","metadata":{"exit_code":0}}'),
    item("custom_tool_call_output", call_id="k2", output='{"output":"no","metadata":{"exit_code":1}}'),
    said("assistant", "Done."),
    event("agent_message", message="Done."),
]

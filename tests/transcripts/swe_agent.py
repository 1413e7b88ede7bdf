"""Trajectories of SWE-agent, in text and with calls: made for tests."""

from typing import Any


def step(thought: str, action: str, observation: str) -> dict[str, Any]:
    return {
        "thought": thought,
        "action": action,
        "observation": observation,
        "response": f"{thought}\n```\n{action}```",
    }


def told(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "agent": "main", **more}


TEXT_MODE: dict[str, Any] = {
    "environment": "swe_main",
    "trajectory": [
        {**step("look", "ls -F\n", "a.py\n"), "state": '{"open_file": "n/a", "working_dir": "/repo"}'},
        step("blocked", "vim\n", "not allowed"),
        step("open it", "open a.py\n", "x = 1 and much more"),
        step("", "submit\n", "diff"),
    ],
    "history": [
        told("system", "S"),
        told("user", "a demonstration", is_demo=True),
        told("user", "the issue"),
        told("assistant", "look\n```\nls -F\n```", thought="look", action="ls -F\n"),
        told("user", "a.py\n(Open file: n/a)\nbash-$"),
        told("assistant", "open it", thought="open it", action="open a.py\n"),
        told("user", "Old output omitted (3 lines)"),
        told("user", "Your output was not formatted correctly."),
        told("assistant", "submit", thought="", action="submit\n"),
    ],
    "info": {"exit_status": "submitted"},
}


CALL = {"id": "c1", "type": "function", "function": {"name": "find_file", "arguments": '{"file_name":"a"}'}}


CALLING = {
    "trajectory": [{**step("find", "find_file a", "found"), "state": {"working_dir": "/repo"}}],
    "history": [
        told("user", "the issue"),
        told(
            "assistant",
            "find",
            thought="find",
            action="find_file a",
            tool_calls=[CALL],
            thinking_blocks=[{"type": "thinking", "thinking": "hm", "signature": "S"}],
        ),
        told("tool", "found\nbash-$", tool_call_ids=["c1"]),
    ],
    "replay_config": '{"agent": {"model": {"name": "m-1"}}}',
}

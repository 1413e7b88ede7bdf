"""Trajectories in the interchange format of Harbor, and its traces: made for tests."""

from typing import Any

CALL = {"tool_call_id": "c1", "function_name": "bash", "arguments": {"cmd": "ls"}}


TRAJECTORY: dict[str, Any] = {
    "schema_version": "ATIF-v1.5",
    "session_id": "z",
    "agent": {"name": "demo", "version": "1", "model_name": "m", "extra": {"cwds": ["/app"]}},
    "steps": [
        {"step_id": 1, "source": "system", "message": "S", "timestamp": "2026-01-01T00:00:00Z"},
        {"step_id": 2, "source": "user", "message": "do it"},
        {
            "step_id": 3,
            "source": "agent",
            "message": "ok",
            "reasoning_content": "hm",
            "model_name": "m-2",
            "tool_calls": [CALL, {**CALL, "tool_call_id": "c2"}],
            "observation": {
                "results": [
                    {"source_call_id": "c2", "content": "b"},
                    {"source_call_id": "c1", "content": "a", "extra": {"is_error": True}},
                ]
            },
            "metrics": {
                "prompt_tokens": 5,
                "completion_tokens": 2,
                "cost_usd": 0.1,
                "prompt_token_ids": [1, 2],
            },
        },
    ],
}


def trace(episode: int, *said: str, run: str = "r1") -> dict[str, Any]:
    turns = [{"role": "assistant" if at % 2 else "user", "content": one} for at, one in enumerate(said)]
    return {
        "conversations": turns,
        "agent": "terminus-2",
        "model": "m",
        "task": "hello",
        "episode": f"episode-{episode}",
        "run_id": run,
    }

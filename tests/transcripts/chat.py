"""Chat messages, OpenAI's and Anthropic's: made for tests."""

from typing import Any

WEATHER: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Is it raining in Ghent?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "weather", "arguments": '{ "city":"Ghent" }'},
            },
            {"id": "c2", "type": "function", "function": {"name": "clock", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "name": "weather", "content": "rain"},
    {"role": "tool", "tool_call_id": "c2", "content": "08:00"},
    {"role": "assistant", "content": "It is."},
]


BLOCKS: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "add a flag"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "look first", "signature": "s"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "a.py"}},
        ],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x=1"}]},
    {"role": "assistant", "content": "Done."},
]

"""Items of the Responses API, and a response around some: made for tests."""

from typing import Any

ITEMS: list[dict[str, Any]] = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "free the port"}]},
    {
        "type": "reasoning",
        "id": "rs1",
        "summary": [{"type": "summary_text", "text": "look"}],
        "encrypted_content": "g",
    },
    {"type": "function_call", "id": "fc1", "call_id": "k1", "name": "shell", "arguments": '{"c": 1}'},
    {"type": "function_call_output", "call_id": "k1", "output": "8080"},
    {
        "type": "message",
        "id": "ms1",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Freed."}],
    },
]


RESPONSE: dict[str, Any] = {
    "object": "response",
    "id": "resp1",
    "model": "m-1",
    "created_at": 1_767_596_404,
    "instructions": "Be brief.",
    "input": "free the port",
    "output": ITEMS[1:3],
    "usage": {"input_tokens": 9, "output_tokens": 3, "input_tokens_details": {}},
}

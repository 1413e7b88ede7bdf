"""Grok's chat histories: made for tests."""

HISTORY = [
    {"type": "system", "content": "You are Grok."},
    {
        "type": "user",
        "content": [{"type": "text", "text": "<user_info>"}],
        "synthetic_reason": "environment_context",
    },
    {"type": "user", "content": [{"type": "text", "text": "read it"}], "prompt_index": 0},
    {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "Read."}],
        "encrypted_content": "x",
    },
    {
        "type": "assistant",
        "content": "I will.",
        "tool_calls": [{"id": "c1", "name": "read_file", "arguments": '{"f":"a"}'}],
        "model_id": "grok-4.5",
    },
    {"type": "tool_result", "tool_call_id": "c1", "content": "x", "images": ["data:image/png;base64,QUJD"]},
    {"type": "reasoning", "summary": [{"text": "No name."}]},
    {
        "type": "backend_tool_call",
        "kind": {"tool_type": "web_search", "action": {"query": "q"}, "id": "ws_1"},
    },
    {"type": "assistant", "content": "Done.", "reasoning": {"text": "inline"}, "tool_calls": []},
    {"type": "reasoning", "id": "rs_2", "summary": [{"text": "left"}]},
    {"type": "user", "content": [{"type": "image", "url": "data:image/png;base64,QUJD"}], "prompt_index": 1},
]

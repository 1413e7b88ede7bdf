"""Claude.ai exports: made for tests."""

from typing import Any


def said(name: str, sender: str, *content: Any, **more: Any) -> dict[str, Any]:
    made = {"uuid": name, "sender": sender, "text": "", "content": list(content)}
    return {**made, "created_at": "2026-03-01T08:00:00.123456+00:00", **more}


CHAT = {
    "uuid": "v-1",
    "name": "Ports",
    "created_at": "2026-03-01T07:59:00Z",
    "updated_at": "2026-03-01T08:09:00Z",
    "chat_messages": [
        said(
            "m1",
            "human",
            {"type": "text", "text": "look"},
            attachments=[{"file_name": "a", "extracted_content": "x"}],
        ),
        said(
            "m2",
            "assistant",
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Searching."},
            {"type": "tool_use", "id": "t1", "name": "web_search", "input": {"query": "port"}},
            {
                "type": "tool_result",
                "tool_use_id": "t1",
                "name": "web_search",
                "content": [{"type": "text", "text": "r"}],
            },
            {"type": "text", "text": "It is 80."},
            parent_message_uuid="m1",
        ),
        said("m3", "human", text="old form", content=[], parent_message_uuid="m2"),
        said("m4", "assistant"),
    ],
}

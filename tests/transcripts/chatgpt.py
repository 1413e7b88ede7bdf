"""ChatGPT exports: trees of messages; made for tests."""

from typing import Any


def node(name: str, parent: str | None, message: Any = None, **more: Any) -> dict[str, Any]:
    return {name: {"id": name, "parent": parent, "children": [], "message": message, **more}}


def said(role: str, *pieces: Any, kind: str = "text", **more: Any) -> dict[str, Any]:
    content = {"content_type": kind, "parts": list(pieces)} if pieces else {"content_type": kind}
    content |= more.pop("content", {})
    return {"author": {"role": role, "name": more.pop("tool", None)}, "content": content, **more}


TREE = {
    **node("root", None),
    **node("sys", "root", said("system", "", weight=0)),
    **node(
        "set", "sys", said("user", kind="user_editable_context", content={"user_instructions": "Be brief."})
    ),
    **node("q", "set", said("user", "sum it?", create_time=1767596400.5)),
    **node("old", "q", said("assistant", "Later.", metadata={"model_slug": "gpt-x"})),
    **node(
        "t",
        "q",
        said("assistant", kind="thoughts", content={"thoughts": [{"summary": "Sum", "content": "1+1"}]}),
    ),
    **node("c", "t", said("assistant", kind="code", recipient="python", content={"text": "1+1"})),
    **node("r", "c", said("tool", tool="python", kind="execution_output", content={"text": "2"})),
    **node("a", "r", said("assistant", "Two.", create_time="1767596402")),
    **node("hid", "a", said("user", "internal", metadata={"is_visually_hidden_from_conversation": True})),
    **node(
        "pic",
        "hid",
        said(
            "user",
            {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f1"},
            "what is it?",
            kind="multimodal_text",
        ),
    ),
    **node(
        "quote",
        "pic",
        said("tool", kind="tether_quote", content={"url": "https://x", "title": "X", "text": "t"}),
    ),
    **node("end", "quote", said("assistant", kind="reasoning_recap", content={"content": "Thought for 1s"})),
}


CHAT = {
    "title": "Sums",
    "create_time": 1767596400,
    "conversation_id": "c-1",
    "current_node": "end",
    "default_model_slug": "gpt-x",
    "mapping": TREE,
}

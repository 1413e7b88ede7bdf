"""Cursor: transcripts of its agent, and chats exported as Markdown; made for tests."""

from typing import Any


def turn(role: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "message": {"content": list(blocks)}}


LINES = [
    turn("user", {"type": "text", "text": "<user_query>\nlist it\n</user_query>"}),
    turn(
        "assistant",
        {"type": "text", "text": "[REDACTED]"},
        {"type": "thinking", "thinking": "look"},
        {"type": "text", "text": "Listing."},
        {"type": "tool_use", "name": "Shell", "input": {"command": "ls"}},
        {"type": "tool_call", "id": "c2", "name": "read_file", "input": {"path": "a"}},
    ),
    turn(
        "user",
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a"}]},
        {"type": "tool-result", "tool_use_id": "c2", "content": "x"},
        {"type": "text", "text": "and now?"},
    ),
    {"type": "turn_ended", "status": "success"},
    {**turn("assistant", {"type": "new_block", "text": "Seen."}), "model": "m"},
]


EXPORT = """\
# slait
# Ports that are taken
_Exported on 2025. 7. 6. at 18시 15분 42초 GMT+9 from Cursor (1.2.1)_

---

**User**

---

# Plan

two parts

---

**Cursor**

First:

---

### One
**User** stands here.

**Cursor**

```yaml
---
a: 1
---
```

---

**User**

again

"""

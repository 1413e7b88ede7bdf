"""Tasks of Cline and Roo: what was sent to the model, and what the window showed; made for tests."""

import json
from typing import Any

ENVIRONMENT = "<environment_details>\n# Current Working Directory (/w) Files\na.py\n</environment_details>"


def says(role: str, *texts: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": one} for one in texts], **more}


SENT = [
    says("user", "<task>\nadd a flag\n</task>", ENVIRONMENT, ts=1780000000000),
    says(
        "assistant",
        "<thinking>\nlook first\n</thinking>\n\nI read it.\n<read_file>\n<path>a.py</path>\n</read_file>",
        modelInfo={"modelId": "m"},
        metrics={"tokens": {"prompt": 5, "completion": 2}},
    ),
    says("user", "[read_file for 'a.py'] Result:\nx=1", ENVIRONMENT),
    says(
        "assistant",
        "<write_to_file>\n<path>a.py</path>\n<content>\n"
        "say </content> and </write_to_file>\n</content>\n</write_to_file>",
    ),
    says("user", "[write_to_file for 'a.py'] Result:", "Saved.", ENVIRONMENT),
    says(
        "assistant",
        "<list_files><path>.</path></list_files><execute_command><command>ls</command></execute_command>",
    ),
    says(
        "user",
        "[list_files for '.'] Result:\na.py",
        "Tool [execute_command] was not executed because a tool has already been used.",
    ),
    says("assistant", "<attempt_completion><result>done</result></attempt_completion>"),
    says("user", "thanks"),
]


NATIVE = [
    says("user", "<task>\nadd a flag\n</task>"),
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "toolu_9", "name": "read_file", "input": {"path": "a.py"}}],
    },
    {"role": "user", "content": [{"type": "text", "text": "[read_file for 'a.py'] Result:\nx=1"}]},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "toolu_10", "name": "read_file", "input": {"path": "b.py"}}],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_10", "content": "y"},
            {"type": "text", "text": ENVIRONMENT},
        ],
    },
]


def shows(kind: str, what: str, value: Any = "", **more: Any) -> dict[str, Any]:
    return {
        "ts": 1780000000000,
        "type": kind,
        kind: what,
        "text": value if isinstance(value, str) else json.dumps(value),
        **more,
    }


WINDOW = [
    shows("say", "task", "add a flag"),
    shows("say", "api_req_started", {"request": "..", "tokensIn": 5, "tokensOut": 2, "cost": 0.1}),
    shows("say", "reasoning", "look first"),
    shows("say", "text", "I look."),
    shows("say", "tool", {"tool": "listFilesTopLevel", "path": "src", "content": "a.py"}),
    shows("ask", "tool", {"tool": "editedExistingFile", "path": "a.py", "diff": "+x"}),
    shows("ask", "command", "pytest -q"),
    shows("say", "command_output", "1 passed"),
    shows("ask", "command_output", "in 0.1s"),
    shows("say", "checkpoint_created"),
    shows("say", "completion_result", "Done."),
    shows("ask", "completion_result"),
    shows("say", "user_feedback", "thanks"),
]

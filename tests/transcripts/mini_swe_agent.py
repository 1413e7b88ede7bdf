"""Trajectories of mini-swe-agent: calls, or commands in a code block; made for tests."""

ASKS = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}


CALLING = {
    "trajectory_format": "mini-swe-agent-1.1",
    "instance_id": "x-1",
    "info": {
        "mini_version": "2.2.7",
        "config": {"model": {"model_name": "m"}, "environment": {"cwd": "/testbed"}},
    },
    "messages": [
        {"role": "system", "content": "S"},
        {"role": "user", "content": "fix"},
        {
            "role": "assistant",
            "content": "go",
            "tool_calls": [ASKS],
            "extra": {"timestamp": 1780000000.5, "response": {"model": "m-1", "usage": {"total_tokens": 3}}},
        },
        {
            "role": "tool",
            "tool_call_id": "c1",
            "content": "<returncode>1</returncode>",
            "extra": {"returncode": 1, "timestamp": 1780000001},
        },
        {"role": "user", "content": "Tool call error", "extra": {"interrupt_type": "FormatError"}},
        {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted"}},
    ],
}


BLOCKS = [
    {"role": "user", "content": "fix"},
    {"role": "assistant", "content": "THOUGHT: look\n\n```bash\nls -la\n```"},
    {"role": "user", "content": "<returncode>0</returncode>\n<output>\na.py\n</output>"},
    {"role": "assistant", "content": "two\n```bash\na\n```\n```bash\nb\n```"},
    {"role": "user", "content": "Please always provide EXACTLY ONE action."},
    {"role": "assistant", "content": "```mswea_bash_command\nsubmit\n```"},
    {"role": "user", "content": ""},
]

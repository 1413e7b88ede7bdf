"""Runs of tau-bench, and its dialogues: made for tests."""

ASKS = {"id": "c1", "type": "function", "function": {"name": "get_user", "arguments": '{"id":"u"}'}}


TURNS = [
    {"role": "system", "content": "# Policy"},
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": None, "tool_calls": [ASKS]},
    {"role": "tool", "tool_call_id": "c1", "name": "get_user", "content": "{}"},
    {"role": "assistant", "content": "hello"},
]


RUNS = [
    {"task_id": 0, "trial": 0, "reward": 1.0, "info": {}, "traj": TURNS},
    {"task_id": 0, "trial": 1, "reward": 0.0, "info": {}, "traj": TURNS},
]


SHOWN = {"messages_display": "user: hi\nthere\nassistant: None\ntool: {}\nassistant: hello"}

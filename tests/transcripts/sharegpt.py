"""Conversations of data sets for training: made for tests."""

CHAT = {
    "id": "identity_0",
    "system": "Be kind.",
    "tools": "[]",
    "conversations": [
        {"from": "human", "value": "find it"},
        {"from": "function_call", "value": '{"name": "find", "arguments": {"q": "x"}}'},
        {"from": "observation", "value": '{"found": 1}'},
        {"from": "gpt", "value": "Found."},
    ],
}


PREFERENCE = {
    "conversations": [{"from": "human", "value": "hi"}],
    "chosen": {"from": "gpt", "value": "Hello!"},
    "rejected": {"from": "gpt", "value": "What?"},
}

"""Secrets are redacted wherever a transcript or a person has words: titles, branches, names, tasks."""

import json
from pathlib import Path

from running import memctl


def token(number: int) -> str:
    return f"ghp_{number:02d}AbCdEfGhIjKlMnOpQrStUvWxYz01234567"


def test_no_secret_of_any_field_with_words_is_stored(tmp_path: Path) -> None:
    base = {
        "sessionId": "s1",
        "cwd": f"/home/{token(1)}",
        "gitBranch": f"feat/{token(2)}",
        "version": "2.0",
        "timestamp": "2026-03-01T10:00:00Z",
    }
    said = {"role": "user", "content": f"fix it with {token(3)}"}
    arguments = {"command": f"curl {token(4)}", token(5): {"deep": token(6)}}
    use = {"type": "tool_use", "id": "c1", "name": "Bash", "input": arguments}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": f"out {token(7)}"}
    lines = [
        {"type": "summary", "summary": f"about {token(8)}", "leafUuid": "u3"},
        {**base, "type": "user", "uuid": "u1", "parentUuid": None, "message": said},
        {
            **base,
            "type": "assistant",
            "uuid": "u2",
            "parentUuid": "u1",
            "message": {"role": "assistant", "id": "m", "content": [use]},
        },
        {
            **base,
            "type": "user",
            "uuid": "u3",
            "parentUuid": "u2",
            "message": {"role": "user", "content": [result]},
        },
    ]
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", source)
    memctl("-q", "-C", home, "extract")
    memctl("-C", home, "task", "create", "mine", "--description", f"with {token(9)}", "--info", token(10))

    stored = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for number in range(1, 11):
        assert [path for path, data in stored.items() if token(number).encode() in data] == [], number
    assert memctl("-C", home, "check", "--secrets").code == 0

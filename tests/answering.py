"""What the tests of engines share: what is asked of a directory, and answers given to it."""

import json
from pathlib import Path
from typing import Any

from claude_chat import line, written
from running import memctl

SESSION = "5e1f0c7a-93d2-4b68-8c41-2f7d90ab6e13"  # of sample_sessions


def asked(home: Path, kind: str, subject: str = "") -> str:
    return memctl("-C", home, "-q", "prompt", kind, *filter(None, [subject])).out


def give(home: Path, kind: str, subject: str, answer: Any, code: int = 0) -> str:
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    found = memctl("-C", home, "apply", kind, *filter(None, [subject]), "--by", "m", stdin=text, code=code)
    return found.out + found.err


def talk(tmp_path: Path, *said: str, name: str = "talk") -> Path:
    """Make a directory of one session in which a user says things."""
    lines = [line("user", f"u{at}", text, name) for at, text in enumerate(said)]
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", written(tmp_path / f"{name}.jsonl", lines))
    return home


def memory(content: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {"content": content, "type": "persona", "source_message_ids": list(sources), **more}

"""What the tests of extract share: transcripts of a bakery, and its atoms."""

import json
from pathlib import Path
from typing import Any

from running import memctl

DAY = "2026-03-04"


def transcript(
    folder: Path, name: str, *said: str | tuple[str, str], day: str = DAY, cwd: str = "/home/ana/work/bakery"
) -> Path:
    """Write a Claude Code session: plain texts are the user's, pairs are (role, text)."""
    folder.mkdir(exist_ok=True)
    lines = []
    for number, one in enumerate(said):
        role, text = ("user", one) if isinstance(one, str) else one
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        lines.append(
            {
                "type": role,
                "uuid": f"{name}-{number}",
                "parentUuid": f"{name}-{number - 1}" if number else None,
                "sessionId": name,
                "cwd": cwd,
                "timestamp": f"{day}T09:{number:02d}:00Z",
                "message": {"role": role, "content": content},
            }
        )
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def bakery(folder: Path) -> Path:
    """Make a directory of two sessions with things worth remembering; give its path."""
    logs = folder / "logs"
    transcript(
        logs,
        "one",
        "My name is Ana and I run a small bakery in Porto.",
        ("assistant", "Nice to meet you, Ana! I prefer to start with the tests."),
        "I prefer small commits with long messages. Can you set up the repository?",
        ("assistant", "Option 1: plain files.\nOption 2: SQLite with one table a day."),
        "ok, let's go with option 2",
        "From now on, never push to main without asking me.",
        "We decided to keep the oven sensors on MQTT because the shop network is slow.",
    )
    transcript(
        logs,
        "two",
        "I promised Rui I'd send him the price list by Friday.",
        "我更喜欢用中文写的周报。",
        "Yesterday I moved the shop to a bigger street.",
        day="2026-03-05",
        cwd="/home/ana/work/pricing",
    )
    memory = folder / "memory"
    memctl("-C", memory, "ingest", logs)
    memctl("-C", memory, "extract")
    return memory


def listed(home: Path, status: str = "active") -> list[dict[str, Any]]:
    """Give the atoms."""
    data: list[dict[str, Any]] = memctl(
        "-C", home, "atom", "list", "--status", status, "--format", "json"
    ).data
    return data


def with_words(home: Path, text: str, status: str = "active") -> dict[str, Any]:
    """Give the one atom whose content holds *text*."""
    found = [atom for atom in listed(home, status) if text in atom["content"]]
    assert len(found) == 1, found
    return found[0]

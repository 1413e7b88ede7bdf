"""What the tests of `--engine llm` share: directories that a model worded, and those of the rules."""

from pathlib import Path
from typing import Any

from running import memctl, snapshot

SESSION = "5e1f0c7a-93d2-4b68-8c41-2f7d90ab6e13"


def made(home: Path) -> Path:
    memctl("-q", "-C", home, "init")
    return home


def ran(home: Path, source: Path, *more: str) -> dict[str, Any]:
    """Take a session in with a model, and give what the run came to."""
    found = memctl("-C", home, "ingest", source, "--engine", "llm", "--format", "json", *more)
    engine: dict[str, Any] = found.data["engine"]
    return engine


def words(home: Path) -> dict[str, bytes]:
    """Give a directory without its settings, which name the server."""
    return {name: data for name, data in snapshot(home).items() if name != "memctl.yaml"}


def by_rules(tmp_path: Path, source: Path) -> dict[str, bytes]:
    memctl("-q", "-C", made(tmp_path / "rules"), "ingest", source)
    return words(tmp_path / "rules")

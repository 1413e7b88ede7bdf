"""What the tests of tasks share: the tasks of a directory and what a canvas says of its own."""

import json
from pathlib import Path

from hypothesis import strategies as st
from running import memctl

NOON = "2026-03-07T12:00:00Z"


LATER = "2026-03-08T12:00:00Z"


def tasks(home: Path) -> dict[str, dict[str, object]]:
    return {row["task_id"]: row for row in memctl("-C", home, "task", "list", "--format", "json").data}


def task_of(home: Path, canvas: str) -> str:
    """Name the task that lists a canvas."""
    return next(
        name for name, row in tasks(home).items() if any(canvas in str(one) for one in [row["canvases"]])
    )


def header(home: Path, number: str) -> dict[str, object]:
    line = next((home / "mmds").glob(f"{number}-*")).read_text(encoding="utf-8").split("\n")[0]
    found: dict[str, object] = json.loads(line.removeprefix("%% "))
    return found


times = st.one_of(
    st.none(), st.sampled_from([NOON, LATER, "2026-03-07T14:00:00+02:00", "2026-01-01T00:00:00.5Z"])
)


words = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=30)

"""`memctl check` of 10,000 refs beside `sha256sum` of them: `python tests/benchmarks/check.py [DIRECTORY]`."""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import ENVIRONMENT, PROGRAM, side_by_side

SESSIONS, CALLS, LINES = 20, 500, 100


def main() -> None:
    """Print the ratio of processor time; a directory that is given is checked instead of a made one."""
    if sys.argv[1:]:
        _compare(sys.argv[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "sessions")
        source.mkdir()
        for number in range(SESSIONS):
            (source / f"{number}.json").write_text(json.dumps(_session(number)), encoding="utf-8")
        command = [*PROGRAM, "-q", "-C", f"{folder}/memory", "ingest", str(source)]
        subprocess.run(command, check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        _compare(f"{folder}/memory")


def _session(number: int) -> list[dict[str, object]]:
    made = random.Random(number)  # noqa: S311 - the same texts each time
    messages: list[dict[str, object]] = [{"role": "user", "content": f"mend module {number} of the project"}]
    for at in range(CALLS):
        call = f"c{number}_{at}"
        arguments = json.dumps({"command": f"cat src/module{number}_{at}.py"})
        function = {"name": "bash", "arguments": arguments}
        text = "\n".join(f"line {line} {made.random()}" for line in range(LINES))
        messages += [
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": call, "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": call, "content": text},
        ]
    return messages


def _compare(home: str) -> None:
    refs = [str(path) for path in Path(home, "refs").rglob("*.md")]
    reference = ["sh", "-c", f"find '{home}/refs' -type f -print0 | xargs -0 sha256sum"]
    ratio, ours, other = side_by_side([*PROGRAM, "-q", "-C", home, "check"], reference, runs=5)
    print(
        f"{len(refs):,} refs  {ratio:.2f} times sha256sum   {ours * 1000:.0f} ms beside {other * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()

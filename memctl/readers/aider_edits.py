"""The edits that a model wrote into its answer to Aider: which blocks belong to which file (FORMATS 12)."""

_SEARCH, _REPLACE = "<<<<<<< SEARCH", ">>>>>>> REPLACE"
_FENCES = ("```", "~~~", "<source>", "</source>")
_LONGEST_PATH = 300  # characters of a line that names a file


def edits_in(answer: str) -> dict[str, str]:
    """Give the SEARCH and REPLACE blocks of a model's answer by the path that stands before them.

    A block without a path goes on with the file of the one before it; one that is never closed is none.
    """
    found: dict[str, list[str]] = {}
    path, name, begun = "", "", -1
    lines = answer.split("\n") if _SEARCH in answer else []
    for at, line in enumerate(lines):
        if begun < 0 and line.startswith(_SEARCH):
            path, begun = name or path, at
        elif begun >= 0 and line.startswith(_REPLACE):
            if path:
                found.setdefault(path, []).append("\n".join(lines[begun : at + 1]))
            name, begun = "", -1
        elif begun < 0 and line.strip() and not line.startswith(_FENCES):
            name = _path(line)
    return {path: "\n".join(blocks) for path, blocks in found.items()}


def edit_of(edits: dict[str, str], path: str) -> str:
    """Give the blocks of the file that Aider says it changed, "" when the answer has none."""
    if path in edits:
        return edits[path]
    ending = f"/{path}"
    return next(
        (blocks for named, blocks in edits.items() if named.endswith(ending) or path.endswith(f"/{named}")),
        "",
    )


def _path(line: str) -> str:
    """Read a line as the name of a file, "" when it is none."""
    name = line.strip().strip("`*#: ")
    return name if name and " " not in name and len(name) <= _LONGEST_PATH else ""

"""Read what people write down for their agents: CLAUDE.md, AGENTS.md, memory notes, one message per statement.

The only reader that goes by a file's name: instructions look like any other Markdown.
"""

import os
import re
from collections.abc import Iterator

from memctl.model import Event, Message, SessionFacts, Text
from memctl.readers.source import Source

FORMAT = "notes"

_NAMES = frozenset(
    (
        *("claude.md", "claude.local.md", "agents.md", "agents.local.md", "agents.override.md", "gemini.md"),
        *("memory.md", "copilot-instructions.md", ".cursorrules", ".windsurfrules", ".clinerules"),
    )
)
_FOLDERS = frozenset(("memory", "memories"))
_MOST = 1000  # statements of a file
_LONGEST = 2000  # characters of a statement; more is no instruction but a document
_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]+\S")
_FENCE = re.compile(r"[ ]{0,3}(?:```|~~~)")
_RULE = re.compile(r"[ ]{0,3}(?:[-*_=][ \t]*){3,}")
_IMPORT = re.compile(r"@[\w~./-]+")


def detect(source: Source) -> bool:
    """Tell a file of notes by its name and that it is text."""
    path = source.name.replace("\\", "/").lower().split("/")
    named = path[-1] in _NAMES or (len(path) > 1 and path[-2] in _FOLDERS and path[-1].endswith(".md"))
    return named and source.shape == "text"


def read(source: Source) -> Iterator[Event]:
    """Give the statements as messages that nobody said in a conversation: marked as instructions.

    The session is named after the file and the two folders above it, so that it stays when the file grows.
    """
    path = os.path.abspath(source.name).replace("\\", "/")
    session = f"notes:{'/'.join(path.split('/')[-3:])}"
    facts = {"cwd": path.rpartition("/")[0], "title": path.rpartition("/")[2]}
    yield SessionFacts(session, session, FORMAT, facts=facts)
    for statement in statements(source.text()):
        yield Message(session, None, "system", (Text(statement),), marks=("instructions",))


def statements(text: str) -> list[str]:
    """Cut Markdown into its list items and paragraphs; headings, code, comments and tables are none."""
    found: dict[str, None] = {}
    open_lines: list[str] = []
    fenced = hidden = False
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    if lines and lines[0].strip() == "---" and "---" in lines[1:]:  # front matter
        lines = lines[lines.index("---", 1) + 1 :]

    def close() -> None:
        statement = " ".join(" ".join(open_lines).split())
        open_lines.clear()
        if 3 <= len(statement) <= _LONGEST and not _IMPORT.fullmatch(statement):
            found[statement] = None

    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
            close()
        elif fenced:
            continue
        elif hidden or line.lstrip().startswith("<!--"):
            hidden = "-->" not in line
            close()
        elif (
            not line.strip() or _HEADING.match(line) or _RULE.fullmatch(line) or line.lstrip().startswith("|")
        ):
            close()
        else:
            item = _ITEM.match(line)
            if item:
                close()
            open_lines.append(line[item.end() :] if item else line)
        if len(found) >= _MOST:
            break
    close()
    return list(found)[:_MOST]

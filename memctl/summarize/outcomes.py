"""What came back from a tool, without its harness's wrapper; and what a kind of call makes of it."""

import re
from dataclasses import dataclass
from typing import Literal

from memctl.summarize.patterns import regex
from memctl.text.letters import CJK

HEAD = 40_000  # characters looked at from the beginning of a long result
TAIL = 80_000  # and from its end, where tests and builds give their verdict

_TELLING = regex(rf"[^\W_]{{2}}|[{CJK}]|\d")
_WARNS = regex(r"\bwarn(?:ing)?\b|\[notice\]", re.IGNORECASE)
# Echoed commands (`> tsc --noEmit`, `[lint] $ ruff`), marks of progress, and what comes with any run: warnings about
# the installer, the terminal, the locale, and who runs it.
_ROUTINE = regex(
    r"\s*+(?:(?:\[[\w:.-]{1,40}\] )?\$ |> \S|\[[\w:.-]{1,40}\] Finished in|Finished in [\d.]+m?s$"
    r"|(?:WARNING|[Ww]arning): [^\n]{0,80}?\b(?:pip|terminfo|terminal|tty|locale|root)\b|Running as (?:user )?[\"']?root\b"
    r"|[^\n]{0,100}?\bTERM (?:variable|environment)\b|\[notice\]|npm (?:warn|WARN|notice)\b"
    r"|\(node:\d+\)|\(Use `node --trace|\+ set [-+]|DEBUG\b|\x1b"
    r"|\[[x*+]\] (?:[A-Z]\w+ing|Opened|Closed|Started|Stopped)\b)"
)
# A warning of Python's that comes with any run, with the source line below it.
_WARNING = regex(
    r"^[^\s:][^\n:]{0,300}:\d+: (?:Bytes|\w*Deprecation|Future|Resource|Import)Warning: [^\n]*\n(?:[ \t]+[^\n]*\n)?",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result without its wrapper.

    text: what was printed; of a long result its head and tail (*cut*). lines and size: of the whole.
    code: the exit code, where one is said. failed: what the harness says of success (exit codes aside);
    None when it says nothing. saved: the harness kept the full output in a file and shows its beginning.
    refused: why the call never ran ("refused by the user"), else "".
    """

    text: str
    lines: int
    size: int
    code: int | None = None
    failed: bool | None = None
    cut: bool = False
    saved: bool = False
    refused: str = ""

    @property
    def empty(self) -> bool:
        """Whether nothing was printed that says anything."""
        return self.lines < 20 and not any(map(telling, self.text.split("\n")))

    @property
    def silence(self) -> str:
        """What an empty result is called: a warning that comes with any run is output, too."""
        return "only warnings" if _WARNS.search(self.text) else "no output"

    @property
    def broke(self) -> bool:
        """Whether the harness or the exit code says that it failed."""
        return self.failed is True or self.code not in (None, 0)

    @property
    def worked(self) -> bool:
        """Whether the harness or the exit code says that it worked."""
        return not self.broke and (self.code == 0 or self.failed is False)

    def kept(self) -> list[str]:
        """Its lines that say something."""
        return [line for line in self.text.split("\n") if telling(line)]

    def opening(self) -> str:
        """Its first line that says something, and the next one when the first ends in a colon."""
        lines = [line.strip() for line in self.text[:4000].split("\n") if telling(line)][:2]
        return " ".join(lines if lines and lines[0].endswith((":", "：")) else lines[:1])


@dataclass(frozen=True, slots=True)
class Finding:
    """What a kind of call makes of its outcome: the summary's text and score, and whether it failed.

    turned: "red" or "green" for a verdict. target: a better target than the arguments gave, or "".
    """

    text: str
    score: int
    failed: bool = False
    turned: Literal["red", "green", ""] = ""
    target: str = ""


def last_match(
    pattern: re.Pattern[str], text: str, start: int = 0, stop: int | None = None
) -> re.Match[str] | None:
    """Return the last match of a pattern between two offsets."""
    found = None
    for match in pattern.finditer(text, start, len(text) if stop is None else stop):
        found = match
    return found


def telling(line: str) -> bool:
    """Say whether a line says anything: words, numbers, CJK; not a rule, a bracket, a routine warning."""
    return _TELLING.search(line, 0, 300) is not None and _ROUTINE.match(line) is None


def first_line(text: str) -> str:
    """Return the first line that says something, without what frames it."""
    for line in text[:4000].split("\n"):
        if telling(line):
            return line.strip()
    return ""


def last_line(text: str) -> str:
    """Return the last line that says something."""
    for line in reversed(text[-4000:].split("\n")):
        if telling(line):
            return line.strip()
    return ""


def line_at(text: str, place: int, limit: int = 500) -> str:
    """Return the line around the offset *place*, at most *limit* characters to each side."""
    start = text.rfind("\n", max(0, place - limit), place) + 1 or max(0, place - limit)
    end = text.find("\n", place, place + limit)
    return text[start : end if end >= 0 else place + limit].strip()


def without_warnings(text: str) -> str:
    """Take Python's warnings out of what a program printed, unless there is nothing else."""
    if "Warning: " not in text:
        return text
    rest = _WARNING.sub("", text)
    return rest if rest.strip() else text

"""Shell command lines taken apart: simple commands, what joins them, their redirections and here-documents.

Not a shell: enough of the grammar to say what a command line is about, in linear time on any text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from memctl.summarize.patterns import regex

LONGEST = 20_000  # characters of a command line that are looked at; the essence stands early

_DEEPEST = 4  # shells inside shells

_TOKEN = regex(
    r"""(?P<blank>(?:[ \t\r]|\\\n)++)
      | (?P<comment>(?<![^\s;&|(])\#[^\n]*+)
      | (?P<redirect>(?:\d|&)?>>?(?:&[\d-]?|\|)?|<<<|<&?)
      | (?P<operator>\n|&&|\|\|?&?|;;?&?|&|[()])
      | (?P<word>(?:
            [^\s'"\\&|;<>()`$] | \\. | '[^']*+' | \$'(?:[^'\\]|\\.)*+' | "(?:[^"\\]|\\.)*+"
            | \$\((?=\() | \$(?!\() | \$\([^()\n]*+\) | `[^`]*+`
        )++)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_HEREDOC = regex(r"""(?<!<)<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z_]\w*))""")
_QUOTES = regex(r"""\$?'([^']*)'|"((?:[^"\\]|\\.)*+)"|\\(.)""", re.DOTALL)
_ASSIGNMENT = regex(r"[A-Za-z_]\w*\+?=")
_KEYWORDS = frozenset(
    "if then else elif fi do done while until for case esac in { } ! [[ ]] function time".split()
)
_PREFIXES = frozenset(
    "sudo doas env command builtin exec nohup nice ionice stdbuf xvfb-run unbuffer setsid eval "
    "caffeinate strace".split()
)
_TIMED = frozenset(["timeout", "gtimeout"])
_VALUED = {
    "sudo": "-u",
    "env": "-u",
    "nice": "-n",
    "ionice": "-c",
    "stdbuf": "-o",
}  # options that take a word
_APPENDING = frozenset(["-a", "--append"])  # options of `tee`
_WINDOW = ("edit ", "edit\n", "insert\n", "append ")
_SHELLS = frozenset("bash sh zsh dash ash ksh fish".split())


class Simple(NamedTuple):
    """One simple command.

    words: its words without quotes; words[0] is the program's name without folders. piped: it reads
    the output of the command before it. before: the operator before it. outputs: files it writes to.
    document: the here-document it reads. assigned: environment assignments before it. appends: it writes behind
    what its files hold.
    """

    words: tuple[str, ...]
    before: str = ""
    outputs: tuple[str, ...] = ()
    document: str = ""
    assigned: tuple[str, ...] = ()
    appends: bool = False

    @property
    def piped(self) -> bool:
        """Whether it is a filter of the command before it."""
        return self.before.startswith("|") and self.before != "||"

    @property
    def program(self) -> str:
        """Its program."""
        return self.words[0]

    @property
    def operands(self) -> tuple[str, ...]:
        """Its words that are no options."""
        return tuple(word for word in self.words[1:] if not word.startswith("-") and word)


@dataclass(slots=True)
class _Open:
    """A simple command while it is being read."""

    words: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    appends: bool = False


def commands(line: str, depth: int = 0) -> tuple[Simple, ...]:
    """Take a command line apart into its simple commands, wrappers such as `timeout 60` removed.

    *depth* counts shells inside shells (`bash -c "bash -c ..."`), of which the innermost are left closed.
    """
    line = line[:LONGEST]
    if line.startswith(_WINDOW) and "\n" in line:  # SWE-agent: the lines to insert follow the command
        first, _, rest = line.partition("\n")
        document = rest.removesuffix("\n").removesuffix("end_of_edit").removesuffix("\n")
        return tuple(part._replace(document=document) for part in commands(first, depth)[:1])
    text, documents = _without_documents(line)
    found: list[Simple] = []
    loops: dict[str, list[str]] = {}
    for before, current in _split(text, documents):
        words = current.words
        if "for" in words[:2] and "in" in words[2:4]:
            start = words.index("in")
            loops[words[start - 1]] = words[start + 1 : start + 21]
        elif loops:
            current.words = [each for word in words[:200] for each in _expanded(word, loops)]
        simple = _simple(before, current)
        if simple is None:
            continue
        inner = _inner(simple) if depth < _DEEPEST else None
        if inner is None:
            found.append(simple)
        else:
            found.extend(commands(inner, depth + 1))
    return tuple(found)


def _expanded(word: str, loops: dict[str, list[str]]) -> list[str]:
    """Return what a loop's variable stands for: `$f` in `for f in a b; do sed -i ... $f; done` is a, b."""
    return loops.get(word.strip("${}"), [word]) if word.startswith("$") else [word]


def _without_documents(line: str) -> tuple[str, list[str]]:
    """Cut the here-documents out of *line*; the bodies are returned in their order."""
    if "<<" not in line:
        return line, []
    lines = line.split("\n")
    ends: dict[str, list[int]] = {}
    for number, each in enumerate(lines):
        ends.setdefault(each.strip(), []).append(number)
    kept: list[str] = []
    bodies: list[str] = []
    number = 0
    while number < len(lines):
        kept.append(lines[number])
        number += 1
        for match in _HEREDOC.finditer(kept[-1]):
            word = next(group for group in match.groups() if group)
            places = ends.get(word, [])
            after = bisect_right(places, number - 1)
            if after < len(places):
                bodies.append("\n".join(lines[number : places[after]]))
                number = places[after] + 1
    return "\n".join(kept), bodies


def _split(text: str, documents: list[str]) -> Iterator[tuple[str, _Open]]:
    """Yield each simple command with the operator before it."""
    left = iter(documents)
    before, current, target = "", _Open(), ""
    for match in _TOKEN.finditer(text):
        kind, word = match.lastgroup, match.group()
        if kind == "word":
            if "<<" in word:  # "$(cat <<'EOF')": the document of a substitution
                current.documents.extend(next(left, "") for _ in _HEREDOC.finditer(word))
            if target:
                if target == "<":
                    current.words.append(unquoted(word))
                elif target.startswith(("<", "&>&")) or target[-1] == "&":
                    pass
                elif word not in ("/dev/null", "/dev/stdout", "/dev/stderr"):
                    current.outputs.append(unquoted(word))
                    current.appends = target.endswith(">>")
                target = ""
            else:
                current.words.append(unquoted(word))
        elif kind == "redirect":
            heredoc = word == "<" and target == "<"
            if heredoc:  # `<<` comes as two
                body = next(left, "")
                current.documents.append(body)
            target = "<<" if heredoc else "" if ">&" in word and word[-1].isdigit() else word
        elif kind == "operator":
            yield before, current
            before, current, target = word, _Open(), ""
    yield before, current


def _simple(before: str, current: _Open) -> Simple | None:
    words = current.words
    start = 0
    assigned: list[str] = []
    while start < len(words):
        word = words[start]
        if word in _KEYWORDS:
            if word in ("for", "case", "function"):
                return None  # the words up to `do` or `in` are no command
        elif _ASSIGNMENT.match(word):
            assigned.append(word)
        elif word in _PREFIXES:
            while start + 1 < len(words) and words[start + 1].startswith("-"):
                start += 1
                if words[start] == _VALUED.get(word):
                    start += 1
        elif word in _TIMED:
            start += 1
            while start < len(words) and words[start].startswith("-"):
                start += 2 if words[start] in ("-k", "-s") else 1
        else:
            break
        start += 1
    rest = words[start:]
    if not rest:
        return None
    name = rest[0].replace("\\", "/").rstrip("/").rpartition("/")[2] or rest[0]
    name = name.removesuffix(".exe")
    return Simple(
        (name, *rest[1:]),
        before,
        tuple(current.outputs),
        "\n".join(current.documents),
        tuple(assigned),
        current.appends or (name == "tee" and not _APPENDING.isdisjoint(rest)),
    )


def _inner(simple: Simple) -> str | None:
    """Return the command line that *simple* hands to another shell: `bash -lc "..."`."""
    if simple.program not in _SHELLS:
        return None
    for position, word in enumerate(simple.words[1:], 1):
        if word.startswith("-") and not word.startswith("--") and "c" in word[1:]:
            return simple.words[position + 1] if position + 1 < len(simple.words) else None
        if not word.startswith("-"):
            return None
    return simple.document or None


def unquoted(word: str) -> str:
    """Take the quotes and backslashes of a shell word away."""
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return _QUOTES.sub(lambda match: next((group for group in match.groups() if group is not None), ""), word)


def line_of(words: list[str]) -> str:
    """Make a command line of a shell array: `["bash","-lc","ls a"]` is `ls a`."""
    if (
        len(words) >= 3
        and words[0].rpartition("/")[2] in _SHELLS
        and words[1].startswith("-")
        and "c" in words[1]
    ):
        return words[2]
    if len(words) == 1:
        return words[0]
    return " ".join(
        word if _PLAIN_WORD.fullmatch(word) else "'" + word.replace("'", "'\\''") + "'" for word in words
    )


_PLAIN_WORD = regex(r"[\w@%+=:,./~^-]+")

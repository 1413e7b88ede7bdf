"""What a whole command line is for: the one command in it that says so, its kind, and a short target."""

from typing import NamedTuple

from memctl.summarize.program_tables import FILTERS, SCRIPT_RUNNERS, Words
from memctl.summarize.programs import judge, operands, option
from memctl.summarize.shell import Simple
from memctl.summarize.wording import TARGET_LIMIT, clip, joined, short_address, short_path

# Of several commands in one line the one of the highest rank is what the line is for; of equals the first.
_RANK = {
    "test": 9,
    "build": 8,
    "run": 7,
    "edit": 6,
    "write": 6,
    "other": 6,
    "vcs": 6,
    "web": 5,
    "search": 4,
    "read": 3,
    "list": 2,
    "": 0,
}
_MADE = {"mkdir": 1, "touch": 1, "rm": 1, "rmdir": 0.5, "chmod": 1}  # mostly preparation or cleaning up
_WEIGHTY = {
    "commit": 0.4,
    "push": 0.3,
    "merge": 0.3,
    "rebase": 0.3,
    "cherry-pick": 0.3,
    "pull": 0.3,
    "revert": 0.3,
}
_WEIGHTY |= {
    "checkout": 0.2,
    "switch": 0.2,
    "reset": 0.2,
    "stash": 0.2,
    "apply": 0.2,
    "clone": 0.2,
    "add": 0.1,
    "diff": 0.05,
}
_NAMED = frozenset(
    "rm mv cp diff wc chmod chown mkdir tar unzip rmdir ln stat file cmp md5sum sha256sum".split()
)
_NOISE = frozenset(
    "-v -vv -vvv -s -x -xvs -xv -vs -sv -rA -l -la -count=1 --no-header --tb=short --tb=long "
    "--verbose --color=no".split()
)
FINDERS = frozenset(["find", "fd", "fdfind", "locate"])
_INTERPRETERS = (
    "python",
    "pypy",
    "node",
    "tsx",
    "ts-node",
    "deno",
    "bun",
    "ruby",
    "perl",
    "php",
    "Rscript",
    "lua",
)
_FORMATTERS = (
    frozenset("gofmt gofumpt goimports rustfmt black isort prettier autopep8 yapf ruff go cargo".split())
    | SCRIPT_RUNNERS
)
_SCRIPT_OPTIONS = frozenset("-e -f --expression -pe -ne -pie -lpe -lne".split())  # the pattern is their value
_PATTERN_FIRST = frozenset("sed gsed awk gawk perl jq yq chmod chown".split())


class Line(NamedTuple):
    """What a command line is for: its *kind*, its *target*, and the simple command that says so.

    words: the words of that command without runners. alone: nothing else in the line prints.
    """

    kind: str
    target: str
    main: Simple | None
    words: Words = ()
    alone: bool = True

    @property
    def named(self) -> list[str]:
        """The words that are neither options nor their values."""
        return operands(self.words) if self.words else []


class _Judged(NamedTuple):
    simple: Simple
    kind: str
    words: Words
    outputs: tuple[str, ...] = ()  # files it is for: nothing else is said by its program

    @property
    def rank(self) -> float:
        verb = next(iter(operands(self.words)), "") if self.kind == "vcs" else ""
        return _MADE.get(self.words[0], _RANK[self.kind]) + _WEIGHTY.get(verb, 0)


def read_line(parts: tuple[Simple, ...], whole: str) -> Line:
    """Find the command that a line is for, and name it; *whole* is the line as written."""
    judged: list[_Judged] = []
    for simple in parts:
        kind, words = judge(simple.words)
        outputs = simple.outputs if kind in ("", "read") else ()
        if outputs or words[0] == "tee":
            kind = "edit" if simple.appends else "write"
        judged.append(_Judged(simple, kind, words, outputs))
    best: _Judged | None = None
    for position, each in enumerate(judged):
        taken_over = each.simple.piped and _takes_over(each, judged[position - 1])
        if each.simple.piped and not taken_over:
            continue
        # Of equals the first, but what a pipe ends in, and the last build.
        later = taken_over or each.kind == "build"
        if best is None or each.rank > best.rank or (later and each.rank == best.rank):
            best = each
    if best is None:
        return Line("run", clip(whole, TARGET_LIMIT), None)
    return Line(
        best.kind or "run",
        _target(best, judged),
        best.simple,
        best.words,
        alone=sum(1 for each in judged if each.kind) <= 1,
    )


def _takes_over(each: _Judged, source: _Judged) -> bool:
    """Say whether a filter is what its pipeline is for: its source only prints (`echo x | python a.py`)."""
    if each.words[0] == "tee":
        return source.kind == "" and bool(operands(each.words))
    if each.kind == "edit":
        return True
    if each.kind == "search":
        leaves_out = any(word.startswith("-") and word[1:2] != "-" and "v" in word for word in each.words)
        names_files = source.kind in ("read", "list") or source.words[0] in FINDERS
        return each.simple.program == "xargs" or (names_files and not leaves_out)
    return each.words[0] not in FILTERS and (each.kind != "read" or source.kind == "")


def _target(each: _Judged, judged: list[_Judged]) -> str:
    words, kind = each.words, each.kind
    program = words[0]
    if each.outputs:
        return joined(each.outputs, TARGET_LIMIT, write=short_path)
    if kind == "search" or program == "find":
        return _searched(words)
    if kind in ("read", "edit", "write", "list") and program not in _FORMATTERS:
        named = program if program in _NAMED else ""
        same = [
            other
            for other in judged
            if other is each or (other.kind == kind and not other.simple.piped and other.words[0] == program)
        ]
        paths = list(dict.fromkeys(path for other in same for path in files_of(other.words)))
        if paths:
            return f"{named} {joined(paths, TARGET_LIMIT - 12, write=short_path)}".strip()
    if kind == "web":
        places = operands(words)
        if places:
            return short_address(next((word for word in places if "://" in word), places[-1]))
    if kind == "vcs":
        return _versioned(words)
    if program.startswith(_INTERPRETERS):
        code = option(words, "-c", "-e", "-p", "--eval") or each.simple.document
        if code:
            return clip(f"{program}: {gist(code)}", TARGET_LIMIT)
    return shown(words)


def _searched(words: Words) -> str:
    named = operands(words)
    if words[0] in FINDERS:
        inner = words[words.index("-exec") + 1 :] if "-exec" in words else ()
        if inner and inner[0] in ("grep", "egrep", "rg"):
            return _searched(inner)
        wanted = option(words, "-name", "-iname", "-path", "-ipath", "-regex")
        return clip(wanted or f"find {short_path(named[0]) if named else ''}".strip(), TARGET_LIMIT)
    wanted = option(words, "-e", "--regexp")
    return clip(wanted or (named[0] if named else words[0]), TARGET_LIMIT)


def _versioned(words: Words) -> str:
    named = operands(words)
    verb = named[0] if named else ""
    after = [] if verb in ("commit", "merge", "tag") else named[1:]
    if words[0] == "gh" and after:
        verb = f"{verb} {after.pop(0)}"
    after = after or [
        value for value in (option(words, "-b", "-B"),) if value and verb in ("checkout", "switch")
    ]
    places = joined(after, 50, " ", write=lambda word: short_path(word) if "/" in word else clip(word, 40))
    return clip(f"{words[0]} {verb} {places}", TARGET_LIMIT)


def shown(words: Words) -> str:
    """Write a command short: program, operands and the options that matter, long values cut."""
    kept = [word for word in words if word not in _NOISE]
    return clip(
        " ".join(short_path(word, 3) if word.count("/") > 3 else clip(word, 60) for word in kept),
        TARGET_LIMIT,
    )


def gist(code: str) -> str:
    """Return the line that says most about a script: its first comment or docstring, else its first act."""
    lines = [line.strip() for line in code[:4000].split("\n") if line.strip()]
    for line in lines[:40]:
        said = line.lstrip("#/ ").strip("\"' ")
        if line.startswith(("#", "//", '"""', "'''")) and not line.startswith("#!") and len(said) > 3:
            return said
    acts = [
        line
        for line in lines
        if not line.startswith(("import ", "from ", "sys.path", "const ", "#!", "package "))
    ]
    return (acts or lines or [""])[0]


def files_of(words: Words) -> list[str]:
    """Return the files that a reading or changing command names; scripts, modes and counts left out."""
    program = words[0]
    named = operands(words)
    if program in ("str_replace_editor", "file_editor"):
        return named[1:2]
    if program in ("edit", "insert", "goto", "scroll_down", "scroll_up"):
        return []
    if program in _PATTERN_FIRST and not any(word in _SCRIPT_OPTIONS for word in words):
        named = named[1:]
    return [word for word in named if not word.isdigit()]

"""Tool calls of all supported agents read alike: tool, server, arguments by name, command line, paths."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache

import orjson

from memctl.model import Json
from memctl.summarize import shell
from memctl.summarize.essence import Line, read_line
from memctl.summarize.patterns import regex
from memctl.summarize.program_tables import KIND_OF
from memctl.summarize.programs import operands
from memctl.summarize.verbs import KIND_OF_VERB
from memctl.text.numbers import whole

_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_LONG_NUMBER = regex(r"\d{19}")
_NOT_NAME = regex(r"[\W_]+")
_NAMESPACES = frozenset(
    ["functions", "defaultapi", "tools", "container", "default", "function", "builtin", "native"]
)
_LONGEST_NAME = 200
_REMEMBERED = 512  # names of tools and arguments: a transcript has few, over and over
PATHS = (
    "file_path path filename file absolute_path target_file notebook_path relative_workspace_path "
    "file_name filepath "
    "target_notebook uri directory dir dir_path directory_path target_directory folder paths files root"
).split()
COMMANDS = "command cmd command_line script bash_command commands shell_command keystrokes".split()
QUERIES = (
    "pattern query regex search_term search q queries glob glob_pattern file_pattern symbol name text keyword"
).split()
ADDRESSES = "url uri urls address link href".split()


_HEAD = 10  # lines that `head` lets through when nothing else is asked for


@dataclass(frozen=True)
class Request:
    """A tool call as the kinds see it.

    tool: its name as the transcript has it. name: without the server. key: the name without case and
    separators (`TodoWrite` and `todo_write` are both `todowrite`). server: the MCP server, or "". fields: the
    arguments by their snake-case names. text: the arguments when they are free text.
    """

    tool: str
    name: str
    key: str
    server: str
    fields: Mapping[str, Json]
    text: str

    def value(self, *names: str) -> Json:
        """Return the first argument of these names that is there and not empty, else None."""
        for name in names:
            found = self.fields.get(name)
            if found not in (None, "", [], {}):
                return found
        return None

    def string(self, *names: str) -> str:
        """Return the first non-empty argument of these names as text, else ""."""
        for name in names:
            found = self.fields.get(name)
            if isinstance(found, str) and found.strip():
                return found
            if isinstance(found, (int, float)) and not isinstance(found, bool):
                return str(found)
        return ""

    def strings(self, *names: str) -> list[str]:
        """Return all texts under the first of these names that holds any, also in lists and dicts."""
        for name in names:
            if name in self.fields and (found := _texts(self.fields[name])):
                return found
        return []

    @cached_property
    def command(self) -> str:
        """The command line it runs, shell arrays joined; "" when it runs none."""
        for name in COMMANDS:
            found = self.fields.get(name)
            if isinstance(found, str) and found.strip():
                return found
            if isinstance(found, list) and found and all(isinstance(word, str) for word in found):
                return shell.line_of(found)
        named = self.tool in KIND_OF and not self.text.startswith(self.tool)
        return f"{self.tool} {self.text}" if named and self.text else self.text

    @cached_property
    def parts(self) -> tuple[shell.Simple, ...]:
        """The simple commands of its command line."""
        return shell.commands(self.command)

    @cached_property
    def line(self) -> Line:
        """What its command line is for."""
        return read_line(self.parts, self.command)

    @cached_property
    def line_is_piped(self) -> bool:
        """Whether the exit code is that of a filter (`| tail -5`) or was thrown away (`|| true`)."""
        return bool(self.parts) and (self.parts[-1].piped or self.parts[-1].before == "||")

    def kept(self, number: int, *, ends: bool = False) -> str:
        """Say "first " of *number* lines when `| head` lets no more through; with *ends*, "last " of `tail`; else ""."""
        programs = ("head", "tail") if ends else ("head",)
        for part in self.parts:
            if part.program in programs and part.piped:
                wanted = "".join(part.words[1:]).removeprefix("--lines=").lstrip("-n ")
                if (wanted.isdecimal() and whole(wanted) <= number) or (not wanted and number >= _HEAD):
                    return "first " if part.program == "head" else "last "
        return ""

    @cached_property
    def filters(self) -> list[tuple[str, bool]]:
        """The patterns of the greps its output went through, and whether each leaves its matches out."""
        found = []
        for part in self.parts:
            if part.piped and part is not self.line.main and part.program in ("grep", "egrep", "rg"):
                leaves_out = any(word[:1] == "-" != word[1:2] and "v" in word for word in part.words[1:])
                found.append((next(iter(operands(part.words)), ""), leaves_out))
        return found

    @property
    def filtered(self) -> str:
        """The pattern that the lines of its command's output had to match, "" when there is none."""
        return next((pattern for pattern, leaves_out in self.filters if not leaves_out), "")

    @cached_property
    def patch(self) -> str:
        """The patch among its arguments, "" when there is none."""
        if "*** Begin Patch" in self.command[:20_000]:
            return self.command
        if self.key in ("applypatch", "patch", "applydiff"):
            return self.string("patch", "input", "diff", "patch_text", "content") or self.text
        return ""

    @cached_property
    def paths(self) -> list[str]:
        """The paths among its arguments."""
        return self.strings(*PATHS)


def _texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, list):
        return [text for item in value[:50] for text in (_texts(item) if not isinstance(item, list) else [])]
    if isinstance(value, dict):
        return [
            text for name in (*PATHS, *QUERIES, *ADDRESSES) if name in value for text in _texts(value[name])
        ][:1]
    return []


# The call read last: its name, its arguments, a copy of them, and what was read.
_last: tuple[str, Json, Json, Request] | None = None


def read(tool: str, arguments: Json) -> Request:
    """Read a call. Any *tool* and any *arguments* will do: dict, JSON text, free text, list, None.

    The call read last is remembered: a caller asks for its kind, its names and its summary in turn.
    """
    global _last  # noqa: PLW0603  # one slot is the whole cache; a dict of calls would keep transcripts in memory
    if _last is not None and _last[0] == tool and _last[1] is arguments and _last[2] == arguments:
        return _last[3]
    request = _read(tool, arguments)
    _last = (tool, arguments, dict(arguments) if isinstance(arguments, dict) else arguments, request)
    return request


def _read(tool: str, arguments: Json) -> Request:
    name = tool.strip()[:_LONGEST_NAME]
    server, own = _server(name)
    value = parsed(arguments)
    if isinstance(value, dict) and len(value) == 1:
        only = next(iter(value.values()))
        if next(iter(value)) in ("arguments", "args", "input", "parameters", "params", "kwargs", "raw"):
            value = parsed(only)
    if isinstance(value, dict):
        fields = {snake(str(key)[:_LONGEST_NAME]): item for key, item in value.items()}
        return Request(name, own, squashed(own), server, fields, "")
    if isinstance(value, list):
        if value and all(isinstance(word, str) for word in value):
            return Request(name, own, squashed(own), server, {"command": value}, "")
        return Request(name, own, squashed(own), server, {"items": value}, "")
    return Request(name, own, squashed(own), server, {}, "" if value is None else str(value))


def parsed(value: Json) -> Json:
    """Return the JSON value of a text that is one, else the value itself."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    if _LONG_NUMBER.search(value) is None:  # orjson makes floats of integers over 64 bits
        with suppress(ValueError):
            return orjson.loads(value)
    try:
        return json.loads(value)  # takes lone surrogates and NaN, too
    except (ValueError, RecursionError):
        return value


def words_of(name: str) -> list[str]:
    """Split a name into its words, in lower case: `getUserDetails` is get, user, details."""
    return [word.lower() for word in _WORD.findall(name)]


@lru_cache(maxsize=_REMEMBERED)
def snake(name: str) -> str:
    """Write a name in snake case: `filePath` is `file_path`."""
    if name.islower() and name.isidentifier():
        return name
    return "_".join(words_of(name[:_LONGEST_NAME])) or name[:_LONGEST_NAME]


@lru_cache(maxsize=_REMEMBERED)
def squashed(name: str) -> str:
    """Write a name without case and separators."""
    return _NOT_NAME.sub("", name).lower()


@lru_cache(maxsize=_REMEMBERED)
def _server(name: str) -> tuple[str, str]:
    """Split an MCP name into server and tool: `mcp__server__tool`, `server__tool`, `server-tool`."""
    rest = name
    if name.startswith("mcp__"):
        rest = name[5:]
        server, _, own = rest.partition("__")
        return (server, own) if own else ("mcp", server)
    for separator in ("__", ":", ".", "/", "-"):
        if separator in rest.strip(separator):
            server, _, own = rest.partition(separator) if separator == "__" else rest.rpartition(separator)
            if separator == "-":
                server, own = _before_verb(rest, (server, own))
            if squashed(server) in _NAMESPACES:
                return "", own
            if server and own and all(word.isascii() for word in (server, own)):
                return server, own
    return "", name


def _before_verb(name: str, otherwise: tuple[str, str]) -> tuple[str, str]:
    """Split `rail-get-station-code` before its first verb: the tool is `get-station-code`."""
    pieces = name.split("-")
    for place in range(1, len(pieces)):
        if next(iter(words_of(pieces[place])), "") in KIND_OF_VERB and pieces[place - 1]:
            return "-".join(pieces[:place]), "-".join(pieces[place:])
    return otherwise

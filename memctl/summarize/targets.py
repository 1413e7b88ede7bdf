"""What a call is about, in one short line for titles and grouping, from its name and arguments alone."""

import re

from memctl.model import Json
from memctl.summarize import requests
from memctl.summarize.essence import gist
from memctl.summarize.patterns import regex
from memctl.summarize.requests import ADDRESSES, QUERIES, Request
from memctl.summarize.tools import KIND_OF_TOOL
from memctl.summarize.wording import TARGET_LIMIT, clip, joined, short_address, short_path

_PATCHED = regex(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\+\+\+ (?:b/)?(\S+)", re.MULTILINE)
_IDENTIFYING = regex(r"(?:^|_)(?:id|ids|name|title|key|email|number|code|symbol|subject)$")
_LONG = frozenset("content body text new_string old_string new_str old_str file_text patch diff data".split())


NAMELESS = "unknown"
"""The target of a call that the transcript does not have: of its result alone one knows what it was."""

_COMMANDED = frozenset(
    "read list search edit write run test build vcs web".split()
)  # kinds a command line may be of


def target_of(request: Request, kind: str) -> str:
    """Name what a call of *kind* is about; the tool's own name when its arguments say nothing."""
    return _found(request, kind) or clip(request.tool, TARGET_LIMIT) or kind


def _found(request: Request, kind: str) -> str:
    commanded = kind in _COMMANDED or (kind == "other" and request.line.kind == "other")
    if commanded and request.command and request.parts and not patched(request) and not request.paths:
        return request.line.target
    if kind == "run" and request.string("code"):
        return clip(gist(request.string("code")), TARGET_LIMIT)
    if kind in ("read", "list", "edit", "write"):
        paths = patched(request) or request.paths
        if paths:
            return joined(paths, TARGET_LIMIT, write=short_path)
    if kind == "search":
        queries = request.strings(*QUERIES)
        if queries:
            return clip(queries[0], TARGET_LIMIT)
    if kind == "web":
        address = request.strings(*ADDRESSES)
        if address:
            return short_address(address[0])
        query = request.strings("query", "search_query", "q", "queries", "search_term", "prompt")
        if query:
            return clip(query[0], TARGET_LIMIT)
    if kind == "vcs":
        verb = request.key.removeprefix("git") or request.string("command", "subcommand", "action")
        places = "" if verb == "commit" else joined(request.paths, 50, " ", write=short_path)
        return clip(f"git {verb} {places}", TARGET_LIMIT)
    if kind == "agent":
        said = request.string(
            "description",
            "title",
            "name",
            "subagent_type",
            "agent_name",
            "agent_type",
            "task",
            "prompt",
            "message",
            "objective",
            "summary",
        )
        if said:
            return clip(said, TARGET_LIMIT)
    if kind == "plan":
        from memctl.summarize import planning  # with what tells of its results

        return clip(planning.target(request), TARGET_LIMIT)
    if kind == "mcp":
        inner = request.string("tool_name", "tool")
        named = inner or requests.snake(request.name)
        server = request.string("server_name", "server") or request.server
        return clip(" ".join(part for part in (server, named, object_of(request)) if part), TARGET_LIMIT)
    if request.paths:
        return joined(request.paths, TARGET_LIMIT, write=short_path)
    if kind == "other" and (thought := request.string("thought", "intent")):
        return clip(thought, TARGET_LIMIT)
    named = "" if request.key in KIND_OF_TOOL else requests.snake(request.name)
    about = object_of(request) or clip(request.text or request.command, TARGET_LIMIT)
    return clip(f"{named} {about}".strip(), TARGET_LIMIT)


def patched(request: Request) -> list[str]:
    """Return the files that a patch among the arguments touches."""
    if not request.patch:
        return []
    return list(dict.fromkeys(first or second for first, second in _PATCHED.findall(request.patch[:200_000])))


def object_of(request: Request) -> str:
    """Name the object of a domain tool: its ids and names, else its first short argument."""
    return clip(" ".join(_identifying(request.fields)), TARGET_LIMIT)


def _identifying(fields: Json) -> list[str]:
    short = [
        (name, str(value))
        for name, value in fields.items()
        if isinstance(value, (str, int, float))
        and not isinstance(value, bool)
        and name not in _LONG
        and 0 < len(str(value)) <= 60
    ]
    named = [value for name, value in short if _IDENTIFYING.search(name)]
    return (named or [value for _, value in short])[:2]

"""Names in a call's arguments, and the call itself on one line."""

import re

import orjson

from memctl.model import Json
from memctl.summarize import requests
from memctl.summarize.wording import clip

_NAME = re.compile(r"[\w./@:#~-]{4,200}")
_MOST = 24


def names_in(tool: str, arguments: Json) -> tuple[str, ...]:
    """Return names of four characters or more in the arguments, most specific first, at most 24."""
    request = requests.read(tool, arguments)
    text = "\n".join(_texts(dict(request.fields) or request.text))[:20_000]
    found = dict.fromkeys(name.strip(".:-/") for name in _NAME.findall(text) if not name.startswith("-"))
    return tuple(sorted((name for name in found if len(name) > 3), key=len, reverse=True)[:_MOST])


def _texts(value: Json, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return [value]
    if depth < 6 and isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item, depth + 1)]
    if depth < 6 and isinstance(value, list):
        return [text for item in value for text in _texts(item, depth + 1)]
    return []


def shorten_call(tool: str, arguments: Json, limit: int = 300) -> str:
    """Write a call on one line of at most *limit* characters: names kept, long values cut."""
    try:
        text = orjson.dumps(requests.parsed(arguments)).decode()
    except (TypeError, ValueError, RecursionError):
        text = str(arguments)
    return clip(f"{clip(tool, 100)}({text})", limit)

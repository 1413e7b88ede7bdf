"""A call that looks like one before it and is another: how its command or arguments differ."""

from memctl.model import Json
from memctl.summarize import requests
from memctl.summarize.changes import replaced
from memctl.summarize.patterns import regex
from memctl.summarize.wording import clip

_LONGEST = 2_000  # characters of a command that are compared
_ROOM = 110  # ... of what is said of the difference
_AROUND = regex(
    r"^(?:cd [^&;|\n]{1,300}(?:&&|;) ?)+|(?: ?(?:\d?>&\d|\d?> ?/dev/null))+"
    r"|(?: ?\| ?(?:head|tail|cat|less|sort|wc)\b[^|]*)+$"
)
_DATA = (
    "content",
    "file_text",
    "contents",
    "new_string",
    "old_string",
    "new_str",
    "old_str",
    "patch",
    "diff",
)


def typed(tool: str, arguments: Json) -> str:
    """Give what was typed for a call, to compare it: without what leads to it or cuts its output."""
    request = requests.read(tool, arguments)
    if request.command:
        return clip(_AROUND.sub("", request.command[:_LONGEST].strip()), _LONGEST)
    given = [
        f"{name} {value}"
        for name, value in request.fields.items()
        if isinstance(value, (str, int, float)) and name not in _DATA and str(value)
    ]
    return clip(request.text or ", ".join(given), _LONGEST)


def differs(before: str, after: str) -> str:
    """Say how a call differs from one that looks the same: `'flag{x}' → flag{x}`; "" when it does not."""
    if before == after or not before or not after:
        return ""
    return replaced(before, after, _ROOM)

"""Find what agent frameworks write into a message's text: it is kept, but nobody said it (DESIGN 4)."""

import re

KINDS = {
    "system_reminder": "`<system-reminder>`: instructions the agent's program adds",
    "environment": "`<environment_context>`, `<environment_details>`: cwd, open files, time",
    "command": "`<command-name>` and its family, `<local-command-stdout>`, `<bash-input>`: slash",
    "memory": "memctl's own blocks: what was recalled is never read again",
    "interrupted": "`[Request interrupted by user]`",
}
"""Kinds of noise inside a message's text, with what each covers."""

MARK_KINDS = {
    "meta": "a line the agent's program wrote in the user's name (isMeta and the like)",
    "compaction": "a summary of what was compacted, not a user's statement",
    "sidechain": "a subagent's conversation inside its parent's transcript",
    "heartbeat": "a poll by a timer, not by a person",
    "injected": "instructions and environment given at the start (AGENTS.md, user_instructions)",
    "hook": "what a hook printed",
    "synthetic": "a message the program itself wrote in the agent's name (API errors, gateway notes)",
}
"""Kinds of noise that cover a whole message; readers put them into `Message.marks`."""

_TAGS = {
    "system-reminder": "system_reminder",
    "environment_context": "environment",
    "environment_details": "environment",
    "command-name": "command",
    "command-message": "command",
    "command-args": "command",
    "local-command-stdout": "command",
    "current_task_context": "memory",
    "history_task_context": "memory",
    "relevant-memories": "memory",
    "user-persona": "memory",
    "relevant-scenes": "memory",
    "scene-navigation": "memory",
}
_OPEN = re.compile(
    r"<(" + "|".join(_TAGS) + r")\b[^<>\n]{0,200}>|\[Request interrupted by user(?: for tool use)?\]"
)


def spans(text: str, role: str) -> list[tuple[str, int, int]]:
    """Find framework noise in *text*: (kind, start, end), in order, never overlapping."""
    del role
    found, position = [], 0
    while match := _OPEN.search(text, position):
        position = match.end()
        if match[1] is None:
            found.append(("interrupted", match.start(), position))
            continue
        close = text.find(f"</{match[1]}>", position)
        if close >= 0:
            position = close + len(match[1]) + 3
            found.append((_TAGS[match[1]], match.start(), position))
    return found


def without_noise(text: str, role: str) -> str:
    """Give what the person really said: *text* without its noise, trimmed."""
    pieces, position = [], 0
    for _, start, end in spans(text, role):
        pieces.append(text[position:start])
        position = end
    return "".join([*pieces, text[position:]]).strip()

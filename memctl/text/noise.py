"""Find what agent frameworks write into a message's text: it is kept, but nobody said it (DESIGN 4).

A block counts when a program put it there: its tag opens a line, follows another block, or stands closed
inside a line, outside a code fence. A tag only named in a sentence, in quotes or in pasted code is the
person's own text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = {
    "attachment": "file contents and picture notes that a program added for an @-mention or a paste",
    "command": "slash and bang commands, what they printed, and the caveat about them",
    "compact_summary": "stands for what was compacted away; not a statement of the user",
    "environment": "cwd, open files, selections, date, git state",
    "gateway": "a chat gateway's metadata, time prefixes, message ids, reply directives",
    "heartbeat": "a poll by a timer, not by a person",
    "hook": "what a hook printed",
    "instructions": "AGENTS.md, permissions, skills, modes, given by the program",
    "interrupted": "says that a request was stopped",
    "meta": "system reminders and other words of the agent's program",
    "notification": "a background task, subagent or teammate reports",
    "own": "memctl's own blocks: what was recalled is never read again",
    "wrapper": "the bare tags around what the user said; the words between them count",
}
"""Kinds of noise inside a message's text, with what each covers."""

MARK_KINDS = KINDS | {
    "api_error": "the provider's error in the agent's name",
    "rejected": "an answer that did not stand: another was preferred to it, or it was judged bad",
    "sidechain": "a subagent's turn inside its parent's session",
    "synthetic": "written by the program in the agent's name",
}
"""Kinds of noise that may cover a whole message (`Message.marks`)."""

_BLOCKS = {
    "attachment": "attached-files attached_files attachments file_contents image_files",
    "command": "command-name command-message command-args command-contents local-command-stdout"
    " local-command-stderr local-command-caveat bash-input bash-stdout bash-stderr"
    " user_shell_command user-memory-input",
    "environment": "environment_context environment_details user_info git_status project_layout"
    " open_and_recently_viewed_files session_context session-context uploaded_files editorContext",
    "hook": "user-prompt-submit-hook session-start-hook pre-tool-use-hook post-tool-use-hook stop-hook"
    " hook_context hook-context user-prompt-submit-context session-start-context",
    "instructions": "user_instructions permissions collaboration_mode skills_instructions apps_instructions"
    " plugins_instructions personality_spec model_switch skill instructions-reminder INSTRUCTIONS"
    " reminderInstructions manually_attached_skills",
    "interrupted": "turn_aborted",
    "meta": "system-reminder system_reminder system-notification system_notification system-warning",
    "notification": "task-notification agent-notification teammate-message subagent_notification"
    " subagent-notification",
    "own": "agent-role current_task_context history_task_context relevant-memories user-persona relevant-scenes"
    " scene-navigation",
    "wrapper": "user_query userRequest task user_message",
}
_GUESTS = {
    "rules": "instructions",
    "timestamp": "environment",
}  # people write these, too: behind a block only
_KIND_OF_TAG = {tag: kind for kind, tags in _BLOCKS.items() for tag in tags.split()}
_AGENTS = (
    "claude|cline|codex|copilot|cursor|droid|gemini|grok|kimi|openclaw|opencode|qwen"  # `<qwen:hook-context>`
)
_TAG = re.compile(
    rf"<(?P<close>/?)(?:(?:{_AGENTS}):)?(?P<name>[A-Za-z][A-Za-z_-]{{2,40}})(?P<rest>[ \t\n][^<>]{{0,300}})?>"
)

# Noise without a tag; it opens a line.
_PLAIN = re.compile(
    r"""^[ \t]*(?:
      (?P<interrupted>\[Request\ interrupted\ by\ user(?:\ for\ tool\ use)?\])
    | (?P<command>Caveat:\ The\ messages\ below\ were\ generated\ by\ the\ user\b[^\n]*)
    | (?P<heartbeat>\[OpenClaw\ heartbeat\ poll\]|Read\ HEARTBEAT\.md\ if\ it\ exists[^\n]*)
    | (?P<hook>[A-Z][A-Za-z]{3,30}(?::[A-Za-z_]{1,60})?\ hook
        \ (?:additional\ context|feedback|success|blocking\ error|stopped)\b[^\n:]{0,80}:[^\n]*)
    | (?P<attachment>\[Image:\ (?:source|original)[^\n\]]{0,500}\]|---\ Content\ from\ referenced\ files\ ---
        | <image\ name=\[Image\ \#[0-9]{1,4}\][^<>\n]{0,300}>(?:\s{0,4}</image>)?)
    | (?P<environment>\#\ (?:Context\ from\ my\ IDE\ setup|Files\ mentioned\ by\ the\ user):)
    | (?P<gateway>[A-Z][^\n]{2,80}?\ \(untrusted[^\n)]{0,60}\):[ \t]*(?=\n)
        | \[message_id:\ [^\n\]]{1,200}\]
        | System(?:\ \(untrusted\))?:\ \[[0-9]{4}-[0-9]{2}-[0-9]{2}[^\n\]]{0,40}\][^\n]*
        | \[(?:cron:[^\n\]]{1,200}|Subagent\ Context|Queued\ messages\ while\ agent\ was\ busy
            |Replying\ to\ [^\n\]]{1,200}|(?:Thread\ history|Chat\ messages\ since\ your\ last\ reply)\ -\ for\ context)\]
        | ---[ \t]*\nQueued\ \#[0-9]{1,4}[^\n]*
        | Note:\ The\ previous\ agent\ run\ was\ aborted\ by\ the\ user\.[^\n]*)
    | (?P<meta>\[TASK\ RESUMPTION\]|\[ERROR\]\ You\ did\ not\ use\ a\ tool\ in\ your\ previous\ response!)
    | (?P<instructions>\#\ AGENTS\.md\ instructions\ for\ [^\n]*|\#\ task_progress\b[^\n]*
        | I've\ uploaded\ a\ [^\n]{0,60}repository\ in\ the\ directory\ [^\n]{1,400}
        | Can\ you\ help\ me\ implement\ the\ necessary\ changes\ to\ the\ repository\ so\ that\ the\ requirements\b)
    )""",
    re.VERBOSE | re.MULTILINE,
)
_SUMMARY = re.compile(r"\s*This session is being continued from a previous conversation")
_SETUP = re.compile(r"\s*This is the (?:Gemini CLI|Qwen Code)\. We are setting up the context for our chat\.")
_CODEX_REQUEST = "\n## My request for Codex:"
# Where what OpenClaw tells beside a message ends: its last line.
_TOLD_TO: tuple[tuple[str, str], ...] = (
    ("[Subagent Context]", "[Subagent Task]:"),
    ("[Replying to ", "[/Replying]"),
    ("[Thread history", "[Current message - respond to this]"),
    ("[Chat messages since", "[Current message - respond to this]"),
)
_PARAGRAPH = "\n\n["  # where a message begins that a gateway told
_CRON_END = "\nCurrent time: "  # behind what a cron job is to do, with how the answer is delivered
_ASKED = re.compile(r"^[ \t]*<(?P<name>user_query|userRequest)>", re.MULTILINE)
# Prompts of harnesses around a task: how they begin, and what stands before and behind it.
_TASK_PROMPTS: tuple[tuple[str, str, str], ...] = (
    (
        "You are an AI assistant tasked with solving command-line tasks",
        "\nTask Description:",
        "\nCurrent terminal state:",
    ),
    ("Please solve this issue:", "", "\nYou can execute bash commands and edit files"),
)
_TIME_PREFIX = re.compile(
    r"\s*(\[[^\[\]\n]{2,120} "  # the day of the week, or the channel and sender
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}[^\[\]\n]{0,20}\]) ?"
)
_DIRECTIVE = re.compile(r"\[\[\s*(?:reply_to_current|reply_to:[^\[\]\n]{1,80}|audio_as_voice)\s*\]\]")
_HEARTBEAT_ANSWER = re.compile(r"\s*(HEARTBEAT_OK|NO_REPLY)\s*\Z")
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)", re.MULTILINE)
_FENCED = re.compile(r"\s*(?P<fence>```|~~~)[^\n]*\n")
_INDENT = 200  # characters looked at around a tag that stands alone
_QUOTES = "\"'`“‘「『*"
_BETWEEN = re.compile(r"\s+\S{0,7}\s*")  # "what stands between <x> and </x>": both tags are only named


def spans(text: str, role: str) -> list[tuple[str, int, int]]:
    """Find the framework noise in *text*: (kind of `KINDS`, start, end), in order, never overlapping.

    role: as in `model.Message`. In a tool's result only system reminders count (a file that was read may
    hold anything); in the agent's words only a gateway's directives. Linear in the text.
    """
    if role == "assistant":
        answer = _HEARTBEAT_ANSWER.match(text)
        if answer:
            return [("heartbeat", answer.start(1), answer.end(1))]
        return [("gateway", *found.span()) for found in _DIRECTIVE.finditer(text)]
    if role == "tool":
        return list(_blocks(text, "meta")) if "<system" in text else []
    if _SUMMARY.match(text):
        return [("compact_summary", 0, len(text))]
    if _SETUP.match(text):
        return [("environment", 0, len(text))]
    framed = _framed(text)
    if framed is None:
        return list(_blocks(text, None))
    start, end = framed
    inner = [(kind, first + start, last + start) for kind, first, last in _blocks(text[start:end], None)]
    return [*_filled(text, 0, start), *inner, *_filled(text, end, len(text))]


def without_noise(text: str, role: str) -> str:
    """Give what the person really said: *text* without its noise, trimmed."""
    found = spans(text, role)
    if not found:
        return text.strip()
    ends = [0, *(end for _, _, end in found)]
    starts = [*(start for _, start, _ in found), len(text)]
    pieces = (text[end:start].strip() for end, start in zip(ends, starts, strict=True))
    return "\n".join(piece for piece in pieces if piece)


# --------------------------------------------------------------------------- frames


def _framed(text: str) -> tuple[int, int] | None:
    """Find where the person's words stand in a prompt whose rest a program wrote around them; None without one."""
    for opening, before, behind in _TASK_PROMPTS:
        if text.startswith(opening):
            at = text.find(before)
            end = text.rfind(behind)
            return (at + len(before) if before else 0, end) if -1 < at < end else None
    found = _ASKED.search(text) if text.lstrip()[:1] in ("<", "[") else None
    if found is None or sum(1 for _ in _FENCE.finditer(text, 0, found.start())) % 2:
        return None
    close = f"</{found['name']}>"
    end = text.rfind(close, found.end()) + len(close)
    return (
        (found.start(), end)
        if end >= found.end() + len(close) and text[end : end + 1] in ("", "\n", "\r")
        else None
    )


def _filled(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Give the blocks of a piece that nobody said; what stands between them is environment."""
    position = start
    for kind, first, last in (*_blocks(text[start:end], None), ("", end - start, end - start)):
        gap = text[position : start + first]
        if gap.strip():
            position += len(gap) - len(gap.lstrip())
            yield "environment", position, position + len(gap.strip())
        if kind:
            yield kind, start + first, start + last
        position = start + last


# --------------------------------------------------------------------------- blocks


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What may be noise: a known tag (*name*) or a line of `_PLAIN`, from *start* to *end*."""

    kind: str
    start: int
    end: int
    name: str = ""
    closes: bool = False


def _blocks(text: str, only: str | None) -> Iterator[tuple[str, int, int]]:
    """Give the blocks of *text*, of the kind *only* if given; what lies inside one is passed over."""
    found = _candidates(text, only)
    fences = [fence.start() for fence in _FENCE.finditer(text)]
    closes = _positions(text, found, closing=True)
    opens = _positions(text, found, closing=False)
    if any(one.kind == "gateway" and not one.name for one in found):
        closes |= {
            last: [match.start() for match in re.finditer(re.escape(last), text)] for _, last in _TOLD_TO
        }
        closes[_PARAGRAPH] = [text.rfind(_PARAGRAPH)]
    position = 0
    if only is None and (prefix := _TIME_PREFIX.match(text)):
        yield "gateway", *prefix.span(1)
        position = prefix.end()
    wrappers: dict[str, int] = {}
    for one in found:
        if one.start < position or _in_code(fences, position, one.start):
            continue
        if one.closes:
            end = one.end if wrappers.get(one.name) == one.start else 0
        elif one.kind == "wrapper":
            last = closes.get(one.name, [0])[-1]
            end = one.end if last > one.end and _follows(text, position, one.start) else 0
            wrappers[one.name] = last if end else 0
        elif one.name in _GUESTS and not (position and _follows(text, position, one.start)):
            end = 0
        elif one.name:
            end = _tag_end(
                text,
                one,
                position,
                closes.get(one.name, []),
                opens.get(one.name, []),
                inline=only is None,
            )
        else:
            end = _plain_end(text, one, found, closes)
        if not end:
            continue
        inside = text.rfind("</", one.end, end) if one.name == "command-args" else -1
        if inside < 0:
            yield one.kind, one.start, end
        else:  # what is typed behind a command is the person's
            yield one.kind, one.start, one.end
            yield one.kind, inside, end
        position = end
        if one.kind == "gateway" and (prefix := _TIME_PREFIX.match(text, position)):
            yield "gateway", *prefix.span(1)
            position = prefix.end()


def _candidates(text: str, only: str | None) -> list[_Candidate]:
    found = []
    for match in _TAG.finditer(text):
        name = match["name"]
        kind = "environment" if name.startswith("ide_") else _KIND_OF_TAG.get(name) or _GUESTS.get(name)
        rest = (match["rest"] or "").strip()
        if kind and only in (None, kind) and (name != "permissions" or rest == "instructions"):
            found.append(_Candidate(kind, *match.span(), name, bool(match["close"])))
    if only is None:
        for match in _PLAIN.finditer(text):
            kind = match.lastgroup or ""
            found.append(_Candidate(kind, *match.span(kind)))
        if text.startswith("[cron:") and (told := text.rfind(_CRON_END)) > 0:
            found.append(_Candidate("gateway", told + 1, len(text)))
        found.sort(key=lambda one: one.start)
    return found


def _positions(text: str, found: list[_Candidate], *, closing: bool) -> dict[str, list[int]]:
    """Give where each tag closes, or where it opens a line."""
    positions: dict[str, list[int]] = {}
    for one in found:
        if one.name and one.closes == closing and (closing or _opens_line(text, one.start)):
            positions.setdefault(one.name, []).append(one.start)
    return positions


def _opens_line(text: str, start: int) -> bool:
    before = text[max(0, start - _INDENT) : start]
    return not before[before.rfind("\n") + 1 :].strip(" \t\r")


def _follows(text: str, position: int, start: int) -> bool:
    return start - position <= _INDENT and not text[position:start].strip()


def _in_code(fences: list[int], position: int, start: int) -> bool:
    """Tell whether *start* lies in a code fence that was opened after *position* and is closed later."""
    first, here = bisect_left(fences, position), bisect_left(fences, start)
    return (here - first) % 2 == 1 and here < len(fences)


def _tag_end(
    text: str, one: _Candidate, position: int, closes: list[int], opens: list[int], *, inline: bool
) -> int:
    """Find where the block of a tag ends; 0 when no program wrote it. *inline*: it may stand inside a line."""
    leads = _opens_line(text, one.start) or (position > 0 and _follows(text, position, one.start))
    close = bisect_left(closes, one.end)
    if close == len(closes):
        # Cut off. A program writes on right behind its tag; a person talks about the tag.
        talks = text[one.end : one.end + 1] in (" ", "\t") or one.end == len(text)
        return 0 if talks or not leads else len(text)
    if not leads:
        ends_line = text[text.find(">", closes[close]) + 1 :][:1] in ("", "\n", "\r")
        several = ends_line and "\n" in text[one.end : min(closes[close], one.end + _INDENT)]
        named = _is_quoted(text, one.start) or _BETWEEN.fullmatch(text, one.end, closes[close])
        if (named or not inline) and (not several or text[one.start - 1] in _QUOTES):
            return 0
    # Blocks of the same name inside this one have closes of their own.
    inner = bisect_left(opens, one.end)
    while close + 1 < len(closes) and inner < len(opens) and opens[inner] < closes[close]:
        close, inner = close + 1, inner + 1
    return text.find(">", closes[close]) + 1


def _is_quoted(text: str, start: int) -> bool:
    """Tell whether a tag inside a line stands behind a quotation mark, or inside quotes of the line."""
    before = text[max(0, start - _INDENT) : start]
    line = before[before.rfind("\n") + 1 :]
    return before[-1:] in _QUOTES or line.count("`") % 2 == 1 or line.count('"') % 2 == 1


def is_framework_tag(name: str) -> bool:
    """Tell whether programs write a tag of this name around what nobody said."""
    return name.startswith("ide_") or _KIND_OF_TAG.get(name, "wrapper") != "wrapper"


def _plain_end(text: str, one: _Candidate, found: list[_Candidate], closes: dict[str, list[int]]) -> int:
    """Find how far noise without a tag of its own reaches."""
    opening = text[one.start : one.end]
    if opening.startswith("# AGENTS.md"):
        inner = text[one.end : one.end + _INDENT].lstrip()
        instructions = closes.get("INSTRUCTIONS", [])
        if inner.startswith("<INSTRUCTIONS>") and instructions and instructions[-1] > one.end:
            return text.find(">", instructions[-1]) + 1
        return len(text)
    if opening.startswith("Can you help me"):
        return len(text)
    if opening.startswith("# task_progress"):
        following = bisect_left(found, one.end, key=lambda other: other.start)
        return found[following].start if following < len(found) else len(text)
    if opening.startswith("--- Content"):
        end = text.find("--- End of content ---", one.end)
        return len(text) if end < 0 else end + len("--- End of content ---")
    if one.kind == "meta":
        until = "<user_message>" if opening.startswith("[TASK") else "<environment_details>"
        end = text.find(until, one.end)
        return len(text) if end < 0 else end
    if one.kind == "environment":
        first = one.start < _INDENT and not text[: one.start].strip()
        end = text.find(_CODEX_REQUEST, one.end) if first else -1
        return 0 if end < 0 else end + len(_CODEX_REQUEST)
    for beginning, last in _TOLD_TO:
        if opening.startswith(beginning):
            ends = closes.get(last, [])
            at = bisect_left(ends, one.end)
            return ends[at] + len(last) if at < len(ends) else _history_end(text, one, closes)
    if opening.endswith("):") and (fenced := _FENCED.match(text, one.end)):
        end = text.find("\n" + fenced["fence"], fenced.end() - 1)
        return len(text) if end < 0 else end + 1 + len(fenced["fence"])
    return one.end


def _history_end(text: str, one: _Candidate, closes: dict[str, list[int]]) -> int:
    """Find where the earlier messages end that a gateway told: before the last paragraph that has a time."""
    at = closes[_PARAGRAPH][0]
    return at if at >= one.end and _TIME_PREFIX.match(text, at) else one.end

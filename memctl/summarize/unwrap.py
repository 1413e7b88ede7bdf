"""Tool results taken out of what the harnesses of the supported agents put around them."""

import re
from collections.abc import Callable
from dataclasses import replace

import orjson

from memctl.model import Json
from memctl.summarize.outcomes import HEAD, TAIL, Outcome
from memctl.summarize.patterns import regex
from memctl.summarize.refusals import refused
from memctl.text.numbers import whole
from memctl.text.widths import printable

_LONGEST_JSON = 4_000_000  # a wrapper longer than this is looked at as text
_REMINDER = "<system-reminder>"


def read(result: str, *, is_error: bool | None = None) -> Outcome:
    """Take a tool's result out of its wrapper.

    *is_error* is what the transcript says. Long results are cut to a head and a tail; only their lines
    are counted, so that time hardly grows with size.
    """
    outcome = Outcome(result, 0, len(result), failed=is_error)
    if result[:1] in ("{", "[", '"') and len(result) <= _LONGEST_JSON:
        outcome = _json(outcome)
    text = outcome.text
    lines, cut = text.count("\n"), len(text) > HEAD + TAIL
    if cut:
        outcome = replace(outcome, text=f"{text[:HEAD]}\n{text[-TAIL:]}", cut=True)
    for unwrap in _WRAPPERS:
        outcome = unwrap(outcome)
    text = _shown(outcome.text)
    if not cut:
        body = text.strip("\n")
        lines = body.count("\n") + bool(body)
    return Outcome(
        text, lines, outcome.size, outcome.code, outcome.failed, cut, outcome.saved, outcome.refused
    )


def _shown(text: str) -> str:
    """Return what a terminal would still show: no escapes, no overwritten progress lines, no reminders."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\r" in text:
            text = "\n".join(map(_after_return, text.split("\n")))
    if "\b" in text:
        text = re.sub("[^\b]?\b", "", text)
    if "\x1b" in text or "\x9b" in text:
        text = printable(text)
    if _REMINDER in text:
        pieces = text.split(_REMINDER)
        text = pieces[0] + "".join(piece.partition("</system-reminder>")[2] for piece in pieces[1:])
    return text


def _after_return(line: str) -> str:
    """Return the last filled part of a line that was overwritten."""
    return next((part for part in reversed(line.split("\r")) if part.strip()), "")


def _json(outcome: Outcome) -> Outcome:
    """Unwrap `{"output": ..., "metadata": {"exit_code": 0}}` (Codex), text parts (MCP), JSON strings."""
    ends = outcome.text[:400] + outcome.text[-400:]
    if outcome.text[0] != '"' and not any(
        mark in ends for mark in ('"output"', '"text"', '"exit_code"', '"content"', '"stdout"')
    ):
        return outcome
    try:
        value = orjson.loads(outcome.text)
    except ValueError:
        return outcome
    found = _inside(value)
    if found is None:
        return outcome
    text, code, failed = found
    return replace(
        outcome, text=text, code=outcome.code if code is None else code, failed=failed or outcome.failed
    )


_TEXT_TYPES = ("text", "input_text", "output_text")
_AROUND_CONTENT = frozenset(
    """content isError is_error structuredContent _meta details exit_code exitCode timeout metadata command
    kind path prev_exist old_content new_content full_output_save_dir""".split()
)
_STREAMS = frozenset(
    """stdout stderr exit_code exitCode returncode return_code code interrupted isImage success status
    duration signal noOutputExpected timed_out command error""".split()
)


def _inside(value: Json) -> tuple[str, int | None, bool | None] | None:
    """Return the text, the exit code and the failure in a wrapping value; None when it wraps nothing."""
    if isinstance(value, str):
        return value, None, None
    if isinstance(value, list):
        texts = [
            part["text"]
            for part in value
            if isinstance(part, dict)
            and part.get("type") in _TEXT_TYPES
            and isinstance(part.get("text"), str)
        ]
        return ("\n".join(texts), None, None) if texts and len(texts) == len(value) else None
    if not isinstance(value, dict):
        return None
    if value.get("type") in _TEXT_TYPES and isinstance(value.get("text"), str):
        return value["text"], None, None
    content = value.get("content")
    if isinstance(content, (list, str)) and set(value) <= _AROUND_CONTENT:
        inside = _inside(content)
        if inside is None:
            return None
        text, code, failed = _streams(inside[0], None, value)
        return text, code, True if value.get("isError", value.get("is_error")) is True else failed
    metadata = value.get("metadata")
    output = value.get("output")
    if isinstance(output, str) and (
        isinstance(metadata, dict) or "exit_code" in value or set(value) <= {"output", "error", "success"}
    ):
        return _streams(output, value.get("error"), metadata if isinstance(metadata, dict) else value)
    if isinstance(value.get("stdout"), str) and set(value) <= _STREAMS:
        return _streams(value["stdout"], value.get("stderr") or value.get("error"), value)
    return None


def _streams(output: str, error: Json, said: dict[str, Json]) -> tuple[str, int | None, bool | None]:
    codes = (said.get(name) for name in ("exit_code", "exitCode", "returncode", "return_code", "code"))
    code = next((code for code in codes if isinstance(code, int) and not isinstance(code, bool)), None)
    failed = True if said.get("success") is False or said.get("interrupted") is True else None
    return (f"{output}\n{error}" if isinstance(error, str) and error else output), code, failed


_RETURNCODE = regex(
    r"\s*+(?:<exception>(?P<said>[^<]*)</exception>\s*)?<returncode>(?P<code>-?\d{1,10})</returncode>\s*"
)
_TAG = regex(r"</?(?:output|output_head|output_tail|warning|elided_chars)>\n?")


def _returncode(outcome: Outcome) -> Outcome:
    """Unwrap `<returncode>1</returncode><output>...</output>` (mini-swe-agent)."""
    match = _RETURNCODE.match(outcome.text)
    if match is None:
        return outcome
    text = _TAG.sub("", outcome.text[match.end() :])
    return replace(
        outcome, text=f"{text}\n{match['said']}" if match["said"] else text, code=whole(match["code"])
    )


_TASK_HEAD = regex(
    r"\s*+(?:<(?:retrieval_status|task_id|task_type|status|exit_code|timestamp)>[^<\n]{0,300}</[a-z_]{1,20}>\s*)+"
)
_TASK_FIELD = regex(r"<(retrieval_status|status|exit_code)>([^<\n]{0,300})</")
_TASK_TAGS = regex(
    r"^</?(?:stdout|stderr|output)>(?:\n|\Z)|<timestamp>[^<\n]{0,60}</timestamp>\s*\Z", re.MULTILINE
)


def _task(outcome: Outcome) -> Outcome:
    """Unwrap `<status>failed</status> <exit_code>1</exit_code> <stdout>...` (Claude Code's background tasks)."""
    head = _TASK_HEAD.match(outcome.text)
    said = dict(_TASK_FIELD.findall(head.group())) if head else {}
    if head is None or not said:
        return outcome
    code = said.get("exit_code", "").strip()
    failed = "failed" in said.values() or said.get("retrieval_status") == "error"
    text = _TASK_TAGS.sub("", outcome.text[head.end() :]).strip("\n")
    number = whole(code) if code.removeprefix("-").isdecimal() and len(code) <= 10 else outcome.code
    return replace(outcome, text=text, code=number, failed=True if failed else outcome.failed)


_SECTIONS = regex(r"^=== (STDOUT|STDERR|EXECUTION INFO) ===$\n?", re.MULTILINE)
_RETURN_CODE = regex(r"^Return code: (-?\d{1,10})$", re.MULTILINE)


def _sections(outcome: Outcome) -> Outcome:
    """Unwrap `=== STDOUT === ... === EXECUTION INFO === Return code: 0` (Toolathlon)."""
    if not outcome.text.startswith("=== "):
        return outcome
    pieces = _SECTIONS.split(outcome.text)
    code = _RETURN_CODE.search(pieces[-1]) if pieces[-2:-1] == ["EXECUTION INFO"] else None
    if code is None:
        return outcome
    return replace(outcome, text="\n".join(pieces[2:-2:2]), code=whole(code[1]))


_ERROR_TAGS = ("<tool_use_error>", "<error>")
_EXECUTION_FAILED = "The tool execution failed with the following error:"


def _tool_error(outcome: Outcome) -> Outcome:
    """Unwrap `<tool_use_error>...</tool_use_error>` (Claude Code) and Cline's failed tools."""
    text = outcome.text.lstrip()
    if text.startswith(_EXECUTION_FAILED):
        text = text.removeprefix(_EXECUTION_FAILED).lstrip()
        outcome = replace(outcome, text=text, failed=True)
    for tag in _ERROR_TAGS:
        if text.startswith(tag):
            return replace(
                outcome, text=text[len(tag) :].partition(tag.replace("<", "</"))[0].strip(), failed=True
            )
    return outcome


def _persisted(outcome: Outcome) -> Outcome:
    """Unwrap `<persisted-output>`: the preview of an output that was kept in a file (Claude Code)."""
    text = outcome.text.lstrip()
    if not text.startswith("<persisted-output>"):
        return outcome
    body = text.partition("\nPreview")[2].partition("\n")[2] or text.removeprefix("<persisted-output>")
    body = body.rpartition("</persisted-output>")[0] or body
    return replace(outcome, text=body.rstrip().removesuffix("..."), saved=True)


_EXIT_FIRST = regex(r"\s*+(?:Error: )?Exit code:? (?P<code>-?\d{1,10})[ \t]*(?:\n|\Z)")
_HEADERS = regex(
    r"\s*+(?:(?:Chunk ID|Wall time|Original token count|Total output lines|Exit code|Process exited with code"
    r"|Process running with session ID)\b[^\n]*\n)+(?:Output:\n?)?"
)
_CODE_SAID = regex(r"(?:Exit code:|Process exited with code) (-?\d{1,10})\b")


def _first_lines(outcome: Outcome) -> Outcome:
    """Take `Exit code 1` (Claude Code) or `Exit code: 0 / Wall time: ... / Output:` (Codex) off the front."""
    head = _HEADERS.match(outcome.text)
    if head is not None and "Output:" in head.group():
        code = _CODE_SAID.search(head.group())
        body = outcome.text[head.end() :]
        outcome = replace(outcome, text=body, code=whole(code[1]) if code else outcome.code)
        return _json(outcome) if body.startswith(("{", "[")) and not outcome.cut else outcome
    match = _EXIT_FIRST.match(outcome.text)
    if match is None:
        return outcome
    return replace(outcome, text=outcome.text[match.end() :], code=whole(match["code"]), failed=None)


_LAST = regex(
    r"(?:\[The command completed with exit code (-?\d{1,10})\.?\]"
    r"|\[Command finished with exit code (-?\d{1,10})\]"
    r"|\[?Process exited with code (-?\d{1,10})\.?\]?|\(?Command exited with code (-?\d{1,10})\)?"
    r"|<exited with exit code (-?\d{1,10})>|\[exit(?:ed)?(?: with)?(?: code)?:? (-?\d{1,10})\]"
    r"|Exit code: (-?\d{1,10}))\Z"
)
_ENDINGS = ("exit", "Exit", "Current ", "Open file", "bash-$", "PROCESS-DONE")
_TRAILERS = regex(
    r"\n?\[(?:Current working directory|Python interpreter): [^\n\]]*\]|\nbash-\$[ \t]*\Z"
    r"|\n?///PROCESS-DONE:[^\n]*"
    r"|(?:\A|\n)\((?:Open file|Current directory): [^\n]*\)"
)


def _last_lines(outcome: Outcome) -> Outcome:
    """Take exit codes and prompts off the end (OpenHands, pi, OpenClaw, Copilot, Droid, SWE-agent)."""
    tail = outcome.text[-600:]
    if not any(mark in tail for mark in _ENDINGS):
        return outcome
    before, ending = outcome.text[: len(outcome.text) - len(tail)], _TRAILERS.sub("", tail)
    code = None
    while (match := _LAST.search(ending.rstrip())) is not None:
        ending = ending[: match.start()].rstrip()
        if code is None:
            code = whole(next(group for group in match.groups() if group))
    if code is None:
        return outcome if ending == tail else replace(outcome, text=before + ending)
    return replace(outcome, text=before + ending, code=code, failed=None)


def _gemini(outcome: Outcome) -> Outcome:
    """Unwrap `Command: / Directory: / Output: / Error: / Exit Code: ...` (Gemini CLI, Qwen Code)."""
    text = outcome.text
    if not text.startswith(("Command: ", "Output: ", "Stdout: ")):
        return outcome
    start = next(
        (
            place
            for mark in ("Output: ", "Stdout: ")
            if (place := 0 if text.startswith(mark) else text.find(f"\n{mark}")) >= 0
        ),
        -1,
    )
    end = max(text.rfind(f"\n{mark}") for mark in ("Error: ", "Stderr: ", "Exit Code: "))
    if start < 0 or end < start:
        return outcome
    first_end = max(text.rfind("\nError: ", start, end), text.rfind("\nStderr: ", start, end))
    if text.startswith("\nExit Code: ", end) and first_end >= 0:
        error, code = text[first_end:end].partition(": ")[2], text[end + 12 :].partition("\n")[0]
        end = first_end
    else:
        error, code = text[end + 1 :].partition(": ")[2].partition("\n")[0], ""
    output = text[start:end].partition(": ")[2]
    output = "" if output.strip() in _NOTHING else output
    if error.strip() not in _NOTHING:
        output = f"{output}\n{error}"
    return replace(
        outcome,
        text=output,
        code=whole(code.strip()) if code.strip().removeprefix("-").isdecimal() else outcome.code,
    )


_NOTHING = frozenset(
    """
(no output)
(none)
(empty)
(Bash completed with no output)
<no output>
(no content)
Tool ran without output or errors
<system>Tool ran without output or errors</system>
Your command ran successfully and did not produce any output.
Command executed successfully with no output
Command executed successfully.
undefined
""".split("\n")
)


def _nothing(outcome: Outcome) -> Outcome:
    return (
        replace(outcome, text="") if len(outcome.text) < 100 and outcome.text.strip() in _NOTHING else outcome
    )


_LABEL = regex(
    r"\s*+(?:\[[a-z_]+ for '[^\n]{0,300}'\] Result:|Command executed\.\s*\n?Output:|OBSERVATION:"
    r"|Observation:|EXECUTION RESULT of \[[^\n\]]{1,80}\]:)\s*\n?"
)


def _label(outcome: Outcome) -> Outcome:
    """Take a label off the front (Cline, Roo, SWE-agent, OpenHands)."""
    match = _LABEL.match(outcome.text)
    return outcome if match is None else replace(outcome, text=outcome.text[match.end() :])


_WRAPPERS: tuple[Callable[[Outcome], Outcome], ...] = (
    _label,
    _task,
    _returncode,
    _sections,
    _tool_error,
    _persisted,
    _first_lines,
    _gemini,
    _last_lines,
    _nothing,
    refused,
)

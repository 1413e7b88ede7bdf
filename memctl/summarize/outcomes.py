"""Tool results unwrapped: what an agent's harness puts around the output of a tool, and what it says of success."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import orjson

from memctl.model import Json
from memctl.summarize.wording import plain

HEAD = 200_000  # characters of a long result that are looked at, at each end
_REMINDER = re.compile(r"<system-reminder>(?:(?!</system-reminder>).)*+(?:</system-reminder>)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result without its wrapper.

    text: plain text, long results cut to head and tail (*cut*). lines: of the whole text. size: characters
    of the whole. code: the exit code, if said. failed: what the harness said of success, None when nothing.
    saved: the harness kept the full output in a file and gave a preview.
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
        """Whether nothing was printed."""
        return not self.text.strip()

    def kept(self) -> list[str]:
        """Its lines that are not blank."""
        return [line for line in self.text.split("\n") if line.strip()]


def read(result: str, *, is_error: bool | None = None) -> Outcome:
    """Take a tool's result out of its wrapper. Linear in the result's size for counting, else bounded."""
    size = len(result)
    lines = result.count("\n") + (0 if not result or result.endswith("\n") else 1)
    cut = size > 2 * HEAD
    if cut:
        result = result[:HEAD] + "\n" + result[-HEAD:]
    outcome = Outcome(result, lines, size, failed=is_error or None, cut=cut)
    for unwrap in _WRAPPERS:
        outcome = unwrap(outcome)
    text = plain(outcome.text)
    if "<system-reminder>" in text:
        text = _REMINDER.sub("", text)
    lines = lines if cut else text.strip("\n").count("\n") + (1 if text.strip() else 0)
    return replace(outcome, text=text, lines=lines)


def _json(outcome: Outcome) -> Outcome:
    """Unwrap `{"output": ..., "metadata": {"exit_code": 0}}` (Codex) and text parts (MCP)."""
    text = outcome.text.strip()
    if text[:1] not in ("{", "[") or outcome.cut:
        return outcome
    if not any(
        mark in text[:400] + text[-200:]
        for mark in ('"output"', '"text"', '"exit_code"', '"content"', '"stdout"')
    ):
        return outcome
    try:
        value = orjson.loads(text)
    except ValueError:
        return outcome
    found = _inside(value)
    if found is None:
        return outcome
    inner, code, failed = found
    return replace(
        outcome, text=inner, code=code if code is not None else outcome.code, failed=failed or outcome.failed
    )


def _inside(value: Json) -> tuple[str, int | None, bool | None] | None:
    if isinstance(value, list):
        parts = [
            part.get("text")
            for part in value
            if isinstance(part, dict) and part.get("type") in ("text", "input_text", "output_text")
        ]
        if parts and len(parts) == len(value) and all(isinstance(part, str) for part in parts):
            return "\n".join(parts), None, None
        return None
    if not isinstance(value, dict):
        return None
    if value.get("type") in ("text", "input_text") and isinstance(value.get("text"), str):
        return value["text"], None, None
    if isinstance(value.get("content"), list) and set(value) <= {
        "content",
        "isError",
        "structuredContent",
        "_meta",
        "details",
    }:
        inside = _inside(value["content"])
        return inside and (inside[0], None, True if value.get("isError") is True else None)
    metadata = value.get("metadata")
    if isinstance(value.get("output"), str) and (
        isinstance(metadata, dict) or "exit_code" in value or set(value) <= {"output", "error", "success"}
    ):
        code = (metadata if isinstance(metadata, dict) else value).get("exit_code")
        error = value.get("error")
        text = (
            value["output"]
            if not isinstance(error, str) or not error
            else f"{value['output']}\n{error}".strip("\n")
        )
        return (
            text,
            code if isinstance(code, int) and not isinstance(code, bool) else None,
            True if error else None,
        )
    if isinstance(value.get("stdout"), str) and set(value) <= {
        "stdout",
        "stderr",
        "exit_code",
        "exitCode",
        "returncode",
        "interrupted",
        "isImage",
        "code",
        "success",
        "status",
        "duration",
        "signal",
        "noOutputExpected",
    }:
        code = next(
            (
                value[name]
                for name in ("exit_code", "exitCode", "returncode", "code")
                if isinstance(value.get(name), int)
            ),
            None,
        )
        error = value.get("stderr")
        return value["stdout"] + ("\n" + error if isinstance(error, str) and error else ""), code, None
    return None


_RETURNCODE = re.compile(
    r"\s*(?:<exception>(?P<exception>[^<]*)</exception>\s*)?<returncode>(?P<code>-?\d+)</returncode>\s*"
)
_TAG = re.compile(r"</?(?:output|output_head|output_tail|warning|elided_chars)>\n?")


def _returncode(outcome: Outcome) -> Outcome:
    """Unwrap `<returncode>1</returncode><output>...</output>` (mini-swe-agent)."""
    match = _RETURNCODE.match(outcome.text)
    if match is None:
        return outcome
    text = _TAG.sub("", outcome.text[match.end() :])
    return replace(outcome, text=text, code=int(match["code"]))


_TOOL_ERROR = re.compile(r"\s*<(tool_use_error|error)>(?P<text>.*?)(?:</\1>|\Z)\s*", re.DOTALL)


def _tool_error(outcome: Outcome) -> Outcome:
    match = _TOOL_ERROR.match(outcome.text)
    if match is None:
        return outcome
    return replace(outcome, text=match["text"].strip(), failed=True)


_PERSISTED = re.compile(
    r"\s*<persisted-output>\s*(?P<said>[^\n]*)\n(?:\s*Preview[^\n]*\n)?(?P<text>.*?)(?:\n?\.\.\.\s*)?(?:</persisted-output>\s*)?\Z",
    re.DOTALL,
)


def _persisted(outcome: Outcome) -> Outcome:
    match = _PERSISTED.match(outcome.text) if "<persisted-output>" in outcome.text[:100] else None
    if match is None:
        return outcome
    return replace(outcome, text=match["text"], saved=True)


_EXIT_FIRST = re.compile(r"\s*(?:Error: )?Exit code:? (?P<code>-?\d+)[ \t]*\n?")
_CODEX_HEAD = re.compile(
    r"\s*(?:(?:Chunk ID|Wall time|Original token count|Total output lines|Exit code|Process exited with code|Process running with session ID)\b[^\n]*\n)+(?:Output:\n?)?"
)
_CODE_SAID = re.compile(r"(?:Exit code:|Process exited with code) (-?\d+)")


def _first_line(outcome: Outcome) -> Outcome:
    """Take `Exit code 1` (Claude Code) or `Exit code: 0 / Wall time: ... / Output:` (Codex) off the front."""
    head = _CODEX_HEAD.match(outcome.text)
    if head is not None and "Output:" in head.group():
        code = _CODE_SAID.search(head.group())
        return replace(outcome, text=outcome.text[head.end() :], code=int(code[1]) if code else outcome.code)
    match = _EXIT_FIRST.match(outcome.text)
    if match is None:
        return outcome
    return replace(outcome, text=outcome.text[match.end() :], code=int(match["code"]))


_LAST = re.compile(
    r"\n?\s*(?:\[The command completed with exit code (-?\d+)\.?\]|\[Command finished with exit code (-?\d+)\]"
    r"|\[?Process exited with code (-?\d+)\.?\]?|Command exited with code (-?\d+)|<exited with exit code (-?\d+)>"
    r"|\(Command exited with code (-?\d+)\)|\[exit(?:ed)?(?: with)?(?: code)?:? (-?\d+)\]|Exit code: (-?\d+))\s*\Z"
)
_TRAILERS = re.compile(
    r"\n?\[(?:Current working directory|Python interpreter): [^\n\]]*\]|\n?bash-\$\s*\Z|\n?///PROCESS-DONE:[^\n]*"
    r"|\n?\(Open file: [^\n]*\)\n?|\n?\(Current directory: [^\n]*\)\n?"
)


def _last_line(outcome: Outcome) -> Outcome:
    """Take exit codes and prompts off the end (OpenHands, pi, OpenClaw, Copilot, Droid, SWE-agent)."""
    tail = outcome.text[-600:]
    cleaned = _TRAILERS.sub("", tail)
    match = _LAST.search(cleaned)
    code = outcome.code
    if match is not None:
        code = int(next(group for group in match.groups() if group))
        cleaned = cleaned[: match.start()]
    if cleaned == tail:
        return outcome
    return replace(outcome, text=outcome.text[: len(outcome.text) - len(tail)] + cleaned, code=code)


_GEMINI = re.compile(
    r"\s*(?:Command: [^\n]*\n(?:(?!Directory: |Output: )[^\n]*\n)*(?:Directory: [^\n]*\n)?)?(?:Stdout|Output): "
)
_GEMINI_END = re.compile(
    r"\n(?:Stderr|Error): (?P<error>(?:(?!\nExit Code: |\nSignal: |\nBackground PIDs: )[\s\S])*)(?:\nExit Code: (?P<code>[^\n]*))?(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*\s*\Z"
)


def _gemini(outcome: Outcome) -> Outcome:
    """Unwrap `Command: / Directory: / Output: / Error: / Exit Code: ...` (Gemini CLI, Qwen Code)."""
    match = _GEMINI.match(outcome.text)
    if (
        match is None
        or "\nError: " not in outcome.text
        and "\nStderr: " not in outcome.text
        and "\nExit Code: " not in outcome.text
    ):
        return outcome
    place = max(outcome.text.rfind("\nError: "), outcome.text.rfind("\nStderr: "))
    text, error, code = outcome.text[match.end() :], "", None
    end = _GEMINI_END.match(outcome.text, place) if place >= 0 else None
    if end is not None:
        text = outcome.text[match.end() : place]
        error = end["error"]
        code = int(end["code"]) if (end["code"] or "").lstrip("-").isdigit() else None
    text = "" if text.strip() in ("(empty)", "(none)") else text
    if error.strip() not in ("", "(none)"):
        text = f"{text}\n{error}"
    return replace(outcome, text=text, code=code)


_NOTHING = frozenset(
    (
        "(no output)",
        "(Bash completed with no output)",
        "<no output>",
        "(no content)",
        "Tool ran without output or errors",
        "Your command ran successfully and did not produce any output.",
        "<system>Tool ran without output or errors</system>",
        "Command executed successfully with no output",
        "undefined",
        "(empty)",
    )
)


def _nothing(outcome: Outcome) -> Outcome:
    return (
        replace(outcome, text="") if len(outcome.text) < 100 and outcome.text.strip() in _NOTHING else outcome
    )


_REFUSED = (
    ("The user doesn't want to", "refused by the user"),
    ("[Request interrupted by user", "interrupted by the user"),
    ("The user rejected", "refused by the user"),
    ("User rejected", "refused by the user"),
    ("Tool use rejected", "refused by the user"),
    ("The user denied", "refused by the user"),
    ("exec command rejected by user", "refused by the user"),
    ("aborted by user", "interrupted by the user"),
    ("Request was aborted", "interrupted"),
    ("Permission to use ", "permission denied"),
    ("Claude requested permissions to", "permission not granted"),
)


def _refused(outcome: Outcome) -> Outcome:
    head = outcome.text.lstrip()[:200]
    for start, said in _REFUSED:
        if head.startswith(start) and (outcome.failed or outcome.size < 2000):
            return replace(outcome, refused=said, failed=True)
    return outcome


_WRAPPERS: tuple[Callable[[Outcome], Outcome], ...] = (
    _json,
    _returncode,
    _tool_error,
    _persisted,
    _first_line,
    _gemini,
    _last_line,
    _nothing,
    _refused,
)

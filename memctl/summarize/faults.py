"""Errors in printed text: exceptions of Python, JavaScript, Java, Go, Rust and others, and error lines."""

import re
from dataclasses import dataclass

from memctl.summarize.outcomes import last_match, line_at
from memctl.summarize.patterns import regex
from memctl.summarize.wording import clip, file_name

_NAMED = (
    r"(?:[A-Za-z_][\w.]{0,80})?"
    r"(?:Error|Exception|Interrupt|Exit|Failure|Warning|NotFound|DoesNotExist|Timeout|Abort)"
)
_PYTHON_FRAME = regex(r'^[ \t|]*File "(?P<file>[^"\n]{1,400})", line (?P<line>\d+)', re.MULTILINE)
_PYTHON_SAID = regex(r"(?P<name>[A-Za-z_][\w.]{0,200})(?:: (?P<said>[^\n]*))?")
_PYTHON_NAMES = (
    "Error",
    "Exception",
    "Interrupt",
    "Exit",
    "Warning",
    "Timeout",
    "DoesNotExist",
    "Configured",
    "Failure",
)
_LIBRARY = (
    "site-packages",
    "/lib/python",
    "<frozen",
    "<string>",
    "node_modules",
    "node:",
    "internal/",
    "importlib",
)
_SCRIPT = regex(
    r"^[ \t]*+(?:Uncaught |Unhandled [^\n:]{0,40}: ?|\[?)"
    rf"(?P<name>{_NAMED})(?: \[\w+\])?: (?P<said>[^\n]*)",
    re.MULTILINE,
)
_SCRIPT_FRAME = regex(
    r"^[ \t]++at [^\n]{0,200}?\(?(?:file://)?(?P<file>[^\s()]{1,300}?):(?P<line>\d+)(?::\d+)?\)?$",
    re.MULTILINE,
)
_JAVA = regex(
    r'^(?:Exception in thread "[^"\n]*" |Caused by: |Unhandled exception\. )'
    r"(?P<name>[\w.$]+)(?:: (?P<said>[^\n]*))?",
    re.MULTILINE,
)
_JAVA_FRAME = regex(r"^[ \t]++at [\w.$<>/]+\((?P<file>[\w$]+\.\w+):(?P<line>\d+)\)", re.MULTILINE)
_GO = regex(r"^panic: (?P<said>[^\n]*)", re.MULTILINE)
_GO_FRAME = regex(r"^\t(?P<file>/[^\s:]+\.go):(?P<line>\d+)", re.MULTILINE)
_RUST = regex(
    r"^thread '[^'\n]*' (?:\(\d+\) )?panicked at (?:'(?P<old>[^\n]*)', )?(?P<file>[^\s:,]+):"
    r"(?P<line>\d+)[:\d]*\n?(?P<said>[^\n]*)",
    re.MULTILINE,
)
_RUBY = regex(
    r"^(?P<file>[^\s:]{1,200}\.rb):(?P<line>\d+):in [^\n]{1,100}?: (?P<said>[^\n]*) \("
    r"(?P<name>[A-Z]\w*(?:::\w+)*)\)",
    re.MULTILINE,
)
_PHP = regex(
    r"^PHP (?:Fatal|Parse) error: +(?P<said>[^\n]*?) in (?P<file>[^\s:]+)(?: on line |:)(?P<line>\d+)",
    re.MULTILINE,
)

# What shells and programs say when a command could not do its work; looked for as they are, so it is quick.
_SHELL = (
    "command not found",
    ": not found",
    "No such file or directory",
    "no such file or directory",
    "Permission denied",
    "permission denied",
    "Operation not permitted",
    "Segmentation fault",
    "cannot access ",
    "can't open file",
    "No module named ",
    "Cannot find module",
    "syntax error near unexpected token",
    "unexpected EOF while looking for",
    "is not recognized as an internal or external command",
    "Connection refused",
    "Could not resolve host",
    "Killed",
    "timed out",
    "Timeout:",
)
_ERROR_LINE = regex(
    r"^[ \t]*+(?:[\w./@+-]{1,60}: ){0,2}"
    r"(?:(?:fatal|panic|error|Error|ERROR|FATAL|Fatal error|FAILURE|FAILED|ERR!|npm ERR!|npm error|E|×"
    r"|✖|✘|❌)(?:\[[\w-]{1,20}\]|\([\w-]{1,20}\))?:?[ \t]+"
    rf"|{_NAMED}: |(?:错误|出错|异常|失败|エラー|失敗|오류|에러|실패)\s*[:：]\s*)[^\n]*",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a text: what it says, where in the source ("auth.py:12" or ""), its offset in the text."""

    said: str
    place: str
    at: int

    @property
    def text(self) -> str:
        """What it says and where."""
        return f"{self.said} ({self.place})" if self.place else self.said


def exception_in(text: str) -> Fault | None:
    """Return the exception that a text ends with: the last traceback or stack of any known language."""
    found = [
        fault
        for look in (_python, _script, _java, _go, _rust, _ruby, _php)
        if (fault := look(text)) is not None
    ]
    return max(found, key=lambda fault: fault.at) if found else None


def error_line(text: str) -> str:
    """Return the first line that reports an error, as it stands, else ""."""
    match = _ERROR_LINE.search(text)
    place, said = _shell(text)
    return match.group().strip() if match is not None and (not said or match.start() <= place) else said


def shell_error(text: str) -> str:
    """Return the line with which a shell or program says that it could not do its work, else ""."""
    return _shell(text)[1]


def _shell(text: str) -> tuple[int, str]:
    """Return the first line that holds one of the shell's complaints, and where the complaint stands.

    Lines of more than 300 characters are no report: minified code, JSON.
    """
    found = [
        (place, line)
        for needle in _SHELL
        if (place := text.find(needle)) >= 0 and len(line := line_at(text, place)) <= 300
    ]
    return min(found, default=(0, ""))


def _python(text: str) -> Fault | None:
    start = text.rfind("Traceback (most recent call last)")
    headed = start >= 0
    if not headed:  # a syntax error has no header, and `tail` cuts it off
        frame = _PYTHON_FRAME.search(text) if '", line ' in text else None
        if frame is None:
            return None
        start = frame.start()
    place, last = "", start
    for frame in _PYTHON_FRAME.finditer(text, start):
        if frame.start() - last > 4000:
            break
        last = frame.end()
        if not place or not any(mark in frame["file"] for mark in _LIBRARY):
            place = f"{file_name(frame['file'])}:{frame['line']}"
    # The exception stands where the word Traceback stands; the source lines of frames are indented further.
    margin = text[text.rfind("\n", 0, start) + 1 : start] if headed else ""
    offset = text.find("\n", last) + 1
    for line in text[offset : offset + 4000].split("\n") if offset else []:
        match = _PYTHON_SAID.match(line, len(margin)) if line.startswith(margin) else None
        if match is not None and (headed or match["name"].endswith(_PYTHON_NAMES)):
            name = match["name"].rpartition(".")[2]
            return Fault(clip(f"{name}: {match['said']}" if match["said"] else name, 160), place, offset)
        offset += len(line) + 1
    return (
        Fault("traceback, its exception cut off", place, last)
        if headed and text.count("\n", last) <= 3
        else None
    )


def _script(text: str) -> Fault | None:
    if "\n    at " not in text:
        return None
    found = last_match(_SCRIPT, text)
    if found is None:
        return None
    return Fault(
        clip(f"{found['name']}: {found['said']}", 160),
        _frame(_SCRIPT_FRAME, text, found.end()),
        found.start(),
    )


def _java(text: str) -> Fault | None:
    found = last_match(_JAVA, text)
    if found is None:
        return None
    name = found["name"].rpartition(".")[2]
    return Fault(
        clip(f"{name}: {found['said']}" if found["said"] else name, 160),
        _frame(_JAVA_FRAME, text, found.end()),
        found.start(),
    )


def _go(text: str) -> Fault | None:
    match = _GO.search(text) if "panic: " in text else None
    return match and Fault(
        clip(f"panic: {match['said']}", 160), _frame(_GO_FRAME, text, match.end()), match.start()
    )


def _rust(text: str) -> Fault | None:
    match = _RUST.search(text) if "panicked at" in text else None
    return match and Fault(
        clip(f"panicked: {match['old'] or match['said']}", 160),
        f"{file_name(match['file'])}:{match['line']}",
        match.start(),
    )


def _ruby(text: str) -> Fault | None:
    match = _RUBY.search(text) if ".rb:" in text else None
    return match and Fault(
        clip(f"{match['name']}: {match['said']}", 160),
        f"{file_name(match['file'])}:{match['line']}",
        match.start(),
    )


def _php(text: str) -> Fault | None:
    match = _PHP.search(text) if "PHP " in text else None
    return match and Fault(
        clip(match["said"], 160), f"{file_name(match['file'])}:{match['line']}", match.start()
    )


def _frame(pattern: re.Pattern[str], text: str, start: int) -> str:
    """Return the first place in a stack that is not a library's, "" when all are."""
    for match in pattern.finditer(text, start, start + 4000):
        if not any(mark in match["file"] for mark in _LIBRARY):
            return f"{file_name(match['file'])}:{match['line']}"
    return ""

"""Tools that Cline and Roo call in an answer's text, as XML, and what they give back (FORMATS 5)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memctl.model import Part, Text, Thinking

__all__ = ["Asked", "answer_parts", "result_header"]

_TOOLS = (
    "access_mcp_resource act_mode_respond apply_diff ask_followup_question attempt_completion "
    "browser_action codebase_search condense execute_command fetch_instructions focus_chain "
    "generate_image insert_content list_code_definition_names list_files load_mcp_documentation "
    "new_rule new_task plan_mode_respond read_file replace_in_file report_bug run_slash_command "
    "search_and_replace search_files summarize_task switch_mode update_todo_list use_mcp_tool "
    "use_skill web_fetch web_search write_to_file"
).split()
_OPEN = re.compile(rf"<({'|'.join(_TOOLS)})>")
_PARAMETER = re.compile(r"<([a-z_]{1,40})>")
_LONG = ("content", "diff", "patch")  # parameters that may hold anything, their own closing tag included
_UNCLOSED = 50  # tags without an end that are looked for in one call
_HEADER = re.compile(r"\[([a-z_]{1,60})(?: [^\n]*)?\] Result:")
_REFUSED = re.compile(r"Tool \[([a-z_]{1,60})\] was not executed because")
_THINKING = ("<thinking>", "</thinking>")


@dataclass(frozen=True, slots=True)
class Asked:
    """A call found in the text: the tool's name and its parameters."""

    name: str
    parameters: dict[str, str]


def answer_parts(text: str) -> Iterator[Part | Asked]:
    """Take calls, and thinking in front, out of an answer; the words between them stay as they are."""
    start = len(text) - len(text.lstrip())
    if text.startswith(_THINKING[0], start) and _THINKING[1] in text:
        inner, _, text = text[start + len(_THINKING[0]) :].partition(_THINKING[1])
        yield Thinking(inner.strip())
    position = 0
    while match := _OPEN.search(text, position):
        close = f"</{match[1]}>"
        whole = match[1] in ("write_to_file", "new_rule")  # the file may speak of tools
        end = text.rfind(close, match.end()) if whole else text.find(close, match.end())
        if end < 0:
            break
        words = text[position : match.start()].strip()
        if words:
            yield Text(words)
        yield Asked(match[1], _parameters(text[match.end() : end]))
        position = end + len(close)
    words = text[position:].strip()
    if words:
        yield Text(words)


def result_header(text: str) -> tuple[str, str, bool | None] | None:
    """Read `[tool for 'x'] Result:`: the tool, what follows, and whether it failed; None for other text."""
    refused = _REFUSED.match(text)
    if refused:
        return refused[1], text, True
    match = _HEADER.match(text)
    if match is None:
        return None
    rest = text[match.end() :].removeprefix("\n")
    return match[1], rest, True if rest.startswith("The tool execution failed") else None


def _parameters(body: str) -> dict[str, str]:
    found: dict[str, str] = {}
    position = unclosed = 0
    while unclosed < _UNCLOSED and (match := _PARAMETER.search(body, position)):
        close = f"</{match[1]}>"
        end = body.rfind(close, match.end()) if match[1] in _LONG else body.find(close, match.end())
        if end < 0:
            position, unclosed = match.end(), unclosed + 1
            continue
        found.setdefault(match[1], _trimmed(body[match.end() : end]))
        position = end + len(close)
    return found


def _trimmed(value: str) -> str:
    """Take away the one line break that the model writes at either end."""
    return value.removeprefix("\n").removesuffix("\n")

"""Items of OpenAI's Responses API as parts of a message: what Codex rollouts hold inside their envelope.

An item is a message, a piece of reasoning, a call, or what a call gave (FORMATS 2 and 6).
"""

import json
import re
from collections.abc import Callable, Mapping

from memctl.model import Call, Image, Json, Part, Raw, Result, Role, Text, Thinking
from memctl.readers.fields import compact, first, image, mapping, sequence, string
from memctl.text.numbers import whole

__all__ = ["ITEMS", "read_item", "role_of"]

_ROLES: Mapping[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
}
# How Codex's shell tools head an output that is plain text.
_EXIT_CODE = re.compile(r"(?:Exit code:|Process exited with code) (-?\d{1,10})\s*$", re.MULTILINE)
_HEAD_CHARACTERS = 400
# How Codex begins an output when a call did not run, or not to its end; such an output has no exit code.
_FAILURES = (
    *("exec_command failed for ", "write_stdin failed: ", "failed in sandbox ", "execution error: "),
    *("apply_patch verification failed: ", "failed to parse function arguments: ", "unsupported call: "),
    *("unsupported custom tool call: ", "tool call error: ", "unable to locate image at ", "aborted by user"),
    *("patch rejected by user", "exec command rejected by user", "user rejected MCP tool call"),
    *("approval required by policy", "This action was rejected due to unacceptable risk"),
    *("command timed out after ", "Error: Mcp error: ", 'err: Error("'),
)
_NOT_RUN = re.compile(r"(?:aborted|Command '[^\n]{0,2000}' was rejected: [^\n]{0,400})\s*")


def read_item(item: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]] | None:
    """Give an item's role and parts; None for an item of an unknown type or with nothing in it.

    Arguments and outputs are given verbatim: the JSON string, the free text, or the value.
    """
    kind = item.get("type", "message" if "role" in item else None)
    reader = ITEMS.get(kind) if isinstance(kind, str) else None
    found = reader(item) if reader else None
    return found if found and found[1] else None


def role_of(name: Json) -> Role | None:
    """Give the role that a message of the API's role *name* has."""
    return _ROLES.get(name) if isinstance(name, str) else None


def _message(item: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]] | None:
    role = role_of(item.get("role"))
    return (role, _blocks(first(item, "content", "message"))) if role else None


def _blocks(content: Json) -> tuple[Text | Image | Raw, ...]:
    """Read content: a string, one block, or a list of them."""
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return (Text(content),) if string(content) else ()
    return tuple(found for block in content if (found := _block(block)) is not None)


def _block(block: Json) -> Text | Image | Raw | None:
    if isinstance(block, str):
        return Text(block) if block else None
    fields = mapping(block)
    text = first(fields, "text", "refusal")
    if isinstance(text, str):
        return Text(text) if text else None
    if fields.get("type") in ("input_image", "image_url", "output_image"):
        address = fields.get("image_url")
        if address is None:  # a slot that was left empty
            return None if fields.get("file_id") is None else Raw(block)
        found = image(mapping(address).get("url") if isinstance(address, dict) else address)
        return found if isinstance(found, Image) else Raw(block)
    return None if block is None else Raw(block)


def _reasoning(item: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]]:
    """Read reasoning: one part a summary or text; what is encrypted signs the last of them."""
    said = [*sequence(item.get("summary")), *sequence(item.get("content"))]
    texts = [text for block in said if (text := string(mapping(block).get("text")))]
    sealed = string(item.get("encrypted_content"))
    if sealed and not texts:
        texts = [""]
    last = len(texts) - 1
    return "assistant", tuple(Thinking(text, sealed if at == last else None) for at, text in enumerate(texts))


def _call(item: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]]:
    name = string(item.get("name")) or string(mapping(item.get("function")).get("name")) or ""
    space = string(item.get("namespace"))
    if space:  # joined as Codex flattens the names of MCP tools
        name = f"{space.rstrip('_')}__{name.lstrip('_')}"
    arguments = item.get("input") if item.get("type") == "custom_tool_call" else item.get("arguments")
    if arguments is None:
        arguments = mapping(item.get("function")).get("arguments")
    return "assistant", (Call(_call_id(item), name, arguments),)


def _hosted(name: str, key: str) -> Callable[[Mapping[str, Json]], tuple[Role, tuple[Part, ...]]]:
    """Make the reader of a call whose tool has no name of its own; its arguments stand under *key*."""

    def read(item: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]]:
        return "assistant", (Call(_call_id(item), name, item.get(key)),)

    return read


def _picture(item: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]]:
    """Read a call that made a picture: the item is the call and holds what came of it."""
    call = Call(_call_id(item), "image_generation", item.get("revised_prompt"))
    data = string(item.get("result"))
    return "assistant", (call, Image("image/png", data=data)) if data else (call,)


def _output(item: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]]:
    output = first(item, "output", "result", "tools")
    blocks, failed = _what_came(output)
    if isinstance(item.get("success"), bool):
        failed = not item["success"]
    return "tool", (Result(string(item.get("call_id")), blocks, failed, string(item.get("name"))),)


def _what_came(output: Json) -> tuple[tuple[Text | Image | Raw, ...], bool | None]:
    """Read an output and whether it says that the call failed (None: it does not say)."""
    if isinstance(output, str):
        return _blocks(output), _text_failed(output)
    if isinstance(output, list):
        blocks = _blocks(output)
        if output and all(isinstance(block, Raw) for block in blocks):
            return (Text(compact(output)),), None
        heading = next((block.text for block in blocks if isinstance(block, Text)), "")
        return blocks, _text_failed(heading)
    if not isinstance(output, dict):
        return (() if output is None else (Text(compact(output)),)), None
    failed = _value_failed(output)
    if "stdout" in output and not output.keys() - {"stdout", "stderr", "exitCode", "exit_code"}:
        streams = (string(output.get("stdout")), string(output.get("stderr")))
        return tuple(Text(stream) for stream in streams if stream), failed
    if "content" in output and not output.keys() - {"content", "success", "content_items"}:
        return _blocks(first(output, "content_items", "content")), failed
    block = _block(output) if "type" in output else None
    return ((block,) if isinstance(block, Text | Image) else (Text(compact(output)),)), failed


def _text_failed(output: str) -> bool | None:
    """Look for the exit code in a JSON string `{"output", "metadata"}` or above the line `Output:`."""
    if output.startswith("{"):
        try:
            wrapped = mapping(json.loads(output))
        except (ValueError, RecursionError):
            return None
        return _value_failed(wrapped.get("metadata")) if "output" in wrapped else None
    head, marker, _ = f"\n{output[:_HEAD_CHARACTERS]}".partition("\nOutput:")
    if not marker:
        return True if output.startswith(_FAILURES) or _NOT_RUN.fullmatch(output) else None
    found = _EXIT_CODE.search(head)
    if found:
        return whole(found[1]) != 0
    inside = output.partition("\nOutput:")[2].strip()
    return _says_failed(inside) if inside.startswith("{") and '"isError"' in inside else None


def _says_failed(output: str) -> bool | None:
    """Read what an MCP tool gave as JSON; None when it does not say whether it failed."""
    try:
        return _value_failed(json.loads(output))
    except (ValueError, RecursionError):
        return None


def _value_failed(output: Json) -> bool | None:
    fields = mapping(output)
    code = first(fields, "exit_code", "exitCode")
    if isinstance(code, int) and not isinstance(code, bool):
        return code != 0
    for key, means_failed in (("success", False), ("isError", True), ("is_error", True)):
        if isinstance(fields.get(key), bool):
            return bool(fields[key] is means_failed)
    return None


def _call_id(item: Mapping[str, Json]) -> str | None:
    return string(item.get("call_id")) or string(item.get("id"))


ITEMS: Mapping[str, Callable[[Mapping[str, Json]], tuple[Role, tuple[Part, ...]] | None]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _call,
    "custom_tool_call": _call,
    "tool_call": _call,
    "local_shell_call": _hosted("local_shell", "action"),
    "web_search_call": _hosted("web_search", "action"),
    "tool_search_call": _hosted("tool_search", "arguments"),
    "image_generation_call": _picture,
    "function_call_output": _output,
    "custom_tool_call_output": _output,
    "tool_search_output": _output,
    "local_shell_call_output": _output,
    "mcp_tool_call_output": _output,
    "function_result": _output,
    "tool_result": _output,
}
"""Item types with their readers; `tool_call` and the `_result` forms are Codex's oldest (FORMATS 2)."""

"""Content blocks of chat messages, Anthropic's and OpenAI's, as the parts of a message (FORMATS 1 and 6)."""

from collections.abc import Callable, Mapping

from memctl.model import Call, Image, Json, Part, Raw, Result, Text, Thinking
from memctl.readers.fields import first, image, mapping, string

__all__ = ["identifier", "parts_of", "result_blocks"]

_Blocks = tuple[Text | Image | Raw, ...]


def parts_of(content: Json) -> tuple[Part, ...]:
    """Read a message's content: a string, one block, or a list of both; empty texts give nothing."""
    if isinstance(content, str):
        return (Text(content),) if content else ()
    blocks = content if isinstance(content, list) else [content]
    return tuple([part for block in blocks if (part := _part(block)) is not None])


def result_blocks(content: Json) -> _Blocks:
    """Read what a tool gave back; a value without text of its own is kept whole."""
    if isinstance(content, str):
        return (Text(content),) if content else ()
    blocks = content if isinstance(content, list) else [content]
    return tuple([found for block in blocks if (found := _result_block(block)) is not None])


def identifier(value: Json) -> str | None:
    """Give an id as a string; some programs count."""
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _part(block: Json) -> Part | None:
    if isinstance(block, str):
        return Text(block) if block else None
    if not isinstance(block, dict):
        return None if block is None else Raw(block)
    kind = block.get("type")
    if isinstance(kind, str):
        reader = _READERS.get(kind)
        if reader is None and kind.endswith("_tool_result"):
            reader = _result
        if reader is not None:
            return reader(block)
    return Raw(block)


def _result_block(block: Json) -> Text | Image | Raw | None:
    found = _part(block)
    return found if found is None or isinstance(found, Text | Image) else Raw(block)


def _text(block: Mapping[str, Json]) -> Part | None:
    text = block.get("text")
    if text is None:
        text = first(block, "value", "refusal", "content")
    if isinstance(text, dict):  # OpenAI's assistants: {"value", "annotations"}
        text = text.get("value")
    if isinstance(text, str):
        return Text(text) if text else None
    return None if text is None else Raw(block)


def _thinking(block: Mapping[str, Json]) -> Part | None:
    text = block.get("thinking")
    if text is None:
        text = first(block, "text", "content")
    signature = string(block.get("signature"))
    if text is None and signature is None:
        return None
    return Thinking(text, signature) if isinstance(text, str) else Raw(block)


def _call(block: Mapping[str, Json]) -> Part:
    arguments = block.get("input")
    if arguments is None:
        arguments = first(block, "arguments", "args")
    return Call(identifier(block.get("id")), string(block.get("name")) or "", arguments)


def _result(block: Mapping[str, Json]) -> Part:
    call, content, failed = block.get("tool_use_id"), block.get("content"), block.get("is_error")
    return Result(
        identifier(block.get("tool_call_id") if call is None else call),
        result_blocks(block.get("output") if content is None else content),
        failed if isinstance(failed, bool) else None,
        string(block.get("name")),
    )


def _image(block: Mapping[str, Json]) -> Part:
    """Read a picture: Anthropic's *source*, OpenAI's *image_url*, or a bare address or path."""
    source = mapping(block.get("source"))
    if string(source.get("data")) and source.get("type") != "text":
        return Image(string(source.get("media_type")) or "", data=source["data"])
    address = first(source, "url") or first(block, "image_url", "url", "image", "value", "path")
    if isinstance(address, dict):
        address = address.get("url")
    found = image(address)
    return found if isinstance(found, Image) else Raw(block)


_READERS: Mapping[str, Callable[[Mapping[str, Json]], Part | None]] = {
    "text": _text,
    "input_text": _text,
    "output_text": _text,
    "refusal": _text,
    "thinking": _thinking,
    "reasoning": _thinking,
    "tool_use": _call,
    "server_tool_use": _call,
    "mcp_tool_use": _call,
    "tool_result": _result,
    "image": _image,
    "image_url": _image,
    "input_image": _image,
}

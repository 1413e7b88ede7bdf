"""Google's GenAI contents as parts of a message: what Gemini CLI and Qwen Code hold (FORMATS 4)."""

from collections.abc import Iterator, Mapping

from memctl.model import Call, Image, Json, Part, Raw, Result, Text, Thinking
from memctl.readers.fields import compact, mapping, sequence, string

__all__ = ["FAILED", "blocks_of", "parts_of", "response_of"]

Block = Text | Image | Raw

FAILED = {"success": False, "error": True, "cancelled": True}
"""Whether a call failed, by the status that is told of it."""


def parts_of(content: Json) -> tuple[Part, ...]:
    """Read content: a string, one part, or a list of them."""
    items = content if isinstance(content, list) else [] if content is None else [content]
    return tuple(part for item in items for part in _part(item))


def blocks_of(content: Json) -> tuple[Block, ...]:
    """Read what a tool gave: the texts, pictures and unknown blocks of *content*, responses unwrapped."""
    found: list[Block] = []
    for part in parts_of(content):
        if isinstance(part, Result):
            found += part.blocks
        elif isinstance(part, Text | Image | Raw):
            found.append(part)
    return tuple(found)


def response_of(response: Json) -> tuple[tuple[Block, ...], bool | None]:
    """Read a function's response, and whether it is an error (None: it does not say)."""
    if isinstance(response, str):
        return ((Text(response),) if response else ()), None
    fields = mapping(response)
    for key, failed in (("output", None), ("error", True), ("content", None)):
        value = fields.get(key)
        if isinstance(value, str) and len(fields) == 1:
            return ((Text(value),) if value else ()), failed
    if not fields:
        return (() if response in (None, {}) else (Text(compact(response)),)), None
    return (Text(compact(response)),), True if "error" in fields and "output" not in fields else None


def _part(item: Json) -> Iterator[Part]:
    if isinstance(item, str):
        yield from [Text(item)] if item else []
        return
    fields = mapping(item)
    if isinstance(fields.get("text"), str):
        text, signature = fields["text"], string(fields.get("thoughtSignature"))
        if fields.get("thought"):
            yield Thinking(text, signature)
        elif text:
            yield Text(text)
    elif isinstance(fields.get("functionCall"), dict):
        call = fields["functionCall"]
        yield Call(string(call.get("id")), string(call.get("name")) or "", call.get("args"))
    elif isinstance(fields.get("functionResponse"), dict):
        yield _result(fields["functionResponse"])
    else:
        yield _media(fields) or Raw(item)


def _result(answer: Mapping[str, Json]) -> Result:
    blocks, failed = response_of(answer.get("response"))
    blocks += tuple(
        part for part in parts_of(sequence(answer.get("parts"))) if isinstance(part, Text | Image | Raw)
    )
    return Result(string(answer.get("id")), blocks, failed, string(answer.get("name")))


def _media(fields: Mapping[str, Json]) -> Image | None:
    inline, stored = mapping(fields.get("inlineData")), mapping(fields.get("fileData"))
    kind = string((inline or stored).get("mimeType")) or ""
    if not kind.startswith("image/"):
        return None
    if isinstance(inline.get("data"), str):
        return Image(kind, data=inline["data"])
    address = string(stored.get("fileUri"))
    return Image(kind, url=address) if address else None

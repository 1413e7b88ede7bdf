"""Message lists as the Anthropic and OpenAI APIs accept them, and as text for people."""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from memctl import files
from memctl.context.listing import Block, Message, Use
from memctl.context.sizes import argument_text
from memctl.context.turns import Part
from memctl.errors import MemctlError
from memctl.model import Json
from memctl.store import Store
from memctl.summarize.requests import parsed
from memctl.text.names import short_hash

_NOT_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_ID, _NAME = 40, 64  # characters that the narrower of both APIs takes
_PICTURES = frozenset(["image/png", "image/jpeg", "image/gif", "image/webp"])
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass
class _Names:
    """Ids and names as both APIs take them; an id that had to change, or comes twice, gets a hash."""

    taken: set[str] = field(default_factory=set)

    def id(self, given: str) -> str:
        """Give a call's id, each call its own."""
        name = _NOT_NAME.sub("_", given)
        if name != given or not name or len(name) > _ID or name in self.taken:
            number = len(self.taken) if name in self.taken or not name else 0
            name = f"{name[: _ID - 9]}_{short_hash(8, given, number)}"
        self.taken.add(name)
        return name

    @staticmethod
    def tool(given: str) -> str:
        """Give a tool's name."""
        return _NOT_NAME.sub("_", given)[:_NAME] or "unknown"


def clean(text: str) -> str:
    """Give a text that is valid Unicode: lone surrogates, which no API takes, become U+FFFD."""
    return _SURROGATE.sub("\ufffd", text) if _SURROGATE.search(text) else text


def _clean(value: Json) -> Json:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(name)): _clean(item) for name, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list) else value


# --------------------------------------------------------------------------- Anthropic


def anthropic(store: Store, system: list[str], listed: list[Message]) -> dict[str, Json]:
    """Give {"system", "messages"}: a call's result opens the user message behind it."""
    names = _Names()
    out: list[dict[str, Json]] = []
    for message in listed:
        content = [_anthropic_block(store, block, message.role) for block in message.blocks]
        if message.role == "user" and out and out[-1]["role"] == "user":
            out[-1]["content"] += content
            continue
        results: list[Json] = []
        for use in message.uses:
            name = names.id(use.id)
            content.append(
                {
                    "type": "tool_use",
                    "id": name,
                    "name": names.tool(use.name),
                    "input": _object(use.arguments),
                }
            )
            results.append(_tool_result(store, name, use))
        out.append({"role": message.role, "content": content})
        if results:
            out.append({"role": "user", "content": results})
    head = {"system": clean("\n\n".join(system))} if system else {}
    return {**head, "messages": out}


def _tool_result(store: Store, name: str, use: Use) -> dict[str, Json]:
    blocks = [_anthropic_block(store, block, "user") for block in use.result]
    plain = len(blocks) == 1 and blocks[0]["type"] == "text"
    result: dict[str, Json] = {"type": "tool_result", "tool_use_id": name}
    result["content"] = blocks[0]["text"] if plain else blocks
    return result if use.is_error is None else {**result, "is_error": use.is_error}


def _anthropic_block(store: Store, block: Block, role: str) -> dict[str, Json]:
    if isinstance(block, str):
        return {"type": "text", "text": clean(block)}
    media, data, url = _picture(store, block)
    if role == "user" and url:
        return {"type": "image", "source": {"type": "url", "url": url}}
    if role == "user" and data and media in _PICTURES:
        return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}
    return {"type": "text", "text": _told(block)}


def _object(arguments: Json) -> Json:
    value = parsed(arguments)
    return _clean(value) if isinstance(value, dict) else {"arguments": _clean(arguments)}


# --------------------------------------------------------------------------- OpenAI


def openai(store: Store, system: list[str], listed: list[Message]) -> dict[str, Json]:
    """Give {"messages"}: one tool message a result, the system's words first."""
    names = _Names()
    out: list[dict[str, Json]] = [{"role": "system", "content": clean("\n\n".join(system))}] if system else []
    for message in listed:
        content = _openai_content(store, message.blocks, message.role)
        if not message.uses:
            out.append({"role": message.role, "content": content})
            continue
        ids = [names.id(use.id) for use in message.uses]
        calls = [
            {
                "id": name,
                "type": "function",
                "function": {"name": names.tool(use.name), "arguments": _arguments(use.arguments)},
            }
            for name, use in zip(ids, message.uses, strict=True)
        ]
        out.append({"role": "assistant", "content": content or None, "tool_calls": calls})
        for name, use in zip(ids, message.uses, strict=True):
            texts = [block if isinstance(block, str) else _told(block) for block in use.result]
            out.append({"role": "tool", "tool_call_id": name, "content": clean("\n".join(texts))})
    return {"messages": out}


def _openai_content(store: Store, blocks: list[Block], role: str) -> Json:
    if role == "assistant" or all(isinstance(block, str) for block in blocks):
        return clean("\n\n".join(block if isinstance(block, str) else _told(block) for block in blocks))
    return [_openai_block(store, block) for block in blocks]


def _openai_block(store: Store, block: Block) -> dict[str, Json]:
    if isinstance(block, str):
        return {"type": "text", "text": clean(block)}
    media, data, url = _picture(store, block)
    if url or (data and media in _PICTURES):
        return {"type": "image_url", "image_url": {"url": url or f"data:{media};base64,{data}"}}
    return {"type": "text", "text": _told(block)}


def _arguments(arguments: Json) -> str:
    value = parsed(arguments)
    return clean(argument_text(value if isinstance(value, dict) else {"arguments": arguments}))


# --------------------------------------------------------------------------- pictures


def _picture(store: Store, record: Part) -> tuple[str, str, str]:
    """Give a picture's media type, base64 and address; a file that is gone gives neither of the last two."""
    media = str(record.get("media_type") or "")
    if isinstance(record.get("url"), str):
        return media, "", str(record["url"])
    if isinstance(record.get("ref"), str):
        try:
            data = files.read_bytes(files.inside(store.root, str(record["ref"])))
        except MemctlError:
            return media, "", ""
        return media, base64.b64encode(data).decode("ascii"), ""
    return media, str(record.get("data") or ""), ""


def _told(record: Part) -> str:
    return f"[picture: {record.get('ref') or record.get('url') or record.get('media_type') or 'unknown'}]"


# --------------------------------------------------------------------------- text


def text(system: list[str], listed: list[Message]) -> Iterator[str]:
    """Give the lines of the list for people: who speaks, the calls, and what came back."""
    for said in system:
        yield from ("[system]", said, "")
    for message in listed:
        yield f"[{message.role}]"
        for block in message.blocks:
            yield block if isinstance(block, str) else _told(block)
        for use in message.uses:
            yield f"> {use.name}({argument_text(use.arguments)})"
            for block in use.result:
                yield f"< {block if isinstance(block, str) else _told(block)}"
        yield ""

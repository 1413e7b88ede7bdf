"""Sessions as the message lists of the OpenAI and Anthropic APIs, every result back in place."""

import base64
from collections.abc import Callable, Iterator
from typing import Any

from memctl import files, offload
from memctl.errors import MemctlError
from memctl.model import Json, Raw, Text
from memctl.readers.lines import parse
from memctl.store import Store, entries, refs, sessions
from memctl.store.messages import Stored

Block = Text | Raw | dict[str, Json]  # a dict is a picture's record
Results = Callable[[dict[str, Json]], list[Block]]


def openai(store: Store, session: str) -> list[dict[str, Json]]:
    """Give a session as OpenAI chat messages: calls with the words before them, one tool message a result."""
    out: list[dict[str, Json]] = []
    results = _results(store, session)
    for stored in _conversation(store, session):
        calls = [part for part in stored.parts if part.get("type") == "call"]
        answers = [part for part in stored.parts if part.get("type") == "result"]
        words = [part for part in stored.parts if part.get("type") not in ("call", "result")]
        for part in answers:
            content = _openai_content(store, results(part))
            named = {"name": part["name"]} if isinstance(part.get("name"), str) else {}
            out.append({"role": "tool", "tool_call_id": part.get("call_id"), **named, "content": content})
        if not words and not calls:
            if not answers:
                out.append({"role": _openai_role(stored), "content": ""})
            continue
        message: dict[str, Json] = {"role": _openai_role(stored), "content": _openai_words(store, words)}
        thoughts = [str(part.get("text")) for part in words if part.get("type") == "thinking"]
        if thoughts:
            message["reasoning_content"] = "\n\n".join(thoughts)
        if calls:
            message["tool_calls"] = [
                {
                    "id": part.get("call_id"),
                    "type": "function",
                    "function": {
                        "name": part.get("name"),
                        "arguments": _argument_text(part.get("arguments")),
                    },
                }
                for part in calls
            ]
        out.append(message)
    return out


def anthropic(store: Store, session: str) -> list[dict[str, Json]]:
    """Give a session as Anthropic messages; neighbours of one role become one message, as that API wants."""
    out: list[dict[str, Json]] = []
    results = _results(store, session)
    for stored in _conversation(store, session):
        role = "assistant" if stored.role == "assistant" else "user" if stored.role != "system" else "system"
        blocks = [block for part in stored.parts for block in _anthropic_blocks(store, part, results)]
        if out and out[-1]["role"] == role:
            out[-1]["content"] += blocks
        else:
            out.append({"role": role, "content": blocks})
    return out


def _conversation(store: Store, session: str) -> Iterator[Stored]:
    return sessions.conversation(store, session)


def _openai_role(stored: Stored) -> str:
    return stored.role if stored.role in ("user", "assistant", "system") else "user"


# --------------------------------------------------------------------------- results


def _results(store: Store, session: str) -> Results:
    """Give the function that brings back a result's blocks from its entry or ref."""
    held = {
        found.entry.tool_call_id: found.entry for found in entries.latest(store.offload(session), session)
    }

    def blocks(part: dict[str, Json]) -> list[Block]:
        entry = held.get(str(part.get("call_id")))
        if entry is None or (entry.result is None and not entry.result_ref):
            call = part.get("call_id")
            raise MemctlError(f"the result of {call} is missing; ingest the transcript again")
        return offload.blocks_of(part.get("blocks"), *refs.result(store.root, entry))

    return blocks


def _picture(store: Store, record: dict[str, Json]) -> tuple[str, str]:
    """Give a picture's (base64, url); one of them is empty."""
    if isinstance(record.get("url"), str):
        return "", str(record["url"])
    if isinstance(record.get("ref"), str):
        data = files.read_bytes(files.inside(store.root, str(record["ref"])))
        return base64.b64encode(data).decode("ascii"), ""
    return str(record.get("data", "")), ""


# --------------------------------------------------------------------------- OpenAI


def _openai_words(store: Store, words: list[dict[str, Json]]) -> Json:
    spoken = [part for part in words if part.get("type") != "thinking"]
    if all(part.get("type") == "text" for part in spoken) and len(spoken) <= 1:
        return spoken[0].get("text", "") if spoken else None
    return [_openai_part(store, part) for part in spoken]


def _openai_content(store: Store, blocks: list[Block]) -> Json:
    if not blocks:
        return ""
    if len(blocks) == 1 and isinstance(blocks[0], Text):
        return blocks[0].text
    return [_openai_part(store, block) for block in blocks]


def _openai_part(store: Store, part: Any) -> Json:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if isinstance(part, Raw):
        return part.value
    if part.get("type") == "image":
        data, url = _picture(store, part)
        return {
            "type": "image_url",
            "image_url": {"url": url or f"data:{part.get('media_type')};base64,{data}"},
        }
    if part.get("type") == "raw":
        return part.get("value")
    return {"type": "text", "text": part.get("text")}


def _argument_text(arguments: Json) -> str:
    if isinstance(arguments, str):
        return arguments
    return files.encode(arguments).decode()


# --------------------------------------------------------------------------- Anthropic


def _anthropic_blocks(store: Store, part: dict[str, Json], results: Results) -> list[dict[str, Json]]:
    match part.get("type"):
        case "text":
            return [{"type": "text", "text": part.get("text")}]
        case "thinking":
            return [
                {"type": "thinking", "thinking": part.get("text"), "signature": part.get("signature") or ""}
            ]
        case "image":
            return [_anthropic_image(store, part)]
        case "call":
            return [
                {
                    "type": "tool_use",
                    "id": part.get("call_id"),
                    "name": part.get("name"),
                    "input": _argument_object(part.get("arguments")),
                }
            ]
        case "result":
            content = [_anthropic_block(store, block) for block in results(part)]
            plain = len(content) == 1 and "blocks" not in part
            block = {"type": "tool_result", "tool_use_id": part.get("call_id")}
            block["content"] = content[0]["text"] if plain else content
            if isinstance(part.get("is_error"), bool):
                block["is_error"] = part["is_error"]
            return [block]
        case _:
            value = part.get("value")
            return [
                value if isinstance(value, dict) else {"type": "text", "text": files.encode(value).decode()}
            ]


def _anthropic_block(store: Store, block: Block) -> dict[str, Json]:
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    if isinstance(block, Raw):
        value = block.value
        return value if isinstance(value, dict) else {"type": "text", "text": files.encode(value).decode()}
    return _anthropic_image(store, block)


def _anthropic_image(store: Store, record: dict[str, Json]) -> dict[str, Json]:
    data, url = _picture(store, record)
    if url:
        return {"type": "image", "source": {"type": "url", "url": url}}
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": record.get("media_type"), "data": data},
    }


def _argument_object(arguments: Json) -> Json:
    """Give arguments as the object that API wants; a string that is none stays whole under one key."""
    if isinstance(arguments, dict):
        return arguments
    if isinstance(arguments, str):
        try:
            value = parse(arguments.encode("utf-8", "surrogatepass"))
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
    return {"arguments": arguments}

"""Offloading: a tool result becomes the bytes of a ref, or stays in its entry when it is short."""

import base64
import binascii
from dataclasses import dataclass, field

from memctl.files import decode, encode
from memctl.model import Image, Json, Raw, Result, Text
from memctl.store import refs

_PICTURE_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A decoded picture that is stored beside the ref of its result."""

    ending: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Body:
    """A result's bytes and how its blocks come back from them.

    blocks: for L0, one record a block; None when the result is exactly one text. A text or raw block
        says how many bytes of the body are its own, a picture which of *pictures* it is.
    parts: the same for the ref's header, in words.
    shown: the text with each block on lines of its own, for summaries.
    """

    data: bytes
    encoding: str
    text: str
    blocks: tuple[dict[str, Json], ...] | None
    parts: str
    pictures: tuple[Picture, ...] = ()
    digest: str = field(default="")
    shown: str = ""


def assemble(result: Result) -> Body:
    """Put a result's blocks one after the other: their texts as bytes, pictures aside."""
    import hashlib  # loads OpenSSL, which reading a result does without

    texts = ["" if isinstance(block, Image) else _text_of(block) for block in result.blocks]
    whole = "".join(texts)
    data, encoding = refs.encode_text(whole)
    blocks: list[dict[str, Json]] = []
    words: list[str] = []
    pictures: list[Picture] = []
    for block, text in zip(result.blocks, texts, strict=True):
        if isinstance(block, Image):
            blocks.append(_image_record(block, pictures))
            words.append(f"image {block.media_type or 'unknown'}")
            continue
        kind = "text" if isinstance(block, Text) else "json"
        size = len(text.encode("utf-8", encoding or "strict"))
        blocks.append({"type": kind, "bytes": size})
        words.append(f"{kind} {size}")
    plain = len(result.blocks) == 1 and isinstance(result.blocks[0], Text)
    return Body(
        data=data,
        encoding=encoding,
        text=whole,
        blocks=None if plain else tuple(blocks),
        parts=", ".join(words) or "none",
        pictures=tuple(pictures),
        digest=hashlib.sha256(data).hexdigest(),
        shown=whole if plain else refs.in_lines(texts),
    )


def stays_inline(body: Body, inline_bytes: int) -> bool:
    """Tell whether a result stays in its entry: short, valid Unicode, one part, no picture."""
    return len(body.data) < inline_bytes and not body.encoding and body.blocks is None


def ref_file(body: Body, tool: str, call: str, session: str, timestamp: str | None) -> tuple[bytes, bytes]:
    """Write a ref: its header and its body."""
    fields = {"call": call, "session": session}
    if timestamp is not None:
        fields["time"] = timestamp
    fields |= {"bytes": str(len(body.data)), "sha256": body.digest}
    if body.encoding:
        fields["encoding"] = body.encoding
    fields["parts"] = body.parts
    return refs.header(tool, fields), body.data


def block_records(body: Body, ref: str | None) -> list[dict[str, Json]] | None:
    """Give the block records for L0, with pictures named by the files beside their ref."""
    if body.blocks is None:
        return None
    return [
        {
            "type": "image",
            "media_type": block["media_type"],
            "ref": picture_path(ref, block["picture"], body.pictures),
        }
        if ref and "picture" in block
        else block
        for block in body.blocks
    ]


def picture_path(ref: str, number: int, pictures: tuple[Picture, ...]) -> str:
    """Name the file of picture *number* (from 1) beside its ref."""
    return f"{ref}.{number}.{pictures[number - 1].ending}"


def decode_picture(block: Image) -> Picture | None:
    """Decode a picture whose base64 comes back the same when encoded again; None otherwise."""
    if not block.data or block.url:
        return None
    try:
        data = base64.b64decode(block.data, validate=True)
    except (binascii.Error, ValueError):
        return None
    if base64.b64encode(data).decode("ascii") != block.data:
        return None
    return Picture(_PICTURE_ENDINGS.get(block.media_type, "bin"), data)


def _image_record(block: Image, pictures: list[Picture]) -> dict[str, Json]:
    picture = decode_picture(block)
    record: dict[str, Json] = {"type": "image", "media_type": block.media_type}
    if picture is None:
        return record | ({"url": block.url} if block.url else {"data": block.data})
    pictures.append(picture)
    return record | {"picture": len(pictures)}


def _text_of(block: Text | Raw) -> str:
    return block.text if isinstance(block, Text) else encode(block.value).decode("utf-8")


def blocks_of(
    records: list[dict[str, Json]] | None, data: bytes, encoding: str = ""
) -> list[Text | Raw | dict[str, Json]]:
    """Reverse `assemble`: texts and raw values from the body's bytes; picture records as they stand."""
    if not isinstance(records, list):
        return [Text(refs.decode_text(data, encoding))]
    blocks: list[Text | Raw | dict[str, Json]] = []
    at = 0
    for record in records:
        if not isinstance(record, dict):
            continue
        if record.get("type") == "image":
            blocks.append(record)
            continue
        size = record.get("bytes")
        piece = data[at : at + (size if isinstance(size, int) and size > 0 else 0)]
        at += len(piece)
        blocks.append(
            Raw(decode(piece)) if record.get("type") == "json" else Text(refs.decode_text(piece, encoding))
        )
    return blocks

"""The parts of a message as JSON, and the readable text that `content` holds (DESIGN 2.8)."""

from memctl.model import Call, Image, Json, Part, Raw, Result, Text, Thinking


def readable(parts: tuple[Part, ...]) -> str:
    """Give a message's readable text: its text parts, a blank line between them."""
    return "\n\n".join(part.text for part in parts if isinstance(part, Text) and part.text)


def content_says_all(parts: tuple[Part, ...]) -> bool:
    """Tell whether `content` alone gives the parts back."""
    return not parts or (len(parts) == 1 and isinstance(parts[0], Text))


def part_record(part: Part) -> dict[str, Json]:
    """Write one part as JSON. Results are written by `offload`, which knows where their bytes went."""
    match part:
        case Text():
            return {"type": "text", "text": part.text}
        case Thinking():
            signed = {"signature": part.signature} if part.signature is not None else {}
            return {"type": "thinking", "text": part.text, **signed}
        case Image():
            where = {"url": part.url} if part.url else {"data": part.data}
            return {"type": "image", "media_type": part.media_type, **where}
        case Raw():
            return {"type": "raw", "value": part.value}
        case Call():
            return {"type": "call", "call_id": part.id, "name": part.name, "arguments": part.arguments}
        case Result():
            raise TypeError("results are written by offload")

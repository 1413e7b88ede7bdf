"""Read the conversations of a ChatGPT export: trees of messages, many to a file (FORMATS 15)."""

from collections.abc import Callable, Iterator, Mapping

from memctl.model import (
    Call,
    Damage,
    Event,
    Image,
    Json,
    Message,
    Part,
    Raw,
    Result,
    Role,
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.fields import compact, epoch, first, known, mapping, objects, sequence, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "chatgpt"

_ROLES: Mapping[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_EVERYONE = ("all", "")  # recipients of what is said; any other is a tool
_SETTINGS = ("user_editable_context", "model_editable_context")  # what a person set, and the model noted


def detect(source: Source) -> bool:
    """Tell a conversation by its nodes, each with its parent and message (FORMATS 0, row 16)."""
    return any(_is_conversation(value) for value in objects(source.head()))


def read(source: Source) -> Iterator[Event]:
    """Give the events of each conversation, a session of its own.

    All branches are given, each message with the one before it; the one that was shown last comes last.
    """
    number = 0
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
        elif _is_conversation(mapping(line.value)):
            number += 1
            yield from _conversation(line.value, f"#{number}")
        else:
            yield Skipped("no conversation")


def _is_conversation(value: Mapping[str, Json]) -> bool:
    nodes = mapping(value.get("mapping"))
    return ("current_node" in value or "title" in value) and any(
        "message" in mapping(node) and "parent" in mapping(node) for node in list(nodes.values())[:3]
    )


def _conversation(value: Mapping[str, Json], key: str) -> Iterator[Event]:
    session = string(first(value, "conversation_id", "id"))
    facts = known(
        agent="ChatGPT",
        title=value.get("title"),
        model=value.get("default_model_slug"),
        started=_when(value.get("create_time")),
    )
    yield SessionFacts(key, session, FORMAT, facts=facts)
    stands_for: dict[str, str | None] = {}  # node -> the message it is, or follows
    for name, parent, node in _in_order(value):
        message = mapping(node.get("message"))
        above = stands_for.get(parent) if parent else None
        read = _message(message)
        stands_for[name] = name if read else above
        if read is None:
            if message:
                yield Skipped(f"empty:{mapping(message.get('author')).get('role')}", key)
            continue
        role, parts, marks = read
        model = string(mapping(message.get("metadata")).get("model_slug")) if role == "assistant" else None
        yield Message(key, name, role, parts, _when(message.get("create_time")), marks, model, parent=above)


def _in_order(value: Mapping[str, Json]) -> Iterator[tuple[str, str | None, Mapping[str, Json]]]:
    """Give each node with its parent, parents first; of several branches the current one last."""
    nodes = {name: mapping(node) for name, node in mapping(value.get("mapping")).items()}
    current: set[str] = set()
    name = string(value.get("current_node"))
    while name in nodes and name not in current:
        current.add(name)
        name = string(nodes[name].get("parent"))
    children: dict[str | None, list[str]] = {}
    for name, node in nodes.items():
        parent = string(node.get("parent"))
        children.setdefault(parent if parent in nodes else None, []).append(name)
    waiting: list[tuple[str, str | None]] = []
    given: set[str] = set()
    # A damaged tree may have rings that no root leads to: each node is a root when its turn comes.
    for root in [*sorted(children.get(None, ()), key=current.__contains__), *nodes]:
        if root not in given:
            waiting.append((root, None))
        while waiting:
            name, parent = waiting.pop()
            if name in given:
                continue
            given.add(name)
            yield name, parent, nodes[name]
            below = sorted(children.get(name, ()), key=current.__contains__)
            waiting += ((child, name) for child in reversed(below))


def _when(value: Json) -> str | None:
    """Read seconds since 1970, which some exports write as a string."""
    try:
        return epoch(float(value)) if isinstance(value, str | int | float) else None
    except (ValueError, OverflowError):
        return time(value)


# --------------------------------------------------------------------------- messages


def _message(message: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...], tuple[str, ...]] | None:
    author, content = mapping(message.get("author")), mapping(message.get("content"))
    kind = str(content.get("content_type") or "text")
    role = _ROLES.get(str(author.get("role")))
    parts = _READERS.get(kind, _parts)(content)
    if role is None or not parts:
        return None
    recipient = str(message.get("recipient") or "")
    if role == "tool":
        blocks = tuple(part for part in parts if isinstance(part, Text | Image | Raw))
        return role, (Result(None, blocks, kind == "system_error" or None, string(author.get("name"))),), ()
    if role == "assistant" and recipient not in _EVERYONE:
        asked = "\n".join(part.text for part in parts if isinstance(part, Text))
        rest = tuple(part for part in parts if not isinstance(part, Text))
        return role, (*rest, Call(None, recipient, asked)), ()
    return role, parts, _marks(message, role, kind, parts)


def _marks(message: Mapping[str, Json], role: Role, kind: str, parts: tuple[Part, ...]) -> tuple[str, ...]:
    if role != "user":
        return ()
    if kind in _SETTINGS:
        return ("instructions",)
    about = mapping(message.get("metadata"))
    if about.get("is_visually_hidden_from_conversation") is True or message.get("weight") == 0:
        return ("meta",)
    texts = [part.text for part in parts if isinstance(part, Text)]
    return marks_of(texts) if texts and len(texts) == len(parts) else ()


def _parts(content: Mapping[str, Json]) -> tuple[Part, ...]:
    """Read the parts of a message, or the one text it has."""
    whole = string(first(content, "text", "result", "content"))
    pieces = sequence(content.get("parts")) or ([whole] if whole else [])
    return tuple(part for piece in pieces if (part := _part(piece)) is not None)


def _part(piece: Json) -> Part | None:
    if isinstance(piece, str):
        return Text(piece) if piece else None
    if not isinstance(piece, dict):
        return None
    pointer = string(piece.get("asset_pointer"))
    if piece.get("content_type") == "image_asset_pointer" and pointer:
        return Image("", url=pointer)
    text = string(piece.get("text"))
    return Text(text) if text else Raw(piece)


def _thoughts(content: Mapping[str, Json]) -> tuple[Part, ...]:
    found = []
    for thought in map(mapping, sequence(content.get("thoughts"))):
        pieces = [piece for key in ("summary", "content") if (piece := string(thought.get(key)))]
        if pieces:
            found.append(Thinking("\n\n".join(pieces)))
    return tuple(found)


def _recap(content: Mapping[str, Json]) -> tuple[Part, ...]:
    recap = string(content.get("content"))
    return (Thinking(recap),) if recap else ()


def _quote(content: Mapping[str, Json]) -> tuple[Part, ...]:
    """Read a page that was quoted: its title and address, then its text."""
    lines = [line for key in ("title", "url", "text") if (line := string(content.get(key)))]
    return (Text("\n".join(lines)),) if lines else ()


def _settings(content: Mapping[str, Json]) -> tuple[Part, ...]:
    texts = [text for key, value in content.items() if key != "content_type" and (text := string(value))]
    return tuple(map(Text, texts)) or ((Text(compact(content)),) if len(content) > 1 else ())


_READERS: Mapping[str, Callable[[Mapping[str, Json]], tuple[Part, ...]]] = {
    "thoughts": _thoughts,
    "reasoning_recap": _recap,
    "tether_quote": _quote,
    "user_editable_context": _settings,
    "model_editable_context": _settings,
}

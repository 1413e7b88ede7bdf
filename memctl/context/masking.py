"""Keep out of a context what a person had forgotten (DESIGN 5)."""

import re
from collections.abc import Callable

from memctl import files
from memctl.context.listing import Block, Message
from memctl.model import Json
from memctl.store import Store

Mask = Callable[[str], str]

_LEAST = 6  # characters of a piece that can say anything
_PIECES = re.compile(r'(\n|"|<br/>| · )')  # what canvases and JSON put between texts
_GONE = "[forgotten]"


def masking(store: Store) -> Mask | None:
    """Give the function that masks what was forgotten in a text; None when nothing was."""
    if not any(b'"forgotten"' in files.read_bytes(path) for path in store.shards()):
        return None
    from memctl.index.sources import hidden
    from memctl.layers import speech

    hides = hidden(store)

    def piece(text: str) -> str:
        if len(text) < _LEAST or not any(map(str.isalpha, text)):
            return text
        for sentence in speech.split(text):
            if hides.hides(sentence):
                text = text.replace(sentence, _GONE)
        return _GONE if hides.hides(text) else text

    def mask(text: str) -> str:
        text = hides.forgotten.masked(text)
        return "".join(map(piece, _PIECES.split(text)))

    return mask


def masked(listed: list[Message], mask: Mask) -> list[Message]:
    """Mask every text of a message list, results and arguments included."""
    return [
        Message(
            message.role,
            _blocks(message.blocks, mask),
            [
                use._replace(arguments=_value(use.arguments, mask), result=tuple(_blocks(use.result, mask)))
                for use in message.uses
            ],
        )
        for message in listed
    ]


def _blocks(blocks: "list[Block] | tuple[Block, ...]", mask: Mask) -> list[Block]:
    return [mask(block) if isinstance(block, str) else block for block in blocks]


def _value(value: Json, mask: Mask) -> Json:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {name: _value(item, mask) for name, item in value.items()}
    return [_value(item, mask) for item in value] if isinstance(value, list) else value

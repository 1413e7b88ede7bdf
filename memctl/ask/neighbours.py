"""What was said around a message."""

from memctl import files
from memctl.errors import MemctlError
from memctl.index.lexical import Stored
from memctl.index.sources import hidden, spoken
from memctl.store import Store, messages, sessions
from memctl.text.widths import one_line

Around = tuple[tuple[str, str, str], ...]  # of (id, role, text on one line)

_SHOWN = 200  # characters of a neighbour


def around(store: Store, found: Stored, most: int) -> tuple[Around, Around]:
    """Give up to *most* messages before and after a message, in order, without noise."""
    try:
        path = files.inside(store.root, found.path)
    except MemctlError:
        return (), ()
    if sessions.is_shared(path):
        listed = list(sessions.conversation(store, found.session))
    else:
        listed = sorted(messages.conversation(path), key=lambda one: one.seq)
    hides = hidden(store)
    said = [
        (f"message:{found.session}/{one.id}", one, text)
        for one in listed
        if (text := spoken(one)) and (found.session, one.id) not in hides.messages and not hides.hides(text)
    ]
    at = next((place for place, (name, _, _) in enumerate(said) if name == found.id), None)
    if at is None:
        return (), ()
    rows = [(name, one.role, one_line(text, _SHOWN)) for name, one, text in said]
    return tuple(rows[max(0, at - most) : at]), tuple(rows[at + 1 : at + 1 + most])

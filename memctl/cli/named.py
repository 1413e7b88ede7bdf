"""The session that a command line names."""

from memctl.ask import drill
from memctl.ask.lookup import Lookup
from memctl.errors import NotFoundError
from memctl.store import Store


def the_session(store: Store, given: str) -> str:
    """Find a session by its id or first letters."""
    try:
        return drill.the_one(Lookup(store), f"session:{given}").id
    except NotFoundError:
        raise NotFoundError(f"no session {given!r}; see `memctl session list`") from None

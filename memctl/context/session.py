"""A session as context needs it: its live messages up to a point, its entries, what the agent concluded."""

from dataclasses import dataclass, field

from memctl import files, summarize
from memctl.context.turns import Part, live
from memctl.errors import MemctlError, NotFoundError
from memctl.model import Entry
from memctl.store import Store, entries, messages, refs, sessions
from memctl.store.messages import Stored


@dataclass(frozen=True)
class Session:
    """One session. listed: its live messages up to the one asked for; agent: all of its agent, by seq.

    command: the words that begin a memctl command for this directory. folder: what stands before the names of
    its files, so that they can be opened from the current folder; "" or with a slash at its end.
    """

    store: Store
    id: str
    listed: tuple[Stored, ...]
    entries: dict[str, Entry]
    agent: dict[int, Stored]
    command: str = "memctl"
    folder: str = ""
    _concluded: dict[int, str] = field(default_factory=dict)

    def told(self, entry: Entry, upto: int) -> str:
        """Give an entry's summary as it was known at message *upto*: without words said later."""
        return entry.summary if self.is_told(entry, upto) else self.facts(entry)

    def is_told(self, entry: Entry, upto: int) -> bool:
        """Say whether all that an entry's summary says was known at message *upto*."""
        return entry.upto <= upto and entries.OPEN not in entry.extra

    def facts(self, entry: Entry) -> str:
        """Give an entry's summary without the agent's conclusion."""
        words = self.words(entry.upto)
        if not summarize.may_quote(entry.summary, words):
            return entry.summary
        concluded = self._concluded.get(entry.upto)
        if concluded is None:
            private = messages.only_reasons(self.agent[entry.upto].parts)
            concluded = self._concluded[entry.upto] = summarize.conclusion(words, private=private)
        return summarize.facts_of(entry.summary, concluded)

    def words(self, seq: int) -> str:
        """Give the agent's words in its message *seq*, before the first call; "" when it has none."""
        stored = self.agent.get(seq)
        return "" if stored is None else messages.words_before_calls(stored.parts)

    def result(self, part: Part) -> list[str | Part]:
        """Give the blocks of a result: texts, and the records of pictures."""
        entry = self.entries.get(str(part.get("call_id")))
        if entry is None or (entry.result is None and not entry.result_ref):
            return ["[this result is missing from the memory directory]"]
        records = part.get("blocks")
        try:
            data, encoding = refs.result(self.store.root, entry)
            return (
                _blocks(records, data, encoding)
                if isinstance(records, list)
                else [refs.decode_text(data, encoding)]
            )
        except (MemctlError, ValueError) as problem:
            return [f"[this result cannot be read: {problem}]"]


def _blocks(records: list[Part], data: bytes, encoding: str) -> list[str | Part]:
    from memctl import offload  # nearly all results are one text
    from memctl.model import Raw, Text

    found = offload.blocks_of(records, data, encoding)
    return [
        block.text
        if isinstance(block, Text)
        else files.encode(block.value).decode("utf-8", "replace")
        if isinstance(block, Raw)
        else block
        for block in found
    ]


def load(store: Store, session: str, at: str = "", command: str = "memctl", folder: str = "") -> Session:
    """Read a session up to message *at* (its id or seq), else all of it.

    Raises NotFoundError when it has no such message.
    """
    everything = list(sessions.conversation(store, session))
    agent = {stored.seq: stored for stored in everything if stored.role == "assistant"}
    listed = everything[: _end(everything, session, at)] if at else everything
    known = {
        found.entry.tool_call_id: found.entry for found in entries.latest(store.offload(session), session)
    }
    return Session(store, session, tuple(live(listed)), known, agent, command, folder)


def _end(everything: list[Stored], session: str, at: str) -> int:
    name = at.removeprefix("message:").removeprefix(f"{session}/")
    for number, stored in enumerate(everything, 1):
        if stored.id == name:
            return number
    for number, stored in enumerate(everything, 1):
        if str(stored.seq) == name:
            return number
    raise NotFoundError(
        f"no message {at!r} in session {session}; `memctl session show {session}` lists their numbers"
    )

"""Finishing: the entry of each call of a session, as its result and what the agent said of it leave it.

An entry that is closed is never written differently again.
"""

from dataclasses import replace

from memctl import files, summarize
from memctl.errors import MemctlError
from memctl.model import Entry, Json, Summary
from memctl.passes import canvases
from memctl.passes.closing import CallState
from memctl.passes.drafting import described
from memctl.passes.spool import Spool, key_of
from memctl.store import Store, entries, refs

_COMPARED = 200_000  # bytes of results that are compared


class Finishing:
    """Makes the entries of a session from its calls, their drafts, and the entries that are stored.

    theirs: what the original wrote of the session, which stays.
    """

    def __init__(
        self,
        store: Store,
        session: str,
        drafts: Spool | None,
        known: int,
        shown: dict[str, Entry],
        last: int,
    ) -> None:
        """Read the stored entries. *known*: the bytes of those that are settled; *last*: the last message's seq.

        shown: what a result showed -> the entry of the last that did; kept up to date.
        """
        self._store = store
        self._session = session
        self._drafts = drafts
        self._shown = shown
        self._last = last
        self._stored = Spool(store.home)
        own, theirs = entries.parted(entries.read(store.offload(session), session, known))
        self.theirs = [found.entry for found in theirs]
        self._drawn = self._on_canvases_of_its_own()
        for found in own:
            self._stored.put(key_of(found.entry.tool_call_id), entries.to_line(found.entry))

    def drop(self) -> None:
        """Let go of the temporary file."""
        self._stored.close()

    def knows(self, key: str) -> bool:
        """Tell whether a call has an entry already."""
        return key_of(key) in self._stored

    def is_final(self, state: CallState) -> bool:
        """Tell whether the entry of a call never changes any more."""
        return state.seen and state.closed != 0 and state.closed < self._last

    def entry(self, state: CallState, seq: int, tool: str, arguments: Json, call: Summary) -> Entry:
        """Give a call's entry as it stands; *call* says what the call is."""
        stored = self._entry(self._stored, state.key)
        if stored is not None and entries.OPEN not in stored.extra:
            entry = stored
        else:
            entry = self._made(stored, state, seq, tool, arguments, call)
        about = str(entry.extra.get("about", ""))
        if about:
            self._shown[about] = entry
        return entry

    def _made(
        self, stored: Entry | None, state: CallState, seq: int, tool: str, arguments: Json, call: Summary
    ) -> Entry:
        draft = self._draft(stored, state, tool, arguments)
        placed = stored or self._entry(self._stored, state.former) or self._drawn.get(entries.bare(state.key))
        entry = replace(
            draft,
            node_id=placed.node_id if placed else None,
            mmd=placed.mmd if placed else None,
            seq=seq,
            upto=state.closed or self._last,
            extra={key: value for key, value in draft.extra.items() if key not in (entries.OPEN, entries.BY)}
            | ({} if self.is_final(state) else {entries.OPEN: True}),
        )
        if stored is not None and entries.BY in stored.extra and stored.result_sha256 == entry.result_sha256:
            extra = {**entry.extra, entries.BY: stored.extra[entries.BY]}  # a model's words for this result
            return replace(entry, summary=stored.summary, score=stored.score, extra=extra)
        entry = self._compared(entry, tool, arguments)
        if not state.words:
            return entry
        about = str(entry.extra.get("about", ""))
        base = replace(call, status=entry.status, text=entry.summary, score=entry.score, about=about)
        combined = summarize.combine(base, state.words)
        return replace(entry, summary=combined.text, score=combined.score)

    def _compared(self, entry: Entry, tool: str, arguments: Json) -> Entry:
        """Let an entry say what is new against an earlier result that showed the same thing."""
        earlier = self._shown.get(str(entry.extra.get("about", "")))
        if earlier is None or earlier.result_bytes > _COMPARED or entry.result_bytes > _COMPARED:
            return entry
        said = summarize.difference(tool, arguments, self._result(earlier), self._result(entry))
        return replace(entry, summary=said) if said else entry

    def _draft(self, stored: Entry | None, state: CallState, tool: str, arguments: Json) -> Entry:
        """Take the draft of this intake, else make it anew from what is stored."""
        draft = self._entry(self._drafts, state.key) if self._drafts is not None else None
        if draft is not None and (stored is None or draft.result_bytes >= stored.result_bytes):
            return draft
        if stored is None:
            empty = {
                "tool_call": summarize.shorten_call(tool, arguments),
                "tool": tool,
                "tool_call_id": state.key,
            }
            return described(entries.from_fields(empty, self._session), arguments, None, None)
        if stored.result_sha256 is None:
            return described(stored, arguments, None, None)
        return described(stored, arguments, self._result(stored), state.failed)

    def _result(self, entry: Entry) -> str:
        if entry.result is not None or not entry.result_ref:
            return entry.result or ""
        try:
            return refs.readable(self._store.root, entry.result_ref)
        except MemctlError:  # `check` reports a missing or damaged ref; the summary does without
            return ""

    def _on_canvases_of_its_own(self) -> dict[str, Entry]:
        """Give what the original wrote of calls on canvases that name this session: its own, exported once."""
        found: dict[str, Entry] = {}
        names = {entry.mmd for entry in self.theirs if entry.mmd}
        own = {name for name in names if canvases.is_of(self._store, name, self._session)}
        for entry in self.theirs:
            if entry.mmd in own:
                found.setdefault(entries.bare(entry.tool_call_id), entry)
        return found

    @staticmethod
    def _entry(spool: Spool, key: str) -> Entry | None:
        line = spool.get(key_of(key))
        return entries.from_fields(files.decode(line)) if line else None

"""Derive: a session's stored conversation and the drafts of its calls become entries and canvases.

What is written is a function of what is stored, so it does not matter in how many steps a transcript
came in. An entry that is closed is never written differently again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memctl import files, summarize
from memctl.canvas.grow import Growth, entitle
from memctl.errors import MemctlError
from memctl.model import Entry, Happening, Json, Prompt, Said, Step, Summary, node_of
from memctl.passes import canvases
from memctl.passes.closing import CallState, Closings, close
from memctl.passes.drafting import described
from memctl.passes.report import Report
from memctl.passes.settled import Settled, Settling
from memctl.passes.spool import Spool, key_of
from memctl.store import Store, entries, messages, refs
from memctl.store.messages import Stored
from memctl.text.names import normal_time

_FILES_A_FLUSH = 500  # files put in place together

_RETRIED = frozenset(["run", "test", "build", "web", "mcp", "other", "search"])  # told by what is typed
_REMEMBERED = 64  # calls that a later one may look like
_COMPARED = 200_000  # bytes of results that are compared

OPEN = "open"  # extra field of an entry that may still change


@dataclass(frozen=True, slots=True)
class Derived:
    """What a session came to: its canvases, and counts of its new calls by status and in all.

    settled: what need not be looked at again; None unless it was asked for.
    """

    canvases: tuple[str, ...]
    changed: bool
    new: Counter[str]
    settled: Settled | None = None


def derive(
    store: Store,
    batch: files.Batch,
    session: str,
    drafts: Spool | None,
    numbers: canvases.Numbers,
    known: Settled | None = None,
    stable: int | None = None,
) -> Derived:
    """Write the entries, canvases and tasks of a session, unless nothing changes.

    known: what an earlier call settled, from where on the session is followed. stable: how many of its messages
    cannot change any more; with it the answer says what is settled now.
    """
    work = _Session(store, session, drafts, known, stable)
    try:
        title = messages.facts(store.conversation(session)).get("title")
        growth = entitle(work.grown(), title if isinstance(title, str) else "")
        places = canvases.named(growth, work.placed, numbers, work.places)
        changed = (
            batch.write_if_changed(store.offload(session), work.lines(growth, places))
            if work.count or work.theirs
            else False
        )
        newest = work.newest(growth)
        for task in growth.tasks:
            place, upto = places[task.ordinal], work.closings.last
            theirs = work.their_nodes(place)
            changed |= canvases.write(
                store, batch, task, place, session, upto, newest=newest[task.ordinal], theirs=theirs
            )
        settled = work.settled(places) if stable is not None else None
    finally:
        work.drop()
    return Derived(tuple(place.file_name for place in places.values()), changed, work.new, settled)


class _Session:
    """One session on its way from conversation to entries."""

    def __init__(
        self, store: Store, session: str, drafts: Spool | None, known: Settled | None, stable: int | None
    ) -> None:
        self.store = store
        self.id = session
        self.placed: dict[str, str] = {}  # call key -> canvas file its entry names
        self._known = known or Settled()
        self.places = self._known.places
        self.count = self._known.calls
        self.new: Counter[str] = Counter()
        self._standing = self._known.standing()
        self.closings: Closings = close(self._conversation(), self._standing.closing)
        self._drafts = drafts
        self._finished = Spool(store.home)
        self._stored = Spool(store.home)
        own, theirs = entries.told(entries.read(store.offload(session), session, self._known.entries))
        self.theirs = [found.entry for found in theirs]
        self._drawn = self._on_canvases_of_its_own()
        for found in own:
            self._stored.put(key_of(found.entry.tool_call_id), entries.to_line(found.entry))
        self._settles = None if stable is None else self._settling(stable)

    def grown(self) -> Growth:
        """Let the session grow to its end."""
        for happening in self.happenings():
            self._standing.growth.take(happening)
        return self._standing.growth.growth()

    def drop(self) -> None:
        """Let go of the temporary files."""
        self._finished.close()
        self._stored.close()

    def happenings(self) -> Iterator[Happening]:
        """Give the session as growth wants it, finishing each call's entry on the way."""
        states = {state.key: state for state in self.closings.calls}
        settling = self._settles
        for stored in self._conversation():
            if settling is not None:
                settling.reach(stored, self._standing, self.count)
            time = stored.fields.get("timestamp")
            if stored.role == "user" and messages.has_words(stored):
                words, command = messages.own_words(stored), messages.command_of(stored)
                yield Prompt(stored.seq, words, time, f"{command} {words}" if command else "")
            elif act := messages.act_of(stored):
                yield Prompt(stored.seq, "", time, act=act)
            elif stored.role == "assistant" and (words := messages.words_before_calls(stored.parts)):
                yield Said(stored.seq, words, time)
            said = ""
            for part in stored.parts:
                if part.get("type") == "text":
                    said = str(part.get("text"))
                key = part.get("call_id")
                state = states.pop(key, None) if isinstance(key, str) else None
                if state is not None:
                    yield self._step(state, state.late or part, stored, said)
        if settling is not None:
            settling.end(self._standing, self.count)

    def lines(self, growth: Growth, places: dict[int, canvases.Place]) -> Iterator[bytes]:
        """Write the finished entries, each with its node."""
        yield from files.piece_of(self.store.offload(self.id), 0, self._known.entries)
        for state in self.closings.calls:
            ordinal, number = growth.places[state.key]
            place = places[ordinal]
            pieces = self._finished.get(key_of(state.key)) or b""
            line = entries.from_pieces(pieces, place.node_id(number), place.file_name)
            if self._settles is not None:
                self._settles.wrote(state, ordinal, line)
            yield line
        yield from map(entries.to_line, self.theirs)  # what the original wrote of the session stays

    def their_nodes(self, place: canvases.Place) -> frozenset[int]:
        """Give the nodes of a canvas on which entries of the original stand."""
        named = [entry.node_id for entry in self.theirs if entry.mmd == place.file_name]
        return frozenset(placed[1] for name in named if (placed := node_of(name)))

    def _on_canvases_of_its_own(self) -> dict[str, Entry]:
        """Give what the original wrote of calls on canvases that name this session: its own, exported once."""
        found: dict[str, Entry] = {}
        names = {entry.mmd for entry in self.theirs if entry.mmd}
        own = {name for name in names if canvases.is_of(self.store, name, self.id)}
        for entry in self.theirs:
            if entry.mmd in own:
                found.setdefault(entries.bare(entry.tool_call_id), entry)
        return found

    def newest(self, growth: Growth) -> Counter[int]:
        """Give for each task the seq of the last message that holds a call or result of it."""
        newest = Counter(self._known.newest)
        for state in self.closings.calls:
            ordinal, _ = growth.places[state.key]
            newest[ordinal] = max(newest[ordinal], state.called, state.answered)
        return newest

    def settled(self, places: dict[int, canvases.Place]) -> Settled | None:
        """Say what need not be looked at again."""
        if self._settles is None:
            return None
        return self._settles.settled({ordinal: place.file_name for ordinal, place in places.items()})

    def _settling(self, stable: int) -> Settling:
        """Choose the message up to which nothing changes any more: neither it nor a call before it."""
        open_ = [state.called for state in self.closings.calls if not self._is_final(state)]
        return Settling(self._known, min([*open_, stable + 1]))

    def _is_final(self, state: CallState) -> bool:
        return state.seen and state.closed != 0 and state.closed < self.closings.last

    def _conversation(self) -> Iterator[Stored]:
        return messages.conversation(self.store.conversation(self.id), self._known.end)

    def _step(self, state: CallState, part: dict[str, Json], stored: Stored, said: str) -> Step:
        tool, arguments = str(part.get("name") or "unknown"), part.get("arguments")
        self.count += 1
        kind, target = summarize.describe(tool, arguments)
        known = key_of(state.key) in self._stored
        entry = self._finish(state, tool, arguments, Summary(kind, target, "ok", "", 0))
        self._finished.put(key_of(state.key), entries.to_pieces(entry))
        if not known:
            self.new.update(("calls", entry.status))
        if entry.mmd:
            self.placed[state.key] = entry.mmd
        about = str(entry.extra.get("about", ""))
        if about:
            self._standing.shown[about] = entry
        return Step(
            key=state.key,
            seq=self.count,
            message=stored.seq,
            tool=tool,
            kind=kind,
            target=target,
            status=entry.status,
            summary=summarize.facts_of(entry.summary, state.words),
            turned=str(entry.extra.get("turned", "")),
            timestamp=entry.timestamp,
            names=summarize.names_in(tool, arguments),
            uses=tuple(key for key in entry.extra.get("uses", ()) if isinstance(key, str)),
            said=said,
            placed=entry.node_id,
            plan=summarize.plan_items(tool, arguments),
            done=state.answered > 0,
            answered=state.answered,
            about=about,
            differs=self._differs(tool, target, kind, arguments),
        )

    def _differs(self, tool: str, target: str, kind: str, arguments: Json) -> str:
        """Say how a call differs from the last one that looks the same; an edit's result says that itself."""
        if kind not in _RETRIED:
            return ""
        known, name = self._standing.typed, f"{tool} {target}"
        words, before = summarize.typed(tool, arguments), known.pop(name, "")
        known[name] = words
        if len(known) > _REMEMBERED:
            del known[next(iter(known))]
        return summarize.differs(before, words)

    def _finish(self, state: CallState, tool: str, arguments: Json, call: Summary) -> Entry:
        """Give a call's entry as it stands; *call* says what the call is."""
        stored = self._entry(self._stored, state.key)
        if stored is not None and OPEN not in stored.extra:
            return stored
        draft = self._draft(stored, state, tool, arguments)
        placed = stored or self._drawn.get(entries.bare(state.key))
        entry = replace(
            draft,
            node_id=placed.node_id if placed else None,
            mmd=placed.mmd if placed else None,
            seq=self.count,
            upto=state.closed or self.closings.last,
            extra={key: value for key, value in draft.extra.items() if key not in (OPEN, entries.BY)}
            | ({} if self._is_final(state) else {OPEN: True}),
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
        earlier = self._standing.shown.get(str(entry.extra.get("about", "")))
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
            return described(entries.from_fields(empty, self.id), arguments, None, None)
        if stored.result_sha256 is None:
            return described(stored, arguments, None, None)
        return described(stored, arguments, self._result(stored), state.failed)

    def _result(self, entry: Entry) -> str:
        if entry.result is not None or not entry.result_ref:
            return entry.result or ""
        try:
            return refs.text(self.store.root, entry.result_ref)
        except MemctlError:  # `check` reports a missing or damaged ref; the summary does without
            return ""

    @staticmethod
    def _entry(spool: Spool, key: str) -> Entry | None:
        line = spool.get(key_of(key))
        return entries.from_fields(files.decode(line)) if line else None


# --------------------------------------------------------------------------- all sessions


def derive_all(store: Store, waiting: dict[str, list[Spool]], report: Report) -> None:
    """Derive the sessions that got something, in order of (first time, id), undated last."""
    numbers = canvases.Numbers(store)
    batch = store.batch()
    for session in in_time(store, waiting):
        drafts = waiting[session]
        derived = derive(store, batch, session, _joined(drafts), numbers)
        report.sessions[session] = derived.canvases
        report.new.update(derived.new)
        if derived.changed and session not in report.changed:
            report.changed.append(session)
        for spool in drafts:
            spool.close()
        if len(batch) >= _FILES_A_FLUSH:
            batch.commit()
    batch.commit()


def in_time(store: Store, sessions: Iterable[str]) -> list[str]:
    """Put sessions in order of (first time, id), undated last."""
    return sorted(sessions, key=lambda name: (_instant(store, name), name))


def _joined(drafts: list[Spool]) -> Spool:
    """Join the drafts that several sources gave one session; the longer result stays."""
    if len(drafts) == 1:
        return drafts[0]
    joined = drafts[0]
    for spool in drafts[1:]:
        for key in spool.keys():  # noqa: SIM118 - a spool is no mapping
            line, other = spool.get(key) or b"", joined.get(key)
            if other is None or len(other) < len(line):
                joined.put(key, line)
    return joined


def _instant(store: Store, session: str) -> tuple[bool, datetime]:
    time = messages.facts(store.conversation(session)).get("timestamp")
    try:
        return False, datetime.fromisoformat(normal_time(str(time))[0])
    except ValueError:
        return True, datetime.max.replace(tzinfo=UTC)

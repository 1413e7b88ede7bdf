"""Derive: a session's stored conversation and the drafts of its calls become entries and canvases.

What is written is a function of what is stored, so it does not matter in how many steps a transcript
came in.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from memctl import files, summarize
from memctl.canvas.grow import Growth, entitle
from memctl.errors import MemctlError
from memctl.model import Happening, Json, Prompt, Said, Step, Summary, node_of
from memctl.passes import canvases
from memctl.passes.closing import CallState, Closings, close
from memctl.passes.finishing import Finishing
from memctl.passes.report import Report
from memctl.passes.settled import Settled, Settling
from memctl.passes.spool import Spool, key_of
from memctl.store import Store, entries, messages
from memctl.store.messages import Stored
from memctl.text.names import normal_time

_SUBAGENT = "agent-"  # with which Claude Code's subagents are named
_FILES_A_FLUSH = 500  # files put in place together

_RETRIED = frozenset(["run", "test", "build", "web", "mcp", "other", "search"])  # told by what is typed
_REMEMBERED = 64  # calls that a later one may look like


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
        facts = messages.facts(store.conversation(session))
        title = facts.get("title")
        ended = facts.get("ended") == "completed"
        grown = work.grown(delegated=_is_delegated(session, facts), ended=ended)
        growth = entitle(grown, title if isinstance(title, str) else "")
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
        self._finishing = Finishing(
            store, session, drafts, self._known.entries, self._standing.shown, self.closings.last
        )
        self.theirs = self._finishing.theirs
        self._finished = Spool(store.home)
        self._settles = None if stable is None else self._settling(stable)

    def grown(self, *, delegated: bool = False, ended: bool = False) -> Growth:
        """Let the session grow to its end. delegated: it is a subagent's; ended: its parent has got the report."""
        for happening in self.happenings():
            self._standing.growth.take(happening)
        self._standing.growth.delegated, self._standing.growth.ended = delegated, ended
        return self._standing.growth.growth()

    def drop(self) -> None:
        """Let go of the temporary files."""
        self._finished.close()
        self._finishing.drop()

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
                yield Said(stored.seq, words, time, messages.only_reasons(stored.parts))
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
        open_ = [state.called for state in self.closings.calls if not self._finishing.is_final(state)]
        return Settling(self._known, min([*open_, stable + 1]))

    def _conversation(self) -> Iterator[Stored]:
        return messages.conversation(self.store.conversation(self.id), self._known.end)

    def _step(self, state: CallState, part: dict[str, Json], stored: Stored, said: str) -> Step:
        tool, arguments = str(part.get("name") or "unknown"), part.get("arguments")
        self.count += 1
        kind, target = summarize.describe(tool, arguments)
        known = self._finishing.knows(state.key)
        entry = self._finishing.entry(state, self.count, tool, arguments, Summary(kind, target, "ok", "", 0))
        self._finished.put(key_of(state.key), entries.to_pieces(entry))
        if not known:
            self.new.update(("calls", entry.status))
        if entry.mmd:
            self.placed[state.key] = entry.mmd
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
            about=str(entry.extra.get("about", "")),
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


def _is_delegated(session: str, facts: Mapping[str, Json]) -> bool:
    """Say whether a session is a subagent's: its name says so, or a call of another session that began it."""
    return session.startswith(_SUBAGENT) or bool(facts.get("parent_call"))


# --------------------------------------------------------------------------- all sessions


def derive_all(store: Store, waiting: dict[str, list[Spool]], report: Report) -> dict[str, Exception]:
    """Derive the sessions that got something, in order of (first time, id), undated last.

    Gives the sessions of which nothing was derived for an exception that nobody foresaw: the others know nothing
    of it, and its messages stay.
    """
    numbers = canvases.Numbers(store)
    batch = store.batch()
    failed: dict[str, Exception] = {}
    for session in in_time(store, waiting):
        drafts = waiting[session]
        written = len(batch)
        try:
            derived = derive(store, batch, session, _joined(drafts) if drafts else None, numbers)
        except (MemctlError, OSError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - a bug that one session meets
            batch.drop(written)
            failed[session] = error
        else:
            report.sessions[session] = derived.canvases
            report.new.update(derived.new)
            if derived.changed and session not in report.changed:
                report.changed.append(session)
        for spool in drafts:
            spool.close()
        if len(batch) >= _FILES_A_FLUSH:
            batch.commit()
    batch.commit()
    return failed


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

"""Parting: runs that clones stored under one made id, and a merge laid into one file, get files of their own again."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memctl import files, summarize
from memctl.model import Entry
from memctl.passes.twins import Told, next_id, of_record, parting
from memctl.store import Store, entries, messages

_MADE = re.compile(r"(t-[0-9a-f]{12})(?:~[0-9a-f]{8})?")


@dataclass(slots=True)
class _Run:
    """One of the runs: its lines, what is compared of them, its calls by key as entries write them, its entries."""

    lines: list[messages.Stored]
    told: Sequence[Told]
    calls: Mapping[str, str]
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class _Given:
    """What a session of its own gets: lines of its conversation and of its entries."""

    lines: list[bytes] = field(default_factory=list)
    entries: list[bytes] = field(default_factory=list)


def part(store: Store) -> set[str]:
    """Give each of several runs in one file a session of its own; give the sessions that were written.

    Which run keeps the id depends on what the runs say alone, so that it makes no difference which clone was
    merged into the other. Entries go with the run that holds their call, of two with one call id those that
    came first with the run that came first.
    """
    written: set[str] = set()
    for path in store.conversations():
        session = messages.session_of(path)
        made = _MADE.fullmatch(session)
        if made and store.conversation(session) == path:
            listed = list(messages.read(path))
            runs = _runs(listed)
            if len(runs) > 1:
                written |= _part(store, made[1], session, listed, runs)
    return written


def _runs(listed: Sequence[messages.Stored]) -> list[_Run]:
    """Find the runs in a file, each once and in full, in the order in which they stand there; one or none: no matter."""
    own = [stored for stored in listed if stored.role != messages.SESSION_ROLE]
    seqs = [stored.seq for stored in own]
    if seqs == sorted(set(seqs)):
        return []
    alone = _alone(own)
    runs: list[_Run] = []
    for way in messages.ways_of(seqs):
        run = _run(_whole([own[place] for place in way], alone))
        same = [place for place, other in enumerate(runs) if parting(run.told, other.told) is None]
        if any(len(run.lines) > len(runs[place].lines) for place in same):
            runs[same[0]] = run
        elif not same:
            runs.append(run)
    return runs


def _alone(own: Iterable[messages.Stored]) -> dict[int, messages.Stored]:
    """Give by its number each line that no other has the number of: runs that say the same there share it."""
    by_seq: dict[int, list[messages.Stored]] = defaultdict(list)
    for stored in own:
        by_seq[stored.seq].append(stored)
    return {seq: listed[0] for seq, listed in by_seq.items() if len(listed) == 1}


def _whole(
    lines: list[messages.Stored], alone: Mapping[int, messages.Stored], last: int = 0
) -> list[messages.Stored]:
    """Put into a run the lines it shares with another, where its own have a gap or do not reach to *last*."""
    known = {stored.seq: stored for stored in lines}
    seqs = range(1, max([last, *known]) + 1)
    return [found for seq in seqs if (found := known.get(seq) or alone.get(seq)) is not None]


def _run(lines: list[messages.Stored]) -> _Run:
    calls = {
        str(part["call_id"]): summarize.shorten_call(
            str(part.get("name") or "unknown"), part.get("arguments")
        )
        for stored in lines
        for part in stored.parts
        if part.get("type") == "call" and "call_id" in part
    }
    first = next((place for place, stored in enumerate(lines) if stored.role == "user"), 0)
    return _Run(lines, [of_record(stored) for stored in lines[first:]], calls)


def _part(
    store: Store, made: str, session: str, listed: Sequence[messages.Stored], runs: Sequence[_Run]
) -> set[str]:
    own = [stored for stored in listed if stored.role != messages.SESSION_ROLE]
    heads = [stored.fields for stored in listed if stored.role == messages.SESSION_ROLE]
    alone = _alone(own)
    _share_out(store, session, runs)  # for how far each run reaches
    runs = [_run(_whole(run.lines, alone, max((one.upto for one in run.entries), default=0))) for run in runs]
    left = _share_out(store, session, runs)
    names = _named(store, made, session, runs)
    given: dict[str, _Given] = defaultdict(_Given)
    for run, name in zip(runs, names, strict=True):
        one = given[name]
        one.lines += [files.encode({**fields, "id": name, "sessionId": name}) + b"\n" for fields in heads]
        one.lines += [
            messages.record({**stored.fields, "sessionId": name}).line(stored.seq) for stored in run.lines
        ]
        there = {} if name == session else _placed(store, name)
        one.entries += [entries.to_line(_moved(entry, name, there)) for entry in run.entries]
    given[session].entries += map(entries.to_line, left)
    batch = store.batch()
    for name, one in given.items():
        for path, lines in ((store.conversation(name), one.lines), (store.offload(name), one.entries)):
            kept = [] if name == session or not path.is_file() else [files.read_bytes(path)]
            if lines or kept:
                batch.write(path, [*kept, *dict.fromkeys(lines)])
    batch.commit()
    return set(given)


def _placed(store: Store, session: str) -> dict[str, Entry]:
    """Give the entries of a session that another clone knew already, by call."""
    return {
        found.entry.tool_call_id: found.entry for found in entries.latest(store.offload(session), session)
    }


def _moved(entry: Entry, session: str, there: Mapping[str, Entry]) -> Entry:
    """Give an entry to a session; where that has entries, it stands on the canvas that those name."""
    if not there:
        return replace(entry, session_id=session)
    known = there.get(entry.tool_call_id)
    node, mmd = (known.node_id, known.mmd) if known else (None, None)
    return replace(entry, session_id=session, node_id=node, mmd=mmd)


def _named(store: Store, made: str, session: str, runs: Sequence[_Run]) -> list[str]:
    """Name the sessions of runs: the first by what it says keeps the id, the others part from it."""
    order = sorted(range(len(runs)), key=lambda place: [tuple(one) for one in runs[place].told])
    taken: dict[str, Sequence[Told]] = {session: runs[order[0]].told}
    names = {order[0]: session}
    for place in order[1:]:
        chosen = session
        while (known := taken.get(chosen) or _stored(store, chosen)) and (
            parts_at := parting(runs[place].told, known)
        ):
            chosen = next_id(made, chosen, parts_at)
        taken[chosen] = runs[place].told
        names[place] = chosen
    return [names[place] for place in range(len(runs))]


def _stored(store: Store, session: str) -> Sequence[Told]:
    lines = [one for one in messages.read(store.conversation(session)) if one.role != messages.SESSION_ROLE]
    return _run(lines).told


def _share_out(store: Store, session: str, runs: Sequence[_Run]) -> list[Entry]:
    """Give each run the entries of its calls; give those that are nobody's."""
    by_call: dict[str, list[Entry]] = defaultdict(list)
    for found in entries.read(store.offload(session)):
        by_call[found.entry.tool_call_id].append(found.entry)
    left: list[Entry] = []
    for call, listed in by_call.items():
        homes = [run for run in runs if call in run.calls]
        for at, entry in enumerate(listed):
            fit = [run for run in homes if run.calls[call] == entry.tool_call] or homes
            if len(fit) > 1 and len(listed) > 1:
                fit = [homes[min(at, len(homes) - 1)]]
            for run in fit:
                run.entries.append(entry)
            left += [] if fit else [entry]
    return left

"""Import a directory of TencentDB Agent Memory: its entries, refs, canvases, atoms, scenes and persona as they are.

Conversations are read by `readers.tdai` like any transcript. Everything is added: what is here already stays,
and taking the same directory in again adds nothing.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from memctl import files
from memctl.canvas.cutting import without
from memctl.canvas.header import read_header, write_header
from memctl.canvas.mmd import parse_canvas
from memctl.config import Config
from memctl.errors import MemctlError
from memctl.layers import forgetting
from memctl.model import Entry, node_of
from memctl.passes.canvases import Numbers
from memctl.passes.leaving import as_left
from memctl.readers.tdai import EPOCH
from memctl.store import Store, atoms, cleared, entries, number_of, sessions
from memctl.text.names import short_hash
from memctl.text.redaction import redact


@dataclass(frozen=True, slots=True)
class Adopted:
    """How much of a directory was new."""

    entry: int = 0
    ref: int = 0
    canvas: int = 0
    atom: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True)
class _Place:
    number: int
    name: str


def adopt(store: Store, folder: Path) -> Adopted:
    """Take a directory of the original in; the caller holds the lock. Links in it are not followed."""
    return _Adoption(store, folder).run()


class _Adoption:
    """One directory on its way in."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.theirs = Store(folder, folder, Config())
        self.batch = store.batch()
        self.gone = cleared.load(store)
        self._owners = self._named() if self.gone else None

    def run(self) -> Adopted:
        """Take everything, refs before the entries that name them."""
        refs, new_refs = self._refs()
        places, new_canvases = self._canvases()
        counts = Adopted(self._entries(refs, places), new_refs, new_canvases, self._atoms(), self._pages())
        with as_left(self.store):
            self.batch.commit()
        return counts

    def _named(self) -> dict[str, dict[str, set[int]]]:
        """Give for each ref and canvas number the sessions whose entries name it, with the nodes of each."""
        found: dict[str, dict[str, set[int]]] = {}
        for path in self.theirs.offloads():
            session = sessions.of_entries(path)
            for one in entries.read(path, session) if not path.is_symlink() else ():
                ref = one.entry.result_ref or ""
                found.setdefault(ref if ref.startswith("refs/") else f"refs/{ref}", {})[session] = set()
                if placed := node_of(one.entry.node_id):
                    found.setdefault(str(placed[0]), {}).setdefault(session, set()).add(placed[1])
        return found

    def _was_cleared(self, name: str) -> bool:
        """Tell whether what a ref or canvas holds may be a cleared session's alone: no other one names it."""
        if self._owners is None:
            return False
        return all(self.gone.has(session, "l0") for session in self._owners.get(name, ()))

    def _without_cleared(self, text: str, number: int) -> str:
        """Take the nodes off a canvas on which only entries of cleared sessions stand."""
        named = (self._owners or {}).get(str(number), {})
        gone = [nodes for session, nodes in named.items() if self.gone.has(session, "l0")]
        kept = [nodes for session, nodes in named.items() if not self.gone.has(session, "l0")]
        away = set().union(*gone) - set().union(*kept)
        return without(text, number, away) if away else text

    def _text(self, path: Path) -> str:
        text = files.read_bytes(path).decode("utf-8", "surrogateescape")
        return redact(text)[0] if self.store.config.redact else text

    def _put(self, path: Path, text: str) -> bool:
        """Write a file that is not there yet; say whether it is new."""
        if path.exists() or path.is_symlink():
            return False
        self.batch.write(path, [text.encode("utf-8", "surrogateescape")])
        return True

    def _beside(self, path: Path, text: str) -> tuple[Path, bool]:
        """Write a text to *path*, or beside it where something else stands there; say whether it is new."""
        data = text.encode("utf-8", "surrogateescape")
        if path.is_file() and not path.is_symlink() and files.read_bytes(path) != data:
            path = path.with_name(f"{path.stem}-{short_hash(8, text)}{path.suffix}")
        return path, self._put(path, text)

    def _refs(self) -> tuple[dict[str, str], int]:
        """Copy the results; give their new names by the old."""
        names: dict[str, str] = {}
        new = 0
        for path in self.theirs.refs():
            relative = self.theirs.relative(path)
            if self._was_cleared(relative):
                continue
            try:
                target, added = self._beside(files.inside(self.store.root, relative), self._text(path))
            except MemctlError:  # a link, an unsafe name
                continue
            names[relative] = self.store.relative(target)
            new += added
        return names, new

    def _canvases(self) -> tuple[dict[int, _Place], int]:
        """Copy the canvases, under their numbers where those are free; give their places by the old numbers."""
        places: dict[int, _Place] = {}
        numbers = Numbers(self.store)
        ours = {path.name: path for path in self.store.canvases()}
        named = {
            number_of(Path(name)) for path in self.store.offloads() for name in entries.canvas_names(path)
        }
        taken = named | {number_of(path) for path in ours.values()}
        new = 0
        for path in self.theirs.canvases():
            if path.is_symlink():
                continue
            number = number_of(path)
            if self._was_cleared(str(number)):
                continue
            text = self._without_cleared(self._text(path), number)
            place = self._known(path.name, text, number, ours)
            if place is None:
                free = number if number and number not in taken else numbers.take()
                label = path.stem.partition("-")[2]
                place = _Place(free, path.name if free == number else f"{free:03d}-{label}.mmd")
                taken.add(free)
                new += self._put(self.store.canvas(place.name), as_ours(text, number, free))
            places[number] = place
        return places, new

    def _known(self, name: str, text: str, number: int, ours: dict[str, Path]) -> _Place | None:
        """Find a canvas that was taken in before; where theirs went on since, it takes its place."""
        label = name.partition("-")[2]
        for path in ours.values():
            if path.name.partition("-")[2] != label:
                continue
            mine = number_of(path)
            wanted = as_ours(text, number, mine)
            before = files.read_bytes(path).decode("utf-8", "surrogateescape")
            if before == wanted:
                return _Place(mine, path.name)
            one, other = parse_canvas(before, mine)[0], parse_canvas(wanted, mine)[0]
            if one is not None and other is not None:
                same = (one.goal, one.created, one.session) == (other.goal, other.created, other.session)
                if same:
                    if not one.session and (other.updated or "") > (one.updated or ""):
                        self.batch.write(path, [wanted.encode("utf-8", "surrogateescape")])
                    return _Place(mine, path.name)
        return None

    def _entries(self, refs: dict[str, str], places: dict[int, _Place]) -> int:
        """Add the entries that are not there, beside those of a transcript of ours, which tell the same calls."""
        count = 0
        for path in self.theirs.offloads():
            if path.is_symlink():
                continue
            session = sessions.of_entries(path)
            if self.gone.has(session, "l0"):
                continue
            target = self.store.offload(session)
            listed = entries.read(target, session) if target.is_file() else ()
            own, stored = entries.parted(listed)
            kept = [found.entry for found in stored]
            known = _Known(kept)
            changed = 0
            for found in entries.read(path, session):
                entry = self._entry(found.entry, session, refs, places)
                at = known.place(entry)
                if at is None:
                    kept.append(replace(entry, seq=len(kept) + 1))
                    known.add(kept[-1], len(kept) - 1)
                    changed += 1
                elif kept[at].node_id is None and entry.node_id is not None:  # drawn since
                    kept[at] = replace(kept[at], node_id=entry.node_id, mmd=entry.mmd)
                    known.add(kept[at], at)
                    changed += 1
            if changed:
                self.batch.write(target, map(entries.to_line, [*(found.entry for found in own), *kept]))
            count += changed
        return count

    def _entry(self, entry: Entry, session: str, refs: dict[str, str], places: dict[int, _Place]) -> Entry:
        head, dash, rest = (entry.node_id or "").partition("-N")
        place = places.get(int(head)) if dash and head.isdecimal() and len(head) < 10 else None
        clean = redact if self.store.config.redact else lambda text: (text, 0)
        return replace(
            entry,
            timestamp=None if entry.timestamp == EPOCH else entry.timestamp,
            session_id=session,
            upto=0,  # no conversation closed it
            node_id=f"{place.number:03d}-N{rest}" if place else entry.node_id,
            mmd=place.name if place else entry.mmd,
            result_ref=refs.get(entry.result_ref or "", entry.result_ref),
            tool_call=clean(entry.tool_call)[0],
            summary=clean(entry.summary)[0],
        )

    def _atoms(self) -> int:
        """Add the versions of atoms that are not there and say nothing that was forgotten."""
        ours = atoms.versions(self.store)
        hidden = forgetting.load(self.store, [atoms.current(listed) for listed in ours.values()])
        scope = self.store.config.scope
        new = []
        for name, listed in atoms.versions(self.theirs).items():
            known = {found.atom.content for found in ours.get(name, [])}
            settled = name in ours and atoms.current(ours[name]).actor == "human"
            for found in listed:
                content = redact(found.atom.content)[0] if self.store.config.redact else found.atom.content
                session = found.atom.session or "unknown"
                if content in known or settled or hidden.hides(content) or self.gone.has(session, "l1"):
                    continue
                known.add(content)
                made = replace(found.atom, content=content, session=session)
                new.append(replace(made, user=scope.user, agent=scope.agent, team=scope.team))
        return atoms.append(self.store, self.batch, new)

    def _pages(self) -> int:
        """Copy the scenes and the persona as texts of people: no pass rewrites them."""
        new = 0
        away = self.gone.sessions.get("*", {})  # whole layers that were cleared
        for path in self.theirs.scenes() if "l2" not in away else ():
            try:
                target = files.inside(self.store.root, self.theirs.relative(path))
            except MemctlError:
                continue
            new += self._beside(target, self._text(path))[1]
        path = self.theirs.persona
        if "l3" not in away and path.is_file() and not path.is_symlink():
            text = self._text(path)
            ours = self.store.persona
            if not ours.exists():
                new += self._put(ours, text)
            elif text.strip() not in files.read_bytes(ours).decode("utf-8", "surrogateescape"):
                new += self._beside(self.store.scene("persona.md"), text)[1]
        return new


def as_ours(text: str, old: int, new: int) -> str:
    """Give a canvas's text under another number and with a header that Mermaid reads over (DESIGN 2.4)."""
    text = renumbered(text, old, new)
    header, _, rows = read_header(text)
    created, updated = (None if at == EPOCH else at for at in (header.created, header.updated))
    header = replace(header, created=created, updated=updated)
    return "\n".join([write_header(header), *text.split("\n")[rows:]]) if rows else text


def renumbered(text: str, old: int, new: int) -> str:
    """Give a canvas's text with the ids of its nodes under another number."""
    if old == new:
        return text
    return re.sub(rf"(?<![0-9A-Za-z]){old:03d}-N(?=[0-9])", f"{new:03d}-N", text)


class _Known:
    """The entries of a session that were taken in before, by call and node."""

    def __init__(self, kept: list[Entry]) -> None:
        self._at: dict[tuple[str, str], int] = {}
        self._of_call: dict[str, int] = {}
        for at, entry in enumerate(kept):
            self.add(entry, at)

    def add(self, entry: Entry, at: int) -> None:
        """Take note of an entry and its place."""
        self._at.setdefault((_call(entry), entry.node_id or ""), at)
        self._of_call.setdefault(_call(entry), at)

    def place(self, entry: Entry) -> int | None:
        """Give the place of what an entry says again; one without a node is said by any of its call."""
        call, node = _call(entry), entry.node_id or ""
        if not node:
            return self._of_call.get(call)
        return self._at.get((call, node), self._at.get((call, "")))


def _call(entry: Entry) -> str:
    """Name a call: by its id, which some providers give back without underscores, else by what it says."""
    named = entries.bare(entry.tool_call_id)
    return named or short_hash(16, entry.timestamp, entry.tool_call, entry.summary)

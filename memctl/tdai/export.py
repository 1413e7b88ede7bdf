"""Write a directory that TencentDB Agent Memory can read: names, fields, header, flat refs, daily shards (DESIGN 2)."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memctl import files
from memctl.canvas.archiving import standing
from memctl.canvas.header import read_header
from memctl.errors import MemctlError, UsageError
from memctl.layers import forgetting
from memctl.model import Entry, Json
from memctl.readers.tdai import EPOCH
from memctl.store import Store, atoms, entries, messages, refs, sessions
from memctl.text.names import day_of, file_time, normal_time, short_hash

_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_NAVIGATION = "---\n## 🗺️ Scene Navigation (Scene Index)"


@dataclass(frozen=True, slots=True)
class Exported:
    """How much was written."""

    sessions: int
    messages: int
    entries: int
    refs: int
    canvases: int
    atoms: int
    scenes: int


def export(store: Store, folder: Path) -> Exported:
    """Write a scope for the original into *folder*, which must be new or empty.

    What was forgotten or superseded stays out. Raises UsageError for a folder that holds something.
    """
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise UsageError(f"{folder} is not empty; name a new folder so that nothing gets mixed up")
    return _Export(store, folder).run()


class _Export:
    """One export; files are written where nothing was."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.folder = folder
        self._refs: set[str] = set()
        self._names: set[str] = set()

    def run(self) -> Exported:
        """Write everything."""
        files.make_folder(self.folder)
        places = sessions.listed(self.store)
        keys = {place.id: f"agent:memctl:{place.id}" for place in places}
        canvases = self._canvases()
        counted, registry = 0, {}
        for place in places:
            written, name = self._entries(place.id, keys[place.id])
            counted += written
            if name:
                registry[keys[place.id]] = {"sessionId": place.id, "offloadFile": name, "updatedAt": EPOCH}
        said = self._conversations(places, keys)
        self._json("sessions-registry.json", registry)
        newest = max(canvases, default=("", "", 0))
        self._json(
            "state.json",
            {
                "activeMmdFile": newest[1] or None,
                "activeMmdId": newest[1].partition("-")[2].removesuffix(".mmd") or None,
                "mmdCounter": max((number for _, _, number in canvases), default=0),
                "lastSessionKey": next(reversed(registry), None),
                "lastOffloadedToolCallId": None,
                "lastL2TriggerTime": None,
            },
        )
        return Exported(
            len(places), said, counted, len(self._refs), len(canvases), self._atoms(keys), self._pages()
        )

    def _write(self, relative: str, data: bytes) -> None:
        files.write_beside(self._target(relative), data)

    def _target(self, relative: str) -> Path:
        path = files.inside(self.folder, relative)
        files.make_folder(path.parent)
        return path

    def _json(self, name: str, value: Json) -> None:
        self._write(name, json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace"))

    # ----------------------------------------------------------------- offload plugin

    def _canvases(self) -> list[tuple[str, str, int]]:
        """Write the canvases with the original's header; give (time, file name, number) of those at work."""
        from memctl.ask import canvas_files

        found = []
        for path, canvas in canvas_files.canvases(self.store):
            text = files.read_bytes(path).decode("utf-8", "surrogateescape")
            header, _, rows = read_header(text)
            values: dict[str, Json] = {
                "taskGoal": header.goal,
                "createdTime": header.created or EPOCH,
                "updatedTime": header.updated or header.created or EPOCH,
                "status": standing(canvas).status,
            }
            if header.session:
                values |= {"session": header.session, "by": header.by}
            inner = json.dumps(values, ensure_ascii=False).strip("{}")
            body = "\n".join(text.split("\n")[rows:])
            self._write(f"mmds/{path.name}", f"%%{{ {inner} }}%%\n{body}".encode("utf-8", "surrogateescape"))
            found.append((canvas.updated or "", path.name, canvas.number))
        return found

    def _entries(self, session: str, key: str) -> tuple[int, str]:
        """Write a session's entries and the results they name; give how many, and the file's name."""
        source = self.store.offload(session)
        if not source.is_file():
            source = next(
                (path for path in self.store.offloads() if sessions.of_entries(path) == session), source
            )
        listed = entries.standing(source, session) if source.is_file() else []
        if not listed:
            return 0, ""
        name = f"offload-{_file_name(session)}.jsonl"
        if name.lower() in self._names:
            name = f"offload-{_file_name(session)}-{short_hash(8, session)}.jsonl"
        self._names.add(name.lower())
        lines = []
        for found in listed:
            entry = found.entry
            fields = {
                "timestamp": entry.timestamp or EPOCH,
                "node_id": entry.node_id,
                "tool_call": entry.tool_call,
                "summary": entry.summary,
                "result_ref": self._ref(entry),
                "tool_call_id": entry.tool_call_id,
                "session_key": entry.extra.get("session_key") or key,
                "score": entry.score,
            }
            theirs = {name: value for name, value in entry.extra.items() if name == "offloaded"}
            lines.append(files.encode(fields | theirs) + b"\n")
        self._write(name, b"".join(lines))
        return len(lines), name

    def _ref(self, entry: Entry) -> str:
        """Write a result as the original does; give its name, empty without a result."""
        try:
            if entry.result_ref:
                data = refs.body(self.store.root, entry.result_ref)
            elif entry.result is not None:
                data = entry.result.encode("utf-8", "surrogatepass")
            else:
                return ""
        except MemctlError:  # gone or damaged: `check` says so
            return ""
        at = entry.timestamp or EPOCH
        try:
            stem = file_time(at)
        except ValueError:
            stem = short_hash(12, at)
        name = f"refs/{stem}.md"
        if name in self._refs:
            name = f"refs/{stem}-{short_hash(8, entry.session_id, entry.tool_call_id, len(self._refs))}.md"
        self._refs.add(name)
        head = f"# Tool Result: {entry.tool}\n\n**Timestamp:** {at}\n\n---\n\n"
        self._write(name, head.encode("utf-8", "backslashreplace") + data)
        return name

    # ----------------------------------------------------------------- layers

    def _conversations(self, places: list[sessions.Place], keys: dict[str, str]) -> int:
        """Write what was said into the shards of its days, without noise, oldest first."""
        days: dict[str, list[tuple[int, bytes]]] = defaultdict(list)
        count = 0
        for place in places:
            last = 0
            for stored in sessions.conversation(self.store, place.id):
                text = messages.own_words(stored)
                if stored.role not in ("user", "assistant") or not text:
                    continue
                at = stored.fields.get("timestamp")
                milliseconds = _milliseconds(at) or last
                last = milliseconds
                record = {
                    "sessionKey": stored.fields.get("sessionKey") or keys[place.id],
                    "sessionId": place.id,
                    "recordedAt": at if isinstance(at, str) else EPOCH,
                    "id": stored.id,
                    "role": stored.role,
                    "content": text,
                    "timestamp": milliseconds,
                }
                days[_day(at)].append((milliseconds, files.encode(record) + b"\n"))
                count += 1
        for day, lines in sorted(days.items()):
            lines.sort(key=lambda one: one[0])
            self._write(f"conversations/{day}.jsonl", b"".join(line for _, line in lines))
        return count

    def _atoms(self, keys: dict[str, str]) -> int:
        known = atoms.latest(self.store)
        hidden = forgetting.load(self.store, known.values())
        days: dict[str, list[bytes]] = defaultdict(list)
        count = 0
        for atom in known.values():
            if atom.status != "active" or not atom.content or hidden.hides(atom.content):
                continue
            fields = atoms.to_fields(atom)
            fields["sessionKey"] = keys.get(atom.session, atom.session)
            fields["createdAt"] = atom.created or EPOCH
            fields["updatedAt"] = atom.updated or fields["createdAt"]
            days[_day(atom.created)].append(files.encode(fields) + b"\n")
            count += 1
        for day, lines in sorted(days.items()):
            self._write(f"records/{day}.jsonl", b"".join(lines))
        return count

    def _pages(self) -> int:
        """Write scenes and persona; the persona ends in the original's navigation."""
        count, listed = 0, []
        for path in self.store.scenes():
            data = files.read_bytes(path)
            name = self.store.relative(path)
            self._write(name, data)
            facts = dict(
                line.partition(": ")[::2]
                for line in data.decode("utf-8", "replace").split("\n")[:12]
                if ": " in line
            )
            listed.append((name, facts.get("summary", ""), facts.get("heat", "0")))
            count += 1
        persona = self.store.persona
        if persona.is_file():
            text = files.read_bytes(persona).decode("utf-8", "surrogateescape")
            if listed and _NAVIGATION not in text:
                blocks = [
                    f"### Path: {name}\n**热度**: {heat}\nSummary: {summary}"
                    for name, summary, heat in listed
                ]
                text = "\n\n".join((text.rstrip(), f"{_NAVIGATION}\n" + "\n\n".join(blocks))) + "\n"
            self._write("persona.md", text.encode("utf-8", "surrogateescape"))
            count += 1
        return count


def _file_name(session: str) -> str:
    """Write a session id as the original does in file names; never too long, never empty."""
    name = re.sub(r"\.{2,}", "_", _UNSAFE.sub("_", session)) or "_"
    safe = name.encode("utf-8", "replace")
    return name if len(safe) <= 180 else f"{safe[:150].decode('utf-8', 'ignore')}-{short_hash(8, session)}"


def _milliseconds(at: Json) -> int:
    try:
        return int(datetime.fromisoformat(normal_time(str(at))[0]).timestamp() * 1000)
    except ValueError:
        return 0


def _day(at: Json) -> str:
    try:
        return day_of(str(at))
    except ValueError:
        return EPOCH[:10]

"""What is read from a directory to look up ids: once, however many ids are asked for."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memctl import files
from memctl.ask.canvas_files import NODE, canvas_at, session_entries
from memctl.errors import MemctlError
from memctl.model import Canvas
from memctl.store import Store, entries, number_of
from memctl.store.entries import Found
from memctl.text.names import safe_start
from memctl.text.widths import one_line

if TYPE_CHECKING:  # most ids are found without
    from memctl.store.sessions import Place

# The values under which ids stand in lines of JSON, those of other writers with spaces around the colon.
_CALL = re.compile(rb'"tool_call_id"\s*:\s*"((?:[^"\\]|\\.)*)"')
_REF = re.compile(rb'"result_ref"\s*:\s*"((?:[^"\\]|\\.)*)"')
_MESSAGE = re.compile(rb'"id"\s*:\s*"((?:[^"\\]|\\.)*)"')
_WORDS = 300  # characters of what the user said
_KEPT = 4  # files of entries that are held at a time


class Lookup:
    """A directory in which ids are looked up; it must not change meanwhile.

    many: whether many ids are coming, so that a table of all is worth its making.
    """

    def __init__(self, store: Store, *, many: bool = False) -> None:
        self.store = store
        self.many = many
        self.latest = lru_cache(_KEPT)(entries.latest)
        self.standing = lru_cache(_KEPT)(entries.standing)
        self.session_entries = lru_cache(_KEPT)(self._session_entries)
        self.placed_entries = lru_cache(_KEPT)(self._placed_entries)
        self.prompts = lru_cache(_KEPT)(self._prompts)
        self.canvas_at = lru_cache(None)(canvas_at)

    def _session_entries(self, session: str) -> list[Found]:
        return session_entries(self.store, session)

    def _placed_entries(self, session: str) -> Mapping[int, list[tuple[int, Found]]]:
        """Give a session's entries by canvas number, each with the number of its node, in order."""
        placed: dict[int, list[tuple[int, Found]]] = {}
        for found in self.session_entries(session):
            if node := NODE.fullmatch(found.entry.node_id or ""):
                placed.setdefault(int(node[1]), []).append((int(node[2]), found))
        return placed

    def _prompts(self, session: str) -> list[tuple[int, str, str]]:
        """Give what the user said in a session: (seq, id of the message, words), in order."""
        from memctl.store import messages, sessions

        return [
            (one.seq, f"message:{session}/{one.id}", one_line(messages.own_words(one), _WORDS))
            for one in sessions.conversation(self.store, session)
            if one.role == "user" and messages.has_words(one)
        ]

    @cached_property
    def conversations(self) -> list[Path]:
        """The L0 files by name."""
        return self.store.conversations()

    @cached_property
    def offloads(self) -> list[Path]:
        """The files of entries by name."""
        return self.store.offloads()

    @cached_property
    def canvases(self) -> Mapping[int, list[Path]]:
        """The canvas files by number, those that had another before under both; in order of files."""
        found: dict[int, list[Path]] = {}
        for path in self.store.canvases():
            for number in dict.fromkeys((number_of(path), *self._former_numbers(path))):
                found.setdefault(number, []).append(path)
        return found

    def _former_numbers(self, path: Path) -> list[int]:
        try:
            if b'"was":' not in files.read_bytes(path):
                return []
        except MemctlError:  # another canvas that cannot be read is no reason to fail
            return []
        canvas = self.canvas_at(path)
        return former_numbers(canvas) if canvas else []

    @cached_property
    def refs(self) -> Mapping[str, list[Path]]:
        """The refs and pictures by each of the names they answer to."""
        found: dict[str, list[Path]] = {}
        for path in self.store.refs():
            relative = self.store.relative(path)
            names = (relative, relative.removeprefix("refs/"), path.name, path.stem)
            for name in dict.fromkeys((*names, path.stem.rpartition("-")[2])):
                found.setdefault(name, []).append(path)
        return found

    def is_session(self, name: str) -> bool:
        """Tell whether a conversation is of the session *name*."""
        return _begins(self._conversation_names, name) and self.store.conversation(name).is_file()

    def is_task(self, name: str) -> bool:
        """Tell whether there is a file of the task *name*."""
        return _begins(self._task_names, name) and self.store.task(name).is_file()

    @cached_property
    def _conversation_names(self) -> list[str]:
        return sorted(path.name for path in self.conversations)

    @cached_property
    def _task_names(self) -> list[str]:
        return sorted(path.name for path in self.store.tasks())

    @cached_property
    def stand_alone(self) -> bool:
        """Whether every session has a conversation of its own."""
        return self.store.parts_sessions()

    @cached_property
    def sessions(self) -> "list[Place]":
        """The sessions in order of files."""
        from memctl.store.sessions import listed

        return listed(self.store)

    def with_call(self, call: str) -> list[Path]:
        """List the files of entries that may hold a call."""
        return self._calls.get(call, []) if self.many else _holding(self.offloads, call)

    def with_ref(self, relative: str) -> list[Path]:
        """List the files of entries that may name a ref."""
        return self._named_refs.get(relative, []) if self.many else _holding(self.offloads, relative)

    def with_message(self, message: str) -> list[Path]:
        """List the conversations that may hold a message."""
        return self._messages.get(message, []) if self.many else _holding(self.conversations, message)

    def stands_in(self, calls: Iterable[str]) -> Mapping[str, int]:
        """Count for each call the files of entries that hold one of this id."""
        if self.many:
            return {call: len(self._calls.get(call, ())) for call in calls}
        needles = {call: written(call) for call in calls}
        seen = dict.fromkeys(needles, 0)
        for path in self.offloads:
            data = files.read_bytes(path)
            for call, forms in needles.items():
                seen[call] += any(b'"tool_call_id":' + needle in data for needle in forms)
        return seen

    @cached_property
    def _calls(self) -> Mapping[str, list[Path]]:
        return _table(self.offloads, _CALL)

    @cached_property
    def _named_refs(self) -> Mapping[str, list[Path]]:
        return _table(self.offloads, _REF)

    @cached_property
    def _messages(self) -> Mapping[str, list[Path]]:
        return _table(self.conversations, _MESSAGE)


def _begins(names: list[str], session_id: str) -> bool:
    """Tell whether one of the sorted *names* may be that of an id, before anything is hashed."""
    start = safe_start(session_id)
    at = bisect_left(names, start)
    return at < len(names) and names[at].startswith(start)


def former_numbers(canvas: Canvas) -> list[int]:
    """Give the numbers that a canvas had before a merge gave it another."""
    was = canvas.extra.get("was")
    listed = was if isinstance(was, list) else []
    return [int(number) for number in listed if re.fullmatch(r"[0-9]{1,9}", str(number))]


def written(text: str) -> tuple[bytes, ...]:
    """Give the ways in which a text may stand in a line of JSON: as it is, and escaped for what is beside it."""
    forms = files.encode(text), json.dumps(text).encode("ascii")
    return tuple(dict.fromkeys(forms))


def _holding(paths: list[Path], text: str) -> list[Path]:
    forms = written(text)
    held = []
    for path in paths:
        data = files.read_bytes(path)
        if any(form in data for form in forms):
            held.append(path)
    return held


def _table(paths: list[Path], member: re.Pattern[bytes]) -> Mapping[str, list[Path]]:
    """Give the files in which each value of a member stands."""
    found: dict[str, list[Path]] = {}
    for path in paths:
        for value in set(member.findall(files.read_bytes(path))):
            try:
                text = files.decode(b'"' + value + b'"') if b"\\" in value else value.decode()
            except ValueError:
                continue
            found.setdefault(text, []).append(path)
    return found

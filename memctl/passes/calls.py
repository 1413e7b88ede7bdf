"""The calls of one session while it is read: their keys, their results, and who uses whose findings."""

import re
from collections import deque
from collections.abc import Iterable
from zlib import crc32

from memctl.store.messages import made_call

_WINDOW_RESULTS = 24  # a finding is used soon after it was made, or named again by then
_WINDOW_CHARACTERS = 65_536  # of one result; names stand near its beginning or are too many to matter
_PROMPT_CHARACTERS = 65_536
_WORD = re.compile(r"[^\s\"'`()\[\]{}<>,;:=|]{4,200}")


class CallKeys:
    """Gives each call its key and pairs results with calls (DESIGN 2.1; FORMATS 0.5).

    The key is the call's id; made from its place where it has none; `#2`, `#3` where ids repeat.
    """

    def __init__(self, session: str) -> None:
        self._session = session
        self._times: dict[str, int] = {}
        self._open: dict[str, list[str]] = {}  # native id -> keys whose result is still to come
        self._turn: dict[str, str] = {}  # open calls of the last message with calls: key -> native id
        self._orphans: set[str] = set()

    def new_turn(self) -> None:
        """Forget the open calls of the message before: a result without id belongs to the last turn."""
        self._turn.clear()

    def call(self, call_id: str | None, message_id: str, place: int) -> tuple[str, bool]:
        """Give a call's key, and whether its result came before it."""
        raw = call_id or self._made(message_id, place)
        if raw in self._orphans:
            self._orphans.discard(raw)
            return raw, True
        key = self._fresh(raw)
        self._open.setdefault(raw, []).append(key)
        self._turn[key] = raw
        return key, False

    def result(self, call_id: str | None, message_id: str, place: int) -> tuple[str, bool]:
        """Give the key of the call that a result belongs to, and whether that call was seen."""
        if call_id is None and self._turn:
            key, raw = next(iter(self._turn.items()))
            self._close(raw, key)
            return key, True
        if call_id is not None and call_id in self._open:
            key = self._open[call_id][0]
            self._close(call_id, key)
            return key, True
        raw = call_id or self._made(message_id, place)
        key = self._fresh(raw)
        if key == call_id:
            self._orphans.add(key)
        return key, False

    def _made(self, message_id: str, place: int) -> str:
        return made_call(self._session, message_id, place)

    def _fresh(self, raw: str) -> str:
        """Give an id that no call has yet; a transcript may itself use `x#2`."""
        times = self._times.get(raw, 0) + 1
        while (key := raw if times == 1 else f"{raw}#{times}") in self._times and times > 1:
            times += 1
        self._times[raw] = times
        self._times.setdefault(key, 1)
        return key

    def _close(self, raw: str, key: str) -> None:
        keys = self._open[raw]
        keys.remove(key)
        if not keys:
            del self._open[raw]
        self._turn.pop(key, None)


class Findings:
    """Tells which earlier results a call's arguments draw on (DESIGN 4.2).

    A call uses an earlier one when it holds a name that stands in that one's result and in no prompt
    or call before that one. Only what stands before the call is looked at.
    """

    def __init__(self) -> None:
        self._results: deque[tuple[str, int, str]] = deque(maxlen=_WINDOW_RESULTS)
        self._known: dict[int, int] = {}  # hash of a name -> when it was first said
        self._prompts: deque[tuple[int, str]] = deque()
        self._clock = 0

    def prompt(self, text: str) -> None:
        """Note the words of a prompt: names in it are no finding."""
        self._clock += 1
        self._prompts.append((self._clock, text[:_PROMPT_CHARACTERS]))
        while sum(len(words) for _, words in self._prompts) > _PROMPT_CHARACTERS and len(self._prompts) > 1:
            self._prompts.popleft()
        for word in _WORD.findall(text[:_PROMPT_CHARACTERS]):
            self._known.setdefault(hash_of(word), self._clock)

    def call(self, names: Iterable[str]) -> tuple[str, ...]:
        """Give the keys of the calls whose results these names come from, in order."""
        self._clock += 1
        used = []
        names = list(names)
        for key, when, text in self._results:
            if any(name in text and not self._said_before(name, when) for name in names):
                used.append(key)
        for name in names:
            self._known.setdefault(hash_of(name), self._clock)
        return tuple(used)

    def result(self, key: str, called: int, text: str) -> None:
        """Note what a call found; *called* is the `clock` when it was made."""
        self._results.append((key, called, text[:_WINDOW_CHARACTERS]))

    @property
    def clock(self) -> int:
        """Count of prompts and calls so far."""
        return self._clock

    def _said_before(self, name: str, when: int) -> bool:
        if self._known.get(hash_of(name), when + 1) <= when:
            return True
        return any(said <= when and name in words for said, words in self._prompts)


def hash_of(name: str) -> int:
    """Hash a name to an int, the same in every process."""
    return crc32(name.encode("utf-8", "surrogatepass"))

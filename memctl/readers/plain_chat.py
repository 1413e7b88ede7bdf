"""Read plain text in which each turn begins with a name: `Name: what was said` (FORMATS 20)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memctl.model import Damage, Event, Message, Result, Role, SessionFacts, Skipped, Text
from memctl.readers.locomo import spoken_time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "plain-chat"

_KEY = "#1"
_TURN = re.compile(r"(?P<name>[^\W\d_](?:[\w.' -]{0,38}[\w.)])?)\s?(?::(?:\s+|$)|：\s*)")
_DATE = re.compile(r"DATE\s*[:：]\s*(?P<when>.+)")
_SHOWN_CALL = "None"  # what dumps print where the agent called a tool

_NAMES: Mapping[Role, str] = {
    "user": "user human you me 用户 我 人类 ユーザー 사용자",
    "assistant": "assistant ai bot agent gpt chatgpt claude gemini copilot model llm 助手 助理 ai助手"
    " アシスタント 어시스턴트",
    "tool": "tool function observation",
    "system": "system",
}
_ROLES: Mapping[str, Role] = {name: role for role, names in _NAMES.items() for name in names.split()}
# Words that stand before a colon and are nobody's name: of logs, letters, headers and notes.
_NO_NAMES = frozenset(
    """info warning warn error errors debug note notes fatal trace critical notice hint help todo fixme bug
    date time from to cc bcc subject re fwd sent received question answer q a summary title author name
    version status result results output input example examples see usage description default returns args
    raises step steps reason problem solution goal task tasks total http https file line path url id type key
    value host accept location server connection cookie tip tips warning caution important danger success
    failed failure pass""".split()
)
_LINES = 400  # that are looked at to know a chat
_PERSONS_SAY = 4  # lines at least, two of each, for two persons to have a chat


def detect(source: Source) -> bool:
    """Tell a chat whose turns follow one another from its first line on (FORMATS 0, row 28)."""
    lines = source.opening().split("\n")[:_LINES]
    names: Counter[str] = Counter()
    speakers = _Speakers()
    filled = 0
    for line in lines:
        name = None if _DATE.match(line) else speakers.of(line)
        filled += bool(line.strip()) and not _DATE.match(line)
        if name:
            names[name] += 1
        elif line.strip() and not names and not _DATE.match(line):
            return False  # a chat begins with a turn
    roles = {_ROLES[name.lower()] for name in names if name.lower() in _ROLES}
    if {"user", "assistant"} <= roles:
        return True
    said = sum(names.values())
    persons = [names[name] for name in names if name.lower() not in _ROLES]
    if said * 2 < filled or len(persons) + ("assistant" in roles) != 2:
        return False
    return "assistant" in roles or (said >= _PERSONS_SAY and min(persons) > 1)


def read(source: Source) -> Iterator[Event]:
    """Give the events of a chat; messages are named by their place.

    A person whose name says no role is a user, and the name stays with the words. The second such name
    is the last: a third is a word before a colon. A line DATE gives the time of the turns behind it.
    """
    speakers = _Speakers()
    chat = _Chat()
    for line in source.text_lines():
        if isinstance(line, Damage):
            yield line
            continue
        text: str = line.value
        date = _DATE.fullmatch(text.strip())
        name = None if date else speakers.of(text)
        if date:
            yield from chat.end()
            chat.when = spoken_time(date["when"]) or chat.when
        elif name:
            yield from chat.end()
            chat.begin(name, text)
        else:
            chat.lines.append(text)
    yield from chat.end()


@dataclass(slots=True)
class _Speakers:
    """Who speaks: the known roles, and two other names when they begin the chat.

    Where a role has spoken, any other word before a colon is what it is: a word.
    """

    persons: set[str] = field(default_factory=set)
    roles: bool = False

    def of(self, line: str) -> str | None:
        """Give the name that begins *line*; None when none does."""
        match = _TURN.match(line)
        if match is None:
            return None
        name = match["name"]
        if name.lower() in _ROLES:
            self.roles = True
        elif name not in self.persons:
            if self.roles or len(self.persons) == 2 or not _is_person(name):
                return None
            self.persons.add(name)
        return name


def _is_person(name: str) -> bool:
    words = name.split()
    return (
        len(words) <= 3
        and words[0].lower() not in _NO_NAMES
        and all(word[0].isupper() or not word[0].isascii() for word in words)
    )


@dataclass(slots=True)
class _Chat:
    """A chat as it is read: the turn that may still grow."""

    name: str | None = None
    lines: list[str] = field(default_factory=list)
    when: str | None = None
    count: int = 0
    told: bool = False

    def begin(self, name: str, line: str) -> None:
        """Begin a turn."""
        match = _TURN.match(line)
        self.name = name
        self.lines = [line[match.end() :] if match and name.lower() in _ROLES else line]

    def end(self) -> Iterator[Event]:
        """Give the turn that has ended."""
        name, words = self.name, "\n".join(self.lines).strip("\n").rstrip()
        self.name, self.lines = None, []
        role = _ROLES.get(name.lower(), "user") if name else "system"
        if not words and role != "tool":  # a tool may well give nothing
            return
        if role == "assistant" and words == _SHOWN_CALL:
            yield Skipped("a call that is not shown", _KEY if self.told else None)
            return
        if not self.told:
            self.told = True
            yield SessionFacts(_KEY, None, FORMAT)
        self.count += 1
        said = (Text(words),) if words else ()
        parts = (Result(None, said, name=name),) if role == "tool" else said
        marks = marks_of([words]) if role == "user" else ()
        yield Message(_KEY, str(self.count), role, parts, self.when, marks)

"""Read Aider's chat history: one Markdown file holds all the chats of a folder (FORMATS 12).

Aider ends every line of the user's (`#### `) and each of its own messages (`> `) with two blanks; the
model's Markdown, which has headings and quotes, too, goes in as it came. A history that was stripped
of blanks at line ends has only the signs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from memctl.model import Call, Damage, Event, Json, Message, Part, Result, Role, SessionFacts, Text
from memctl.readers.aider_edits import edit_of, edits_in
from memctl.readers.fields import known
from memctl.readers.source import Source

FORMAT = "aider"

_START = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[ \t]*$", re.MULTILINE)
_USER, _OWN = "####", ">"
_END = "  "  # of what Aider writes (`append_chat_history(linebreak=True)` in its io.py)

_COMMAND = re.compile(r"/([\w-]+)(?:\s+|$)|!\s*")
_TALKS = ("ask", "code", "architect", "context", "help")  # what stands behind these is said to the model
_RUNS = ("run", "test", "git")  # what stands behind these is run, as behind `!`
_MADE_UP = (  # messages Aider writes in the user's name
    "<blank>",
    "# Fix any errors below, if possible.",
    "# Question: ",
    "I ran this command:",
    "The LLM did not conform to the edit format.",
)

_EDIT = re.compile(r"Applied edit to (.+)")
_COMMIT = re.compile(r"Commit ([0-9a-f]{7,40}) (.+)")
_FACTS = (
    ("version", re.compile(r"Aider v(\S+)")),
    ("model", re.compile(r"(?:Main model|Models?): (\S+)")),
    ("cwd", re.compile(r"Git working dir: (.+)")),
)


def detect(source: Source) -> bool:
    """Tell a history by the line that begins a chat, where no fence quotes it (FORMATS 0, row 25).

    Text may stand before the first.
    """
    fenced = False
    for line in source.opening().split("\n"):
        if not fenced and _START.match(line):
            return True
        fenced ^= line.startswith("```")
    return False


def read(source: Source) -> Iterator[Event]:
    """Give the events of each chat, a session of its own; what stands before the first is one, too.

    Messages have no ids: their place in the chat names them. An edit, a commit and a command that the
    user ran are calls. The other messages of Aider are given with the role "system". All messages of a
    chat have the time at which it started: no other is known. The first words of the user name a chat:
    as the last ones of the file they may go on, and are not there yet.
    """
    chat = _Chat("#0")
    number = 0
    for line in source.text_lines():
        if isinstance(line, Damage):
            yield line
            continue
        start = _START.match(line.value)
        if start:
            yield from chat.end()
            number += 1
            chat = _Chat(f"#{number}", start[1])
        else:
            yield from chat.take(line.value)
    yield from chat.end(last=True)


@dataclass(slots=True)
class _Chat:
    """A chat as it is read: the lines of the message that may still grow, and what they are.

    plain: the first signed line of the chat had no blanks at its end, so none has. told: something was
    given. asked: the user has said something. ran: the user's last message runs a command. edits: what the
    model's last answer changes, by path.
    """

    key: str
    started: str | None = None
    kind: Role | None = None
    lines: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    count: int = 0
    plain: bool | None = None
    open: bool = False
    told: bool = False
    asked: bool = False
    ran: bool = False
    asks: str = ""
    edits: dict[str, str] = field(default_factory=dict)

    def take(self, line: str) -> Iterator[Event]:
        """Take the next line."""
        sign = next((sign for sign in (_USER, _OWN) if line == sign or line.startswith(f"{sign} ")), None)
        if sign and self.plain is None:
            self.plain = not line.endswith(_END)
        ended = self.plain or line.endswith(_END)
        if sign == _USER and ended:
            if self.kind != "user":
                yield from self._next("user")
            self.lines.append(line[5:].removesuffix(_END))
        elif sign == _OWN and (ended or (self.kind in ("user", "system") and not self.open)):
            if self.kind != "system":
                yield from self._next("system")
            self.lines.append(line[2:].rstrip())
            self.open = not ended
        elif self.kind == "system" and (line.strip() or self.open):
            # Of a message with several lines only the first has the sign, only the last the blanks.
            self.lines.append(line.rstrip())
            self.open = not ended
        elif line.strip():
            speaker: Role | None = "assistant" if self.asked else None
            if self.kind != speaker:
                yield from self._next(speaker)
            self.lines.append(line)
        elif self.kind == "assistant" or (self.kind is None and self.lines):
            self.lines.append(line)
        else:  # what Aider writes behind an empty line begins with a sign, what the model wrote does not
            yield from self._next(None)

    def end(self, *, last: bool = False) -> Iterator[Event]:
        """Give the last message; *last*: nothing says that it is complete."""
        if last and self.kind == "user" and not self.asked:
            return
        yield from self._next(None)

    def _next(self, kind: Role | None) -> Iterator[Event]:
        """Give the message that is complete now, and begin one of another kind."""
        ended, lines = self.kind, self.lines
        self.kind, self.lines, self.open = kind, [], False
        if ended == "system":
            yield from self._own(lines)
        elif any(lines):
            words = "\n".join(lines).strip("\n").rstrip()
            if ended == "user":
                yield from self._asked(words)
            else:
                if ended == "assistant":
                    self.edits = edits_in(words)
                yield from self._message(ended or "system", (Text(words),))

    def _asked(self, words: str) -> Iterator[Event]:
        self.asked = True
        command = _COMMAND.match(words)
        name, behind = (command[1] or "", words[command.end() :].strip()) if command else ("", "")
        self.ran = bool(command) and bool(behind) and (not name or _is(name, _RUNS))
        marks: tuple[str, ...] = ()
        parts: tuple[Part, ...] = (Text(words),)
        if self.ran:
            parts += (Call(None, "git" if name == "git" else "run", {"command": _typed(name, behind)}),)
        if words.startswith(_MADE_UP) or (self.asks and words.strip() == self.asks):
            marks = ("meta",)
        self.asks = ""
        if command and behind and _is(name, _TALKS):
            self.asks = behind
        elif command:
            marks = ("command",)
        yield from self._message("user", parts, marks)

    def _own(self, lines: list[str]) -> Iterator[Event]:
        """Read messages of Aider: what a command printed, or what was done and other remarks."""
        if self.ran:
            self.ran = False
            yield from self._message("tool", (Result(None, (Text(_joined(lines)),)),))
            return
        for name, pattern in _FACTS:
            for line in lines:
                match = None if name in self.facts else pattern.match(line)
                if match:
                    self.facts[name] = match[1]
                    if self.told:
                        yield self._session({name: match[1]})
        acts: list[tuple[Call, str]] = []
        remarks: list[str] = []
        for line in lines:
            act = _act(line, self.edits)
            if act and remarks:
                yield from self._message("system", (Text(_joined(remarks)),))
                remarks = []
            if act:
                acts.append((act, line))
                continue
            yield from self._acted(acts)
            acts = []
            remarks.append(line)
        yield from self._acted(acts)
        if any(remarks):
            yield from self._message("system", (Text(_joined(remarks)),))

    def _acted(self, acts: list[tuple[Call, str]]) -> Iterator[Event]:
        if acts:
            yield from self._message("assistant", tuple(call for call, _ in acts))
            results = tuple(Result(None, (Text(line),), is_error=False) for _, line in acts)
            yield from self._message("tool", results)

    def _message(self, role: Role, parts: tuple[Part, ...], marks: tuple[str, ...] = ()) -> Iterator[Event]:
        if not self.told:
            self.told = True
            yield self._session({**self.facts, **known(agent="Aider", started=self.started)})
        self.count += 1
        yield Message(self.key, str(self.count), role, parts, self.started, marks)

    def _session(self, facts: dict[str, str]) -> SessionFacts:
        return SessionFacts(self.key, None, FORMAT, facts=facts)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")


def _is(name: str, commands: tuple[str, ...]) -> bool:
    """Tell a command by its name or, as Aider does, by the beginning of it."""
    return len(name) > 1 and any(command.startswith(name) for command in commands)


def _typed(name: str, behind: str) -> str:
    return f"git {behind}" if name == "git" else behind


def _act(line: str, edits: dict[str, str]) -> Call | None:
    """Read what was done with the model's answer. edits: what that changes, by path."""
    edited, committed = _EDIT.fullmatch(line), _COMMIT.fullmatch(line)
    if edited:
        blocks = edit_of(edits, edited[1])
        return Call(None, "edit", {"path": edited[1]} | ({"diff": blocks} if blocks else {}))
    if committed:
        arguments: Json = {"commit": committed[1], "message": committed[2]}
        return Call(None, "git_commit", arguments)
    return None

"""What the Tab key offers: commands, options, their values, and ids of the memory directory.

Started by the shells at every press, so it loads next to nothing of memctl: the commands stand in `completions.json`
(written by man/build.py), and ids are read from file names and the first bytes of files.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from memctl.finding import find

TABLE = Path(__file__).with_name("completions.json")
FILES = ":files"  # tells the shell's script to offer file names

_MOST = 300
_HEAD = 4096
_NODE = re.compile(rb'^\s*((?:\d{1,9})-N\d{1,9})[\[({/>"]+([^<"\]]{0,80})', re.MULTILINE)
_DESCRIPTION = re.compile(rb'^description:\s*"?([^"\n]{0,80})', re.MULTILINE)
_TITLE = re.compile(rb'"title":"([^"\\]{0,80})')
_SESSION = re.compile(rb'"sessionId":"([^"\\]{1,200})"')
_ATOM = re.compile(rb'"id":"(m_[0-9a-f]{12})","content":"([^"\\]{0,80})')
_FIT = re.compile(r"[^\s\"'`$\\;|&<>(){}*?!#\x00-\x1f\x7f-\x9f]+")

Offer = tuple[str, str]  # value, description


def complete(arguments: list[str]) -> None:
    """Print the offers for `--complete INDEX WORD...`, a line each: value, tab, description."""
    try:
        index, words = int(arguments[0]), arguments[1:]
        lines = [f"{value}\t{told}" if told else value for value, told in offers(words[1:], index - 1)]
    except (ValueError, IndexError, OSError):
        return
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def offers(words: list[str], index: int) -> list[Offer]:
    """Give what may stand at word *index*, for words without the program's name."""
    words = [*words, ""] if index >= len(words) else words[: index + 1]
    words = _joined(words)
    current, before = words[-1], words[:-1]
    table = json.loads(TABLE.read_text("utf-8"))
    path, rest = _command(table, before)
    known = table[path]
    home = _home(before)
    if rest and _takes_a_value(known, rest[-1]):
        return _value(known["options"][rest[-1]], path, home, current)
    if current.startswith("-"):
        return _starting([(name, one["help"]) for name, one in known["options"].items()], current)
    if known["commands"]:
        return _starting(list(known["commands"].items()), current)
    names, typed = known["arguments"], _typed(known, rest)
    if typed >= len(names) and not (names and "..." in names[-1]):
        return []
    return _argument(names[min(typed, len(names) - 1)], path, home, current)


def _takes_a_value(known: dict[str, Any], word: str) -> bool:
    return bool(known["options"].get(word, {}).get("value"))


def _typed(known: dict[str, Any], rest: list[str]) -> int:
    """Count the arguments that are typed already."""
    count, skip = 0, False
    for word in rest:
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            skip = _takes_a_value(known, word)
        else:
            count += 1
    return count


def _joined(words: list[str]) -> list[str]:
    """Join `--option`, `=` and a value, which bash takes apart, to two words."""
    joined: list[str] = []
    for word in words:
        if word == "=" and joined and joined[-1].startswith("--"):
            continue
        joined.append(word)
    return [*joined, ""] if words[-1] == "=" else joined


def _command(table: dict[str, Any], words: list[str]) -> tuple[str, list[str]]:
    """Find the command that is typed: its path, and the words behind it."""
    path, at, skip = "", 0, False
    for number, word in enumerate(words, 1):
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = _takes_a_value(table[path], word)
        elif word in table[path]["commands"]:
            path, at = f"{path} {word}".strip(), number
        else:
            break
    return path, words[at:]


def _starting(found: list[Offer], current: str) -> list[Offer]:
    return [(value, told) for value, told in found if value.startswith(current)]


def _value(option: dict[str, str], path: str, home: Path, current: str) -> list[Offer]:
    """Offer the values of an option."""
    if option.get("choices"):
        return _starting([(value, "") for value in option["choices"].split(" ")], current)
    return _argument(option["value"], path, home, current)


def _argument(metavar: str, path: str, home: Path, current: str) -> list[Offer]:
    """Offer what an argument takes, by its name in the synopsis."""
    name = re.sub(r"[^A-Z]", "", metavar.partition("|")[0])
    source = _SOURCES.get((path, name)) or _SOURCES.get(("", name))
    if source is None:
        return [(FILES, "")] if name in _FILE_NAMES else []
    found = (one for one in source(home, current) if one[0].startswith(current) and _FIT.fullmatch(one[0]))
    return [(value, " ".join(told.split())) for value, told in islice(found, _MOST)]


# --------------------------------------------------------------------------- the directory


def _home(words: list[str]) -> Path:
    """Find the memory directory as `store.find` does."""
    given = next((words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-C", "--directory")), None)
    return Path(find(given and os.path.expanduser(given)))


def _names(folder: Path, ending: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(ending))
    except OSError:
        return []


def _head(path: Path, size: int = _HEAD) -> bytes:
    try:
        if path.is_symlink() or not path.is_file():  # a named pipe would wait for its writer
            return b""
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError:
        return b""


def _told(data: bytes) -> str:
    return re.sub(
        r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f]", " ", data.decode("utf-8", "replace")
    )


def _canvases(home: Path, _current: str) -> Iterator[Offer]:
    for name in _names(home / "mmds", ".mmd"):
        number, _, label = name.removesuffix(".mmd").partition("-")
        yield number, label


def _nodes(home: Path, current: str) -> Iterator[Offer]:
    """Offer nodes of the canvases that the word begins with; before that, the canvases themselves."""
    number, dash, _ = current.partition("-")
    if not dash:
        yield from ((f"{canvas}-N", label) for canvas, label in _canvases(home, current))
        return
    for name in _names(home / "mmds", ".mmd"):
        if name.partition("-")[0] == number:
            data = _head(home / "mmds" / name, 1 << 20)
            yield from ((_told(found[1]), _told(found[2])) for found in _NODE.finditer(data))


def _sessions(home: Path, current: str) -> Iterator[Offer]:
    for name in _names(home / "conversations", ".jsonl"):
        plain = not {"~", "%"} & set(name)
        if plain and not name.startswith(current):
            continue
        data = _head(home / "conversations" / name)
        found, title = _SESSION.search(data), _TITLE.search(data)
        yield _told(found[1]) if found else name.removesuffix(".jsonl"), _told(title[1]) if title else ""


def _tasks(home: Path, _current: str) -> Iterator[Offer]:
    for name in _names(home / "tasks", ".yaml"):
        found = _DESCRIPTION.search(_head(home / "tasks" / name))
        yield name.removesuffix(".yaml"), _told(found[1]) if found else ""


def _atoms(home: Path, current: str) -> Iterator[Offer]:
    seen = set()
    for name in _names(home / "records", ".jsonl") if "m_".startswith(current[:2]) else ():
        for found in _ATOM.finditer(_head(home / "records" / name, 1 << 20)):
            if found[1] not in seen:
                seen.add(found[1])
                yield _told(found[1]), _told(found[2])


def _things(home: Path, current: str) -> Iterator[Offer]:
    """Offer what `drill` takes."""
    if "-" in current and current.partition("-")[0].isdigit():
        yield from _nodes(home, current)
    yield from _canvases(home, current)
    yield from _tasks(home, current)
    yield from _atoms(home, current)
    yield from _sessions(home, current)


def _pages(home: Path, _current: str) -> Iterator[Offer]:
    yield "persona.md", ""
    yield from ((f"scene_blocks/{name}", "") for name in _names(home / "scene_blocks", ".md"))


def _states(_home: Path, _current: str) -> Iterator[Offer]:
    yield from ((state, "") for state in ("in_progress", "completed", "paused", "cancelled"))


def _shells(_home: Path, _current: str) -> Iterator[Offer]:
    yield from ((shell, "") for shell in ("bash", "zsh", "fish"))


def _commands(_home: Path, _current: str) -> Iterator[Offer]:
    yield from json.loads(TABLE.read_text("utf-8"))[""]["commands"].items()


# (command, name in the synopsis) -> where offers come from; "" for any command.
_SOURCES: dict[tuple[str, str], Callable[[Path, str], Iterator[Offer]]] = {
    ("", "CANVAS"): _canvases,
    ("", "NODE"): _nodes,
    ("", "SESSION"): _sessions,
    ("", "TASK"): _tasks,
    ("", "STATE"): _states,
    ("", "SHELL"): _shells,
    ("drill", "ID"): _things,
    ("session show", "ID"): _sessions,
    ("session export", "ID"): _sessions,
    ("session trace", "ID"): _sessions,
    ("extract", "ID"): _sessions,
    ("grep", "ID"): _sessions,
    ("clear", "ID"): _sessions,
    ("atom show", "ID"): _atoms,
    ("atom forget", "ID"): _atoms,
    ("atom correct", "ID"): _atoms,
    ("history", "PATH"): _pages,
    ("revert", "PATH"): _pages,
    ("help", "COMMAND"): _commands,
}
_FILE_NAMES = frozenset(("FILE", "PATH", "DIR", "SESSIONFILE", "FOLDER"))

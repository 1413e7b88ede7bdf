"""Read results of tau-bench, many runs to a file, and its dialogues for few-shot prompts (FORMATS 11)."""

from collections.abc import Iterator, Mapping

from memctl.model import Damage, Event, Json, Message, Result, SessionFacts, Skipped, Text
from memctl.readers.chat import chat_message
from memctl.readers.fields import compact, mapping, objects, sequence
from memctl.readers.source import Source

FORMAT = "tau-bench"

_NAMES = ("user: ", "assistant: ", "tool: ", "system: ")


def detect(source: Source) -> bool:
    """Tell runs by trajectory and task, dialogues by their one key (FORMATS 0, row 17)."""
    return any(map(_is_run, objects(source.head())))


def read(source: Source) -> Iterator[Event]:
    """Give the events of each run, a session of its own; runs are told apart by task and trial."""
    number = 0
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        run = mapping(line.value)
        if not _is_run(run):
            yield Skipped("no run")
            continue
        number += 1
        key = f"#{number}"
        which = {name: run[name] for name in ("task_id", "trial") if name in run}
        yield SessionFacts(key, None, FORMAT, compact(which) if which else "")
        if "traj" in run:
            for message in map(mapping, sequence(run["traj"])):
                read = chat_message(message)
                yield Message(key, None, *read) if read else Skipped(f"empty:{message.get('role')}", key)
        else:
            yield from _dialogue(key, run["messages_display"])


def _is_run(value: Mapping[str, Json]) -> bool:
    if isinstance(value.get("traj"), list):
        return "task_id" in value or "reward" in value
    return isinstance(value.get("messages_display"), str)


def _dialogue(key: str, display: str) -> Iterator[Event]:
    """Read turns that begin with a name; where the agent called a tool it says None."""
    turns: list[tuple[str, list[str]]] = []
    for line in display.split("\n"):
        name = next((name for name in _NAMES if line.startswith(name)), "")
        if name:
            turns.append((name, [line[len(name) :]]))
        elif turns:
            turns[-1][1].append(line)
        elif line:
            turns.append(("system: ", [line]))
    for name, lines in turns:
        words = Text("\n".join(lines))
        match name:
            case "user: ":
                yield Message(key, None, "user", (words,))
            case "tool: ":
                yield Message(key, None, "tool", (Result(None, (words,)),))
            case "assistant: " if words.text == "None":
                yield Skipped("a call that is not shown", key)
            case "assistant: ":
                yield Message(key, None, "assistant", (words,))
            case _:
                yield Message(key, None, "system", (words,))

"""Read trajectories of SWE-agent: the history as the model saw it, and the steps in full (FORMATS 7)."""

import json
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memctl.model import Call, Event, Image, Json, Message, Part, Raw, Result, SessionFacts, Skipped, Text
from memctl.readers.blocks import parts_of, result_blocks
from memctl.readers.chat import chat_message
from memctl.readers.fields import first, known, mapping, sequence, string
from memctl.readers.source import Source

FORMAT = "swe-agent"

_KEY = "session"  # a trajectory says no id of its session
# Commands of the agent's own; everything else is for the shell.
_COMMANDS = frozenset(
    "open goto scroll_up scroll_down create edit insert append search_dir search_file find_file submit "
    "exit_cost exit_forfeit exit_context exit_format exit_error skip str_replace_editor filemap".split()
)


def detect(source: Source) -> bool:
    """Tell a trajectory by its history of agents and its steps (FORMATS 0, row 12)."""
    head = source.head()
    if source.shape != "json" or not head:
        return False
    document = mapping(head[0])
    history, steps = sequence(document.get("history")), sequence(document.get("trajectory"))
    agents = any("agent" in mapping(message) and "role" in mapping(message) for message in history)
    acts = any({"action", "observation"} <= mapping(step).keys() for step in steps)
    return agents or (acts and ("history" in document or "info" in document))


def read(source: Source) -> Iterator[Event]:
    """Give the events of a trajectory: two messages a step, with what stands around them in the history.

    An output is told as the step has it: the history may have left it out.

    Raises:
        Unreadable: the document is damaged.

    """
    document = mapping(source.document())
    steps = [mapping(step) for step in sequence(document.get("trajectory"))]
    begins = steps[0] if steps else {}
    history = sequence(document.get("history")) or sequence(first(begins, "query", "messages"))
    config = _value(document.get("replay_config"))
    model = mapping(mapping(mapping(config).get("agent")).get("model")).get("name")
    facts = known(agent="SWE-agent", cwd=mapping(_value(begins.get("state"))).get("working_dir"), model=model)
    # The issue alone does not tell two runs apart.
    yield SessionFacts(_KEY, None, FORMAT, string(begins.get("response")) or "", facts)
    run = _Run(steps)
    for message in map(mapping, history):
        yield from _told(run, message)
    yield from _steps(run, len(steps))


@dataclass(slots=True)
class _Run:
    """Where the reading is: the next step, and what the message before makes of this one."""

    steps: Sequence[Mapping[str, Json]]
    at: int = 0
    places: dict[str, deque[int]] = field(default_factory=lambda: defaultdict(deque))  # action -> its steps
    told: bool = False  # the message after the agent's repeats an observation
    open_calls: tuple[str | None, ...] = ()  # calls of a message that no step has

    def __post_init__(self) -> None:
        for place, step in enumerate(self.steps):
            self.places[_action(step)].append(place)


def _told(run: _Run, message: Mapping[str, Json]) -> Iterator[Event]:
    if message.get("is_demo"):
        yield Skipped("demonstration", _KEY)
        return
    if message.get("role") == "assistant":
        yield from _answer(run, message)
        return
    told, calls, run.told, run.open_calls = run.told, run.open_calls, False, ()
    answers = message.get("role") in ("user", "tool")
    if answers and told:
        return
    if answers and calls:
        yield _result(calls, result_blocks(message.get("content")))
        return
    read = chat_message(message)
    if read is None:
        yield Skipped(f"empty:{message.get('role')}", _KEY)
    else:
        yield Message(_KEY, None, read[0], read[1])


def _answer(run: _Run, message: Mapping[str, Json]) -> Iterator[Event]:
    """Give the step that *message* is, after those that the history lacks; or the message itself."""
    places = run.places[_action(message)]
    while places and places[0] < run.at:
        places.popleft()
    read = chat_message(message)
    calls = tuple(part for part in (read[1] if read else ()) if isinstance(part, Call))
    thoughts = parts_of(message.get("thinking_blocks"))
    if places:
        yield from _steps(run, places[0])
        yield from _step(run.steps[run.at], calls, thoughts)
        run.at, run.told, run.open_calls = run.at + 1, True, ()
        return
    calls = calls or _called(message)
    words = string(message.get("thought")) or ""
    said = (
        (Text(words),)
        if words
        else tuple(part for part in (read[1] if read else ()) if not isinstance(part, Call))
    )
    run.told, run.open_calls = False, tuple(call.id for call in calls)
    if thoughts or said or calls:
        yield Message(_KEY, None, "assistant", (*thoughts, *said, *calls))


def _steps(run: _Run, end: int) -> Iterator[Event]:
    for step in run.steps[run.at : end]:
        yield from _step(step, (), ())
    run.at = end


def _step(step: Mapping[str, Json], calls: tuple[Call, ...], thoughts: tuple[Part, ...]) -> Iterator[Event]:
    calls = calls or _called(step)
    words = string(step.get("thought")) or string(step.get("response")) or ""
    said = (Text(words),) if words.strip() else ()
    if thoughts or said or calls:
        yield Message(_KEY, None, "assistant", (*thoughts, *said, *calls))
    blocks = result_blocks(step.get("observation"))
    if calls:
        yield _result(tuple(call.id for call in calls), blocks)
    elif blocks:
        yield Message(_KEY, None, "system", blocks)


def _called(record: Mapping[str, Json]) -> tuple[Call, ...]:
    """Make the call of an action that is text; its arguments are the action verbatim."""
    action = record.get("action")
    if not isinstance(action, str) or not action.strip():
        return ()
    word = action.split(maxsplit=1)[0]
    return (Call(None, word if word in _COMMANDS else "bash", action),)


def _result(calls: Sequence[str | None], blocks: tuple[Text | Image | Raw, ...]) -> Message:
    rest = (Result(call, ()) for call in calls[1:])
    return Message(_KEY, None, "tool", (Result(calls[0], blocks), *rest))


def _action(record: Mapping[str, Json]) -> str:
    return str(record.get("action") or "").strip()


def _value(text: Json) -> Json:
    """Read what some versions write as a value and others as JSON in a string."""
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None

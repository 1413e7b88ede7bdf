"""Read trajectories in the Agent Trajectory Interchange Format, and Harbor's traces (FORMATS 10)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from memctl.model import (
    Call,
    Event,
    Image,
    Json,
    Message,
    Part,
    Raw,
    Result,
    Role,
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.blocks import result_blocks
from memctl.readers.chat import chat_message
from memctl.readers.fields import counts, known, mapping, objects, sequence, string, time
from memctl.readers.source import Source

FORMAT = "atif"

_ROLES: Mapping[str, Role] = {"system": "system", "user": "user", "agent": "assistant"}


def detect(source: Source) -> bool:
    """Tell a trajectory by its schema, a trace by its episode (FORMATS 0, row 10)."""
    return any(_is_trajectory(head) or _is_trace(head) for head in objects(source.head()))


def read(source: Source) -> Iterator[Event]:
    """Give the events of trajectories; a step's calls and results are two messages.

    A trace repeats the whole conversation before each call of the model: the last of a run is read.

    Raises:
        Unreadable: the file is one JSON document, and damaged.

    """
    document = source.document()
    values = [mapping(value) for value in (document if isinstance(document, list) else [document])]
    for number, value in enumerate(values, 1):
        if _is_trajectory(value):
            yield from _trajectory(value, f"#{number}", None)
    yield from _traces([value for value in values if _is_trace(value)])


def _is_trajectory(value: Mapping[str, Json]) -> bool:
    schema = string(value.get("schema_version")) or ""
    return schema.startswith("ATIF-") and isinstance(value.get("steps"), list)


def _is_trace(value: Mapping[str, Json]) -> bool:
    return isinstance(value.get("conversations"), list) and "episode" in value and "agent" in value


# --------------------------------------------------------------------------- trajectories


def _trajectory(value: Mapping[str, Json], key: str, parent: str | None) -> Iterator[Event]:
    agent, session = mapping(value.get("agent")), string(value.get("session_id"))
    key = session or string(value.get("trajectory_id")) or key
    steps = [mapping(step) for step in sequence(value.get("steps"))]
    facts = known(
        agent=agent.get("name"),
        version=agent.get("version"),
        model=agent.get("model_name"),
        cwd=next(iter(sequence(mapping(agent.get("extra")).get("cwds"))), None),
        parent=parent,
        started=next((when for step in steps if (when := time(step.get("timestamp")))), None),
    )
    yield SessionFacts(key, session, FORMAT, facts=facts)
    for step in steps:
        yield from _step(key, step, string(agent.get("model_name")))
    for number, inner in enumerate(sequence(value.get("subagent_trajectories")), 1):
        yield from _trajectory(mapping(inner), f"{key}.{number}", session)


def _step(key: str, step: Mapping[str, Json], model: str | None) -> Iterator[Event]:
    """Read a step. Its number is a place, no identity: a continued run counts anew."""
    role = _ROLES.get(str(step.get("source")))
    if role is None:
        yield Skipped(f"step.{step.get('source')}", key)
        return
    when = time(step.get("timestamp"))
    reasoning = string(step.get("reasoning_content"))
    calls = [_call(mapping(call)) for call in sequence(step.get("tool_calls"))]
    thoughts = (Thinking(reasoning),) if reasoning else ()
    parts: tuple[Part, ...] = (*thoughts, *_blocks(step.get("message")), *calls)
    if role == "assistant":
        model = string(step.get("model_name")) or model
        yield Message(key, None, role, parts, when, (), model, counts(step.get("metrics")))
    elif parts:
        yield Message(key, None, role, parts, when)
    results = _results(calls, sequence(mapping(step.get("observation")).get("results")))
    if results:
        yield Message(key, None, "tool", results, when)


def _call(call: Mapping[str, Json]) -> Call:
    return Call(
        string(call.get("tool_call_id")), string(call.get("function_name")) or "", call.get("arguments")
    )


def _results(calls: Sequence[Call], results: Sequence[Json]) -> tuple[Result, ...]:
    """Pair results with the calls of their step: by id, and where they name none by their place."""
    found = []
    for result, call in zip_longest(map(mapping, results), calls[: len(results)]):
        name = string(result.get("source_call_id")) or (call.id if call else None)
        blocks = _blocks(result.get("content"))
        trajectories = result.get("subagent_trajectory_ref")
        if trajectories:
            blocks += (Raw({"subagent_trajectory_ref": trajectories}),)
        found.append(Result(name, blocks, _failed(result)))
    return tuple(found)


def _failed(result: Mapping[str, Json]) -> bool | None:
    about = mapping(result.get("extra"))
    for key, means_failed in (("is_error", True), ("success", False)):
        if isinstance(about.get(key), bool):
            return bool(about[key] is means_failed)
    return None


def _blocks(content: Json) -> tuple[Text | Image | Raw, ...]:
    found = result_blocks(content)
    return tuple(_picture(block) if isinstance(block, Raw) else block for block in found)


def _picture(block: Raw) -> Image | Raw:
    """Read a picture that lies in a file beside the trajectory."""
    source = mapping(mapping(block.value).get("source"))
    path = string(source.get("path"))
    return Image(string(source.get("media_type")) or "", url=path) if path else block


# --------------------------------------------------------------------------- traces


def _traces(values: Sequence[Mapping[str, Json]]) -> Iterator[Event]:
    runs: dict[str, Mapping[str, Json]] = {}
    for value in values:
        run = str(value.get("run_id") or value.get("trial_name") or value.get("task"))
        before = runs.get(run)
        if before is None or len(value["conversations"]) >= len(before["conversations"]):
            runs[run] = value
        if before is not None:
            yield Skipped("an earlier episode")
    for run, value in runs.items():
        facts = known(
            agent=value.get("agent"),
            model=value.get("model"),
            title=value.get("task"),
            started=time(value.get("date")),
        )
        yield SessionFacts(run, run, FORMAT, facts=facts)
        for message in map(mapping, value["conversations"]):
            read = chat_message(message)
            yield Message(run, None, *read) if read else Skipped(f"empty:{message.get('role')}", run)

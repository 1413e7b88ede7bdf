"""What the modules of the kinds share: what a kind is, and what an accepted answer came to."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from memctl.engine.prompting import Prompt
from memctl.model import Json
from memctl.store import Store


@dataclass(frozen=True, slots=True)
class Applied:
    """What an accepted answer changed: a line for people, and how many things of which name."""

    told: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question to a model.

    subject: what it is asked about: `session`, `canvas`, `scene` or "" (the whole memory). wanted: the keys
    of the answer, the first being its list. subjects: what there is to ask about, in order. prompts: the
    questions about one subject, in parts; none when there is nothing to ask. apply: checks the whole answer,
    then writes all of it (the caller holds the lock); raises RefusedError and has written nothing else.
    """

    help: str
    subject: str
    wanted: tuple[str, ...]
    schema: Mapping[str, Json]
    prompts: Callable[[Store, str], list[Prompt]]
    apply: Callable[[Store, str, Mapping[str, Json], str], Applied]


def schema(title: str, properties: Mapping[str, Json], required: list[str] | None = None) -> dict[str, Json]:
    """Write a JSON schema of an object; by default everything in it is required."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "properties": dict(properties),
        "required": list(properties) if required is None else required,
    }


def items(
    properties: Mapping[str, Json], required: list[str] | None = None, count: int = 0
) -> dict[str, Json]:
    """Write the schema of a list of objects: of *count* ones, or any number of them."""
    inner = {"type": "object", "properties": dict(properties)}
    listed: dict[str, Json] = {"type": "array", "items": {**inner, "required": required or list(properties)}}
    return {**listed, "minItems": count, "maxItems": count} if count else listed


def one_of(values: Iterable[str]) -> Json:
    """Write the schema of a text that is one of a few: a small model that is held to it invents no ids."""
    return {"enum": list(dict.fromkeys(values))}


TEXT: Json = {"type": "string"}
COUNT: Json = {"type": "integer"}

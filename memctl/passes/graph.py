"""What people and agents do with the graph: commit, purge, and the role of the agent (DESIGN 2.7)."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memctl import files
from memctl.errors import NotFoundError, UsageError
from memctl.graph import current, lines, vocabulary
from memctl.model import Json, Triple
from memctl.passes.leaving import as_left
from memctl.store import Store
from memctl.tasks import listing


@dataclass(frozen=True, slots=True)
class Bad:
    """Something given as a triple that is none: the line (from 1) it stands in, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Criteria:
    """Which triples are meant; what is empty does not narrow.

    node: subject or object, exactly. subject, object: contain this, in any case. before: said before this time.
    """

    node: str = ""
    subject: str = ""
    relation: str = ""
    object: str = ""
    task: str = ""
    before: str = ""

    def test(self) -> Callable[[lines.Row], bool]:
        """Give the function that tells whether an edge is meant."""
        subject, name = self.subject.casefold(), self.object.casefold()

        def meant(edge: lines.Row) -> bool:
            return (
                (not self.node or self.node in (edge[0], edge[2]))
                and (not self.relation or self.relation == edge[1])
                and (not subject or subject in edge[0].casefold())
                and (not name or name in edge[2].casefold())
                and (not self.task or lines.triple_of(edge).task == self.task)
                and (not self.before or lines.triple_of(edge).at < self.before)
            )

        return meant


def read_lines(data: bytes) -> Iterator[tuple[int, Json]]:
    """Give (line number, value) of JSON lines, of a JSON list of triples, or of `{"triplets": [...]}`.

    A line that is no JSON gives its ValueError as the value.
    """
    text = data.removeprefix(b"\xef\xbb\xbf")
    with contextlib.suppress(ValueError):
        if text.lstrip()[:1] == b"[" or b'"triplets"' in text[:200]:
            whole = files.decode(text)
            listed = whole.get("triplets") if isinstance(whole, dict) else whole
            if isinstance(listed, list):
                yield from enumerate(listed, 1)
                return
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.strip():
            try:
                yield number, files.decode(line.strip())
            except ValueError as error:
                yield number, error


def commit(
    store: Store, given: Iterable[tuple[int, Json]], now: str, *, defaults: Mapping[str, Json]
) -> tuple[int, list[Bad]]:
    """Add triples to the graph; give how many, and what was none. The caller holds the lock.

    defaults: fields for triples that do not have them (task_id, source, speculation, add). Raises
    NotFoundError for a task that is not there.
    """
    good: list[Triple] = []
    bad: list[Bad] = []
    tasks: set[str] = set()
    for number, fields in given:
        try:
            if isinstance(fields, ValueError):
                raise ValueError("no JSON")  # noqa: TRY301, TRY004 - as a bad triple does
            made = lines.checked({**defaults, **fields} if isinstance(fields, dict) else fields)
        except ValueError as error:
            bad.append(Bad(number, str(error)))
            continue
        if made.task is not None and made.task not in tasks:
            tasks.add(listing.the_task(store, made.task).id)
        good.append(made)
    with as_left(store):
        return lines.append(store, good, now), bad


def purge(
    store: Store, criteria: Sequence[Criteria], now: str, *, instead: str = "", dry_run: bool = False
) -> list[Triple]:
    """Take triples out of the graph, or give them another object (*instead*); the caller holds the lock.

    The lines stay, as do all before them; a later line says that they hold no more. Give those meant.
    """
    tests = [one.test() for one in criteria]
    graph = current.load(store, with_tasks=False)
    meant = [lines.triple_of(edge) for edge in graph.edges if any(test(edge) for test in tests)]
    if meant and not dry_run:
        gone = [replace(one, deleted=True) for one in meant]
        new = [lines.checked({**lines.to_fields(one), "object": instead}) for one in meant] if instead else []
        with as_left(store):
            lines.append(store, [*gone, *dict.fromkeys(new)], now)
    return meant


# --------------------------------------------------------------------------- the role


def role(store: Store) -> dict[str, str]:
    """Give the attributes of the agent's role, in the order in which they were said."""
    graph = current.load(store, with_tasks=False, about=(vocabulary.ROLE,))
    return {edge[1]: edge[2] for edge in graph.edges if edge[0] == vocabulary.ROLE}


def set_role(store: Store, attributes: Mapping[str, str], now: str, *, replaces: bool) -> dict[str, str]:
    """Set attributes of the agent's role, all others kept, or with *replaces* gone; the caller holds the lock."""
    before = role(store)
    try:
        new = [
            lines.checked({"subject": vocabulary.ROLE, "relation": name, "object": value})
            for name, value in attributes.items()
        ]
        link = lines.checked(
            {"subject": vocabulary.AGENT, "relation": vocabulary.HAS_PERSONA, "object": vocabulary.ROLE}
        )
    except ValueError as error:
        raise UsageError(f"{error}; write attributes as role=TEXT speaking_style=TEXT") from None
    kept = {one.relation for one in new}
    gone = [
        Triple(vocabulary.ROLE, name, value, "", deleted=True)
        for name, value in before.items()
        if replaces and name not in kept
    ]
    with as_left(store):
        lines.append(store, [*gone, *([] if before else [link]), *new], now)
    return role(store)


def clear_role(store: Store, now: str) -> dict[str, str]:
    """Take the agent's role away; give what it was. Raises NotFoundError when there is none."""
    before = role(store)
    if not before:
        raise NotFoundError("no role is set; set one with `memctl graph role set role=TEXT`")
    purge(store, [Criteria(node=vocabulary.ROLE)], now)
    return before

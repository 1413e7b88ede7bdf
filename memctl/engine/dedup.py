"""A model decides between similar memories: both stay, a repetition, a newer value, or one of both (DESIGN 5)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from memctl import files
from memctl.engine import answers
from memctl.engine.grounding import share, unfounded
from memctl.engine.kinds import TEXT, Applied, Kind, items, schema
from memctl.engine.prompting import Prompt, fenced, parts_of
from memctl.errors import RefusedError
from memctl.layers.likeness import overlap, words
from memctl.model import Atom, Json
from memctl.passes.extract import refresh
from memctl.store import Store, atoms
from memctl.text.widths import one_line, printable

_ALIKE = 0.35  # part of their words that two memories share before a model is asked
_COMMON = 200  # memories that share a word before it tells nothing any more
_MOST = 200  # pairs asked about at once
_LONGEST = 420
_GROUNDED = 0.8  # part of a merged memory's words that stand in the two
_ACTIONS = ("store", "skip", "update", "merge")

_TASK = """\
You keep the memories of one user free of repetition. Below are pairs of memories that share words. Decide on
`id` in the light of `target`, the older one:
- store: they say different things; both stay.
- skip: `id` says nothing that `target` does not say; `target` stays alone.
- update: `id` gives the newer value of the same thing, `target` is no longer true; `id` stays alone.
- merge: together they are one memory; give it in `content`, with nothing added and nothing lost.
When in doubt, store.

Form: {"decisions":[{"id":"m_...","target":"m_...","action":"merge","content":"..."}]}, one item for every pair."""

SCHEMA = schema(
    "dedup",
    {
        "decisions": items(
            {"id": TEXT, "target": TEXT, "action": {"enum": list(_ACTIONS)}, "content": TEXT},
            ["id", "target", "action"],
        )
    },
)


def prompts(store: Store, _subject: str = "") -> list[Prompt]:
    """Ask about the pairs of memories that share many words."""
    known = atoms.latest(store)
    records: list[Json] = [
        {
            "id": one,
            "content": known[one].content,
            "said": known[one].updated,
            "target": other,
            "target_content": known[other].content,
            "target_said": known[other].updated,
        }
        for one, other in _pairs(known)
    ]
    return [Prompt("dedup", "", _TASK, fenced(store, part), SCHEMA) for part in parts_of(records[:_MOST])]


def apply(store: Store, _subject: str, answer: Mapping[str, Json], model: str) -> Applied:
    """Carry decisions out; a memory that gives way stays readable, as superseded."""
    known = atoms.latest(store)
    given = answers.rows(answers.field(answer, "decisions", "items"))
    if not given and "decisions" not in answer:
        raise RefusedError(["`decisions` is missing: give one item for every pair"])
    changed: dict[str, Atom] = {}
    reasons: list[str] = []
    done: defaultdict[str, int] = defaultdict(int)
    for row in given:
        try:
            action, versions = _decided(row, known, changed, f"llm:{model}")
        except RefusedError as refused:
            reasons += refused.reasons
            continue
        done[action] += 1
        changed |= {atom.id: atom for atom in versions}
    if reasons:
        raise RefusedError(reasons[:12])
    if changed:
        batch = files.Batch(store.home)
        atoms.append(store, batch, changed.values())
        batch.commit()
        refresh(store, batch)
    told = ", ".join(f"{done[action]} {action}" for action in _ACTIONS if done[action]) or "none"
    return Applied(f"decisions on memories: {told}", {"decisions": sum(done.values())})


def _decided(
    row: Mapping[str, Json], known: Mapping[str, Atom], changed: Mapping[str, Atom], actor: str
) -> tuple[str, list[Atom]]:
    """Check one decision; give its action and the versions it makes."""
    names = [answers.text(row.get("id")), _target(row)]
    action = answers.text(answers.field(row, "action", "decision")).lower()
    for name in names:
        if name not in known or known[name].status != "active":
            raise RefusedError([f"{name[:40]!r} is not an active memory"])
    shown = f"{names[0]} and {names[1]}"
    if names[0] == names[1]:
        raise RefusedError([f"{shown}: a memory cannot be compared with itself"])
    if action not in _ACTIONS:
        raise RefusedError([f"{shown}: action must be one of {', '.join(_ACTIONS)}"])
    if action == "store":
        return action, []
    atom, target = known[names[0]], known[names[1]]
    gone, stays = (target, atom) if action == "update" else (atom, target)
    if gone.actor == "human" or (action == "merge" and stays.actor == "human"):
        raise RefusedError([f"{shown}: a person wrote one of them, and a model must not change it"])
    if gone.id in changed or stays.id in changed:
        raise RefusedError([f"{shown}: decide on each memory only once"])
    made = _with_evidence(stays, gone)
    if action == "merge":
        content = one_line(printable(answers.text(row.get("content"))), 10 * _LONGEST)
        both = f"{atom.content}\n{target.content}"
        if not content or len(content) > _LONGEST:
            raise RefusedError([f"{shown}: a merge needs `content` of 1 to {_LONGEST} characters"])
        if (wrong := unfounded(content, both)) or share(content, both) < _GROUNDED:
            raise RefusedError(
                [
                    f"{shown}: the merged content says something that neither memory says {' '.join(wrong)}".rstrip()
                ]
            )
        if wrong := unfounded(both, content):
            raise RefusedError([f"{shown}: the merged content loses {answers.listed(wrong)}"])
        made = replace(made, content=content, actor=actor)
    return action, [made, replace(gone, status="superseded", actor=actor, version=gone.version + 1)]


def _target(row: Mapping[str, Json]) -> str:
    """Give the other memory of a decision; the original lists it in `target_ids`."""
    named = answers.text(answers.field(row, "target", "target_id"))
    return named or next(iter(answers.texts(row.get("target_ids"))), "")


def _with_evidence(atom: Atom, gone: Atom) -> Atom:
    """Give a memory with the evidence of one that gives way to it."""
    names = [atoms.qualified(gone.session, name, atom.session) for name in gone.sources]
    sources = tuple(dict.fromkeys([*atom.sources, *names]))
    times = tuple(sorted({*atom.times, *gone.times}))
    said = list(dict.fromkeys([*atom.said, *gone.said]))
    metadata = {**atom.metadata, **({"said": said} if said else {})}
    supersedes = tuple(dict.fromkeys([*atom.supersedes, gone.id]))
    return replace(
        atom,
        sources=sources,
        times=times,
        metadata=metadata,
        supersedes=supersedes,
        version=atom.version + 1,
    )


def _pairs(known: Mapping[str, Atom]) -> Iterator[tuple[str, str]]:
    """Give the pairs (newer, older) of memories that stand, are of one project and share many words."""
    active = [atom for atom in known.values() if atom.status == "active"]
    found = {atom.id: frozenset(words(atom.content)) for atom in active}
    by_word: defaultdict[str, list[str]] = defaultdict(list)
    for atom in sorted(active, key=lambda one: (one.updated or "", one.id)):
        shared: set[str] = set()
        for word in found[atom.id]:
            if len(by_word[word]) <= _COMMON:
                shared.update(by_word[word])
            by_word[word].append(atom.id)
        for other in sorted(shared):
            same = atom.metadata.get("project", "") == known[other].metadata.get("project", "")
            if same and overlap(found[atom.id], found[other]) >= _ALIKE:
                yield atom.id, other


KIND = Kind("Decide between memories that are alike.", "", ("decisions",), SCHEMA, prompts, apply)

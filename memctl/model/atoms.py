"""What is remembered: atoms, the L1 records that make sense alone (DESIGN 2.5)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memctl.model.values import Json

AtomStatus = Literal["active", "superseded", "forgotten"]
ATOM_TYPES = (
    *("persona", "episodic", "instruction"),
    *("work_fact", "work_task", "work_method", "work_artifact"),
)
ABSOLUTE = -1  # the priority of a rule that has no exception


@dataclass(frozen=True, slots=True)
class Atom:
    """One fact, preference, instruction or event, with the messages it came from.

    id: `m_<hash12>` of its first content and the scope; a correction keeps it.
    sources: ids of messages; one of another session than *session* is written `session/message`.
    times: ISO 8601 times of its sources, oldest first; created and updated are the first and the last
        (of a version by a person: when the person wrote it).
    metadata: tags; project; for events activity_start_time and activity_end_time; `said`, fingerprints
        of the sentences it came from; of a forgotten atom `fingerprints`, which is all that is left of it.
    actor: `human`, `rules` or `llm:<model>`. supersedes: ids of atoms whose place it took.
    """

    id: str
    content: str
    type: str
    priority: int
    scene: str
    sources: tuple[str, ...]
    metadata: Mapping[str, Json]
    times: tuple[str, ...]
    created: str | None
    updated: str | None
    version: int
    session: str
    actor: str = "rules"
    status: AtomStatus = "active"
    supersedes: tuple[str, ...] = ()
    user: str = ""
    agent: str = ""
    team: str = ""
    extra: Mapping[str, Json] = field(default_factory=dict)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of its metadata."""
        tags = self.metadata.get("tags")
        return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()

    @property
    def said(self) -> tuple[str, ...]:
        """The fingerprints of the sentences it came from."""
        said = self.metadata.get("said")
        return tuple(mark for mark in said if isinstance(mark, str)) if isinstance(said, list) else ()

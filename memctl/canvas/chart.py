"""What a flowchart draws, as far as it could be read, and where its grammar broke."""

from dataclasses import dataclass, field

MOST_FAULTS = 100
MOST_LINKS = 500  # Mermaid's maxEdges, which a diagram cannot raise


@dataclass(frozen=True, slots=True)
class Vertex:
    """A node. text: its label as written (entities too), else its id. at: where it first stands."""

    id: str
    text: str
    shape: str
    at: int
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An edge. head: point, circle, cross or open; stroke: normal, thick, dotted, invisible or invalid."""

    source: str
    target: str
    text: str
    stroke: str
    head: str
    at: int
    id: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A subgraph. parent: the position of the group it stands in."""

    id: str
    title: str
    at: int
    parent: int | None


@dataclass(frozen=True, slots=True)
class Label:
    """A label where it is written. kind: text, string, markdown, or mixed: a string with text behind it."""

    owner: str
    text: str
    kind: str
    at: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the grammar was broken. what: the rule that was being read. found: the token that stood there.

    opened: where the label, subgraph or statement that was being read begins. text: what was read of it, or
    a message.
    """

    what: str
    found: str
    at: int
    opened: int
    text: str = ""


@dataclass(slots=True)
class Flowchart:
    """What a text draws, as far as it could be read."""

    direction: str = "TB"
    vertices: dict[str, Vertex] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    lines: list[tuple[str, int, int]] = field(default_factory=list)  # `direction LR` lines
    styled: list[tuple[str, int]] = field(default_factory=list)  # nodes that a style line names
    shapes: list[tuple[str, int]] = field(default_factory=list)  # names of shapes given in `@{...}`
    unchecked: list[int] = field(default_factory=list)  # where data stands that was too long to be read
    faults: list[Fault] = field(default_factory=list)

"""The values that flow through memctl; no behaviour beyond what their fields mean.

Readers make `Message` and its parts from transcripts. The store keeps them as L0 lines, refs and
`Entry` lines. Growth turns `Step`, `Prompt` and `Said` into `Canvas` values. Words: DESIGN section 1.

Names are loaded when they are first asked for: making all the classes would be a third of the start-up
of a small command. For the same reason small records that every command makes, here and in other rooms, are
a NamedTuple: CPython 3.11 makes such a class in a sixth of the time of a frozen dataclass.
"""

from typing import TYPE_CHECKING

from memctl.loading import loads_from

if TYPE_CHECKING:
    from memctl.model.atoms import (
        ABSOLUTE as ABSOLUTE,
        ATOM_TYPES as ATOM_TYPES,
        Atom as Atom,
        AtomStatus as AtomStatus,
    )
    from memctl.model.calls import (
        KINDS as KINDS,
        CallStatus as CallStatus,
        Entry as Entry,
    )
    from memctl.model.canvases import (
        Canvas as Canvas,
        CanvasStatus as CanvasStatus,
        Edge as Edge,
        Node as Node,
        NodeStatus as NodeStatus,
        Shape as Shape,
        node_id as node_id,
        node_of as node_of,
    )
    from memctl.model.endpoints import EngineSettings as EngineSettings
    from memctl.model.growth import Happening as Happening, Prompt as Prompt, Said as Said, Step as Step
    from memctl.model.problems import Problem as Problem
    from memctl.model.summaries import Summary as Summary
    from memctl.model.tasks import (
        TASK_STATES as TASK_STATES,
        Change as Change,
        Task as Task,
        TaskState as TaskState,
    )
    from memctl.model.transcripts import (
        Call as Call,
        Damage as Damage,
        Event as Event,
        Image as Image,
        Message as Message,
        Part as Part,
        Raw as Raw,
        Result as Result,
        Role as Role,
        SessionFacts as SessionFacts,
        Skipped as Skipped,
        Text as Text,
        Thinking as Thinking,
    )
    from memctl.model.triples import NodeKind as NodeKind, Triple as Triple
    from memctl.model.values import Json as Json

_HOMES = {
    "Json": "values",
    "Role": "transcripts",
    "Text": "transcripts",
    "Thinking": "transcripts",
    "Image": "transcripts",
    "Raw": "transcripts",
    "Call": "transcripts",
    "Result": "transcripts",
    "Part": "transcripts",
    "Message": "transcripts",
    "SessionFacts": "transcripts",
    "Damage": "transcripts",
    "Skipped": "transcripts",
    "Event": "transcripts",
    "CallStatus": "calls",
    "KINDS": "calls",
    "Summary": "summaries",
    "Entry": "calls",
    "Step": "growth",
    "Prompt": "growth",
    "Said": "growth",
    "Happening": "growth",
    "NodeStatus": "canvases",
    "CanvasStatus": "canvases",
    "Shape": "canvases",
    "Node": "canvases",
    "Edge": "canvases",
    "Canvas": "canvases",
    "node_id": "canvases",
    "node_of": "canvases",
    "EngineSettings": "endpoints",
    "Problem": "problems",
    "Atom": "atoms",
    "AtomStatus": "atoms",
    "ATOM_TYPES": "atoms",
    "ABSOLUTE": "atoms",
    "Task": "tasks",
    "Change": "tasks",
    "TaskState": "tasks",
    "TASK_STATES": "tasks",
    "Triple": "triples",
    "NodeKind": "triples",
}

__getattr__ = loads_from(__name__, _HOMES)

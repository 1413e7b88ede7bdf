"""The words of TrulyMEM's graph: kinds of nodes, kinds of edges, and by what else they are asked for."""

from memctl.model import NodeKind

HAS_PERSONA, NEXT_TASK, HAS_STATE = "HAS_PERSONA", "NEXT_TASK", "HAS_STATE"
CONTAINS_INFO, RELATES_TO, DESCRIPTION = "CONTAINS_INFO", "RELATES_TO", "description"

MANY = frozenset((HAS_PERSONA, NEXT_TASK, HAS_STATE, CONTAINS_INFO, RELATES_TO))  # have many objects

AGENT = "AI"  # the node of the agent itself, as TrulyMEM's queries name it
ROLE = "AI_persona"  # the node that says how the agent is

KIND_OF_OBJECT: dict[str, NodeKind] = {
    HAS_PERSONA: "PersonaNode",
    NEXT_TASK: "TaskNode",
    HAS_STATE: "StateNode",
    CONTAINS_INFO: "InfoNode",
}

# What a keyword of a query asks for besides names: all nodes of a kind. From TrulyMEM's guide, in both of
# its languages, in lower case and without `_` and spaces.
_ASKED: dict[NodeKind, tuple[str, ...]] = {
    "TaskNode": (
        *("tasknode", "task", "tasks", "taskchain", "workingmemory", "workingmemorychain", "nexttask"),
        *("任务", "任务链", "工作记忆", "工作记忆链"),
    ),
    "PersonaNode": (
        *("personanode", "persona", "role", "character", "personality", "tone", "speakingstyle"),
        *("人设", "角色", "扮演角色", "性格", "性格特点", "语气", "说话风格"),
    ),
    "InfoNode": ("infonode", "信息节点"),
    "StateNode": ("statenode", "状态节点"),
    "EntityNode": (),
}


def kind_asked(keyword: str) -> NodeKind | None:
    """Give the kind of nodes that a keyword asks for; None when it names none."""
    plain = keyword.lower().replace("_", "").replace(" ", "")
    return next((kind for kind, words in _ASKED.items() if plain in words), None)

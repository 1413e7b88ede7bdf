"""Plan tools: the agent's own list of what is to do."""

from memctl.model import Json
from memctl.summarize import requests
from memctl.summarize.tools import kind_of
from memctl.summarize.wording import clip

_STATUS = {
    "completed": "done",
    "complete": "done",
    "done": "done",
    "finished": "done",
    "closed": "done",
    "cancelled": "done",
    "in_progress": "doing",
    "inprogress": "doing",
    "doing": "doing",
    "active": "doing",
    "started": "doing",
    "current": "doing",
}


def plan_items(tool: str, arguments: Json) -> tuple[tuple[str, str], ...] | None:
    """Return the items (text, status todo, doing or done) of a plan tool's call; None for other tools."""
    request = requests.read(tool, arguments)
    if kind_of(request) != "plan":
        return None
    listed = request.value("todos", "plan", "items", "tasks", "task_list", "todo_list", "todo", "list")
    listed = requests.parsed(listed)
    if not isinstance(listed, list):
        listed = [dict(request.fields)]
    found = []
    for item in listed:
        if not isinstance(item, dict):
            item = {"content": item}
        text = next(
            (
                item[name]
                for name in ("content", "text", "step", "title", "subject", "description", "task", "name")
                if isinstance(item.get(name), str)
            ),
            "",
        )
        status = str(item.get("status", item.get("state", ""))).lower().replace("-", "_").replace(" ", "_")
        if text.strip():
            found.append((clip(text), _STATUS.get(status, "todo")))
    return tuple(found)

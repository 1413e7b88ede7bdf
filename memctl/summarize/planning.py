"""Plan tools: the agent's own list of what is to do, and what a call changes in it."""

import re
from collections.abc import Mapping

from memctl.model import Json
from memctl.summarize import requests
from memctl.summarize.outcomes import Finding, Outcome, first_line
from memctl.summarize.patterns import regex
from memctl.summarize.requests import Request
from memctl.summarize.tools import kind_of
from memctl.summarize.values import described
from memctl.summarize.wording import LIMIT, clip, joined, lead

_DONE = frozenset(
    "completed complete done finished closed cancelled canceled resolved skipped deleted x checked".split()
)
_DOING = frozenset(
    "in_progress inprogress doing active started current working ongoing running in-progress".split()
)
_TEXTS = (
    "content",
    "text",
    "step",
    "title",
    "subject",
    "description",
    "task",
    "name",
    "activeForm",
    "active_form",
    "todo",
)
_LISTS = ("todos", "plan", "items", "tasks", "task_list", "todo_list", "steps", "list", "todo")
_MARKDOWN = regex(
    r"^[ \t]*+(?:[-*+]|\d+[.)])[ \t]+\[(?P<mark>[ xX~>/-])\][ \t]+(?P<text>[^\n]+)$", re.MULTILINE
)
_CREATED = regex(r"Task #(?P<number>\w+)\b")


def plan_items(tool: str, arguments: Json) -> tuple[tuple[str, str], ...] | None:
    """Return the items (text, status todo, doing or done) of a plan tool's call; None for other tools.

    Claude Code's TaskUpdate names a task by its number alone: its item's text is then `#4`, or `#4 subject`
    where it gives a new subject. TaskCreate gives its subject; its number is in the result only.
    """
    request = requests.read(tool, arguments)
    return tuple(items(request)) if kind_of(request) == "plan" else None


def items(request: Request) -> list[tuple[str, str]]:
    """Return the items of a call that is known to be a plan tool's."""
    for name in _LISTS:
        listed = requests.parsed(request.fields.get(name))
        if isinstance(listed, list):
            return [item for item in map(_item, listed) if item[0]]
        if isinstance(listed, str) and (found := _checklist(listed)):
            return found
    if isinstance(request.fields.get("items"), list):
        return [item for item in map(_item, request.fields["items"]) if item[0]]
    number = request.string("task_id", "taskid", "id", "todo_id")
    if number and request.key in ("taskupdate", "updatetask", "taskget", "todoupdate"):
        subject = request.string("subject", "content", "title")
        return (
            [(clip(f"#{number} {subject}".strip()), _status(request.fields))]
            if request.fields.get("status") or subject
            else []
        )
    if request.key in ("exitplanmode", "enterplanmode", "tasklist", "todoread", "readtodos"):
        return []
    item = _item(dict(request.fields))
    return [item] if item[0] else _checklist(request.text)


def _item(value: Json) -> tuple[str, str]:
    if not isinstance(value, Mapping):
        return (clip(value) if isinstance(value, str) else ""), "todo"
    text = next(
        (value[name] for name in _TEXTS if isinstance(value.get(name), str) and value[name].strip()), ""
    )
    return clip(text), _status(value)


def _status(value: Mapping[str, Json]) -> str:
    said = str(value.get("status", value.get("state", ""))).strip().lower().replace(" ", "_")
    if said in _DONE or value.get("done") is True or value.get("completed") is True:
        return "done"
    return "doing" if said in _DOING else "todo"


def _checklist(text: str) -> list[tuple[str, str]]:
    """Read a Markdown checklist (Cline, Roo): `- [x] done`, `- [-] doing`."""
    marks = {"x": "done", "X": "done", " ": "todo"}
    return [
        (clip(match["text"]), marks.get(match["mark"], "doing"))
        for match in _MARKDOWN.finditer(text[:20_000])
    ]


def plan(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a plan call: how much is done, what is being done, what comes next."""
    found = items(request)
    if outcome.broke:
        return Finding(lead(target, first_line(outcome.text) or "failed"), 8, failed=True)
    created = _CREATED.search(outcome.text[:200])
    if len(found) == 1:
        text, status = found[0]
        number = f"task #{created['number']}: " if created is not None and not text.startswith("#") else ""
        says = {"todo": "to do", "doing": "in progress", "done": "done"}[status]
        return Finding(
            clip(
                f"{number}{clip(text, 160)}, {says}" if status != "todo" or not number else f"{number}{text}"
            ),
            10,
        )
    if found:
        return Finding(clip(_progress(found)), 9)
    plan_text = request.string("plan", "explanation", "goal", "response")
    if plan_text:
        return Finding(lead("plan", clip(plan_text.lstrip("# "), 180)), 5)
    value = described(outcome.text, LIMIT - len(target) - 2)
    if value is not None:
        return Finding(lead(target, value.text), value.score, value.failed)
    listed = [line.strip() for line in outcome.text[:4000].split("\n") if line.strip()]
    return Finding(lead(target, joined(listed, LIMIT - len(target) - 2, "; ") or "no output"), 5)


def _progress(found: list[tuple[str, str]]) -> str:
    done = [text for text, status in found if status == "done"]
    doing = [text for text, status in found if status == "doing"]
    left = [text for text, status in found if status == "todo"]
    parts = [f"{len(done)} of {len(found)} done"]
    if doing:
        parts.append(f"doing: {joined((clip(text, 80) for text in doing), 90)}")
    if left:
        parts.append(f"next: {joined((clip(text, 70) for text in left), 90)}")
    elif not doing and done:
        parts.append(f"last: {clip(done[-1], 120)}")
    return "; ".join(parts)


def target(request: Request) -> str:
    """Name the item that a plan call is about: the one it sets to doing, else the next, else the last."""
    found = items(request)
    for wanted in ("doing", "todo", "done"):
        texts = [text for text, status in found if status == wanted]
        if texts:
            return texts[-1 if wanted == "done" else 0]
    return request.string("plan", "explanation") or ""

"""L1.5: a model judges the tasks of a session: what each was for, and whether it is done (DESIGN 11)."""

from collections.abc import Mapping
from dataclasses import replace

from memctl import files
from memctl.ask import canvas_files
from memctl.canvas.header import CANVAS_STATUSES
from memctl.engine import answers
from memctl.engine.grounding import unfounded
from memctl.engine.kinds import TEXT, Applied, Kind, items, one_of, schema
from memctl.engine.prompting import Prompt, fenced, is_blank
from memctl.errors import RefusedError
from memctl.model import Canvas, Json, node_id
from memctl.passes.canvases import JUDGED, Numbers, is_a_persons, stamped
from memctl.passes.derive import derive
from memctl.store import Store, messages
from memctl.text.numbers import how_many
from memctl.text.widths import one_line, printable

_GOAL = 200
_STATUSES = ("active", "paused", "completed", "cancelled")
_WORDS = 400  # characters of a message
_MESSAGES = 24  # of the conversation, the first and the newest

_TASK = f"""\
You judge the tasks of one session of an AI agent. For each canvas below say what the user wanted (`goal`, one
line of at most {_GOAL} characters, in the user's words and language) and where it stands (`status`): completed
only when what was wanted is there and nothing said later denies it; cancelled when the user gave it up; paused
when they turned to something else first; else active.

Form: {{"tasks":[{{"canvas":"FIRST","goal":"<what was wanted>","status":"completed"}}]}}
One item for every canvas below, COUNT in all."""

SCHEMA = schema("task", {"tasks": items({"canvas": TEXT, "goal": TEXT, "status": {"enum": list(_STATUSES)}})})


def prompts(store: Store, session: str) -> list[Prompt]:
    """Ask about the canvases of a session that no person wrote."""
    known = _canvases(store, session)
    if not known:
        return []
    records: list[Json] = [
        {
            "canvas": f"{canvas.number:03d}",
            "goal": canvas.goal,
            "status": canvas.status,
            "steps": [
                f"{node_id(canvas.number, one.number)} {one.status}: {one.title}" for one in canvas.nodes
            ],
        }
        for canvas in known.values()
    ]
    task = _TASK.replace("COUNT", str(len(records))).replace("FIRST", records[0]["canvas"])
    numbers = one_of(one["canvas"] for one in records)
    item = {"canvas": numbers, "goal": {"type": "string", "maxLength": _GOAL}, "status": one_of(_STATUSES)}
    wanted = schema("task", {"tasks": items(item, count=len(records))})
    return [Prompt("task", session, task, fenced(store, [*records, *_said(store, session)]), wanted)]


def apply(store: Store, session: str, answer: Mapping[str, Json], model: str) -> Applied:
    """Note in the headers what a model judged; a status holds until the task has another call."""
    known = _canvases(store, session)
    shown = "\n".join([*(str(one) for one in _said(store, session)), *(one.goal for one in known.values())])
    shown += "\n".join(f"{node.title} {node.summary}" for one in known.values() for node in one.nodes)
    reasons: list[str] = []
    judged: dict[str, Canvas] = {}
    given = answers.rows(answers.field(answer, "tasks", "items", "canvases"))
    if not given:
        raise RefusedError(["`tasks` is empty: give one item for every canvas"])
    for row in given:
        number = answers.number(answers.field(row, "canvas", "number", "id"), -1)
        name = next((one for one, canvas in known.items() if canvas.number == number), None)
        goal = one_line(
            printable(answers.text(answers.field(row, "goal", "taskGoal", "task_goal"))), 10 * _GOAL
        )
        status = CANVAS_STATUSES.get(answers.text(row.get("status")).lower())
        if name is None:
            reasons.append(f"canvas {row.get('canvas')!r} is not one of this session's")
        elif name in judged:
            reasons.append(f"canvas {number:03d} is given twice")
        elif status not in _STATUSES:
            reasons.append(f"canvas {number:03d}: status must be one of {', '.join(_STATUSES)}")
        elif goal and is_blank(goal):
            reasons.append(f"canvas {number:03d}: the goal is empty")
        elif len(goal) > _GOAL:
            reasons.append(f"canvas {number:03d}: the goal has {len(goal)} characters; at most {_GOAL}")
        elif wrong := unfounded(goal, shown):
            reasons.append(f"canvas {number:03d}: the goal says {answers.listed(wrong)}, which nobody said")
        else:
            canvas = known[name]
            calls = len(canvas_files.canvas_entries(store, canvas))
            goal = goal or canvas.goal
            note: Json = {"goal": goal, "status": status, "calls": calls, "by": f"llm:{model}"}
            extra = {**canvas.extra, JUDGED: note}
            judged[name] = replace(canvas, goal=goal, status=status, extra=extra)
    if reasons:
        raise RefusedError(reasons[:12])
    batch = store.batch()
    for name, canvas in judged.items():
        batch.write(store.canvas(name), [stamped(canvas).encode()])
    batch.commit()
    derive(store, batch, session, None, Numbers(store))
    batch.commit()
    count = len(judged)
    return Applied(f"{how_many(count, 'task')} of session {session} judged", {"tasks": count})


def _canvases(store: Store, session: str) -> dict[str, Canvas]:
    return {
        path.name: canvas
        for path, canvas in canvas_files.canvases(store)
        if canvas.session == session
        and canvas.status != "archived"
        and not is_a_persons(canvas, files.read_bytes(path))
    }


def _said(store: Store, session: str) -> list[Json]:
    """Give what was said: the first messages with words, and the newest."""
    said: list[Json] = []
    for stored in messages.conversation(store.conversation(session)):
        words = messages.own_words(stored) if stored.role in ("user", "assistant") else ""
        if words:
            said.append({stored.role: one_line(words, _WORDS)})
    if len(said) <= _MESSAGES:
        return said
    return [*said[: _MESSAGES // 3], {"note": "messages left out"}, *said[-(_MESSAGES * 2 // 3) :]]


KIND = Kind("Judge the tasks of a session: goal and status.", "session", ("tasks",), SCHEMA, prompts, apply)

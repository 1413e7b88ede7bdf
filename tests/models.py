"""A model that plays by the rules: from any prompt of ours it makes the answer we would want, by no wit at all."""

import json
import re
from typing import Any

from memctl.engine.prompting import TAG


def records(prompt: str) -> list[dict[str, Any]]:
    """Read the data of a prompt, as a model would."""
    body = prompt.rpartition(f"\n</{TAG}>")[0].rpartition(f"<{TAG}>\n")[2]
    return [json.loads(line) for line in body.split("\n")]


def answer(prompt: str) -> str:
    """Answer a prompt of any kind."""
    given = records(prompt)
    for kind, sign in SIGNS.items():
        if sign in prompt:
            return json.dumps(ANSWERS[kind](given), ensure_ascii=False)
    raise AssertionError(prompt[:200])


def _summaries(given: list[dict[str, Any]]) -> Any:
    return {
        "summaries": [
            {"tool_call_id": one["tool_call_id"], "summary": f"In short: {one['rules']}"[:200], "score": 6}
            for one in given
        ]
    }


def _task(given: list[dict[str, Any]]) -> Any:
    return {
        "tasks": [
            {
                "canvas": one["canvas"],
                "goal": f"{one['goal'].removesuffix(' (judged)')[:150]} (judged)",
                "status": one["status"],
            }
            for one in given
            if "canvas" in one
        ]
    }


def _canvas(given: list[dict[str, Any]]) -> Any:
    lines = [one["text"] for one in given if "line" in one]
    redrawn = [re.sub(r"summary: (?!so )", "summary: so ", line, count=1) for line in lines]
    mapping = [
        {"tool_call_id": one["tool_call_id"], "node_id": one["node"]}
        for one in given
        if "tool_call_id" in one
    ]
    return {"file_action": "write", "mmd": "\n".join(redrawn), "node_mapping": mapping}


def _atoms(given: list[dict[str, Any]]) -> Any:
    found = []
    for one in given:
        sentence = next(
            (piece for piece in re.split(r"(?<=[.!?。！？])\s*", one["user"]) if len(piece) > 20), ""
        )
        if sentence:
            found.append(
                {
                    "content": sentence[:400],
                    "type": "work_fact",
                    "priority": 50,
                    "scene_name": "talk",
                    "source_message_ids": [one["id"]],
                }
            )
    return {"memories": found}


def _dedup(given: list[dict[str, Any]]) -> Any:
    return {"decisions": [{"id": one["id"], "target": one["target"], "action": "store"} for one in given]}


def _page(given: list[dict[str, Any]]) -> Any:
    lines = [f"- {one['content']} <!-- {one['id']} -->" for one in given[:6]]
    return {"markdown": "\n".join(["## In a model's words", "", *lines])}


SIGNS = {
    "summaries": "You summarise the tool calls",
    "task": "You judge the tasks",
    "canvas": "You maintain the map of a task",
    "atoms": "You distil what the user",
    "dedup": "You keep the memories",
    "scene": "You keep the page",
    "persona": "You write one page",
}
ANSWERS = {
    "summaries": _summaries,
    "task": _task,
    "canvas": _canvas,
    "atoms": _atoms,
    "dedup": _dedup,
    "scene": _page,
    "persona": _page,
}

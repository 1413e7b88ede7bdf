"""LangSmith's runs and LangChain's messages: made for tests."""

from typing import Any

HUMAN = {"type": "human", "content": "sum it", "id": "h1"}


ASKS = {
    "type": "ai",
    "content": [
        {"type": "text", "text": "So."},
        {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}},
    ],
    "id": "run-1",
    "tool_calls": [{"name": "add", "args": {"a": 1}, "id": "c1"}],
    "usage_metadata": {"input_tokens": 3, "output_tokens": 2},
    "response_metadata": {"model_name": "m"},
}


TOOL = {"type": "tool", "content": "2", "name": "add", "tool_call_id": "c1", "id": "t1", "status": "success"}


ANSWER = {"type": "ai", "content": "Two.", "id": "run-2", "tool_calls": []}


def constructor(name: str, **fields: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": fields}


def run(name: str, kind: str, start: int, end: int, parent: str | None = None, **more: Any) -> dict[str, Any]:
    order = f"T{name}" if parent is None else f"T{parent}.T{name}"
    made = {"id": name, "trace_id": "tr", "parent_run_id": parent, "dotted_order": order, "run_type": kind}
    made |= {"name": f"{kind} {name}", "start_time": f"2026-02-16 01:35:{start:02}.5"}
    return {**made, "end_time": f"2026-02-16 01:35:{end:02}.5", "session_id": "project", **more}


ROOT = run(
    "r",
    "chain",
    1,
    9,
    inputs={"messages": [HUMAN]},
    outputs={"messages": [HUMAN, ASKS, TOOL, ANSWER]},
    extra={"metadata": {"thread_id": "th-1", "ls_model_name": "m"}},
)


INNER = {"extra": {"metadata": {"thread_id": "th-1"}}}


FIRST = run(
    "l1",
    "llm",
    2,
    3,
    "r",
    inputs={
        "messages": [
            [constructor("SystemMessage", content="Be brief."), constructor("HumanMessage", content="sum it")]
        ]
    },
    outputs={
        "generations": [
            [
                {
                    "text": "",
                    "message": constructor("AIMessage", **{k: v for k, v in ASKS.items() if k != "type"}),
                }
            ]
        ]
    },
    **INNER,
)


ADD = run("t", "tool", 4, 5, "r", inputs={"a": 1}, outputs={"output": TOOL}, **INNER)

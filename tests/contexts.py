"""What the tests of contexts share: a long session, contexts of it, and what every list must hold."""

import json
import re
from collections.abc import Iterator
from typing import Any

from memctl.context import provider
from memctl.context.build import Context, context
from memctl.context.pressure import Limits
from memctl.store import Store, messages as stored_messages
from memctl.text.tokens import count_tokens

WINDOWS = (4_000, 8_000, 16_000, 64_000, 200_000, 1_000_000)


def long_session(steps: int = 150) -> Iterator[dict[str, Any]]:
    """Make a session of many calls: three tasks, long results, parallel calls, an edit with a long argument."""
    yield {"role": "user", "content": "Make the expiry test pass in src/auth/expiry.py"}
    for step in range(steps):
        if step in (50, 100):
            yield {"role": "user", "content": f"Now look at the billing export in src/billing/part{step}.py"}
        calls = [long_call(step, number) for number in range(1 + (step % 7 == 0))]
        yield {
            "role": "assistant",
            "content": f"Function handler_{step} takes the wrong clock.",
            "tool_calls": calls,
        }
        for call in calls:
            result = f"{call['id']} says\n" + "def handler(request):\n    return 200\n" * (step % 40)
            yield {"role": "tool", "tool_call_id": call["id"], "content": result}
    yield {"role": "user", "content": "继续：把剩下的导出做完"}


def long_call(step: int, number: int) -> dict[str, Any]:
    arguments: dict[str, str] = {"file_path": f"src/module{step % 30}/file{number}.py"}
    name = "Read"
    if step % 5 == 0:
        name, arguments = "Write", {**arguments, "content": f"value_{step} = 1\n" * 200}
    return {
        "id": f"call_{step}_{number}",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }


def made(store: Store, session: str, window: int, at: str = "") -> Context:
    """Make a context with the estimate."""
    return context(store, session, Limits(window), count_tokens, at=at)


def check_anthropic(body: dict[str, Any]) -> None:
    """Hold the rules of the Anthropic API: user first, roles in turn, nothing empty, every call answered."""
    listed = body["messages"]
    assert listed[0]["role"] == "user"
    open_calls: list[str] = []
    for at, message in enumerate(listed):
        assert message["role"] == ("user", "assistant")[at % 2]
        blocks = message["content"]
        assert blocks
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert sorted(results) == sorted(open_calls)
        assert [block["type"] for block in blocks[: len(results)]] == ["tool_result"] * len(results)
        open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        assert len(set(open_calls)) == len(open_calls)
        assert not open_calls or message["role"] == "assistant"
        for block in blocks:
            check_block(block)
    assert not open_calls
    ids = [block["id"] for message in listed for block in message["content"] if block["type"] == "tool_use"]
    assert len(set(ids)) == len(ids)


def check_block(block: dict[str, Any]) -> None:
    """Hold what one content block must be."""
    match block["type"]:
        case "text":
            assert block["text"].strip()
        case "tool_use":
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,40}", block["id"])
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", block["name"])
            assert isinstance(block["input"], dict)
        case "tool_result":
            content = block["content"]
            assert content
            for inner in content if isinstance(content, list) else [{"type": "text", "text": content}]:
                check_block(inner)
        case kind:
            assert kind == "image"


def check_openai(body: dict[str, Any]) -> None:
    """Hold the rules of the OpenAI API: each tool message answers a call of the assistant message before."""
    listed = [message for message in body["messages"] if message["role"] != "system"]
    assert [message["role"] for message in body["messages"]].count("system") <= 1
    assert listed[0]["role"] == "user"
    waiting: list[str] = []
    before = ""
    for message in listed:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            before = "tool"
            assert message["content"].strip()
        else:
            assert not waiting
            assert message["role"] != before
            before = message["role"]
            waiting = [call["id"] for call in message.get("tool_calls", ())]
            assert waiting or message["content"]
            for call in message.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
    assert not waiting


def check(store: Store, found: Context, window: int) -> None:
    """Hold everything that a context promises in itself."""
    if not found.messages:
        assert not found.state.turns.listed
        return
    check_anthropic(json.loads(json.dumps(provider.anthropic(store, found.system, found.messages))))
    check_openai(json.loads(json.dumps(provider.openai(store, found.system, found.messages))))
    assert found.state.total <= window * 0.96
    assert count_tokens(found.front) + count_tokens(found.canvas) <= window * 0.2
    text = "\n".join(provider.text(found.system, found.messages))
    assert count_tokens(text) <= window
    state = found.state
    turn, system = state.sizes.turn, sum(map(count_tokens, state.turns.system))
    assert state.raw == system + sum(turn(one, {}) for one in state.turns.listed)
    assert [shape.tokens for shape in state.shapes] == [
        0 if shape.left else turn(one, shape.stubs, shape.cap, shape.skipped)
        for one, shape in zip(state.turns.listed, state.shapes, strict=True)
    ]


def says_something(stored: stored_messages.Stored) -> bool:
    """Tell whether there is a list from here on: what frameworks write and thoughts make none."""
    if stored.role not in ("user", "assistant"):
        return False
    return stored_messages.has_words(stored) or any(part.get("type") == "call" for part in stored.parts)

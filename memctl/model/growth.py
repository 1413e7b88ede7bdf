"""What a canvas grows from: calls, prompts and words, in transcript order."""

from dataclasses import dataclass

from memctl.model.calls import CallStatus


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call as growth sees it, in transcript order.

    key: the call's key. seq: ordinal of the call in its session. message: seq of its message; calls of
    one message run side by side. names: names (4 characters or more) in its arguments. uses: keys of
    earlier calls whose findings it names (DESIGN 4.2). said: the agent's words just before the call in
    the same message. placed: the node id stored when the call was first seen, or None.
    plan: for plan tools, the items as (text, status) with status todo, doing or done.
    done: its result is there; answered: the seq of the message that holds it. A later call has seen it
    only when its own message comes after that one.
    about: the thing that its result shows ("order #W8665881"), else "". differs: how it differs from an
    earlier call that looks the same.
    """

    key: str
    seq: int
    message: int
    tool: str
    kind: str
    target: str
    status: CallStatus
    summary: str
    turned: str
    timestamp: str | None
    names: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    said: str = ""
    placed: str | None = None
    plan: tuple[tuple[str, str], ...] | None = None
    done: bool = True
    answered: int = 0
    about: str = ""
    differs: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Words of the user (noise removed): may start, continue or resume a task.

    command: the slash command that the words are the arguments of, with them; "" when they are none.
    act: what the user did without words: "interrupted" the agent, or "/undo".
    """

    message: int
    text: str
    timestamp: str | None
    command: str = ""
    act: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the agent after results: may hold the conclusion of the calls before it.

    private: they are its reasoning, which it tells nobody.
    """

    message: int
    text: str
    timestamp: str | None
    private: bool = False


Happening = Step | Prompt | Said

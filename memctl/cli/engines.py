"""What the commands that take `--engine` share: its options, the estimate, and how a run is told."""

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.cli import output
from memctl.model import EngineSettings, Json
from memctl.store import Store
from memctl.text.numbers import how_many

if TYPE_CHECKING:  # the rules need none of these
    from memctl.engine.chat import Chat
    from memctl.engine.running import Estimate, Run, Tally


class Engine(enum.StrEnum):
    """Who writes."""

    RULES = "rules"
    LLM = "llm"


EngineOption = Annotated[
    Engine,
    typer.Option(
        "--engine", metavar="ENGINE", help="rules, or llm for the model set under `engine:` in memctl.yaml."
    ),
]
MaxTokensOption = Annotated[
    int,
    typer.Option("--max-tokens", metavar="N", min=0, help="With --engine llm: stop asking after N tokens."),
]


def endpoint(settings: EngineSettings | None, max_tokens: int) -> "Chat":
    """Give the model of the settings; raises UsageError when none is configured."""
    from memctl.engine.chat import configured

    return configured(settings, max_tokens)


def run(store: Store, max_tokens: int, wait: float) -> "Run":
    """Begin a run of the settings' model over a directory; raises UsageError when none is configured."""
    from memctl.engine.running import Run

    return Run(store, endpoint(store.config.engine, max_tokens), wait=wait, progress=output.detail)


def of_layers(run: "Run") -> str:
    """Say what a run over the layers would ask."""
    from memctl.engine.running import estimate, of_layers as listed

    asked = [one for one in listed(run.store, None, run.chat.actor) if one[0] != "atoms"]
    return estimate_line(estimate(run.store, asked), run.chat.settings.model)


def told(tally: "Tally", chat: "Chat") -> list[str]:
    """Write what a run came to, a line for people each."""
    usage = chat.usage
    if not tally.asked:
        return [f"{chat.settings.model}: nothing to ask"]
    asked = tally.asked.total()
    line = f"{chat.settings.model}: {how_many(asked, 'question')}, {tally.taken.total():,} answers accepted"
    if tally.again:
        line += f" ({tally.again} on the second try)"
    if tally.by_rules:
        parts = [(tally.refused.total(), "rejected"), (tally.silent.total(), "without an answer")]
        why = ", ".join(f"{count} {label}" for count, label in parts if count)
        line += f"; {tally.by_rules:,} left to the rules ({why})"
    lines = [f"{line}; {usage.tokens_in:,} tokens in, {usage.tokens_out:,} out"]
    if chat.stopped:
        lines.append(f"  stopped: {chat.stopped}")
    for kind, reason in tally.reasons.items():
        by_rules = tally.refused[kind] + tally.silent[kind]
        lines.append(
            f"  {kind}: {by_rules} of {tally.asked[kind]} left to the rules, the first because {reason}"
        )
    return lines


def data(tally: "Tally", chat: "Chat") -> dict[str, Json]:
    """Give what a run came to as JSON values."""
    return {
        "model": chat.settings.model,
        "asked": dict(tally.asked),
        "taken": dict(tally.taken),
        "second_try": tally.again,
        "refused": dict(tally.refused),
        "without_answer": dict(tally.silent),
        "reasons": tally.reasons,
        "stopped": chat.stopped,
        "requests": chat.usage.requests,
        "tokens_in": chat.usage.tokens_in,
        "tokens_out": chat.usage.tokens_out,
    }


def show_estimate(estimate: "Estimate", model: str) -> dict[str, Json]:
    """Say what a run would ask and cost; give the same as JSON values."""
    if output.settings.format is output.Format.TEXT:
        output.write(estimate_line(estimate, model))
    return {
        "model": model,
        "asked": dict(estimate.asked),
        "tokens_in": estimate.tokens_in,
        "tokens_out": estimate.tokens_out,
    }


def estimate_line(estimate: "Estimate", model: str) -> str:
    """Write an estimate in one line."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in estimate.asked.items()) or "none"
    tokens = f"about {estimate.tokens_in:,} tokens in, {estimate.tokens_out:,} out"
    asked = estimate.asked.total()
    return f"{model}: {how_many(asked, 'question')} ({kinds}), {tokens} (nothing was sent)"

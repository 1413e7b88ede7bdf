"""The kinds of questions to a model: one module with a `KIND` each, and one line here (DESIGN 11)."""

from memctl.engine import answers, atoms, canvas, dedup, persona, scene, summaries, task
from memctl.engine.kinds import Applied, Kind
from memctl.store import Store

KINDS: dict[str, Kind] = {
    "summaries": summaries.KIND,
    "task": task.KIND,
    "canvas": canvas.KIND,
    "atoms": atoms.KIND,
    "dedup": dedup.KIND,
    "scene": scene.KIND,
    "persona": persona.KIND,
}


def take(store: Store, kind: str, subject: str, answer: str, model: str) -> Applied:
    """Check an answer as it came from a model, and write all of it or nothing; the caller holds the lock.

    Raises RefusedError, whose reasons can be given to the model as they are.
    """
    known = KINDS[kind]
    return known.apply(store, subject, answers.read(answer, known.wanted), model)

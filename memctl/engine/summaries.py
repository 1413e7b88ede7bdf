"""L1: a model says in one line what each tool call of a session found, changed or broke (DESIGN 2.3, 11)."""

from collections.abc import Mapping
from dataclasses import replace

from memctl.engine import answers
from memctl.engine.grounding import unfounded
from memctl.engine.kinds import COUNT, TEXT, Applied, Kind, items, one_of, schema
from memctl.engine.prompting import Prompt, excerpt, fenced, is_blank, named, parts_of
from memctl.errors import MemctlError, RefusedError
from memctl.model import Entry, Json
from memctl.passes.canvases import Numbers
from memctl.passes.closing import close
from memctl.passes.derive import derive
from memctl.store import Store, entries, messages, refs
from memctl.summarize.wording import LIMIT
from memctl.text.numbers import how_many
from memctl.text.widths import one_line, printable

_RESULT = 1_800  # characters of a result that a model is shown
_CALL = 600
_BATCH = 12  # calls asked about at once, where no endpoint is configured

_TASK = f"""\
You summarise the tool calls of an AI agent's session. For each call say in one line of at most {LIMIT}
characters what it found, changed or broke: the conclusion first, then the hard facts (names, counts, error
messages, file:line). Not what was tried, not how long the output is. `said` holds what the agent concluded
from it, `rules` a summary made by rules: improve on it. `score` from 0 to 10 says how well your line stands in
for the whole result: 10 when nothing else in it matters, 2 when it is one detail of many.

Form: {{"summaries":[{{"tool_call_id":"FIRST","summary":"<one line>","score":7}}]}}
One item for every call below, COUNT in all."""

SCHEMA = schema("summaries", {"summaries": items({"tool_call_id": TEXT, "summary": TEXT, "score": COUNT})})


def prompts(store: Store, session: str) -> list[Prompt]:
    """Ask about the answered calls whose summaries are still by the rules."""
    waiting = _waiting(store, session)
    if not waiting:
        return []
    said = {
        state.key: state.words for state in close(messages.conversation(store.conversation(session))).calls
    }
    records = [_record(store, entry, said.get(entry.tool_call_id, "")) for entry in waiting.values()]
    most = store.config.engine.batch if store.config.engine else _BATCH
    parts = [part[at : at + most] for part in parts_of(records) for at in range(0, len(part), most)]
    return [_prompt(store, session, part) for part in parts]


def _prompt(store: Store, session: str, part: list[Json]) -> Prompt:
    """Ask about some calls."""
    task = _TASK.replace("COUNT", str(len(part))).replace("FIRST", named(part[0]["tool_call_id"]))
    item = {
        "tool_call_id": one_of(one["tool_call_id"] for one in part),
        "summary": {"type": "string", "minLength": 1, "maxLength": LIMIT},
        "score": {"type": "integer", "minimum": 0, "maximum": 10},
    }
    wanted = schema("summaries", {"summaries": items(item, count=len(part))})
    return Prompt("summaries", session, task, fenced(store, part), wanted)


def apply(store: Store, session: str, answer: Mapping[str, Json], model: str) -> Applied:
    """Write the summaries into their entries; canvases tell them from then on."""
    waiting = _waiting(store, session)
    reasons: list[str] = []
    taken: dict[str, Entry] = {}
    given = answers.rows(answers.field(answer, "summaries", "items", "calls"))
    if not given:
        raise RefusedError(["`summaries` is empty: give one item for every call"])
    for row in given:
        key = answers.text(answers.field(row, "tool_call_id", "id", "call_id", "call"))
        text = one_line(printable(answers.text(answers.field(row, "summary", "text"))), 10 * LIMIT)
        score = answers.number(row.get("score"), 5)
        entry = waiting.get(key)
        if entry is None:
            reasons.append(f"tool_call_id {key[:80]!r} is not one of the calls asked about")
        elif key in taken:
            reasons.append(f"tool_call_id {key[:80]!r} is given twice")
        elif is_blank(text):
            reasons.append(f"the summary of {key[:80]} is empty")
        elif len(text) > LIMIT:
            reasons.append(f"the summary of {key[:80]} has {len(text)} characters; at most {LIMIT}")
        elif wrong := unfounded(text, _shown(store, entry)):
            reasons.append(f"the summary of {key[:80]} says {answers.listed(wrong)}, which the call does not")
        else:
            extra = {**entry.extra, entries.BY: f"llm:{model}"}
            score = min(10, max(0, 5 if score is None else score))
            taken[key] = replace(entry, summary=text, score=score, extra=extra)
    if reasons:
        raise RefusedError(reasons[:12])
    _write(store, session, taken)
    count = len(taken)
    return Applied(f"{how_many(count, 'summary', 'summaries')} of session {session}", {"summaries": count})


def _write(store: Store, session: str, taken: Mapping[str, Entry]) -> None:
    batch = store.batch()
    path = store.offload(session)
    own, theirs = entries.parted(entries.read(path, session))
    listed = [taken.get(found.entry.tool_call_id, found.entry) for found in own]
    batch.write(path, map(entries.to_line, [*listed, *(found.entry for found in theirs)]))
    batch.commit()
    derive(store, batch, session, None, Numbers(store))
    batch.commit()


def _waiting(store: Store, session: str) -> dict[str, Entry]:
    """Give the entries a model may word: their results are there, and no model has worded them yet."""
    return {
        found.entry.tool_call_id: found.entry
        for found in entries.latest(store.offload(session), session)
        if not (entries.is_theirs(found.entry) or entries.BY in found.entry.extra)
        and found.entry.status != "missing"
    }


def _record(store: Store, entry: Entry, said: str) -> Json:
    record = {
        "tool_call_id": entry.tool_call_id,
        "call": excerpt(entry.tool_call, _CALL),
        "status": entry.status,
        "rules": entry.summary,
        "result": excerpt(_result(store, entry), _RESULT),
    }
    return record | ({"said": said} if said else {})


def _shown(store: Store, entry: Entry) -> str:
    """Give all that a summary may rest on: more than the model was shown."""
    return "\n".join([entry.tool_call, entry.summary, str(entry.status), _result(store, entry)])


def _result(store: Store, entry: Entry) -> str:
    if entry.result is not None or not entry.result_ref:
        return entry.result or ""
    try:
        return refs.readable(store.root, entry.result_ref)
    except MemctlError:  # `check` reports a missing or damaged ref
        return ""


KIND = Kind(
    "Word the summaries of a session's tool calls.", "session", ("summaries",), SCHEMA, prompts, apply
)

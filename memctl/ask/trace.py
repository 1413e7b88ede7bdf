"""The calls of a session in order, with their full arguments: what `session trace` draws."""

from memctl import summarize
from memctl.files import decode
from memctl.model import Entry, Json
from memctl.store import Store, entries, messages


def calls(store: Store, session: str) -> list[dict[str, Json]]:
    """Give each call of *session* as `canvas.trace.write_trace` takes it, in order of calls.

    The arguments are what the transcript had; in a directory without conversations (the original's), what
    the entry says of them.
    """
    arguments: dict[str, Json] = {}
    path = store.conversation(session)
    if path.is_file():
        for stored in messages.conversation(path):
            for part in stored.parts:
                if part.get("type") == "call" and isinstance(part.get("call_id"), str):
                    arguments.setdefault(part["call_id"], part.get("arguments"))
    found = [each.entry for each in entries.latest(store.offload(session), session)]
    return [_call(entry, arguments.get(entry.tool_call_id, _shortened(entry))) for entry in found]


def _call(entry: Entry, arguments: Json) -> dict[str, Json]:
    return {
        "seq": entry.seq,
        "tool_call_id": entry.tool_call_id,
        "tool": entry.tool,
        "arguments": arguments,
        "kind": entry.kind,
        "status": entry.status,
        "timestamp": entry.timestamp,
        "node_id": entry.node_id,
        "summary": entry.summary,
        "target": summarize.describe(entry.tool, arguments)[1],
    }


def _shortened(entry: Entry) -> Json:
    """Give the arguments as far as an entry has them: what stands between the brackets of its call."""
    text = entry.tool_call.removeprefix(entry.tool).removeprefix("(").removesuffix(")")
    try:
        return decode(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        return text

"""Rules between a conversation and its entries: every call has its entry, every entry its call."""

from collections import defaultdict
from collections.abc import Iterator

from memctl.check.codes import found
from memctl.check.survey import Row, Survey
from memctl.model import Problem

_AGAIN = "memctl check --fix rebuilds it from the conversation"


def calls(seen: Survey) -> Iterator[Problem]:
    """Compare conversations and entries; the original keeps no calls in its messages, so its entries have none."""
    if seen.foreign:
        return
    by_session: dict[str, list[Row]] = defaultdict(list)
    for row in seen.rows:
        if not row.theirs:
            by_session[row.session].append(row)
    for session, rows in by_session.items():
        talk = seen.talks.get(session)
        if talk is None:
            message = f"the conversation of session {session} is missing"
            hint = "restore it from git or a copy, or ingest the transcript again"
            yield found("CHK505", rows[0].path, rows[0].number, message, hint)
            continue
        for row in rows:
            if row.call and row.call not in talk.calls:
                message = f"call {row.call} is not in the conversation"
                hint = "restore the message from git or a copy, or ingest the transcript again"
                yield found("CHK503", row.path, row.number, message, hint, other=str(talk.path))
    for session, talk in seen.talks.items():
        known = {row.call for row in by_session.get(session, ())}
        for call, line in talk.calls.items():
            if call not in known:
                yield found("CHK504", talk.path, line, f"call {call} has no entry", _AGAIN)

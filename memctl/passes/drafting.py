"""Drafting: calls and results of one session become refs and drafts of entries.

A draft is an entry that knows its call and result but not yet its node, its order or what the agent
concluded from it; `derive` adds those. A result's bytes go to its ref at once, so memory does not grow
with them.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memctl import files, offload, summarize
from memctl.model import Call, Entry, Json, Result, Summary
from memctl.passes.calls import CallKeys, Findings
from memctl.passes.spool import Spool, key_of
from memctl.store import Store, entries, parts, refs
from memctl.text.tokens import count_tokens

_EARLY_CHARACTERS = 100_000  # of a result that stands before its call: enough to describe it by
_CLOSED_KEPT = 64  # a result that is given again, or grows, follows soon


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part stands: its message, its ordinal there, and the message's time."""

    message: str
    part: int
    timestamp: str | None


@dataclass(frozen=True, slots=True)
class _Made:
    """A call as it was made; *clock* is that of `Findings`."""

    key: str
    tool: str
    arguments: Json
    timestamp: str | None
    uses: tuple[str, ...] = ()
    clock: int = 0


class Drafts:
    """The drafts of one session of one source; `named` is the id the transcript gives it."""

    def __init__(self, store: Store, batch: files.Batch, drafts: Spool, session: str, named: str) -> None:
        self.calls = 0
        self.results = 0
        self.keys = CallKeys(named)
        self.findings = Findings()
        self._store = store
        self._batch = batch
        self._drafts = drafts
        self._session = session
        self._open: dict[str, _Made] = {}
        self._closed: dict[str, _Made] = {}
        # Results that stood before their call, with their text and whether they say that it failed.
        self._early: dict[str, tuple[Entry, str, bool | None]] = {}
        # What is gone then is gone on purpose; else it is written again.
        put_away = store.config.retention_days > 0
        self._refs = {
            found.entry.result_sha256: found.entry.result_ref
            for found in entries.read(store.offload(session), session)
            if found.entry.result_ref
            and found.entry.result_sha256
            and (put_away or os.path.exists(os.path.join(store.root, found.entry.result_ref)))
        }

    def call(self, part: Call, place: Place, given: str | None) -> dict[str, Json]:
        """Draft a call and give its part of the L0 record; *given* is the key it had before it grew."""
        key, early = (given, False) if given else self.keys.call(part.id, place.message, place.part)
        record = parts.part_record(replace(part, id=key))
        if key != part.id:
            record["id"] = part.id
        if given:
            return record
        self.calls += 1
        uses = self.findings.call(summarize.names_in(part.name, part.arguments))
        made = _Made(key, part.name, part.arguments, place.timestamp, uses, self.findings.clock)
        if early:
            self._join(made, self._early.pop(key))
        else:
            self._open[key] = made
        return record

    def result(self, part: Result, place: Place, given: str | None) -> dict[str, Json]:
        """Store a result, draft its entry and give its part of the L0 record."""
        key, seen = (given, True) if given else self.keys.result(part.call_id, place.message, place.part)
        made = self._made(key, part, place)
        body = offload.assemble(part)
        draft = self._answered(made, body, place.timestamp, part.is_error)
        if given is None:
            self.results += 1
        if not seen:
            self._early[key] = draft, body.shown[:_EARLY_CHARACTERS], part.is_error
        self._put(draft)
        self.findings.result(key, made.clock, body.shown)
        record: dict[str, Json] = {"type": "result", "call_id": key}
        if key != part.call_id:
            record["id"] = part.call_id
        if part.is_error is not None:
            record["is_error"] = part.is_error
        if part.name is not None:
            record["name"] = part.name
        if (blocks := offload.block_records(body, draft.result_ref)) is not None:
            record["blocks"] = blocks
        return record

    def finish(self) -> None:
        """Draft the calls that got no result."""
        for made in self._open.values():
            self._put(self._entry(made, None, None))
        self._open.clear()

    def write(self, relative: str, chunks: Iterable[bytes]) -> None:
        """Write a file under refs/ unless it is there: a stored ref is never rewritten."""
        path = files.inside(self._store.root, relative)
        if not path.exists():
            self._batch.write(path, chunks)

    def _made(self, key: str, part: Result, place: Place) -> _Made:
        """Give the call of a result: open, or closed a moment ago, or not in this transcript."""
        made = self._open.pop(key, None) or self._closed.get(key)
        if made is None:
            again = self._closed.get(part.call_id or "")
            tool = part.name or (again.tool if again else "unknown")
            made = _Made(key, tool, again.arguments if again else None, place.timestamp)
        self._closed[key] = made
        if len(self._closed) > _CLOSED_KEPT:
            del self._closed[next(iter(self._closed))]
        return made

    def _entry(self, made: _Made, text: str | None, is_error: bool | None) -> Entry:
        """Draft the entry of a call, with what its result says where that is known."""
        summary = summarize.summarize(made.tool, made.arguments, text, is_error=is_error)
        extra: dict[str, Json] = {"uses": list(made.uses)} if made.uses else {}
        extra |= _extra(summary)
        return Entry(
            timestamp=made.timestamp,
            node_id=None,
            mmd=None,
            tool_call=summarize.shorten_call(made.tool, made.arguments),
            summary=summary.text,
            result_ref=None,
            tool_call_id=made.key,
            session_id=self._session,
            seq=0,
            upto=0,
            tool=made.tool,
            kind=summary.kind,
            status=summary.status,
            score=summary.score,
            extra=extra,
        )

    def _answered(
        self, made: _Made, body: offload.Body, timestamp: str | None, is_error: bool | None
    ) -> Entry:
        inline = offload.stays_inline(body, self._store.config.inline_bytes)
        return replace(
            self._entry(made, body.shown, is_error),
            timestamp=timestamp or made.timestamp,
            result_ref=None if inline else self._ref(made, body, timestamp),
            result=body.text if inline else None,
            result_bytes=len(body.data),
            result_tokens=count_tokens(body.text),
            result_sha256=body.digest,
        )

    def _join(self, made: _Made, early: tuple[Entry, str, bool | None]) -> None:
        """Describe a call whose result stood before it in the transcript."""
        answered, text, is_error = early
        kept = ("timestamp", "result_ref", "result", "result_bytes", "result_tokens", "result_sha256")
        values = {name: getattr(answered, name) for name in kept}
        self._put(replace(self._entry(made, text, is_error), **values))

    def _ref(self, made: _Made, body: offload.Body, timestamp: str | None) -> str:
        """Store a body; equal bodies of one session share the first one's ref."""
        shared = self._refs.get(body.digest)
        if shared is not None and not body.pictures:
            return shared
        path = refs.path_of(self._session, made.key, body.digest, timestamp, self.calls)
        self.write(path, offload.ref_file(body, made.tool, made.key, self._session, timestamp))
        for number, picture in enumerate(body.pictures, 1):
            self.write(offload.picture_path(path, number, body.pictures), [picture.data])
        self._refs.setdefault(body.digest, path)
        return path

    def _put(self, draft: Entry) -> None:
        self._drafts.put(key_of(draft.tool_call_id), entries.to_line(draft))


def described(entry: Entry, arguments: Json, text: str | None, is_error: bool | None) -> Entry:
    """Give an entry the summary that the rules write for its result."""
    summary = summarize.summarize(entry.tool, arguments, text, is_error=is_error)
    return replace(
        entry,
        summary=summary.text,
        kind=summary.kind,
        status=summary.status,
        score=summary.score,
        extra={**entry.extra, **_extra(summary)},
    )


def _extra(summary: Summary) -> dict[str, Json]:
    """Give what an entry keeps of a summary besides its text."""
    return {name: said for name in ("turned", "about") if (said := getattr(summary, name))}

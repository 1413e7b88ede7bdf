"""The rule of secrets: what today's redaction rules would replace but an earlier run let through."""

from collections.abc import Iterator
from pathlib import Path

from memctl import files
from memctl.check.codes import found
from memctl.check.survey import Survey
from memctl.errors import MemctlError
from memctl.model import Json, Problem
from memctl.text.redaction import redact, redact_json

_IDS = frozenset(("id", "sessionId", "sessionKey", "session_id", "tool_call_id", "result_sha256"))
_HINT = "remove it by hand and change the secret: it may be in git's history"


def secrets(seen: Survey) -> Iterator[Problem]:
    """Look for secrets in every file of a scope; the values themselves are never printed."""
    store = seen.store
    for path in (*store.conversations(), *store.offloads(), *store.shards()):
        if not path.is_symlink() and not path.parent.is_symlink():
            for number, line in files.lines_of(path):
                try:
                    count = redact_json(_words(files.decode(line)))[1]
                except ValueError:
                    count = redact(line.decode("utf-8", "replace"))[1]
                if count:
                    yield _found(path, number, count)
    texts = [*store.canvases(), *store.tasks(), *store.scenes(), store.persona]
    refs = [] if store.folder("refs").is_symlink() else store.refs()
    for path in (*texts, *(one for one in refs if one.suffix == ".md")):
        if path.is_file() and not path.is_symlink() and not path.parent.is_symlink():
            yield from _text(path)


def _words(record: Json) -> Json:
    """Give a record without its ids: the key of a session is no secret."""
    if not isinstance(record, dict):
        return record
    return {name: value for name, value in record.items() if name not in _IDS}


def _text(path: Path) -> Iterator[Problem]:
    try:
        text = files.read_bytes(path).decode("utf-8", "replace")
    except MemctlError:
        return
    if not redact(text)[1]:
        return
    lines = [number for number, line in enumerate(text.split("\n"), 1) if redact(line)[1]]
    for number in lines or [1]:  # a key over several lines is found only in the whole
        yield _found(path, number, 1)


def _found(path: Path, number: int, count: int) -> Problem:
    what = "a secret" if count == 1 else f"{count} secrets"
    return found("CHK801", path, number, f"{what} that today's rules would redact", _HINT)

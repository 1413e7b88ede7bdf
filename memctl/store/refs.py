"""Refs: one full tool result per file, byte for byte, after a short header (DESIGN 2.2)."""

import json
import re
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memctl import files
from memctl.errors import DamagedError, NotFoundError
from memctl.text.names import file_time, month_of, safe_name, short_hash

if TYPE_CHECKING:  # start-up is a feature
    from memctl.model import Entry

_SEPARATOR = b"\n---\n\n"
_PICTURE = re.compile(r"(.+\.md)\.[0-9]{1,9}\.[a-z]{1,9}\Z")
_TITLE = "# Tool Result: "
_SIZES = re.compile(r"(?:text|json) ([0-9]{1,15})(?:, |\Z)")


class Ref(NamedTuple):
    """A ref as its file has it: header fields and the place of the body."""

    tool: str
    fields: dict[str, str]
    start: int  # byte offset of the body
    size: int


def encode_text(text: str) -> tuple[bytes, str]:
    """Encode a transcript's text so that it comes back the same; say how.

    Bytes that were no UTF-8 are written as they were (`surrogateescape`); a lone surrogate that a JSON
    escape made has no such byte and needs `surrogatepass`.
    """
    try:
        return text.encode("utf-8"), ""
    except UnicodeEncodeError:
        pass
    try:
        return text.encode("utf-8", "surrogateescape"), "surrogateescape"
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass"), "surrogatepass"


def decode_text(data: bytes, encoding: str = "") -> str:
    """Reverse `encode_text`."""
    return data.decode("utf-8", encoding or "surrogateescape")


def path_of(session: str, call: str, digest: str, timestamp: str | None, seq: int) -> str:
    """Name a ref, relative to the scope's root: by time and a hash of its call and bytes."""
    ending = short_hash(12, session, call, digest)
    if timestamp is None:
        return f"refs/undated/{safe_name(session)}-{seq}-{ending}.md"
    return f"refs/{month_of(timestamp)}/{file_time(timestamp)}-{ending}.md"


def header(tool: str, fields: dict[str, str]) -> bytes:
    """Write a ref's header, up to where the body starts."""
    lines = [_TITLE + _plain(tool), ""]
    lines += [f"- {name}: {_plain(value)}" for name, value in fields.items()]
    return "\n".join(lines).encode("utf-8", "backslashreplace") + b"\n" + _SEPARATOR


def _plain(value: str) -> str:
    """Keep an id readable; one that would break the header's lines is written as a JSON string."""
    if value and value.isprintable() and value == value.strip() and not value.startswith('"'):
        return value
    return json.dumps(value)


def parse(data: bytes) -> Ref:
    """Read a ref's header. Raises DamagedError when it is none of ours."""
    end = data.find(_SEPARATOR)
    lines = data[: max(end, 0)].decode("utf-8", "replace").split("\n")
    if end < 0 or not lines[0].startswith(_TITLE):
        raise DamagedError("no ref header")
    fields = {}
    for line in lines[1:]:
        name, colon, value = line.removeprefix("- ").partition(": ")
        if colon:
            fields[name] = _unquoted(value)
    size = fields.get("bytes", "")
    if not (size.isascii() and size.isdigit() and len(size) <= 15):
        raise DamagedError("the ref's header has no `bytes`")
    return Ref(_unquoted(lines[0].removeprefix(_TITLE)), fields, end + len(_SEPARATOR), int(size))


def promise(data: bytes) -> tuple[int, int, str] | None:
    """Give what a ref's header promises of its body: (start, size, sha256 or ""); None for no ref of ours.

    The same as `parse`, for reading ten thousand of them.
    """
    end = data.find(_SEPARATOR)
    head = data[: max(end, 0)]
    size = head.partition(b"\n- bytes: ")[2].partition(b"\n")[0]
    if not head.startswith(_TITLE.encode()) or not size.isdigit() or len(size) > 15:
        return None
    digest = head.partition(b"\n- sha256: ")[2].partition(b"\n")[0]
    return end + len(_SEPARATOR), int(size), digest.decode("ascii", "replace")


def beside(name: str) -> str | None:
    """Name the ref that a picture stands beside (`<ref>.<n>.png`); None for what is no picture."""
    found = _PICTURE.fullmatch(name)
    return found[1] if found else None


def is_theirs(data: bytes) -> bool:
    """Tell a result as the original writes it: a title, a time, a rule, and the text with no promise of its size."""
    head, rule, _ = data.partition(b"\n---\n")
    return bool(rule) and head.startswith(_TITLE.encode()) and b"\n**Timestamp:** " in head


def _unquoted(value: str) -> str:
    if value.startswith('"'):
        try:
            return str(json.loads(value))
        except ValueError:
            return value
    return value


def result(root: Path, entry: "Entry") -> tuple[bytes, str]:
    """Give the result of an entry, from itself or its ref, as `read` does."""
    if entry.result is not None or not entry.result_ref:
        return (entry.result or "").encode("utf-8", "surrogatepass"), ""
    return read(root, entry.result_ref)


def body(root: Path, relative: str) -> bytes:
    """Give the exact bytes of a result; raises what `read` does."""
    return read(root, relative)[0]


def read(root: Path, relative: str) -> tuple[bytes, str]:
    """Give the exact bytes of a result and how its text was encoded, for `decode_text`.

    A ref of the original, which has no `bytes` and `sha256`, gives what stands behind its header.
    Raises NotFoundError when the file is gone, DamagedError when it is cut or its bytes changed.
    """
    data, fields = _read(root, relative)
    return data, fields.get("encoding", "")


def _read(root: Path, relative: str) -> tuple[bytes, dict[str, str]]:
    """Read a result with the fields of its header, none for one of the original."""
    path = files.inside(root, relative)
    if not path.is_file():
        raise NotFoundError(
            f"{relative} is missing from the memory directory; "
            "`memctl trash list` shows whether it was moved away, `memctl check` what else is missing"
        )
    data = files.read_bytes(path)
    try:
        ref = parse(data)
    except DamagedError:
        return _foreign_body(data), {}
    found = data[ref.start : ref.start + ref.size]
    digest = ref.fields.get("sha256")
    if len(found) != ref.size or (digest and _sha256(found) != digest):
        raise DamagedError(
            f"{path} is damaged: its bytes do not match its header; restore it from git or a copy"
        )
    return found, ref.fields


def _sha256(data: bytes) -> str:
    import hashlib  # loads OpenSSL, which looking at a node does without

    return hashlib.sha256(data).hexdigest()


def text(root: Path, relative: str) -> str:
    """Give a result as text."""
    return decode_text(*read(root, relative))


def readable(root: Path, relative: str) -> str:
    """Give a result as text in which each of its blocks begins a line: what a summary is made of."""
    data, fields = _read(root, relative)
    encoding, said = fields.get("encoding", ""), fields.get("parts", "")
    sizes = [int(size) for size in _SIZES.findall(said)]
    if len(sizes) < 2 or sum(sizes) != len(data):
        return decode_text(data, encoding)
    ends = list(accumulate(sizes))
    return in_lines(
        decode_text(data[end - size : end], encoding) for end, size in zip(ends, sizes, strict=True)
    )


def in_lines(blocks: Iterable[str]) -> str:
    """Join the texts of blocks, each of which begins a line."""
    joined: list[str] = []
    for block in filter(None, blocks):
        if joined and not joined[-1].endswith("\n"):
            joined.append("\n")
        joined.append(block)
    return "".join(joined)


def _foreign_body(data: bytes) -> bytes:
    before, separator, after = data.partition(b"\n---\n")
    return after.removeprefix(b"\n") if separator and before.startswith(b"#") else data

"""Files that memctl and people write together: a managed block, META, people's text around (DESIGN 2.6).

What a person wrote outside the block is kept byte for byte; the lines they changed inside it move below the
end marker, and a META they edited stays as it is.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

META_START = "-----META-START-----"
META_END = "-----META-END-----"
END = "<!-- memctl:end -->"
# Editors of Windows save with CRLF and a mark of the byte order: that makes no line a person's.
_BEGIN = re.compile(r"(?:^|(?<=\A\ufeff))<!-- memctl:begin sha256=([0-9a-f]{8,64}) -->\r?\n", re.MULTILINE)
_END = re.compile(r"^<!-- memctl:end -->\r?$\n?", re.MULTILINE)
_META = re.compile(rf"\ufeff?{META_START}\r?\n((?:[^\n]*\n)*?){META_END}\r?\n(?:\r?\n)?")
# What no byte of a file stands for: a JSON escape made it. Bytes that are no UTF-8 are read as the others.
_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_COUNT = re.compile(r"\d+(?: (?:statement|task)s?\b)?")
# Lines whose numbers follow the evidence: of a project, of a task, of how much there is.
_COUNTED = re.compile(
    r": (?:\d+ tasks?(?:, last [\d-]{10})?|last [\d-]{10}) <!-- [^<>]{1,300} -->\Z"
    r"|, \d+%(?:, [\d-]{10})?\) <!-- canvas:"
    r"|\A- and \d+ more\Z|\A- 另有 \d+ 条\Z|\d+ (?:statements? in memory|条记忆)"
)
_LINKED = re.compile(r"(- \[.{1,300}\]\(scene_blocks/.{1,300}\) \(heat )\d+\): ")  # a line of the navigation
_CHECK = "check"  # META's last key: tells whether a person edited the others


@dataclass(frozen=True, slots=True)
class File:
    """A file taken apart: META's text ("" for none), a person's text before, the block, their text behind.

    body is None when the file has no block: then all of it is a person's.
    """

    meta: str
    before: str
    body: str | None
    digest: str
    after: str

    @property
    def is_edited(self) -> bool:
        """Tell whether a person edited the block."""
        return self.body is not None and _digest(self.body) != self.digest

    @property
    def outside(self) -> str:
        """Give a person's text: what stands around the block."""
        return self.before + self.after


def parse(text: str) -> File:
    """Take a file apart; whatever it holds, its pieces joined are the file."""
    begin = _BEGIN.search(text)
    ends = list(_END.finditer(text, begin.end())) if begin else []
    if begin is None or not ends:
        return File("", text, None, "", "")
    head = text[: begin.start()]
    meta = _meta_of(head)
    return File(meta, head[len(meta) :], text[begin.end() : ends[0].start()], begin[1], text[ends[0].end() :])


def fields(text: str) -> dict[str, str]:
    """Read the META block a file begins with; empty when it has none or it is malformed."""
    meta = _meta_of(text)
    pairs = (line.partition(":") for line in meta.split("\n")[1:] if ":" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}


def changed(existing: str | None, body: str, known: Collection[str] = ()) -> str:
    """Give the lines that a person changed or added inside an edited block, as they stand there; "" for none.

    A line is memctl's when it stands in *body*, which is to be written now, or among the *known* ones that it
    wrote before; where it tells how much there is (heat, tasks, dates), the numbers may be others.
    """
    found = parse(_settled(existing or ""))
    if found.body is None or not found.is_edited:
        return ""
    own = {*body.split("\n"), *known}
    counted = {_uncounted(line) for line in own}
    kept: list[str] = []
    gap: list[str] | None = None  # blank lines behind a person's line
    for line in found.body.removesuffix("\n").split("\n"):
        if not line.strip():
            if gap is not None:
                gap.append(line)
        elif line in own or (_is_counted(line) and _uncounted(line) in counted):
            gap = None
        else:
            kept += [*(gap or ()), line]
            gap = []
    return "".join(f"{line}\n" for line in kept)


def _is_counted(line: str) -> bool:
    return (_COUNTED.search(line) or _LINKED.match(line)) is not None


def _uncounted(line: str) -> str:
    if linked := _LINKED.match(line):
        return linked[1]  # what it says of the scene is the scene's
    return _COUNT.sub("#", line.partition(" <!-- m_")[0])


def written(
    existing: str | None, meta: Mapping[str, str] | None, body: str, known: Collection[str] = ()
) -> str:
    """Write a file anew with *meta* and *body*, keeping all that is a person's in what is there (`changed`)."""
    body = _LONE.sub("\ufffd", body)
    if not body.endswith("\n"):
        body += "\n"
    block = f"<!-- memctl:begin sha256={_digest(body)} -->\n{body}{END}\n"
    head = meta_text(meta) if meta else ""
    if existing is None:
        return head + block
    found = parse(_settled(existing))
    if found.body is None:
        if not existing.strip():
            return head + block
        gap = "" if existing.endswith("\n\n") else "\n" if existing.endswith("\n") else "\n\n"
        return existing + gap + block
    if found.meta and not is_our_meta(found.meta):
        head = found.meta
    elif META_START in found.before:  # malformed: a person's, and no second one
        head = ""
    return head + found.before + block + changed(existing, body, known) + found.after


def without_block(text: str, known: Collection[str] = ()) -> str:
    """Give what is left of a file when memctl takes its own part out: the person's text (`changed`)."""
    found = parse(text)
    if found.body is None:
        return text
    meta = found.meta if found.meta and not is_our_meta(found.meta) else ""
    return meta + found.before + changed(text, "", known) + found.after


def meta_text(meta: Mapping[str, str]) -> str:
    """Write a META block in the original's form, with a check that tells whether a person edited it."""
    lines = [_LONE.sub("\ufffd", f"{name}: {' '.join(value.split())}") for name, value in meta.items()]
    return "\n".join([META_START, *lines, f"{_CHECK}: {_digest(chr(10).join(lines))[:8]}", META_END, "", ""])


def resealed(text: str, body: str, around: Callable[[str], str] = str) -> str:
    """Give a file with another body in its block, sealed as memctl's own (when something is forgotten).

    around: what becomes of the text before and behind the block.
    """
    found = parse(text)
    if found.body is None:
        return text
    digest = found.digest if found.is_edited else _digest(body)
    before, after = around(found.before), around(found.after)
    return f"{found.meta}{before}<!-- memctl:begin sha256={digest} -->\n{body}{END}\n{after}"


def assembled(part: File, before: str, after: str) -> str:
    """Give a file with the META and block of *part*, sealed as memctl's own, and other text around them."""
    body = part.body or ""
    return f"{part.meta}{before}<!-- memctl:begin sha256={_digest(body)} -->\n{body}{END}\n{after}"


def _digest(body: str) -> str:
    return hashlib.sha256(body.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _meta_of(head: str) -> str:
    """Give the well-formed META a text begins with, its blank line included; "" when there is none."""
    found = _META.match(head)
    if not found or any(line.strip() and ":" not in line for line in found[1].split("\n")):
        return ""
    return found[0]


def is_our_meta(meta: str) -> bool:
    """Tell whether META is as memctl wrote it."""
    lines = [line.removesuffix("\r") for line in meta.strip("\r\n").split("\n")[1:-1]]
    name, _, value = lines[-1].partition(": ") if lines else ("", "", "")
    return name == _CHECK and value == _digest("\n".join(lines[:-1]))[:8]


def _settled(text: str) -> str:
    """Take the conflict markers of a merge out of memctl's own part, where either side will be written anew.

    A conflict in a person's text is left as it is; `check` reports it.
    """
    if "<<<<<<<" not in text:
        return text
    kept: list[str] = []
    hunk: list[str] = []
    inside = settled = False
    for line in text.split("\n"):
        if not hunk and not line.startswith("<<<<<<<"):
            kept.append(line)
            inside = _stays_inside(line, inside=inside)
            continue
        hunk.append(line)
        if not line.startswith(">>>>>>>"):
            continue
        chosen = _chosen(hunk, inside=inside)
        settled = settled or chosen is not hunk
        for one in chosen:
            inside = _stays_inside(one, inside=inside)
        kept += chosen
        hunk = []
    return _sealed("\n".join([*kept, *hunk])) if settled else text


def _chosen(hunk: list[str], *, inside: bool) -> list[str]:
    """Give the side of a conflict that may stand in memctl's part; all of it when it is a person's text.

    What a person wrote before or behind that part stays of both sides: once, or as the conflict it is.
    """
    bars = [at for at, line in enumerate(hunk) if line == "======="]
    if not bars or not (inside or any(_is_own(line) for line in hunk)):
        return hunk
    ours, theirs = hunk[1 : bars[0]], hunk[bars[0] + 1 : -1]
    base = [at for at, line in enumerate(ours) if line.startswith("|||||||")]
    ours = ours[: base[0]] if base else ours
    mine, yours = _parted(ours, inside=inside), _parted(theirs, inside=inside)
    own = mine[1] if any(map(_is_own, mine[1])) or not any(map(_is_own, yours[1])) else yours[1]
    marks = hunk[0], hunk[-1]
    return [*_both(mine[0], yours[0], marks), *own, *_both(mine[2], yours[2], marks)]


def _parted(side: list[str], *, inside: bool) -> tuple[list[str], list[str], list[str]]:
    """Part the lines of a side into a person's text before memctl's part, that part, and the text behind it."""
    first = 0 if inside else next((at for at, line in enumerate(side) if _is_own(line)), 0)
    last = next((at + 1 for at, line in enumerate(side) if line.rstrip("\r") == END), len(side))
    return side[:first], side[first:last], side[last:]


def _both(ours: list[str], theirs: list[str], marks: tuple[str, str]) -> list[str]:
    """Give a person's lines of both sides: what both have once, else what one has, else both as a conflict."""
    if ours == theirs or not theirs:
        return ours
    return [marks[0], *ours, "=======", *theirs, marks[1]] if ours else theirs


def _is_own(line: str) -> bool:
    """Tell whether only memctl writes such a line."""
    return line.startswith(("<!-- memctl:", META_START, META_END, f"{_CHECK}: "))


def _stays_inside(line: str, *, inside: bool) -> bool:
    """Tell whether what follows a line is memctl's part: its META or its block."""
    if line == META_START or line.startswith("<!-- memctl:begin"):
        return True
    return inside and line not in (META_END, END)


def _sealed(text: str) -> str:
    """Seal a settled file: both sides were memctl's, so what the joined lines hash to is no person's hand."""
    part = parse(text)
    if part.body is None:
        return text
    known = {name: value for name, value in fields(part.meta).items() if name != _CHECK}
    meta = meta_text(known) if part.meta else ""
    begin = f"<!-- memctl:begin sha256={_digest(part.body)} -->\n"
    return f"{meta}{part.before}{begin}{part.body}{END}\n{part.after}"

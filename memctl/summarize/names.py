"""Names in a call's arguments that could come from an earlier result, and the call itself on one line."""

import json
import re
from collections.abc import Iterator

import orjson

from memctl.model import Json
from memctl.summarize import requests
from memctl.summarize.programs import KIND_OF, judge
from memctl.summarize.requests import Request
from memctl.summarize.wording import clip, short_path
from memctl.text.widths import printable

_MOST = 24  # names of one call
_SHORTEST, _LONGEST = 4, 200  # characters of a name (DESIGN 4.2: four or more)
_LOOKED_AT = 4_000  # characters of one argument; a written file's names come from everywhere
_DEEPEST = 6
_ADDRESS = re.compile(r"https?://[^\s\"'<>)\]}]{4,200}")
_PATH = re.compile(r"(?<![\w/])[\w.@~+-]*(?:/[\w.@+\u3040-\u9fff\uac00-\ud7af-]+)+/?")
_FILE = re.compile(r"(?<![\w./])[\w-]{2,}(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,7}\b(?!\()")
_ID = re.compile(
    r"\b(?:[0-9a-f]{7,40}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|#?[A-Z][A-Z0-9]{1,9}-?\d[\dA-Z]{2,}|[a-z]+_[A-Za-z0-9]*\d[A-Za-z0-9]{5,}|\d{5,20}|m_[0-9a-f]{12})\b"
)
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*")
_COMPOUND = re.compile(
    r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^_\w|\w(?:\.|::|->)\w|^[A-Z]+[a-z]+[A-Z]|[A-Za-z]\d"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_CJK_JOINTS = re.compile(
    r"[的了和与及或在是有对将把被从到请]|の|を|は|が|に|へ|で|と|から|まで|하고|에서|으로"
)
_SAID = frozenset(
    "description explanation thought reason justification activeform active_form status tool_call_purpose intent sandbox_permissions".split()
)
_WHOLE = frozenset(
    "pattern query regex symbol name search q search_term glob keyword term title id key selector".split()
)
_SILENT = frozenset("cd pushd echo printf export sleep set source pip npm apt apt-get brew".split())
_STOP = frozenset(
    """this that with from into your have will true false none null text file files path name json head tail import return
    print class self function const async await string number type export default http https html include exclude
    when where which what then else while for each only also just some more most such than them they there their these
    those because should would could about after before between during without within under over again once here
    utf8 utf-8 encoding errors command arguments tool dev/null devnull stdout stderr null undefined object array boolean
    content contents value values line lines offset limit test tests main args kwargs list dict user users find make run
    index result results data item items error code""".split()
) | frozenset(KIND_OF)


def names_in(tool: str, arguments: Json) -> tuple[str, ...]:
    """Return the names in a call's arguments that could come from an earlier result, most specific first.

    Paths and their base names, addresses, ids, then symbols, CJK terms, and plain words that were looked for.
    At most 24, of 4 to 200 characters each; no flags, no stop words, no names of programs.
    """
    found: dict[str, int] = {}
    for name, rank in _candidates(requests.read(tool, arguments)):
        name = name.strip(".,:;-/\\*\"'` ") if rank < 5 else name.rstrip("/")
        if _SHORTEST <= len(name) <= _LONGEST and name.lower() not in _STOP:
            found[name] = max(rank, found.get(name, 0))
    ordered = sorted(found, key=lambda name: -found[name])  # stable: as they stand in the call
    return tuple(ordered[:_MOST])


def _candidates(request: Request) -> Iterator[tuple[str, int]]:
    """Yield names with their rank: 6 addresses and paths, 5 ids and base names, 4 symbols, 3 CJK terms, 1 words."""
    if request.command and request.parts:
        for part in request.parts:
            if part.program in _SILENT:
                continue
            for word in judge(part.words)[1][1:]:
                if not word.startswith("-"):
                    yield from _names(word, looked_for=len(word) < 60)
            yield from _names(" ".join(part.outputs), looked_for=False)
            yield from _names(part.document, looked_for=False)
        return
    for name, text in _texts(dict(request.fields), ""):
        if name not in _SAID:
            yield from _names(text, looked_for=name in _WHOLE or (len(text) < 40 and " " not in text))
    yield from _names(request.text, looked_for=len(request.text) < 60)


def _texts(value: Json, name: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield each text in the arguments with the name it stands under."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > 9_999:
        yield name, str(value)[:40]
    elif depth < _DEEPEST and isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, str(key) if depth == 0 else name or str(key), depth + 1)
    elif depth < _DEEPEST and isinstance(value, list):
        for item in value[:100]:
            yield from _texts(item, name, depth + 1)


def _names(text: str, *, looked_for: bool) -> Iterator[tuple[str, int]]:
    text = text[:_LOOKED_AT]
    for match in _ADDRESS.finditer(text):
        yield match.group().rstrip(".,;"), 6
    text = _ADDRESS.sub(" ", text)
    for match in _PATH.finditer(text):
        path = match.group()
        yield path, 6
        yield short_path(path), 5
        yield short_path(path, 1), 5
    text = _PATH.sub(" ", text)
    for match in _FILE.finditer(text):
        yield match.group(), 5
    text = _FILE.sub(" ", text)
    for match in _ID.finditer(text):
        yield match.group(), 5
    plain: list[str] = []
    for match in _SYMBOL.finditer(text):
        if _COMPOUND.search(match.group()[:_LONGEST]):
            yield match.group(), 4
        else:
            plain.append(match.group())
    if not text.isascii():
        for match in _CJK.finditer(text):
            yield from ((term, 3) for term in _CJK_JOINTS.split(match.group()[:40]))
    if looked_for:
        yield from ((word, 1) for word in plain)


def shorten_call(tool: str, arguments: Json, limit: int = 300) -> str:
    """Write a call on one line of at most *limit* characters: `exec({"command":"pytest -q"})`.

    Argument names are kept and long values cut, all by the same measure; what still does not fit is cut at the end.
    """
    name = clip(tool, 80) or "?"
    value = requests.parsed(arguments)
    room = limit - len(name) - 2
    text = _compact(value) if _small(value, room) else ""
    for longest in (120, 80, 50, 30, 16, 8):
        if text and len(text) <= room:
            break
        text = _compact(_cut(value, longest))
    return clip(f"{name}({printable(text)})", limit) if len(text) > room else f"{name}({printable(text)})"


def _small(value: Json, room: int) -> bool:
    """Say whether it is worth writing a value out in full: a long text cannot fit."""
    return not any(len(text) > room for _, text in _texts(value, ""))


def _cut(value: Json, longest: int, depth: int = 0) -> Json:
    """Cut the texts in a value to *longest* characters and its lists to three items."""
    if isinstance(value, str):
        return value if len(value) <= longest else value[: longest - 1] + "…"
    if isinstance(value, dict):
        return (
            {str(name)[:60]: _cut(item, longest, depth + 1) for name, item in list(value.items())[:40]}
            if depth < _DEEPEST
            else "{…}"
        )
    if isinstance(value, list):
        kept = [_cut(item, longest, depth + 1) for item in value[:3]] if depth < _DEEPEST else []
        return [*kept, f"… {len(value) - len(kept)} more"] if len(value) > len(kept) else kept
    return value


def _compact(value: Json) -> str:
    """Write a value as compact JSON on one line."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # lone surrogates, integers over 64 bits, depth
        pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    except (ValueError, RecursionError):
        return str(type(value).__name__)

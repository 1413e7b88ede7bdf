"""Names in a call's arguments that could come from an earlier result, and the call itself on one line."""

import json
from collections.abc import Iterator

import orjson

from memctl.model import Json
from memctl.summarize import requests
from memctl.summarize.definitions import is_compound
from memctl.summarize.patterns import regex
from memctl.summarize.program_tables import KIND_OF
from memctl.summarize.programs import judge
from memctl.summarize.requests import Request
from memctl.summarize.wording import clip
from memctl.text.letters import CJK
from memctl.text.widths import printable

_MOST = 24  # names of one call
_SHORTEST, _LONGEST = 4, 200  # characters of a name (DESIGN 4.2: four or more)
_LOOKED_AT = 1_500  # characters of one argument; the names of a written file come from everywhere
_TOGETHER = 4_000  # characters of all arguments
_DEEPEST = 6
_CHUNK = regex(r"[\w./@:~+#$>%?=&-]{4,200}+")
_EDGES = ".,:;-/\\*=&?>#+~%"
_ID = regex(
    r"[0-9a-f]{7,40}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|#?[A-Z][A-Z0-9]{1,9}-?\d[\dA-Z]{2,30}|\d{5,20}"
)
_FILE = regex(
    r"[\w@+-][\w.@+-]*\.(?:py|pyi|ipynb|[cm]?[jt]sx?|go|rs|java|kt|rb|php|cs|cpp|cc|hpp|[ch]|swift"
    r"|scala|lua|sh|bash|zsh|sql|md|mdx|rst|txt|json[l5]?|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?"
    r"|s?css|vue|svelte"
    r"|csv|tsv|log|patch|diff|png|jpe?g|gif|svg|pdf|zip|gz|tar|proto|tf|gradle|properties|mod|sum"
    r"|docx?|xlsx?|pptx?|traj|bak|orig|out|so|exe|bin|db)"
)
_SYMBOL = regex(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*")
_CJK = regex(rf"[{CJK}]{{2,40}}+")
_CJK_JOINTS = regex(r"[的了和与及或在是有对将把被从到请]|の|を|は|が|に|へ|で|と|から|まで|하고|에서|으로")
_SAID = frozenset(
    "output_mode subagent_type mode format model language encoding type description explanation "
    "thought reason justification activeform active_form status tool_call_purpose intent "
    "sandbox_permissions".split()
)
_WHOLE = frozenset(
    "pattern query regex symbol name search q search_term glob keyword term title id key selector".split()
)
_RUNNING = frozenset(["test", "build", "run"])  # what their output is piped through only chooses lines of it
_SILENT = frozenset("cd pushd echo printf export sleep set source pip npm apt apt-get brew".split())
_STOP = frozenset(
    """this that with from into your have will true false none null text file files path name json head tail
    import return print class self function const async await string number type export default http https
    html include exclude when where which what then else while for each only also just some more most such
    than them they there their these those because should would could about after before between during
    without within under over again once here utf8 utf-8 encoding errors command arguments tool dev/null
    devnull stdout stderr null undefined object array boolean content contents value values line lines
    offset limit test tests main args kwargs list dict user users find make run index result results data
    item items error code""".split()
) | frozenset(KIND_OF)


def names_in(tool: str, arguments: Json) -> tuple[str, ...]:
    """Return the names in a call's arguments that could come from an earlier result, most specific first.

    Paths and their base names, addresses, ids, then symbols, CJK terms, and plain words that were looked for.
    At most 24, of 4 to 200 characters each; no flags, no stop words, no names of programs.
    """
    found: dict[str, int] = {}
    for name, rank in _candidates(requests.read(tool, arguments)):
        if _SHORTEST <= len(name) <= _LONGEST and found.get(name, 0) < rank and name.lower() not in _STOP:
            found[name] = rank
    ordered = sorted(found, key=lambda name: -found[name])  # stable: as they stand in the call
    return tuple(ordered[:_MOST])


def _candidates(request: Request) -> Iterator[tuple[str, int]]:
    """Yield names with their rank.

    6 addresses and paths, 5 ids and base names, 4 symbols, 3 CJK terms, 1 plain words.
    """
    wanted: list[str] = []  # what was looked for: its plain words count
    others: list[str] = []
    if request.command and request.parts:
        runs = request.line.kind in _RUNNING
        for part in request.parts:
            if part.program not in _SILENT and not (runs and part.piped):
                for word in judge(part.words)[1][1:]:
                    if not word.startswith("-"):
                        (wanted if len(word) < 60 else others).append(word[:_LOOKED_AT])
                others += (*part.outputs, part.document[:_LOOKED_AT])
    else:
        for name, text in _texts(dict(request.fields), ""):
            short = name in _WHOLE or (len(text) < 40 and " " not in text)
            (wanted if short else others).append(text[:_LOOKED_AT])
        (wanted if len(request.text) < 60 else others).append(request.text[:_LOOKED_AT])
    yield from _names("\n".join(wanted), looked_for=True)
    yield from _names("\n".join(others), looked_for=False)


def _texts(value: Json, name: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield each text in the arguments with the argument it stands under; descriptions are left out."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > 9_999:
        yield name, str(value)[:40]
    elif depth < _DEEPEST and isinstance(value, dict):
        for key, item in value.items():
            if requests.snake(str(key)[:60]) not in _SAID:
                yield from _texts(item, name if depth else str(key), depth + 1)
    elif depth < _DEEPEST and isinstance(value, list):
        for item in value[:100]:
            yield from _texts(item, name, depth + 1)


def _names(text: str, *, looked_for: bool) -> Iterator[tuple[str, int]]:
    for chunk in dict.fromkeys(_CHUNK.findall(text, 0, _TOGETHER)):
        name = chunk.strip(_EDGES)
        if "://" in name:
            yield name, 6
        elif "/" in name:
            path = name.partition(":")[0] if not chunk.startswith("/") else chunk.partition(":")[0]
            yield path.rstrip(_EDGES), 6
            yield from ((part, 5) for part in _ends(path))
        elif ("." in name and _FILE.fullmatch(name)) or _ID.fullmatch(name):
            yield name, 5
        else:
            for symbol in _SYMBOL.findall(name) if name.isascii() else ():
                if is_compound(symbol):
                    yield symbol, 4
                elif looked_for:
                    yield symbol, 1
        if not name.isascii():
            yield from ((term, 3) for run in _CJK.findall(name) for term in _CJK_JOINTS.split(run))


def _ends(path: str) -> tuple[str, str]:
    """Return the last two parts of a path, and its last."""
    pieces = path.rstrip("/").rsplit("/", 2)
    return "/".join(pieces[-2:]).lstrip("./"), pieces[-1]


def shorten_call(tool: str, arguments: Json, limit: int = 300) -> str:
    """Write a call on one line of at most *limit* characters: `exec({"command":"pytest -q"})`.

    Argument names are kept and long values cut, all by the same measure; what still does not fit is cut at
    the end.
    """
    name = clip(tool, 80) or "?"
    value = requests.parsed(arguments)
    room = limit - len(name) - 2
    text = _compact(value) if _small(value, room) else ""
    for longest in (120, 80, 50, 30, 16, 8):
        if text and len(text) <= room:
            break
        text = _compact(_cut(value, longest))
    call = f"{name}({printable(text)})"
    return clip(call, limit) if len(text) > room else call


def _small(value: Json, room: int) -> bool:
    """Say whether it is worth writing a value out in full: a long text cannot fit."""
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
    return not any(isinstance(text, str) and len(text) > room for text in held)


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

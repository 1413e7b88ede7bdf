"""Find secrets in text and put `[REDACTED:kind]` in their place (DESIGN 10).

Secrets are looked for where they can be: a provider's key is a long word, a password stands behind its
name, in a URL or in a header. Hashes, UUIDs, ids, code that fetches a secret and placeholders stay.
The search for these places works on whole texts at once, so a text without secrets costs next to nothing.
"""

import re
import string
from collections.abc import Iterator
from typing import Any

from memctl.text.secret_shapes import JOINED_SHAPES, TOKEN_SHAPES
from memctl.text.secret_values import is_placeholder, is_real, kind_of_name

_MARKER = "[REDACTED:"
_ROUNDS = 5
_REACH = 40  # characters looked at before a word, and on both sides of a hint
_SHORT = 100  # characters; below it one look at each is cheaper than the many looks at all
_ANY = re.compile(
    r"pass|pwd|cre[td]|ke[yn]|horization|[\w-]{20}|://|密|口令|パスワード|비밀번호"
    r"|mysql|mariadb|mongo|curl|redis-cli|login|7z",
    re.IGNORECASE,
)
_Span = tuple[int, int, str]


def redact(text: str) -> tuple[str, int]:
    """Replace every secret in *text* by `[REDACTED:kind]`; give the text and how many were replaced.

    Redacting again changes nothing. Linear in the text, whatever it holds.
    """
    total = 0
    for _ in range(_ROUNDS):  # a secret may stand free only once its neighbour is gone
        text, count = _replace(text)
        total += count
        if not count:
            break
    return text, total


def _replace(text: str) -> tuple[str, int]:
    pieces: list[str] = []
    position = count = 0
    for start, end, kind in sorted(_secrets(text), key=lambda span: (span[0], -span[1])):
        if start >= position and _MARKER not in text[start:end]:
            pieces += (text[position:start], f"{_MARKER}{kind}]")
            position = end
            count += 1
    return ("".join(pieces) + text[position:], count) if count else (text, 0)


def redact_json(value: Any) -> tuple[Any, int]:
    """Redact every string of a JSON value, however deep; give the value and how many were replaced.

    Strings under a key that names a secret (`password`, `api_key`) are judged as its value. The value
    itself is not changed: a copy comes back when something was replaced, else the same object.
    """
    count = sum(_changes(value))
    if not count:
        return value, 0
    holder = [value]
    todo: list[Any] = [holder]
    while todo:
        container = todo.pop()
        if isinstance(container, dict):
            _rename(container)
        for key, child in list(_items(container)):
            if isinstance(child, str):
                container[key] = _redact_value(key, child)[0]
            elif isinstance(child, list | dict):
                container[key] = child.copy()
                todo.append(container[key])
    return holder[0], count


def _changes(value: Any) -> Iterator[int]:
    """Give the number of secrets in each string of a JSON value, and in each name of a member."""
    todo: list[Any] = [[value]]
    while todo:
        for key, child in _items(todo.pop()):
            if isinstance(key, str):
                yield _redact_name(key)[1]
            if isinstance(child, str):
                yield _redact_value(key, child)[1]
            elif isinstance(child, list | dict):
                todo.append(child)


def _rename(container: dict[str, Any]) -> None:
    """Redact the names of members in their places; two that become one are told apart."""
    if not any(_redact_name(key)[1] for key in container):
        return
    members = list(container.items())
    container.clear()
    for key, child in members:
        name = _redact_name(key)[0]
        while name in container:
            name += "'"
        container[name] = child


def _redact_name(name: str) -> tuple[str, int]:
    return redact(name) if len(name) >= _WORD_LENGTH else (name, 0)


def _items(container: Any) -> Any:
    return container.items() if isinstance(container, dict) else enumerate(container)


def _redact_value(key: Any, text: str) -> tuple[str, int]:
    kind = kind_of_name(key[-_REACH:]) if isinstance(key, str) else ""
    if kind and kind != "authorization" and is_real(text, kind, quoted=True):
        return f"{_MARKER}{kind}]", 1
    if kind == "authorization" and (found := _header(f":{text}", 0)):
        start, end, scheme = found
        text, count = redact(f"{text[: start - 1]}{_MARKER}{scheme}]{text[end - 1 :]}")
        return text, count + 1
    return redact(text)


def _secrets(text: str) -> Iterator[_Span]:
    if len(text) < _SHORT and not _ANY.search(text):
        return
    raw = text.encode("ascii", "replace")
    words = raw.translate(_WORDS)
    yield from _tokens(text, words)
    if b"://" in raw:
        yield from _addresses(text)
    lower = raw.lower()
    yield from _named(text, lower, words)
    if any(program in lower for program in _PROGRAMS):
        yield from _options(text)


# --------------------------------------------------------------------------- long words

_WORD_LENGTH = 20  # no provider's key is shorter
_WORD_CHARACTERS = (string.ascii_letters + string.digits + "_-").encode()
_WORDS = bytes(97 if byte in _WORD_CHARACTERS else 32 for byte in range(256))
_LONG = b"a" * _WORD_LENGTH
_DIGIT = re.compile(r"[0-9]")
_JOINTS = ".:~"
_JOINED = re.compile("|".join(f"(?P<{kind}>{shape})" for kind, shape in JOINED_SHAPES.items()), re.ASCII)
_ESCAPE = re.compile(r"(?<=\\)(?:[nrt]|u[0-9a-fA-F]{4})|(?<=%)[0-9A-Fa-f]{2}|(?<=[\[;])[0-9]{1,3}m")
_ESCAPE_SIGNS = "\\%[;"
_BEFORE_BEARER = " \"'"
_BEARER_VALUE = re.compile(r"[\w.~+/-]{20,}=*", re.ASCII)
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"(?:\\[nrt]|[\s\"'>|+,])*([A-Za-z0-9+/=]{1,200})")
_KEY_MOST = 20_000


def _shapes_by_beginning() -> dict[str, str]:
    """Sort the shapes by their first two letters, so that a word needs one look-up to be passed over."""
    shapes: dict[str, dict[str, list[str]]] = {}
    for kind, (beginnings, rest) in TOKEN_SHAPES.items():
        for beginning in beginnings.split():
            shapes.setdefault(beginning[:2], {}).setdefault(kind, []).append(re.escape(beginning) + rest)
    return {
        letters: "|".join(f"(?P<{kind}>{'|'.join(ways)})" for kind, ways in kinds.items())
        for letters, kinds in shapes.items()
    }


_SHAPES = _shapes_by_beginning()


def _tokens(text: str, words: bytes) -> Iterator[_Span]:
    """Find what tells itself a secret: words of known shape, bearer tokens, private key blocks.

    words: *text* with `a` for each character of a word and a space for every other.
    """
    start = words.find(_LONG)
    if start >= 0:
        yield from _private_keys(text)
    while start >= 0:
        end = words.find(b" ", start + _WORD_LENGTH)
        end = len(words) if end < 0 else end
        found = _token_at(text, words, start, end)
        if found:
            yield found
            end = found[1]
        start = words.find(_LONG, end)


def _token_at(text: str, words: bytes, start: int, end: int) -> _Span | None:
    """Judge the word from *start* to *end*, also with what `.`, `:` or `~` joins to it (`SG.`)."""
    begin = start
    while start - begin < _REACH and begin and text[begin - 1] in _JOINTS:
        begin = max(words.rfind(b" ", max(0, begin - _REACH), begin - 1) + 1, begin - _REACH, 0)
        whole = _after_escape(text, begin)
        found = _shaped(text, whole, start) or _of(_JOINED.match(text, whole), start)
        if found:
            return found
    whole = _after_escape(text, start)
    found = _shaped(text, whole, start)
    if not found and (text[end : end + 1] == "." or text.startswith("-us", whole + 32)):
        found = _of(_JOINED.match(text, whole), start)
    if not found and start and text[start - 1] in _BEFORE_BEARER:
        before = text[max(0, start - 10) : start].rstrip(_BEFORE_BEARER).lower()
        found = _of(_BEARER_VALUE.match(text, start), start, "bearer") if before.endswith("bearer") else None
    return found


def _after_escape(text: str, begin: int) -> int:
    """Step over the end of an escape (a newline's n, `%20`) that the word only seems to begin with."""
    if begin and text[begin - 1] in _ESCAPE_SIGNS and (escape := _ESCAPE.match(text, begin)):
        return escape.end()
    return begin


def _shaped(text: str, begin: int, start: int) -> _Span | None:
    shape = _SHAPES.get(text[begin : begin + 2])  # compiled when first needed: few ever are
    return _of(re.compile(shape, re.ASCII).match(text, begin), start) if shape else None


def _of(match: re.Match[str] | None, start: int, kind: str = "") -> _Span | None:
    """Take a match that reaches beyond *start* and is no row of crosses."""
    if match and match.end() > start and _is_varied(match[0]):
        return *match.span(), kind or match.lastgroup or ""
    return None


def _is_varied(value: str) -> bool:
    """Tell a key from a row of crosses: enough different characters, a digit among them."""
    return len(set(value[-32:])) >= 8 and _DIGIT.search(value, 0, 200) is not None


def _private_keys(text: str) -> Iterator[_Span]:
    for begin in _KEY_BEGIN.finditer(text):
        end = _KEY_END.search(text, begin.end(), begin.end() + _KEY_MOST)
        position, size = begin.end(), 0
        while line := _KEY_LINE.match(text, position, end.start() if end else begin.end() + _KEY_MOST):
            if not end and len(line[1]) < 16:
                break
            position, size = line.end(), size + len(line[1])
        if size >= 40:  # a heading alone, as in code, is no key
            yield begin.start(), end.end() if end else position, "private_key"


# --------------------------------------------------------------------------- addresses and connection strings

_URL_PASSWORD = re.compile(r"://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{3,200})@")
_PLACES = (
    ("azure", re.compile(r"sig=([A-Za-z0-9%]{40,})")),
    ("slack", re.compile(r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9_/]{20,})")),
    ("discord", re.compile(r"/api/webhooks/[0-9]{8,20}/([0-9a-zA-Z_-]{40,})")),
)


def _addresses(text: str) -> Iterator[_Span]:
    """Find passwords in addresses, and addresses that open to whoever knows them."""
    if "@" in text:
        for match in _URL_PASSWORD.finditer(text):
            if not is_placeholder(match[1]):
                yield *match.span(1), "url_password"
    for kind, pattern in _PLACES:
        for match in pattern.finditer(text):
            yield *match.span(1), kind


# --------------------------------------------------------------------------- named values

# The ends of names of secrets, lower case, where something may be assigned. Each begins with a literal,
# which is found at the speed of a plain search.
_FOLLOWED = (
    rb"""[0-9]?(?:["'`\\\]]{0,5}[ \t]{0,8}[:=]|[ \t]{1,3}is[: ]"""
    rb"|(?<=--password) |(?<=[a-z]-key) |(?<=-token) )"
)
_ENDS = (rb"pass(?:word|wd|phrase|code)?", rb"pwd", rb"cre(?:t(?:[_-]?key)?|dential)", rb"ke(?:y|n)")
_HINTS = (*(re.compile(end + _FOLLOWED) for end in _ENDS), re.compile(rb"horization"))
_CJK_NAMES = ("密码", "密碼", "口令", "パスワード", "비밀번호")
_QUOTE = r"(?P<quote>\\{0,3}[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\n]){1,300})(?P=quote)"
# `&` and `,` end a value only where another begins behind them (`&user=`), or nothing does.
_BARE = (
    r"(?P<bare>(?:[^\s\"'`,;&<>(){}\[\]|\\]"
    r"|[&,](?=[\w!#$%^*@+-])(?![\w.\[\]-]{1,40}[ \t]?[:=])){4,300}+)(?![(\[{])"
)
_ASSIGNED = re.compile(
    r"""(?:\\{0,3}["'`])? \]?  # the name itself may be quoted, or a subscript
    (?:[ \t]{0,4}:[ \t]{0,2}[A-Za-z_][\w.\[\]|]{0,40}[ \t]{0,3}(?==))?  # a type
    (?:[ \t]{0,8}(?:=>|:=|[:=])(?!=)[ \t]{0,8} | [ \t]{1,3}is:?[ \t]{1,3})
    """
    rf"(?:[A-Za-z]{{0,2}}{_QUOTE}|{_BARE})",
    re.VERBOSE | re.ASCII,
)
_OPTION = re.compile(rf"[ =]{{1,2}}(?:{_QUOTE}|{_BARE})", re.ASCII)
_HEADER = re.compile(
    r"""(?:\\{0,3}["'`])? \]? [ \t]{0,4}[:=,][ \t]{0,4} (?:[A-Za-z]?\\{0,3}["'`])?
    (?:(?P<scheme>Bearer|Basic|Token|Digest|ApiKey|Bot)[ \t]{1,4})?
    (?P<value>[^\s"'`,;&<>(){}\[\]|\\$]{6,4000})""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_CJK = re.compile(
    rf"(?:{'|'.join(_CJK_NAMES)})\s{{0,3}}(?:是|为|為|：|:|=|は|는|은)\s{{0,3}}[\"'「“‘]?(?P<bare>[!-~]{{4,64}})"
)


def _named(text: str, lower: bytes, words: bytes) -> Iterator[_Span]:
    """Find values assigned to a name that says they are secret."""
    for hint in _HINTS:
        for hit in hint.finditer(lower):
            at = hit.start()
            start = max(words.rfind(b" ", max(0, at - _REACH), at) + 1, at - _REACH, 0)
            end = words.find(b" ", at, at + _REACH)
            if end > 0 and (found := _value(text, start, end)):
                yield found
    if not text.isascii() and any(name in text for name in _CJK_NAMES):
        for match in _CJK.finditer(text):
            if is_real(match["bare"], "password", quoted=False):
                yield *match.span("bare"), "password"


def _value(text: str, start: int, end: int) -> _Span | None:
    """Judge what is assigned to the name that stands from *start* to *end*."""
    match = _ASSIGNED.match(text, end)
    if not match and text.startswith("--", start):
        match = _OPTION.match(text, end)
    if not match and "uthorization" in text[start:end].lower():
        match = _HEADER.match(text, end)
    kind = kind_of_name(text[start:end]) if match else ""
    if not match or not kind:
        return None
    if kind == "authorization":
        return _header(text, end)
    group = "quoted" if match["quoted"] is not None else "bare"
    if not is_real(match[group], kind, quoted=group == "quoted"):
        return None
    value = match[group].rstrip(".") if group == "bare" else match[group]
    return match.start(group), match.start(group) + len(value), kind


# --------------------------------------------------------------------------- options of programs

_PROGRAMS = (b"mysql", b"mariadb", b"7z", b"sshpass", b"mongo", b"login", b"redis-cli", b"curl")
_BETWEEN = r"[^\n;|&]{0,200}?[ \t]"
_VALUE = (
    r"(?:(?P<quote{0}>[\"'])(?P<quoted{0}>[^\"'\n]{{3,200}})(?P=quote{0})"
    r"|(?P<bare{0}>[^\s\"'`;|&<>()\\]{{3,200}}))"
)
_PORTS = re.compile(r"[0-9.:]+")
_OPTIONS = re.compile(
    rf"\b(?:mysql\w*|mariadb[\w-]*|7z[ar]?)\b{_BETWEEN}-p{_VALUE.format(1)}"  # behind a space it is no password
    rf"|\b(?:sshpass|mongo\w*|(?:docker|podman|buildah|az|oc)\b[^\n;|&]{{0,40}}?\blogin)\b"
    rf"{_BETWEEN}(?:-p|--password)[ \t=]?{_VALUE.format(2)}"
    rf"|\bredis-cli\b{_BETWEEN}-a[ \t]{_VALUE.format(3)}"
    rf"|\bcurl\b{_BETWEEN}(?:-u|--user|--proxy-user|-U)[ \t=]?[\"']?[^\s:\"']{{0,80}}:"
    r"(?P<bare4>[^\s\"'`]{3,200})"
)


def _options(text: str) -> Iterator[_Span]:
    """Find the passwords that well-known programs take as an option without a name (`mysql -psecret`)."""
    for match in _OPTIONS.finditer(text):
        named = match.groupdict().items()
        group = next(name for name, value in named if value and name.startswith(("quoted", "bare")))
        if is_real(match[group], "password", quoted=True) and not _PORTS.fullmatch(match[group]):
            yield *match.span(group), "password"


def _header(text: str, end: int) -> _Span | None:
    match = _HEADER.match(text, end)
    if not match or is_placeholder(match["value"]):
        return None
    value, scheme = match["value"], (match["scheme"] or "").lower()
    long_enough = len(value) >= (8 if scheme == "basic" else 16)
    if (not long_enough and not _DIGIT.search(value)) or (not scheme and not _is_varied(value)):
        return None
    return *match.span("value"), {"basic": "basic_auth", "": "authorization"}.get(scheme, "bearer")

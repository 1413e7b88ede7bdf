"""Find secrets in text and put `[REDACTED:kind]` in their place (DESIGN 10).

Secrets are looked for where they can be: a provider's key is a long word, a password stands behind its
name, in a URL or in a header. Hashes, UUIDs, ids, code that fetches a secret and placeholders stay.
The search for these places works on whole texts at once, so a text without secrets costs next to nothing.
"""

import re
import string
from collections.abc import Iterator
from typing import Any

from memctl.text.secret_shapes import TOKEN_SHAPES

_MARKER = "[REDACTED:"
_ROUNDS = 5
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
    count = sum(changes for _, _, changes in _strings(value))
    if not count:
        return value, 0
    holder = [value]
    todo: list[Any] = [holder]
    while todo:
        container = todo.pop()
        for key, child in list(_items(container)):
            if isinstance(child, str):
                container[key] = _redact_value(key, child)[0]
            elif isinstance(child, list | dict):
                container[key] = child.copy()
                todo.append(container[key])
    return holder[0], count


def _strings(value: Any) -> Iterator[tuple[Any, str, int]]:
    """Give every string of a JSON value with its key and the number of secrets in it."""
    todo: list[Any] = [[value]]
    while todo:
        for key, child in _items(todo.pop()):
            if isinstance(child, str):
                yield key, child, _redact_value(key, child)[1]
            elif isinstance(child, list | dict):
                todo.append(child)


def _items(container: Any) -> Any:
    return container.items() if isinstance(container, dict) else enumerate(container)


def _redact_value(key: Any, text: str) -> tuple[str, int]:
    kind = kind_of_name(key[-_REACH:]) if isinstance(key, str) else ""
    if kind and kind != "authorization" and _is_real(text, kind, quoted=True):
        return f"{_MARKER}{kind}]", 1
    if kind == "authorization" and (found := _header(f":{text}", 0)):
        start, end, scheme = found
        return f"{text[: start - 1]}{_MARKER}{scheme}]{text[end - 1 :]}", 1
    return redact(text)


def _secrets(text: str) -> Iterator[_Span]:
    raw = text.encode("ascii", "replace")
    yield from _tokens(text, raw)
    if b"@" in raw and b"://" in raw:
        yield from _urls(text)
    yield from _named(text, raw)


# --------------------------------------------------------------------------- long words

_WORD_LENGTH = 20  # no provider's key is shorter
_WORD_CHARACTERS = (string.ascii_letters + string.digits + "_-").encode()
_WORDS = bytes(97 if byte in _WORD_CHARACTERS else 32 for byte in range(256))
_LONG = b"a" * _WORD_LENGTH
_DIGIT = re.compile(r"[0-9]")
_TOKEN = re.compile("|".join(f"(?P<{kind}>{shape})" for kind, shape in TOKEN_SHAPES.items()), re.ASCII)
_ESCAPE = re.compile(r"(?<=\\)(?:[nrt]|u[0-9a-fA-F]{4})|(?<=%)[0-9A-Fa-f]{2}|(?<=[\[;])[0-9]{1,3}m")
_BEARER = re.compile(r"\bBearer\s{1,4}[\"']?\Z", re.IGNORECASE)
_BEARER_VALUE = re.compile(r"[\w.~+/-]{20,}=*", re.ASCII)
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"(?:\\[nrt]|[\s\"'>|+,])*([A-Za-z0-9+/=]{1,200})")
_KEY_MOST = 20_000


def _tokens(text: str, raw: bytes) -> Iterator[_Span]:
    """Find what tells itself a secret: words of `TOKEN_SHAPES`, bearer tokens, private key blocks."""
    words = raw.translate(_WORDS)
    start = words.find(_LONG)
    if start >= 0:
        yield from _private_keys(text)
        yield from _places(text)
    while start >= 0:
        end = words.find(b" ", start + _WORD_LENGTH)
        end = len(words) if end < 0 else end
        if _DIGIT.search(text, start, end):
            found = _token_at(text, words, start)
            if found:
                yield found
                end = found[1]
        start = words.find(_LONG, end)


def _token_at(text: str, words: bytes, start: int) -> _Span | None:
    """Judge the word at *start*, with up to two pieces that `.`, `:` or `~` join to its front (`SG.`)."""
    begins = [start]
    while len(begins) < 3 and begins[-1] and text[begins[-1] - 1] in ".:~":
        last = begins[-1] - 1
        begins.append(max(words.rfind(b" ", max(0, last - _REACH), last) + 1, last - _REACH, 0))
    for begin in reversed(begins):
        escape = _ESCAPE.match(text, begin)  # the end of one, which the word seems to begin with
        match = _TOKEN.match(text, escape.end() if escape else begin) or _TOKEN.match(text, begin)
        if match and match.end() > start and _is_varied(match[0]):
            return *match.span(), match.lastgroup or ""
    if _BEARER.search(text, max(0, start - 16), start):
        value = _BEARER_VALUE.match(text, start)
        if value and _is_varied(value[0]):
            return start, value.end(), "bearer"
    return None


def _is_varied(value: str) -> bool:
    """Tell a key from a row of crosses: enough different characters, a digit among them."""
    return len(set(value[-32:])) >= 8 and _DIGIT.search(value) is not None


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
# Each begins with a literal, which the regex engine looks for at the speed of a plain search.
_PLACES = (
    ("azure", re.compile(r"AccountKey=([A-Za-z0-9+/]{40,}=*)")),
    ("azure", re.compile(r"SharedAccessKey=([A-Za-z0-9+/]{40,}=*)")),
    ("azure", re.compile(r"sig=([A-Za-z0-9%]{40,})")),
    ("slack", re.compile(r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9_/]{20,})")),
    ("discord", re.compile(r"/api/webhooks/[0-9]{8,20}/([0-9a-zA-Z_-]{40,})")),
)


def _urls(text: str) -> Iterator[_Span]:
    for match in _URL_PASSWORD.finditer(text):
        if not _is_placeholder(match[1]):
            yield *match.span(1), "url_password"


def _places(text: str) -> Iterator[_Span]:
    for kind, pattern in _PLACES:
        for match in pattern.finditer(text):
            yield *match.span(1), kind


# --------------------------------------------------------------------------- named values

_HINTS = tuple(re.compile(hint) for hint in (rb"pass", rb"pwd", rb"secret", rb"ke[yn]", rb"authorization"))
_REACH = 40  # characters of a name before and after its hint
_QUOTE = r"(?P<quote>\\{0,3}[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\n]){1,300})(?P=quote)"
_BARE = r"(?P<bare>[^\s\"'`,;&<>(){}\[\]|\\]{4,300}+)(?![(\[{\"'`])"
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
    r"(?:密码|密碼|口令|パスワード|비밀번호)\s{0,3}(?:是|为|為|：|:|=|は|는|은)\s{0,3}[\"'「“‘]?(?P<bare>[!-~]{4,64})"
)


def _named(text: str, raw: bytes) -> Iterator[_Span]:
    """Find values assigned to a name that says they are secret."""
    lower = raw.lower()
    words = b""
    seen = 0
    for hint in _HINTS:
        seen = 0
        for hit in hint.finditer(lower):
            at = hit.start()
            if at < seen:
                continue
            words = words or raw.translate(_WORDS)
            end = words.find(b" ", hit.end(), hit.end() + _REACH)
            seen = end = min(hit.end() + _REACH, len(words)) if end < 0 else end
            start = max(words.rfind(b" ", max(0, at - _REACH), at) + 1, at - _REACH)
            found = _value(text, start, end)
            if found:
                yield found
    if not text.isascii():
        for match in _CJK.finditer(text):
            if _is_real(match["bare"], "password", quoted=False):
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
    return (*match.span(group), kind) if _is_real(match[group], kind, quoted=group == "quoted") else None


def _header(text: str, end: int) -> _Span | None:
    match = _HEADER.match(text, end)
    if not match or _is_placeholder(match["value"]):
        return None
    value, scheme = match["value"], (match["scheme"] or "").lower()
    long_enough = len(value) >= (8 if scheme == "basic" else 16)
    if (not long_enough and not _DIGIT.search(value)) or (not scheme and not _is_varied(value)):
        return None
    return *match.span("value"), {"basic": "basic_auth", "": "authorization"}.get(scheme, "bearer")


# --------------------------------------------------------------------------- names

_NAME_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_KEY_OWNERS = frozenset(
    "api access private account auth encryption signing master subscription shared service app application"
    " storage license session secret".split()
)
_CURSORS = frozenset("next page continuation sync start end cancel cancellation pad eos bos mask unk".split())


def kind_of_name(name: str) -> str:
    """Tell which kind of secret a value under *name* is, by the last words of the name; "" for none.

    `DB_PASSWORD`, `clientSecret`, `X-Api-Key`, `_authToken` are; `password_hash`, `max_tokens`,
    `next_token`, `primary_key` are not.
    """
    words = [word.lower() for word in _NAME_WORDS.findall(name.rstrip("0123456789"))]
    if not words or name[-1:] in "_-":
        return ""
    last = words[-1]
    before = words[-2] if len(words) > 1 else ""
    if last.endswith(("password", "passwd", "passphrase", "passcode", "pwd")) or last == "pass":
        return "password"
    if last.endswith(("secret", "secretkey")) or (last == "key" and "secret" in words[-3:]):
        return "secret"
    if last.endswith("token"):
        return "" if before in _CURSORS or last.removesuffix("token") in _CURSORS else "token"
    owner = before if last == "key" else last.removesuffix("key")
    if last.endswith("key") and owner in _KEY_OWNERS:
        return "api_key"
    return "authorization" if last == "authorization" else ""


# --------------------------------------------------------------------------- values

_PLACEHOLDER_WORDS = frozenset(
    "password passwd pass pwd secret token key none null nil undefined true false string str text bytes"
    " required optional hidden masked test user username admin root example changeme default value empty"
    " bearer basic unset todo tbd env prompt".split()
)
_PLACEHOLDER_PARTS = tuple(
    "xxx *** ... … •• < > ${ {{ your insert placeholder changeme change-me change_me redacted dummy".split()
)
_PLACEHOLDER_STARTS = tuple("$%{[(*#@&!?")
_PATH = re.compile(r"(?:[A-Za-z]:\\|~|\.{0,2}/|https?://|file://)")
_KEY_OF_40 = re.compile(r"[A-Za-z0-9/+=]{40}\Z")
_DOTTED = re.compile(r"[A-Za-z_$][\w$-]*(?:(?:\.|->|::)[A-Za-z_$][\w$-]*)+\Z", re.ASCII)
_FILE = re.compile(r".*\.(?:pem|key|crt|cer|pub|json|ya?ml|txt|env|py|js|ts|go|rs|md|sh)\Z", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9.,:_/-]+\Z")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)


def _is_placeholder(value: str) -> bool:
    lower = value.lower()
    return (
        lower.strip("\"'") in _PLACEHOLDER_WORDS
        or value.startswith(_PLACEHOLDER_STARTS)
        or any(part in lower for part in _PLACEHOLDER_PARTS)
        or len(set(value)) < 3
    )


def _is_real(value: str, kind: str, *, quoted: bool) -> bool:
    """Tell a secret from code that fetches one, from a placeholder, a path, a type or a message."""
    if _is_placeholder(value) or not value.isascii() or " " in value or "\t" in value:
        return False
    if (_PATH.match(value) and not _KEY_OF_40.match(value)) or _FILE.match(value):
        return False
    letters, digits = re.search(r"[A-Za-z]", value), _DIGIT.search(value)
    symbols = re.search(r"[^A-Za-z0-9_.-]", value)
    if kind == "password":
        if quoted:
            return len(value) >= (4 if digits or symbols else 8)
        if _DOTTED.match(value) or kind_of_name(value):
            return False
        return len(value) >= 6 and bool(digits) and bool(letters or symbols or len(value) <= 12)
    if kind == "token" and _UUID.match(value):
        return False
    if _NUMBER.match(value) or (not quoted and (_DOTTED.match(value) or kind_of_name(value))):
        return False
    if digits and letters:
        return len(value) >= (8 if quoted else 12)
    return quoted and kind == "secret" and len(value) >= 12 and value.isalpha()

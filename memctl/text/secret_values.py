"""Tell by its name that a value is secret, and by its look that it is real."""

import re

_DIGIT = re.compile(r"[0-9]")
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


def is_placeholder(value: str) -> bool:
    """Tell a value that stands for one to come: `<your key>`, `xxx`, `***`, `$VAR`, `string`."""
    lower = value.lower()
    return (
        lower.strip("\"'") in _PLACEHOLDER_WORDS
        or value.startswith(_PLACEHOLDER_STARTS)
        or any(part in lower for part in _PLACEHOLDER_PARTS)
        or len(set(value)) < 3
    )


def is_real(value: str, kind: str, *, quoted: bool) -> bool:
    """Tell a secret from code that fetches one, from a placeholder, a path, a type or a message."""
    if is_placeholder(value) or not value.isascii() or " " in value or "\t" in value:
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

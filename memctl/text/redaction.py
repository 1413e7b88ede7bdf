"""Find secrets in text and put `[REDACTED:kind]` in their place (DESIGN 10)."""

import re
from typing import Any

_RULES = {
    "private_key": r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s:,\\-]{0,20000}-----END [A-Z ]{0,40}PRIVATE KEY-----",
    "anthropic": r"\bsk-ant-[A-Za-z0-9_-]{20,}",
    "openai": r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}",
    "github": r"\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{40,}",
    "aws": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "slack": r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    "jwt": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
}
_ANY = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _RULES.items()))


def redact(text: str) -> tuple[str, int]:
    """Replace every secret in *text* by `[REDACTED:kind]`; give the text and how many were replaced."""
    return _ANY.subn(lambda match: f"[REDACTED:{match.lastgroup}]", text)


def redact_json(value: Any) -> tuple[Any, int]:
    """Redact every string of a JSON value; give the value (the same object when clean) and the count."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        pairs = [redact_json(item) for item in value]
        return [pair[0] for pair in pairs], sum(pair[1] for pair in pairs)
    if isinstance(value, dict):
        named = {key: redact_json(item) for key, item in value.items()}
        return {key: pair[0] for key, pair in named.items()}, sum(pair[1] for pair in named.values())
    return value, 0

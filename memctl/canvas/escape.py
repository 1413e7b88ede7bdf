"""Any text as a Mermaid label and back (DESIGN 2.4): what it becomes, how it is written, what it says."""

import re

from memctl.text.widths import printable

WORD_JOINER = "\u2060"  # no renderer shows it; free as an escape because labels never hold one

_NONCHARACTERS = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")
_SPECIAL = re.compile(
    r"""
      [#"<>`;&\\\n]
    | \$(?=\$)                     # KaTeX
    | fa[bklrs]?:(?=fa-)           # Font Awesome
    | %(?=%) | (?<=%)% | %\Z       # comments and directives
    | direction(?=[ ]) | style | classDef   # statements that Mermaid sees inside a label
    | C4(?=Container|Component|Dynamic|Deployment)   # words that make it a diagram of another type
    | \ufb02(?=\xb0) | \xb6(?=\xdf)   # its own stand-ins for entities
    """,
    re.VERBOSE,
)
_ESCAPES = {
    "#": "#35;",
    '"': "#quot;",
    "<": "#lt;",
    ">": "#gt;",
    "`": "#96;",
    ";": "#59;",
    "&": "#amp;" + WORD_JOINER,  # Mermaid decodes entities and then reads `&copy;`
    "\\": "#92;" + WORD_JOINER,  # ... and `\n`
    "\n": "<br/>",
    "%": "#37;",
    "direction": "#100;irection",
    "style": "#115;tyle",
    "classDef": "#99;lassDef",
    "C4": "#67;4",
}
# Markdown lists and rules, which Mermaid looks for where a label begins.
_BLOCK = re.compile(r"([0-9]{0,9})([-*+.)])(?=[ ])|()([-*_])(?=[-*_ ]{2,}\Z)")
_BREAK = re.compile(r"<br[ \t]{0,9}/?>", re.IGNORECASE)
_ENTITY = re.compile(
    r"#([0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)


def normalise_label(text: str) -> str:
    """Give *text* as a label can hold it: no controls, no zero-width or bidi characters, single spaces.

    Lines are stripped and empty ones dropped; tabs and other blanks become one space. What is left is
    drawn by Mermaid without loss and comes back from `unescape_label(escape_label(text))`.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = _NONCHARACTERS.sub("", printable(text))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def escape_label(text: str) -> str:
    """Write *text* (normalised first) as the inside of a quoted label; line ends become `<br/>`."""
    text = normalise_label(text)
    if not text:
        return "#32;"
    block = _BLOCK.match(text)
    if not block:
        return escape_text(text)
    sign = block.end() - 1
    return f"{text[:sign]}#{ord(text[sign])};{escape_text(text[sign + 1 :])}"


def escape_text(text: str) -> str:
    """Write *text*, normalised, as a part of a label that does not begin it."""
    return _SPECIAL.sub(lambda match: _ESCAPES.get(match[0], match[0] + WORD_JOINER), text)


def unescape_label(text: str) -> str:
    """Read the inside of a quoted label: entities decoded, `<br/>` as line ends, then normalised."""
    return normalise_label(_ENTITY.sub(_decode, _BREAK.sub("\n", text)))


def escape_first(text: str) -> str:
    """Write the first character of *text* as its entity: drawn alike, read as no marker."""
    return f"#{ord(text[0])};{text[1:]}"


_OWN_ENTITIES = {"quot": '"', "lt": "<", "gt": ">", "amp": "&"} | {
    str(code): chr(code) for code in range(0x20, 0x7F)
}


def _decode(match: re.Match[str]) -> str:
    """Decode one entity, in Mermaid's spelling (`#35;`, `#quot;`) or HTML's; an unknown one stays."""
    name = match[1]
    entity = match[0] if name is None else f"&#{name};" if name.isdigit() else f"&{name};"
    if name in _OWN_ENTITIES:
        return _OWN_ENTITIES[name]
    from html import unescape  # its table of names is large, and others' entities are rare

    text = unescape(entity)
    return match[0] if text == entity else text

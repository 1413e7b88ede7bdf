"""What a `sed` script does, in words: what becomes what, where, and what is added or taken away."""

from memctl.summarize.patterns import regex

_ADDRESS = regex(
    r"[ \t;{]*+(?P<at>\d{1,9}|\$|/(?:[^/\\\n]|\\.){1,400}/)?"
    r"(?:,(?P<to>\d{1,9}|\$|\+\d{1,9}|/(?:[^/\\\n]|\\.){1,400}/))?[ \t]*+(?P<verb>[sydiacp])"
)
_FLAGS = regex(r"[gpiIemw0-9]{0,6}")
_ENDS = regex(r"[ \t]*+(?:[;}\n]|\Z)")
_ESCAPED = regex(r"\\([^\w\s])")
_TEXT = regex(r"[\\\n\t ]*")
_MOST = 12  # commands of one script


def told(script: str) -> str:
    """Say what a `sed` script does: `old → new`, `adds x after /y/`, `removes lines 3-9`; "" for what it cannot read.

    Several commands are joined by "; ". Linear in the length of the script.
    """
    said: list[str] = []
    at = 0
    while at < len(script) and len(said) < _MOST:
        command = _ADDRESS.match(script, at)
        if command is None:
            return ""
        place, at = _place(command["at"], command["to"]), command.end()
        if command["verb"] in "sy":
            sides, at = _sides(script, at)
            if sides is None:
                return ""
            at = _FLAGS.match(script, at).end()  # type: ignore[union-attr]  # it matches the empty text
            old, new = map(_plain, sides)
            what = f"{old} → {new}" if new else f"removes {old}"
            said.append(f"{what}{place and f' in {place}'}")
        elif command["verb"] == "d":
            said.append(f"removes {place}" if place else "removes all")
        elif command["verb"] == "p":
            return ""
        else:
            where = {"i": "before", "a": "after", "c": "for"}[command["verb"]]
            text = script[_TEXT.match(script, at).end() :]  # type: ignore[union-attr]  # as above
            added = " ".join(text.replace("\\n", "\n").replace("\\\n", "\n").replace("\\t", " ").split())
            return "; ".join([*said, f"adds {added}{place and f' {where} {place}'}"])
        end = _ENDS.match(script, at)
        if end is None:
            return ""
        at = end.end()
    return "; ".join(said)


def _place(first: str | None, last: str | None) -> str:
    if not first:
        return ""
    if first[0] == "/" or (last and last[:1] == "/"):
        return _plain(first) + (f" to {_plain(last)}" if last else "")
    if last:
        return f"lines {first}-{last.replace('$', 'end')}"
    return "the last line" if first == "$" else f"line {first}"


def _sides(script: str, at: int) -> tuple[tuple[str, str] | None, int]:
    """Read `/old/new/` whose delimiter stands at *at*: both sides, and where they end."""
    mark = script[at : at + 1]
    if not mark or mark.isalnum() or mark.isspace() or mark == "\\":
        return None, at
    sides: list[str] = []
    start = place = at + 1
    while len(sides) < 2 and place < len(script):
        if script[place] == "\\":
            place += 2
            continue
        if script[place] == mark:
            sides.append(script[start:place].replace(f"\\{mark}", mark))
            start = place + 1
        place += 1
    return ((sides[0], sides[1]), start) if len(sides) == 2 else (None, at)


def _plain(side: str) -> str:
    """Take the escapes out of a pattern or its replacement, as far as a reader needs it."""
    text = side.replace("\\n", " ").replace("\\t", " ").replace("\\b", "")
    return " ".join(_ESCAPED.sub(r"\1", text).split())

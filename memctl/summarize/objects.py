"""JSON objects told by what their values say: which thing it is, its state, its amounts, what it holds."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memctl.model import Json
from memctl.summarize.patterns import regex
from memctl.summarize.wording import clip, joined
from memctl.text.letters import CJK

_MOST_FIELDS = 80  # fields of an object that are looked at
_MOST_ITEMS = 60  # items of a list
_DEEPEST = 4  # objects within objects
_LONGEST = 60  # characters of one value within a list or an inner object
_LONG = 90  # ... of a value of the object itself
_ID_LONGEST = 24  # characters of an id that people say; a UUID or a hash is none
_PLAIN = 40  # characters of a text that is a value and no prose
_LEAST = 12  # characters in which a field can still say something
_SHARE = 0.6  # part of the room that one list may take while other fields wait
_PER_ITEM = (6, 4, 3, 2)  # values of each item, tried in turn
_FEW = 4  # items that are each told with a value at least
_LAST = 7  # rank of dates and the ids of others

_OWN_ID = regex(r"(?:(?P<noun>[A-Za-z][A-Za-z_ ]*?)[_ ]?)?(?:id|Id|ID|number|Number|code|key|identifier|sku)")
_OTHERS = (
    "user",
    "owner",
    "parent",
    "session",
    "request",
    "trace",
    "account",
    "customer",
    "creator",
    "author",
)
_NAMES = ("title", "name", "full_name", "subject", "label", "summary", "question", "path", "url", "email")
_STATE = regex(
    r"(?:^|_)(?:status|state|stage|available|availability|active|enabled|result|outcome|reason|decision|verdict"
    r"|approved|success|ok|valid|cabin|class|level|severity|priority|cancelled|canceled|closed|merged|draft|locked"
    r"|is|can|has|allowed|eligible|refunded|delivered|answer|message|状态|结果)(?:_|$)",
    re.IGNORECASE,
)
_AMOUNT = regex(
    r"(?:^|_)(?:amounts?|prices?|total|cost|fee|sum|balance|count|quantity|qty|score|rate|percent|percentage|refund"
    r"|paid|due|date|size|age|temperature|value|金额|价格|数量)(?:_|$|\d)",
    re.IGNORECASE,
)
_CONTACT = regex(
    r"(?:^|_)(?:zip|postal|postcode|phone|fax|dob|birth|address2|country|created|updated|modified|timestamp|ts"
    r"|last_four|brand|locale|lang|language|avatar|icon|href|html|self|links?)(?:_|$)|_at$|_url$|(?<=[a-z])(?:At|Url)$",
    re.IGNORECASE,
)
_DULL = regex(
    r"(?:^_|^\$|token|cursor|hash|etag|checksum|signature|nonce|schema|version$|^offset$|^limit$|^page"
    r"|trace|request_id|usage)",
    re.IGNORECASE,
)
_WORDS = regex(rf"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[{CJK}]+")


@dataclass(frozen=True, slots=True)
class Identity:
    """Which thing an object is.

    noun: of what kind ("order"), or "". key: its id, by which another answer is known to show the same.
    label: how people call it ("order #W8665881", "Backpack"). fields: those that are said with that.
    """

    noun: str
    key: str
    label: str
    fields: tuple[str, ...]


def identity(value: dict[str, Json]) -> Identity | None:
    """Say which thing an object is: by its own id, else by its name; None when it says neither.

    The own id is `id`, or the first `..._id`, `..._number` that is not a user's, a session's, a parent's.
    """
    noun, key, fields = "", "", []
    own = value.get("id")
    if _is_scalar(own) and str(own):
        key, fields = str(own), ["id"]
    else:
        for name, item in list(value.items())[:_MOST_FIELDS]:
            match = _OWN_ID.fullmatch(name)
            if match and _is_scalar(item) and 0 < len(str(item)) <= _LONGEST and name != "id":
                noun = (match["noun"] or "").replace("_", " ").strip()
                if not noun.lower().endswith(_OTHERS):
                    key, fields = str(item), [name]
                    break
    name = next((each for each in _NAMES if _named(value.get(each))), "")
    named = clip(_named(value.get(name)), _LONGEST) if name else ""
    if not key and not named:
        return None
    said = named or (key if len(key) <= _ID_LONGEST else key[:12])
    if named and key and len(key) <= _ID_LONGEST and key not in named and key.isdecimal() and len(key) < 8:
        said = f"{named} {key}"  # a short number people use: issue 12
    return Identity(
        noun.lower(), key or named, f"{noun.lower()} {said}".strip(), (*fields, *([name] if named else []))
    )


def object_told(value: dict[str, Json], room: int) -> str:
    """Say in at most *room* characters what an object's values say: which it is, its state, its amounts."""
    known = identity(value)
    if known is None:
        return fields_of(value, room)
    label = clip(known.label, room)
    rest = fields_of(value, room - len(label) - 2, known.fields)
    return f"{label}: {rest}" if rest else label


def fields_of(value: dict[str, Json], room: int, without: Iterable[str] = ()) -> str:
    """Say an object's fields but those *without*: the telling ones first, each whole, as many as fit."""
    left = [
        name for name in list(value)[:_MOST_FIELDS] if name not in set(without) and not _is_bare(value[name])
    ]
    left.sort(key=lambda name: rank(name, value[name]))
    chosen: dict[str, str] = {}
    for at, name in enumerate(left):
        if room < _LEAST or (len(chosen) >= _FEW and rank(name, value[name]) >= _LAST):
            break
        most = room if at == len(left) - 1 else max(int(room * _SHARE), min(room, _LONG))
        text = field(name, value[name], most)
        if text and len(text) <= room:
            chosen[name] = text
            room -= len(text) + 2
    return ", ".join(chosen.values())


def field(name: str, item: Json, room: int) -> str:
    """Write one field in at most *room* characters; "" when it does not fit or says nothing."""
    if isinstance(item, (dict, list)):
        spoken = _spoken(name)
        room -= len(spoken) + 2
        inner = _inner(item, room) if isinstance(item, dict) else items(item, room)
        return f"{spoken}: {inner}" if inner else ""
    return clip(_pair(name, item, _LONG), room)


def items(value: list[Json], room: int) -> str:
    """Write the items of a list: of objects their telling values, of lists what they hold, else themselves."""
    shown = value[:_MOST_ITEMS]
    objects = [item for item in shown if isinstance(item, dict)]
    if len(objects) == len(shown) and objects:
        return _objects(objects, len(value), room)
    if any(isinstance(item, (dict, list)) for item in shown):
        written = [short(item) for item in shown]
    else:
        written = [clip(scalar(item), _LONGEST) for item in shown]
    return joined([*filter(None, written)], room) if room >= _LEAST else ""


def rank(name: str, item: Json) -> int:
    """Say how soon a field is told: state and amounts, what it holds, plain values; others' ids and dates last."""
    words = _snake(name)
    if _DULL.search(words):
        return 9
    if isinstance(item, dict):
        return 3 if is_table(item) else 5
    if isinstance(item, list):
        first = item[0] if item else None
        return 6 if isinstance(first, dict) and all(rank(*leaf) > 1 for leaf in _leaves(first)) else 3
    if _CONTACT.search(words) or words.endswith("_id") or words in ("id", "uuid"):
        return _LAST
    if words in _NAMES:
        return 1
    if _STATE.search(words) or isinstance(item, bool):
        return 0
    if _AMOUNT.search(words):
        return 1
    return 2 if len(scalar(item)) <= _PLAIN else 4


def scalar(item: Json) -> str:
    """Write a value as JSON names it: true, false, null; a number as it is."""
    if item is None or isinstance(item, bool):
        return {True: "true", False: "false", None: "null"}[item]
    return str(item)


def short(item: Json) -> str:
    """Write any value in a few words."""
    if isinstance(item, dict):
        return _item(item, 3, frozenset())
    return _chain(item) if isinstance(item, list) else clip(scalar(item), _LONGEST)


# --------------------------------------------------------------------------- inner values


def _objects(objects: list[dict[str, Json]], size: int, room: int) -> str:
    """Write objects one after the other, each by its name and what tells it from the others."""
    same = _common(objects)
    shared = [_pair(name, value, _LONGEST) for name, value in same.items() if rank(name, value) == 0]
    head = f"all {', '.join(shared)}: " if shared and len(objects) == size else ""
    room -= len(head)
    named = [_item(item, 1, frozenset()) for item in objects]
    wordy = sum(1 for each in named if any(letter.isalpha() for letter in each)) > len(named) // 2
    written = named
    for most in (*_PER_ITEM, *((1,) if wordy and size > _FEW else ()), _PER_ITEM[2]):
        written = [_item(item, most, frozenset(same)) for item in objects] if most > 1 else named
        if len("; ".join(written)) <= room:
            break
    text = joined([each for each in written if each] + [""] * (size - len(objects)), room, "; ")
    return head + text if text and room >= _LEAST else ""


def _item(item: dict[str, Json], most: int, same: frozenset[str], depth: int = 0) -> str:
    """Write an object in a list: its name, then up to *most* - 1 of its telling values, without their names."""
    known = identity(item)
    said = [known.label.removeprefix(f"{known.noun} ")] if known else []
    leaves = [
        (rank(name, value), name, value)
        for name, value in _leaves(item, depth=depth)
        if not (known and name in known.fields) and name not in same
    ]
    leaves.sort(key=lambda leaf: leaf[0])
    for worth, name, value in leaves:
        if len(said) >= most:
            break
        if worth < _LAST or not said:
            text = _pair(name, value, _LONGEST) if " " in name else _value(name, value)
            if text and text not in said:
                said.append(text)
    return clip(" ".join(said), _LONG)


def _common(objects: list[dict[str, Json]]) -> dict[str, Json]:
    """Give the fields that are alike in all of several objects: they tell none from the others."""
    if len(objects) < 2:
        return {}
    first = dict(_leaves(objects[0]))
    for other in objects[1:]:
        leaves = dict(_leaves(other))
        first = {name: value for name, value in first.items() if leaves.get(name) == value}
    return first


def _leaves(item: dict[str, Json], within: str = "", depth: int = 0) -> Iterator[tuple[str, Json]]:
    """Give the scalars of an object and of the objects within it; of a list within, its items as one text."""
    for name, value in list(item.items())[:_MOST_FIELDS]:
        if isinstance(value, dict):
            if depth < _DEEPEST and not is_table(value):
                yield from _leaves(value, f"{name} ", depth + 1)
        elif isinstance(value, list):
            if value and depth < _DEEPEST:
                yield name, clip(joined(map(short, value[:5]), _LONGEST), _LONGEST)
        elif value not in (None, ""):
            yield (f"{within}{name}" if isinstance(value, (int, float)) else name), value


def _inner(item: dict[str, Json], room: int) -> str:
    """Write an object within an object: a person's name, a table of things by their ids, a place, its fields."""
    if is_table(item):
        rows = [
            row if identity(row) or not isinstance(row, dict) else {"id": key, **row}
            for key, row in list(item.items())[:_MOST_ITEMS]
            if isinstance(row, dict)
        ]
        return _objects(rows, len(item), room)
    if person := _person(item):
        return clip(person, room)
    written = [
        _value(leaf, value) if rank(leaf, value) != 1 else _pair(leaf, value, _LONGEST)
        for leaf, value in _leaves(item)
        if rank(leaf, value) < _LAST
    ]
    text = joined([*dict.fromkeys(filter(None, written))], room)
    return text if room >= _LEAST and len(text) > _LEAST else ""


def is_table(item: dict[str, Json]) -> bool:
    """Say whether an object holds several of one kind by their ids: `{"1573035764": {...}, ...}`."""
    rows = list(item.values())[:_MOST_ITEMS]
    return (
        bool(rows)
        and all(isinstance(row, dict) and row for row in rows)
        and (len({frozenset(row) for row in rows if isinstance(row, dict)}) <= 1 + len(rows) // 2)
    )


def _chain(item: list[Json]) -> str:
    """Write a list within a list by its items' names: `HAT110 + HAT172`."""
    named = [_item(each, 2, frozenset()) if isinstance(each, dict) else short(each) for each in item[:5]]
    more = f" +{len(item) - 5}" if len(item) > 5 else ""
    return clip(" + ".join(filter(None, named)) + more, _LONGEST)


def _person(item: Json) -> str:
    """Write a person's name that is given in parts."""
    if isinstance(item, dict):
        parts = [item.get(name) for name in ("first_name", "last_name")]
        parts = parts if any(parts) else [item.get(name) for name in ("firstName", "lastName")]
        if all(isinstance(part, str) and part for part in parts):
            return clip(" ".join(map(str, parts)), _LONGEST)
    return ""


def _named(item: Json) -> str:
    return _person(item) or (item if isinstance(item, str) and item.strip() else "")


def _pair(name: str, item: Json, longest: int) -> str:
    """Write `name value`; a state or a name stands for itself when it is a word; truths by their name."""
    if isinstance(item, bool):
        return _spoken(name) if item else f"not {_spoken(name)}"
    text = clip(scalar(item), longest)
    return f"{_spoken(name)} {text}" if text else ""


def _value(name: str, item: Json) -> str:
    """Write a value without its name, but a truth, which is nothing without."""
    if isinstance(item, bool) or (
        isinstance(item, str) and item.lower() in ("yes", "no", "none", "true", "false")
    ):
        return _pair(name, item, _LONGEST)
    return clip(scalar(item), _LONGEST)


def _spoken(name: str) -> str:
    return clip(name, _LONGEST)


def _snake(name: str) -> str:
    if name.isascii() and name.islower():
        return name.replace(" ", "_").replace("-", "_")
    return "_".join(_WORDS.findall(name)).lower()


def _is_scalar(item: Json) -> bool:
    return isinstance(item, (str, int)) and not isinstance(item, bool)


def _is_bare(item: Json) -> bool:
    return item is None or item in ("", [], {})

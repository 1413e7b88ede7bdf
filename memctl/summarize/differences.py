"""Two results that show one object: what the later says differently, first what matters most."""

from collections.abc import Collection, Iterator
from itertools import islice

import orjson

from memctl.model import Json
from memctl.summarize.objects import identity, object_told, rank, short
from memctl.summarize.wording import LIMIT, clip, joined

_LONGEST = 400_000  # characters of a result that is compared
_MOST_FIELDS = 200
_MOST_ITEMS = 60
_VALUE = 40  # characters of a value before and after
_WORD = 24  # ... of a state that is said in a word
_DEEPEST = 5


def object_in(text: str) -> dict[str, Json] | None:
    """Give the JSON object that a result is, when it says which thing it shows."""
    stripped = text.strip()
    if stripped[:1] != "{" or stripped[-1:] != "}" or len(stripped) > _LONGEST:
        return None
    try:
        value = orjson.loads(stripped)
    except ValueError:
        return None
    return value if isinstance(value, dict) and identity(value) is not None else None


def about(text: str) -> str:
    """Say which thing a result shows ("order #W8665881"); "" when it shows none."""
    value = object_in(text)
    known = identity(value) if value is not None else None
    return known.label if known is not None else ""


def difference(before: str, after: str, room: int = LIMIT) -> str:
    """Say what a later result says differently of the object that both show; "" when they show none.

    `order #W1: status pending → cancelled, payment_history + refund 53.2`; one that is the same is `unchanged`,
    with its state.
    """
    one, other = object_in(before), object_in(after)
    if one is None or other is None:
        return ""
    known, again = identity(one), identity(other)
    if known is None or again is None or (known.noun, known.key) != (again.noun, again.key):
        return ""
    changes = sorted(_changes(one, other, "", 0), key=lambda change: change[0])
    if not changes:
        return clip(f"{object_told(other, room - 11)} (unchanged)", room)
    head = f"{again.label} changed{_still(one, other, again.fields)}: "
    return clip(head + joined([text for _, text in changes], room - len(head)), room)


def _still(one: dict[str, Json], other: dict[str, Json], fields: Collection[str]) -> str:
    """Name the state that has stayed as it was: what one may expect to have changed too."""
    same = [
        f"{name} {item}"
        for name, item in list(other.items())[:_MOST_FIELDS]
        if name not in fields
        and isinstance(item, str)
        and 0 < len(item) <= _WORD
        and rank(name, item) == 0
        and one.get(name) == item
    ]
    return f" (still {same[0]})" if same else ""


def _changes(
    one: dict[str, Json], other: dict[str, Json], within: str, depth: int
) -> Iterator[tuple[int, str]]:
    """Give each field that differs, with its rank, as `name old → new`, `name + added`, `name - gone`."""
    for name in list(dict.fromkeys([*other, *one]))[:_MOST_FIELDS]:
        old, new = one.get(name), other.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict) and depth < _DEEPEST:
            yield from _changes(old, new, name, depth + 1)
        elif isinstance(old, list) or isinstance(new, list):
            yield from _listed(name, _as_list(old), _as_list(new), depth)
        else:
            worth = rank(name, new if new is not None else old)
            yield worth, f"{name or within} {_said(old)} → {_said(new)}"


def _listed(name: str, old: list[Json], new: list[Json], depth: int) -> Iterator[tuple[int, str]]:
    """Give what was added to a list, taken out, and changed in the items that stayed."""
    worth = rank(name, new or old)
    had, has = ({_written(item) for item in items} for items in (old, new))
    if had <= has:
        added = [item for item in new if _written(item) not in had] or new[len(old) :]
        for item in added[:_MOST_ITEMS]:
            yield worth, f"{name} + {short(item)}"
        return
    were, are = _keyed(old, has), _keyed(new, had)
    for key, item in are.items():
        before = were.get(key)
        if key not in were and _written(item) not in had:
            yield worth, f"{name} + {short(item)}"
        elif before != item and isinstance(before, dict) and isinstance(item, dict) and depth < _DEEPEST:
            for inner, text in _changes(before, item, name, depth + 1):
                yield inner, f"{key} {text}"
    for key, item in were.items():
        if key not in are and _written(item) not in has:
            yield worth, f"{name} - {short(item)}"


def _keyed(items: list[Json], kept: Collection[bytes]) -> dict[str, Json]:
    """Give items of a list by what they are, the second of equal ones by its place too.

    kept: what the other list holds, too; of a long list those that it lacks are given besides the first.
    """
    found: dict[str, Json] = {}
    changed = (item for item in items[_MOST_ITEMS:] if _written(item) not in kept)
    for item in (*items[:_MOST_ITEMS], *islice(changed, _MOST_ITEMS)):
        known = identity(item) if isinstance(item, dict) else None
        key = known.label.removeprefix(f"{known.noun} ") if known else short(item)
        found[f"{key} {len(found) + 1}" if key in found else key] = item
    return found


def _written(item: Json) -> bytes:
    return orjson.dumps(item, option=orjson.OPT_SORT_KEYS)


def _as_list(item: Json) -> list[Json]:
    return item if isinstance(item, list) else [] if item is None else [item]


def _said(item: Json) -> str:
    return clip(short(item), _VALUE) if item not in (None, "", [], {}) else "none"

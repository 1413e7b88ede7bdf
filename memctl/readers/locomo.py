"""Read the conversations of LoCoMo: two persons over many sessions, told apart by dates (FORMATS 18)."""

import re
from collections.abc import Iterator, Mapping

from memctl.model import Damage, Event, Image, Json, Message, Part, SessionFacts, Skipped, Text
from memctl.readers.fields import known, mapping, objects, sequence, string
from memctl.readers.source import Source
from memctl.text.numbers import whole

__all__ = ["detect", "read", "spoken_time"]

FORMAT = "locomo"

_SESSION = re.compile(r"session_(\d{1,6})(_date_time)?")
_TIME = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)\s*(?P<half>[ap]m)\s+on\s+"
    r"(?P<day>\d{1,2})\s+(?P<month>[A-Za-z]{3,9}),?\s+(?P<year>\d{4})",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def detect(source: Source) -> bool:
    """Tell a sample by its two speakers, or the bare form by its turns (FORMATS 0, row 19)."""
    heads = objects(source.head())
    return any(_is_sample(head) or bool(_bare(head)) for head in heads)


def read(source: Source) -> Iterator[Event]:
    """Give the events of each session of each sample.

    Both speakers are persons: their turns are a user's, begin with the name, and have the time at which
    their session began. What a picture shows stands behind the words.
    """
    number = 0
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        value = mapping(line.value)
        number += 1
        if _is_sample(value):
            yield from _sample(value, string(value.get("sample_id")), number)
        elif bare := _bare(value):
            for place, turns in enumerate(bare, 1):
                key = f"#{number}.{place}"
                yield SessionFacts(key, None, FORMAT, facts=_facts(turns, None, None))
                yield from _turns(key, turns, None)
        else:
            yield Skipped("no conversation")


def spoken_time(text: Json) -> str | None:
    """Read "1:56 pm on 8 May, 2023" as ISO 8601."""
    match = _TIME.search(text) if isinstance(text, str) else None
    month = match["month"][:3].lower() if match else ""
    if match is None or month not in _MONTHS:
        return None
    hour = whole(match["hour"]) % 12 + (12 if match["half"].lower() == "pm" else 0)
    day = f"{match['year']}-{_MONTHS.index(month) + 1:02}-{whole(match['day']):02}"
    return f"{day}T{hour:02}:{match['minute']}:00"


def _is_sample(value: Mapping[str, Json]) -> bool:
    conversation = mapping(value.get("conversation"))
    return "speaker_a" in conversation and any(map(_SESSION.fullmatch, conversation))


def _bare(value: Mapping[str, Json]) -> list[list[Json]]:
    """Give the conversations of the form that has nothing but numbered lists of turns."""
    found = [sequence(mapping(one).get("conversation")) for one in value.values()]
    spoken = [turns for turns in found if turns and {"speaker", "text"} <= mapping(turns[0]).keys()]
    return spoken if spoken and len(spoken) == len(value) else []


def _sample(value: Mapping[str, Json], sample: str | None, number: int) -> Iterator[Event]:
    conversation = mapping(value.get("conversation"))
    numbers = {whole(match[1]) for name in conversation if (match := _SESSION.fullmatch(name))}
    speakers = [name for key in ("speaker_a", "speaker_b") if (name := string(conversation.get(key)))]
    for session in sorted(numbers):
        name = f"session_{session}"
        turns, when = sequence(conversation.get(name)), spoken_time(conversation.get(f"{name}_date_time"))
        if not turns:
            yield Skipped("a session without turns")
            continue
        key = f"{sample or f'#{number}'}_{name}"
        title = f"{' and '.join(speakers)}, session {session}"
        yield SessionFacts(key, key if sample else None, FORMAT, facts=_facts(turns, when, title))
        yield from _turns(key, turns, when)


def _facts(turns: list[Json], when: str | None, title: str | None) -> Mapping[str, str]:
    return known(title=title, started=when or spoken_time(mapping(turns[0]).get("timestamp")))


def _turns(key: str, turns: list[Json], when: str | None) -> Iterator[Event]:
    names: set[str] = set()
    for turn in map(mapping, turns):
        speaker, words = string(turn.get("speaker")), string(turn.get("text"))
        parts: list[Part] = []
        if words:
            parts.append(Text(f"{speaker}: {words}" if speaker else words))
        urls = turn.get("img_url")
        urls = urls if isinstance(urls, list) else [urls]
        parts += [Image("", url=url) for url in urls if isinstance(url, str) and url]
        caption = string(turn.get("blip_caption"))
        parts += [Text(f"[picture: {caption}]")] if caption else []
        if not parts:
            yield Skipped("empty turn", key)
            continue
        name = string(turn.get("dia_id"))
        name = None if name in names else name
        if name:
            names.add(name)
        yield Message(key, name, "user", tuple(parts), when or spoken_time(turn.get("timestamp")))

"""Cut a session into scenes: a new one begins where the talk turns to something else (DESIGN 5, L1)."""

import re
from datetime import datetime, timedelta

from memctl.canvas.goals import goal_of
from memctl.canvas.phrases import RESUME, SWITCH, plain_words
from memctl.layers.likeness import overlap, words
from memctl.text.names import normal_time
from memctl.text.widths import one_line, printable

_PAUSE = timedelta(hours=3)  # a longer silence begins another scene
_TELLING = 4  # content words that make a message name a topic
_POLITE = re.compile(
    r"(?:hi|hello|hey|thanks?|thank you|i hope|hope|good (?:morning|day)|great|你好|您好|谢谢)\b"
)
_NAME = 60  # characters of a scene's name


class Scenery:
    """Names the scene that each message of a session belongs to.

    Names are made of sentences that claim nothing, so that a name never holds what an atom says.
    """

    def __init__(self) -> None:
        self._name = ""
        self._words: set[str] = set()
        self._last: datetime | None = None

    def hear(self, topic: list[str], time: str | None) -> str:
        """Take the sentences of the next message that are no claims; give the name of its scene."""
        text = " ".join(topic)
        found = words(text)
        moment = _moment(time)
        turned = SWITCH.search(plain_words(text)) or RESUME.search(plain_words(text))
        late = moment is not None and self._last is not None and moment - self._last > _PAUSE
        strange = len(found) >= 2 * _TELLING and overlap(found, self._words) == 0
        if len(found) >= _TELLING and (not self._name or turned or late or strange):
            telling = [one for one in topic if len(words(one)) >= _TELLING and not _POLITE.match(one.lower())]
            self._name = one_line(printable(goal_of((telling or topic)[0])), _NAME)
            self._words = set()
        self._words.update(found)
        self._last = moment or self._last
        return self._name


def _moment(time: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(normal_time(time)[0]) if time else None
    except ValueError:
        return None

"""What the result of a tool call is summed up to."""

from dataclasses import dataclass
from typing import Literal

from memctl.model.calls import CallStatus


@dataclass(frozen=True, slots=True)
class Summary:
    """What one tool call came to.

    kind: one of `KINDS`. target: what it was about, for a title ("auth.py", "pytest -q", an address).
    text: at most 200 characters; what was found, changed or broke.
    score: 0 to 10, how well the text stands in for the result. A result that is fully said by its
        summary (an edit that worked, an empty listing) is 9 to 10; a long text of which one line is
        quoted is 2 to 4; nothing but the size is 0.
    turned: "red" or "green" when the result is a verdict (tests, build, lint), else "".
    about: the thing that the result of a domain tool shows ("order #W8665881"), else "".
    """

    kind: str
    target: str
    status: CallStatus
    text: str
    score: int
    turned: Literal["red", "green", ""] = ""
    about: str = ""

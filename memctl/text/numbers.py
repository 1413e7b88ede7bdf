"""Numbers: whole ones out of digits that somebody else wrote (DESIGN 10), and in words what is counted."""

LARGEST = 10**15 - 1  # what a count comes to at most: every reader of JSON holds it exactly
_DIGITS = 15


def whole(digits: str | None) -> int:
    """Read decimal digits of any script, with a `-` or `+` before them; 0 for None and for "".

    What is larger than `LARGEST` is `LARGEST`: Python reads no more than 4,300 digits, and slowly before that.
    Raises ValueError for what are no digits.
    """
    if not digits or len(digits) <= _DIGITS:
        return int(digits or 0)
    sign = -1 if digits[0] == "-" else 1
    run = digits[digits[0] in "+-" :]
    if not run.isdecimal():
        raise ValueError(f"not a whole number:  {run[:20]!r}")
    at = next((at for at, digit in enumerate(run) if int(digit)), len(run))  # of 00...01 the 1 counts
    return sign * (LARGEST if len(run) - at > _DIGITS else int(run[at:] or 0))


def plural(number: int, noun: str, several: str = "") -> str:
    """Give a noun as a number takes it; *several* where more than one is not the noun with an `s`."""
    return noun if number == 1 else several or f"{noun}s"


def how_many(number: int, noun: str, several: str = "") -> str:
    """Write a counted noun: `1 file`, `1,200 files`, `2 matches` (with *several*)."""
    return f"{number:,} {plural(number, noun, several)}"

"""Regular expressions that are compiled when first used.

There are two hundred here, of which a command uses few: to compile all would cost each start 0.2 s.
"""

import re
from typing import Any, cast


class _Late:
    """Stands for a compiled pattern: takes over each of its methods when that is first asked for."""

    def __init__(self, source: str, flags: re.RegexFlag) -> None:
        self._written = source, flags

    def __getattr__(self, name: str) -> Any:  # any attribute of re.Pattern
        if name.startswith("_"):  # copying and pickling look for hooks
            raise AttributeError(name)
        found = getattr(re.compile(*self._written), name)  # re keeps the last 512
        setattr(self, name, found)
        return found


def regex(source: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Write a pattern as with `re.compile`, to be compiled when it is first used."""
    return cast("re.Pattern[str]", _Late(source, flags))

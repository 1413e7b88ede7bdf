"""Where the memory directory is (DESIGN 2); hooks and the Tab key look for it too, so nothing but `os` is loaded."""

import os

ENVIRONMENT = "MEMCTL_DIR"
SETTINGS = "memctl.yaml"  # the file that makes a folder one
DEFAULT = "memory"


def find(given: str | None, here: str = "") -> str:
    """Name the memory directory: *given* (-C), $MEMCTL_DIR, the nearest memctl.yaml upwards, ./memory.

    here: the folder to look from; what is found is relative to the current one when that is meant. There need be
    no directory where the answer points.
    """
    if named := given or os.environ.get(ENVIRONMENT):
        return named
    start = folder = os.path.abspath(here)
    found = os.path.join(start, DEFAULT)
    while True:
        if os.path.isfile(os.path.join(folder, SETTINGS)):
            found = folder
            break
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return found if here else os.path.relpath(found, start)

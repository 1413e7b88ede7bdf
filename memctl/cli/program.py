"""Where this program is, for settings from which others start it, perhaps with another PATH."""

import os
import shutil
import sys


def path() -> str:
    """Give the full path of memctl; its bare name when it runs as no program of its own (`python -m`)."""
    if found := shutil.which("memctl"):
        return os.path.abspath(found)
    ours = os.path.basename(sys.argv[0]).startswith("memctl")
    return os.path.abspath(sys.argv[0]) if ours else "memctl"

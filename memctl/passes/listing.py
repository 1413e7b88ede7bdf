"""A listing of the derived files: one look tells whether anything changed since the last pass."""

import hashlib
import os

from memctl import files
from memctl.store import Store


def fingerprint(store: Store) -> str:
    """Describe the entries, canvases and tasks of a directory: a hash of their names, sizes and times.

    "" when there are none, as before the first pass.
    """
    found = []
    places = ((store.root, ".jsonl"), (store.folder("mmds"), ".mmd"), (store.folder("tasks"), ".yaml"))
    for folder, ending in places:
        if folder.is_dir():
            with os.scandir(folder) as listed:
                for entry in listed:
                    if entry.name.endswith(ending):
                        status = entry.stat(follow_symlinks=False)
                        found.append((entry.name, status.st_size, status.st_mtime_ns))
    if not found:
        return ""
    return hashlib.sha256(files.encode(sorted(found))).hexdigest()

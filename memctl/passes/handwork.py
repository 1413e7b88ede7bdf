"""Handwork: what persons did to the files of canvases, by a renaming or a merge, before any is drawn again."""

from pathlib import Path

from memctl import files
from memctl.canvas.header import read_header
from memctl.canvas.mmd import parse_canvas
from memctl.passes import canvases
from memctl.store import Store, entries, number_of


def settle(store: Store) -> list[str]:
    """Take what persons did to canvas files for theirs, before any is drawn again; give sessions to be drawn."""
    _name_again(store)
    return [session for session in _settle_conflicts(store) if store.conversation(session).is_file()]


def _name_again(store: Store) -> None:
    """Give canvases that a person renamed the names again by which the entries know them."""
    there = {path.name: path for path in store.canvases()}
    owners = {
        name: entries.session_of(path)
        for path in store.offloads()
        for name in entries.canvas_names(path, own=True)
    }
    missing = sorted(name for name in owners if name not in there)
    strays = {}
    for path in (path for name, path in there.items() if missing and name not in owners):
        data = b"" if path.is_symlink() else files.read_bytes(path)
        canvas = parse_canvas(data.decode("utf-8", "replace"))[0]  # its number is that of its nodes
        if canvas is not None:
            strays[path] = canvas.session, canvas.number, canvases.by_others(canvas, data)
    for name in missing:
        whose = owners[name], number_of(Path(name))
        fits = [path for path, found in strays.items() if found[:2] == whose]
        if fits:
            taken = max(fits, key=lambda path: (strays[path][2], path.name))
            del strays[taken]
            files.install(taken, store.canvas(name))


def _settle_conflicts(store: Store) -> list[str]:
    """Settle canvases that were committed with conflict markers; give their sessions, to be drawn again.

    What memctl did not write is kept as versions. Where only the steps clash, nobody but persons has written since
    the canvas was one, and one of their sides goes on; else the header clashes, and memctl's own side does.
    """
    batch = store.batch()
    settled = []
    for path in store.canvases():
        data = b"" if path.is_symlink() else files.read_bytes(path)
        if b"<<<<<<< " not in data or b">>>>>>> " not in data:
            continue
        read = [(side, parse_canvas(_decoded(side), number_of(path))[0]) for side in _sides(data)]
        sides = [(canvas.upto, side, canvas) for side, canvas in read if canvas is not None]
        hands = [one for one in sides if canvases.by_others(one[2], one[1])]
        for side in [side for side, canvas in read if canvas is None] + [side for _, side, _ in hands]:
            canvases.keep_version(store, batch, path.name, side)
        by_hand = bool(hands) and read_header(_decoded(data))[0].session != ""
        left = hands if by_hand else [one for one in sides if one not in hands]
        if left:
            batch.write(path, [max(left, key=lambda one: one[:2])[1]])
        batch.commit()
        if not left:
            files.remove(path)
        settled += [canvas.session for _, _, canvas in sides if canvas.session]
    return settled


def _sides(data: bytes) -> list[bytes]:
    """Give both sides of a text with conflict markers, in the order of their bytes."""
    sides: tuple[list[bytes], list[bytes]] = ([], [])
    among: tuple[int, ...] = (0, 1)  # the sides that the next line belongs to
    for line in data.split(b"\n"):
        if line.startswith(b"<<<<<<< "):
            among = (0,)
        elif line.startswith(b"||||||| "):
            among = ()
        elif line.rstrip() == b"=======" and among != (0, 1):
            among = (1,)
        elif line.startswith(b">>>>>>> "):
            among = (0, 1)
        else:
            for side in among:
                sides[side].append(line)
    return sorted({b"\n".join(side) for side in sides})


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")

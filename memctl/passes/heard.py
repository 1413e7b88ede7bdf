"""Which conversations the extract pass has heard, and what L2 and L3 were made of."""

from collections.abc import Collection

from memctl import files
from memctl.layers import RULES
from memctl.store import Store

_NAME = "extracted.json"


class Cursor:
    """Remembers what was read, by content; losing it costs time and nothing else."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._path = store.private_of_scope(_NAME)
        self.sessions: dict[str, str] = {}
        self.layers = ""
        self.atoms = 0
        self._before: object = None
        if self._path.is_file():
            try:
                known = files.decode(files.read_bytes(self._path))
            except ValueError:
                return
            self._before = known
            if (
                isinstance(known, dict)
                and known.get("rules") == RULES
                and isinstance(known.get("sessions"), dict)
            ):
                self.sessions = known["sessions"] if store.shards() else {}
                self.layers = str(known.get("layers"))
                atoms = known.get("atoms")
                self.atoms = atoms if isinstance(atoms, int) else 0

    def save(self) -> None:
        """Write what was read, unless it was known."""
        now = {
            "rules": RULES,
            "sessions": dict(sorted(self.sessions.items())),
            "layers": self.layers,
            "atoms": self.atoms,
        }
        if now != self._before:
            files.write_atomic(self._store.home, self._path, [files.encode(now)])

    @property
    def again(self) -> list[str]:
        """The conversations, by file name, that a clearing wants heard again."""
        return sorted(name for name, digest in self.sessions.items() if not digest)

    def unhear(self, gone: Collection[str], again: Collection[str]) -> None:
        """Forget conversations, by file name, and have others read again; and L2 and L3 written again."""
        self.sessions = {name: digest for name, digest in self.sessions.items() if name not in gone}
        self.sessions |= dict.fromkeys(again, "")
        self.layers = ""
        if self._before is not None:
            self.save()

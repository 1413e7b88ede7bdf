"""Plans: what a pass is about to do to several files is kept in .memctl/plan until it is done (DESIGN 10)."""

from pathlib import Path

from memctl import files
from memctl.errors import DamagedError
from memctl.model import Json
from memctl.store import Store


def read(store: Store) -> dict[str, Json] | None:
    """Give the plan that a killed pass left of this scope; None when there is none that can be read.

    Raises DamagedError for one of which it cannot be told whether it is this scope's.
    """
    path = path_of(store)
    _refuse_former(store)
    if not path.is_file():
        return None
    try:
        plan = files.decode(files.read_bytes(path))
    except ValueError:
        return None
    return plan if isinstance(plan, dict) else None


def write(store: Store, plan: dict[str, Json]) -> None:
    """Write a plan before the first of its steps."""
    files.write_atomic(store.home, path_of(store), [files.encode(plan)])


def done(store: Store) -> None:
    """Drop the plan after the last of its steps."""
    files.remove(path_of(store))


def _refuse_former(store: Store) -> None:
    """Refuse a plan under the name that plans had once, which two scopes could share: a-b/c and a/b-c."""
    former = store.private(f"plan-{store.scope_path.replace('/', '-')}")
    if store.scope_path != "." and former.is_file():
        raise DamagedError(
            f"{former} is the plan of an interrupted run of an older memctl, maybe of another scope; "
            "run that command again with the older memctl, or delete the file"
        )


def path_of(store: Store) -> Path:
    """Name the plan's file; each scope has its own."""
    return store.private_of_scope("plan")

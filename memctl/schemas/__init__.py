"""The contract of `--format json`: a JSON Schema per kind of document, shipped with the package.

A later version adds fields and kinds; what is required here stays while `schema_version` does.
"""

import json
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.model import Json


def kinds() -> list[str]:
    """List the kinds of documents."""
    names = (path.name for path in files(__name__).iterdir())
    return sorted(name.removesuffix(".json") for name in names if name.endswith(".json"))


def schema(kind: str) -> "Json":
    """Give the schema of a kind. Raises FileNotFoundError for an unknown one."""
    return json.loads(files(__name__).joinpath(f"{kind}.json").read_text("utf-8"))

"""Put the man pages where `man` looks for them: share/man of the environment a wheel is installed into."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManPages(BuildHookInterface[Any]):
    """List every page under man/ as shared data, by its section."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatch's signature
        """Add the pages to a wheel."""
        shared = build_data.setdefault("shared_data", {})
        for page in sorted(Path(self.root, "man").glob("*.[157]")):
            shared[str(page)] = f"share/man/man{page.suffix[1:]}/{page.name}"

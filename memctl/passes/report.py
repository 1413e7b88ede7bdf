"""The result of an ingest: one row per source, and the sessions and canvases it touched."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a run over unchanged files makes none of these
    from memctl.model import Damage

Bug = tuple[str, str]  # the name of an exception that nobody foresaw, and its traceback


@dataclass
class Row:
    """What one source came to.

    outcome: taken, unchanged, skipped (no transcript, or cleared) or failed; reason: why, for people.
    left_out: sessions of it that were cleared. bug: what nobody foresaw.
    """

    path: str
    named: bool
    format: str = ""
    outcome: str = "taken"
    reason: str = ""
    sessions: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    new: int = 0
    left_out: int = 0
    damages: "list[Damage]" = field(default_factory=list)
    bug: Bug | None = None

    def met(self, error: Exception, doing: str) -> None:
        """Let the source fail for an exception that nobody foresaw."""
        self.outcome, self.bug = "failed", traced(error)
        self.reason = f"{self.path}: unexpected {type(error).__name__} while {doing}"

    @property
    def is_empty(self) -> bool:
        """Tell whether the source gave nothing that can be used."""
        return self.outcome in ("skipped", "failed") or (self.outcome == "taken" and self.sessions == 0)


def traced(error: Exception) -> Bug:
    """Write down an exception that nobody foresaw."""
    import traceback

    return type(error).__name__, "".join(traceback.format_exception(error))


@dataclass
class Report:
    """What an ingest did: a row a source, the sessions that changed and the canvases they have.

    healed: sessions whose derived files were put right (`heal`). new: messages, calls and their statuses
    that the directory did not have. bugs: what nobody foresaw; a source or session that met one
    failed alone, and whoever asked for the ingest ends in a bug (70) when all else is done.
    """

    rows: list[Row] = field(default_factory=list)
    sessions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    healed: list[str] = field(default_factory=list)
    new: Counter[str] = field(default_factory=Counter)
    bugs: list[Bug] = field(default_factory=list)

    def total(self, name: str) -> int:
        """Add up one count over all sources."""
        return sum(row.counts[name] for row in self.rows)

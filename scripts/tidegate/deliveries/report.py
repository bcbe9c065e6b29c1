"""What `land` did, file by file, and what readers of `landing` see afterwards."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from tidegate.deliveries.vocabulary import HaltedIn, RunStatus


@dataclass(frozen=True)
class Change:
    """One schema change as it was decided; names only, never values."""

    kind: str
    field: str
    reason: str
    classification: str
    disposition: str
    resolution: str
    drift_id: int | None = None


@dataclass(frozen=True)
class FileOutcome:
    """How one file ended; `error` is set instead of `status` where it never became a run."""

    file: str
    dataset: str | None = None
    status: RunStatus | None = None
    halted_in: HaltedIn | None = None
    reason: str | None = None
    detail: str = ""
    delivery_id: int | None = None
    run_id: int | None = None
    read: int | None = None
    accepted: int | None = None
    quarantined: int | None = None
    quarantine_reasons: dict[str, int] = field(default_factory=dict)
    drift: tuple[Change, ...] = ()
    warnings: tuple[str, ...] = ()
    reference: str | None = None
    superseded_by: int | None = None
    error: str | None = None
    exit_code: int = 0

    def document(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {
            **asdict(self),
            "status": self.status.value if self.status else None,
            "halted_in": self.halted_in.value if self.halted_in else None,
        }


@dataclass(frozen=True)
class DatasetState:
    """What readers of `landing.<dataset>` see."""

    dataset: str
    rows: int
    latest_delivery: int | None
    parked: int
    held: int
    hidden: int = 0
    """Rows accepted under an older contract that the present one's types cannot show."""


@dataclass(frozen=True)
class LandingReport:
    """The whole of one `land`."""

    files: tuple[FileOutcome, ...]
    state: tuple[DatasetState, ...]
    complete: bool = True
    """Whether the command came to its end; else `files` are those that had ended before."""

    @property
    def exit_code(self) -> int:
        """Design §8: 2 where something could not be done, 1 where something is held, else 0."""
        codes = {outcome.exit_code for outcome in self.files}
        return 2 if 2 in codes or not self.complete else max(codes, default=0)

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "files": [outcome.document() for outcome in self.files],
            "state": [asdict(state) for state in self.state],
            "complete": self.complete,
            "exit_code": self.exit_code,
        }

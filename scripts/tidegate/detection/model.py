"""What detectors read and what they say: facts of runs, and findings. Counts, never values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from tidegate.contracts.detection_keys import Detection
from tidegate.detection.vocabulary import Detector, Outcome, Severity


@dataclass(frozen=True)
class ColumnFacts:
    """What was observed of one column: its inferred type, `values` non-null ones and `nulls`.

    `confidence` is the share (0 to 1) of the values that support the type.
    """

    name: str
    type: str
    confidence: float
    values: int
    nulls: int


@dataclass(frozen=True)
class RunFacts:
    """One run as detectors see it.

    `repeated` of `compared` accepted records repeat another one; None where no rows were accepted.
    `members` are records by member of the dimension. `expected` are the detectors and fields of
    this run's anomalies that somebody acknowledged as expected.
    """

    run_id: int
    received_at: datetime
    read: int
    quarantined: int
    columns: tuple[ColumnFacts, ...] = ()
    repeated: int | None = None
    compared: int | None = None
    members: Mapping[str, int] | None = None
    expected: frozenset[tuple[Detector, str]] = frozenset()

    def day(self, keys: Detection) -> date:
        """The day of the delivery, where the dataset's clock stands."""
        return self.received_at.astimezone(ZoneInfo(keys.timezone)).date()


@dataclass(frozen=True)
class History:
    """Strictly earlier, comparable runs of one dataset, oldest first, and what is declared.

    Comparable are accepted deliveries of the same dataset that nobody called an incident.
    """

    runs: Sequence[RunFacts]
    keys: Detection = field(default_factory=Detection)


@dataclass(frozen=True)
class Finding:
    """What one detector says about one subject: the delivery, a column or a member.

    `observed` is a number of records (volume) or a share from 0 to 1; `expected` is what the
    `baseline` compared runs let expect, `low` to `high` what still is normal.
    """

    detector: Detector
    outcome: Outcome
    subject: str = ""
    severity: Severity | None = None
    observed: float | None = None
    expected: float | None = None
    low: float | None = None
    high: float | None = None
    baseline: int = 0
    detail: str = ""

    @property
    def anomalous(self) -> bool:
        """Whether this raises an event."""
        return self.outcome is Outcome.ANOMALOUS

    def document(self) -> dict[str, Any]:
        """The numbers as JSON."""
        return {
            "subject": self.subject,
            "severity": self.severity.value if self.severity else None,
            "observed": self.observed,
            "expected": self.expected,
            "low": self.low,
            "high": self.high,
            "baseline": self.baseline,
            "detail": self.detail,
        }


def insufficient(detector: Detector, have: int, need: int, subject: str = "") -> Finding:
    """Too few comparable runs; the detail says how many there are."""
    return Finding(
        detector,
        Outcome.INSUFFICIENT_HISTORY,
        subject,
        baseline=have,
        detail=f"{have} comparable runs, {need} are needed.",
    )

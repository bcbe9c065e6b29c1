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

    @property
    def sentence(self) -> str:
        """The finding for a person."""
        return sentence(
            self.detector, self.subject, self.observed, self.low, self.high, self.detail
        )

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


_MEASURES = {
    Detector.COMPLETENESS: "are null",
    Detector.QUARANTINE: "are quarantined",
    Detector.CONFIDENCE: "do not fit the type",
    Detector.REPETITION: "repeat another record",
}


def sentence(
    detector: Detector,
    subject: str,
    observed: float | None,
    low: float | None,
    high: float | None,
    detail: str,
) -> str:
    """What was observed and what is normal, such as `volume: 80 records, normal is 172 to 234`."""
    what = f"{detector.value} of {subject}" if subject else detector.value
    if observed is None or low is None or high is None:
        return f"{what}: {detail}"
    if detector is Detector.VOLUME:
        return f"{what}: {observed:.0f} records, normal is {low:.0f} to {high:.0f}"
    return f"{what}: {observed:.1%} {_MEASURES[detector]}, normal is at most {high:.1%}"


def insufficient(detector: Detector, have: int, need: int, subject: str = "") -> Finding:
    """Too few comparable runs; the detail says how many there are."""
    return Finding(
        detector,
        Outcome.INSUFFICIENT_HISTORY,
        subject,
        baseline=have,
        detail=f"{have} comparable runs, {need} are needed.",
    )

"""Writing what detectors said: an outcome for each detector, an event and a review item for each
anomaly. What was recorded for a run is never recorded again, whatever is retried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tidegate.connection import Connection
from tidegate.detection.model import Finding
from tidegate.detection.vocabulary import OF_A_RUN, Detector, Outcome
from tidegate.ledger import review

_MOST_TELLING = (
    Outcome.ANOMALOUS,
    Outcome.ERROR,
    Outcome.NORMAL,
    Outcome.INSUFFICIENT_HISTORY,
    Outcome.EXCLUDED,
    Outcome.NOT_MEASURED,
)
"""What a detector's outcome is where its subjects have several: the first of these."""


@dataclass(frozen=True)
class JudgedRun:
    """The run that findings are about, as it is kept beside them."""

    run_id: int
    delivery_id: int
    dataset: str
    schema_version_id: int | None
    rows_read: int | None
    rows_accepted: int | None
    rows_quarantined: int | None


def record(conn: Connection, run: JudgedRun, findings: Sequence[Finding]) -> None:
    """Write everything about one run inside the caller's transaction."""
    for detector in OF_A_RUN:
        _detection(conn, run, detector, [one for one in findings if one.detector is detector])
    for finding in findings:
        if finding.anomalous:
            _anomaly(conn, run, finding)


def _detection(
    conn: Connection, run: JudgedRun, detector: Detector, findings: Sequence[Finding]
) -> None:
    told = min(findings, key=lambda one: _MOST_TELLING.index(one.outcome), default=None)
    if told is None:
        told = Finding(detector, Outcome.ERROR, detail="The detector said nothing.")
    conn.execute(
        "insert into governance.detections"
        " (run_id, dataset, detector, outcome, subjects, anomalies, baseline, detail)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s)",
        [
            run.run_id,
            run.dataset,
            detector.value,
            told.outcome.value,
            len(findings),
            sum(one.anomalous for one in findings),
            told.baseline,
            told.detail,
        ],
    )


def _anomaly(conn: Connection, run: JudgedRun, finding: Finding) -> None:
    source = f"delivery:{run.delivery_id}"
    review_id = open_review(conn, run.dataset, finding, source)
    conn.execute(
        "insert into governance.anomalies (dataset, detector, subject, severity, run_id,"
        " delivery_id, observed, expected, low, high, baseline, detail, schema_version_id,"
        " rows_read, rows_accepted, rows_quarantined, review_id)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            run.dataset,
            finding.detector.value,
            finding.subject,
            finding.severity.value if finding.severity else None,
            run.run_id,
            run.delivery_id,
            finding.observed,
            finding.expected,
            finding.low,
            finding.high,
            finding.baseline,
            finding.detail,
            run.schema_version_id,
            run.rows_read,
            run.rows_accepted,
            run.rows_quarantined,
            review_id,
        ],
    )


def open_review(conn: Connection, dataset: str, finding: Finding, source: str) -> int:
    """The review item of an anomaly, one for each detector and subject."""
    check_id = ".".join(filter(None, ("anomaly", finding.detector.value, finding.subject)))
    return review.open_item(
        conn, review.ReviewKind.ANOMALY, dataset, check_id, source, finding.document()
    )


def errors(detail: str) -> Iterable[Finding]:
    """Every detector failed alike."""
    return (Finding(detector, Outcome.ERROR, detail=detail) for detector in OF_A_RUN)

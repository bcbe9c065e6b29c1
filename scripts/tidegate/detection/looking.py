"""Anomalies as an operator reads them, and what an operator answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from psycopg.rows import class_row, dict_row

from tidegate.connection import Connection
from tidegate.detection.model import sentence
from tidegate.detection.vocabulary import Assessment, Detector, Severity
from tidegate.errors import UsageError
from tidegate.ledger import audit, review


@dataclass(frozen=True)
class Anomaly:
    """One event with the run that it is attributed to, or with the day that passed."""

    anomaly_id: int
    dataset: str
    detector: str
    subject: str
    severity: str
    run_id: int | None
    delivery_id: int | None
    expected_day: date | None
    observed: float | None
    expected: float | None
    low: float | None
    high: float | None
    baseline: int
    detail: str
    schema_version_id: int | None
    rows_read: int | None
    rows_accepted: int | None
    rows_quarantined: int | None
    review_id: int
    raised_at: datetime
    is_open: bool
    assessment: str | None
    assessed_by: str | None
    assessment_reason: str | None
    assessed_at: datetime | None

    @property
    def sentence(self) -> str:
        """What was observed and what is normal."""
        if self.expected_day:
            return self.detail
        detector = Detector(self.detector)
        return sentence(detector, self.subject, self.observed, self.low, self.high, self.detail)


_SELECT = (
    "select anomaly_id, dataset, detector, subject, severity, run_id, delivery_id, expected_day,"
    " observed, expected, low, high, baseline, detail, schema_version_id, rows_read,"
    " rows_accepted, rows_quarantined, review_id, raised_at, is_open, assessment, assessed_by,"
    " assessment_reason, assessed_at from governance.anomaly_index"
)


def listed(
    conn: Connection,
    *,
    dataset: str | None = None,
    everything: bool = False,
    least: Severity = Severity.LOW,
    limit: int = 100,
) -> list[Anomaly]:
    """The most severe first, the newest first among equals; open ones unless `everything`."""
    with conn.cursor(row_factory=class_row(Anomaly)) as cursor:
        return cursor.execute(
            _SELECT + " where (%(dataset)s::text is null or dataset = %(dataset)s)"
            " and (%(everything)s or is_open) and severity_rank >= %(least)s"
            " order by severity_rank desc, anomaly_id desc limit %(limit)s",
            {"dataset": dataset, "everything": everything, "least": least.rank, "limit": limit},
        ).fetchall()


def entry(conn: Connection, anomaly_id: int) -> Anomaly:
    """One anomaly; UsageError where there is none of that number."""
    with conn.cursor(row_factory=class_row(Anomaly)) as cursor:
        found = cursor.execute(_SELECT + " where anomaly_id = %s", [anomaly_id]).fetchone()
    if found is None:
        raise UsageError(
            f"There is no anomaly {anomaly_id}.", remedy="See `tidegate anomalies list --all`."
        )
    return found


def detections(conn: Connection, run_id: int) -> list[dict[str, Any]]:
    """What every detector said about a run."""
    with conn.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(
            "select detector, outcome, subjects, anomalies, baseline, detail"
            " from governance.detections where run_id = %s order by detector",
            [run_id],
        ).fetchall()


def quarantined(conn: Connection, run_id: int) -> list[dict[str, Any]]:
    """The run's quarantine by reason and field: counts, never values."""
    with conn.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(
            "select reason, field, count(*) as records from governance.quarantine_index"
            " where run_id = %s group by reason, field order by records desc, reason, field",
            [run_id],
        ).fetchall()


def assess(
    conn: Connection,
    anomaly_ids: Sequence[int],
    assessment: Assessment,
    *,
    by: str,
    reason: str,
) -> None:
    """Record what was found out, and close the review items; all of them or none.

    Runs inside the caller's transaction. An incident leaves its run out of later baselines; what is
    expected is not raised again. A later assessment replaces an earlier one, which is kept.
    """
    if not by.strip() or not reason.strip():
        raise UsageError(
            "An acknowledgement needs who and why.", remedy="Give --by and --reason, not empty."
        )
    for anomaly_id in dict.fromkeys(anomaly_ids):
        anomaly = entry(conn, anomaly_id)
        conn.execute(
            "insert into governance.anomaly_assessments"
            " (anomaly_id, assessment, assessed_by, reason) values (%s, %s, %s, %s)",
            [anomaly_id, assessment.value, by.strip(), reason.strip()],
        )
        audit.record(
            conn,
            "anomaly.assessed",
            anomaly.dataset,
            by.strip(),
            {"anomaly_id": anomaly_id, "assessment": assessment.value, "reason": reason.strip()},
        )
        if _waits(conn, anomaly.review_id):
            review.acknowledge(conn, anomaly.review_id, by=by, reason=reason)


def _waits(conn: Connection, review_id: int) -> bool:
    row = conn.execute(
        "select state = 'open' from governance.review_items where review_id = %s for update",
        [review_id],
    ).fetchone()
    return bool(row and row[0])

"""Deliveries that did not come: raised for a day of the declared calendar, not for a run."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from tidegate.connection import Connection
from tidegate.contracts.detection_keys import Detection
from tidegate.contracts.model import DatasetContract
from tidegate.detection.calendar import REACH, is_expected, missing_days
from tidegate.detection.model import Finding
from tidegate.detection.record import open_review
from tidegate.detection.vocabulary import Detector, Outcome, Severity

_CAME = """
select (started_at at time zone %(zone)s)::date
from governance.runs
where dataset = %(dataset)s and origin = 'delivery' and started_at >= %(since)s
union
select min(started_at at time zone %(zone)s)::date
from governance.runs
where dataset = %(dataset)s and origin = 'delivery'
having count(*) > 0
"""
_INSERT = """
insert into governance.anomalies
    (dataset, detector, severity, expected_day, baseline, detail, review_id)
values (%s, %s, %s, %s, 0, %s, %s)
on conflict (dataset, expected_day) where detector = 'missing_delivery' do nothing
"""


def raise_missing(
    conn: Connection, contract: DatasetContract, now: datetime | None = None
) -> tuple[date, ...]:
    """Raise an anomaly for every expected day that passed without a delivery; return the new ones.

    What was raised before is not raised again. `now` is the time of the call by default.
    """
    keys = contract.keys.detection
    if not keys.expected_on:
        return ()
    now = now or datetime.now(timezone.utc)
    asked = {
        "zone": keys.timezone,
        "dataset": contract.name,
        "since": now - timedelta(days=REACH + 2),
    }
    came = [row[0] for row in conn.execute(_CAME, asked)]
    days = missing_days(keys, came, now.astimezone(ZoneInfo(keys.timezone)).date())
    known = {
        row[0]
        for row in conn.execute(
            "select expected_day from governance.anomalies"
            " where dataset = %s and expected_day = any(%s)",
            [contract.name, list(days)],
        )
    }
    new = tuple(day for day in days if day not in known)
    for day in new:
        with conn.transaction():
            _raise(conn, contract.name, _finding(keys, day, days), day)
    return new


def _finding(keys: Detection, day: date, missing: tuple[date, ...]) -> Finding:
    """One missing day is high; the second expected day in a row is critical."""
    before = (day - timedelta(days=step) for step in range(1, REACH))
    last_expected = next((one for one in before if is_expected(keys, one)), None)
    again = last_expected in missing
    return Finding(
        Detector.MISSING_DELIVERY,
        Outcome.ANOMALOUS,
        severity=Severity.CRITICAL if again else Severity.HIGH,
        detail=f"A delivery was expected on {day:%A}, {day}; none came that day.",
    )


def _raise(conn: Connection, dataset: str, finding: Finding, day: date) -> None:
    review_id = open_review(conn, dataset, finding, f"expected:{day}")
    severity = finding.severity.value if finding.severity else None
    conn.execute(
        _INSERT, [dataset, finding.detector.value, severity, day, finding.detail, review_id]
    )

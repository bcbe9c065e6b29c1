"""Review items: a warning blocks nothing and is never lost; somebody acknowledges it.

The same warning (kind, subject, check) seen again while its item is open is one more sighting of
that item. After it was acknowledged, the next run that sees the warning opens a new item; the run
that was acknowledged does not, however often it is retried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import approvals, audit


class ReviewKind(str, Enum):
    """What raised the warning."""

    GATE = "gate"
    RULE = "rule"
    SCHEMA = "schema"
    ANOMALY = "anomaly"
    DELIVERY = "delivery"
    CURATION = "curation"


class ReviewState(str, Enum):
    """Whether somebody has looked."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"


class ReviewSeverity(str, Enum):
    """How the check was declared; an error is listed only where it did not block."""

    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class ReviewItem:
    """One item with the runs it was seen in: `sightings` of them, the newest is `last_source`."""

    review_id: int
    kind: str
    subject: str
    check_id: str
    severity: str
    state: str
    opened_at: datetime
    sightings: int
    last_source: str
    last_seen_at: datetime
    details: dict[str, Any]
    acknowledged_by: str | None
    acknowledged_reason: str | None
    acknowledged_at: datetime | None


def open_item(
    conn: Connection,
    kind: ReviewKind | str,
    subject: str,
    check_id: str,
    source: str,
    details: Mapping[str, Any] | None = None,
    *,
    severity: ReviewSeverity | str = ReviewSeverity.WARNING,
) -> int:
    """Open an item for a warning, or add a sighting to the open one; return its number.

    Runs inside the caller's transaction. `source` is where it was seen: a publication's reference,
    or `delivery:42`. The same warning of the same source is recorded once, whatever is retried.
    """
    kind = ReviewKind(kind).value
    seen = conn.execute(
        "select i.review_id from governance.review_items i"
        " join governance.review_sightings s using (review_id)"
        " where i.kind = %s and i.subject = %s and i.check_id = %s and s.source = %s"
        " order by i.review_id desc limit 1",
        [kind, subject, check_id, source],
    ).fetchone()
    if seen:
        return int(seen[0])
    # The update takes the row's lock: the item cannot be acknowledged before the sighting is in.
    row = conn.execute(
        "insert into governance.review_items (kind, subject, check_id, severity, details)"
        " values (%s, %s, %s, %s, %s)"
        " on conflict (kind, subject, check_id) where state = 'open'"
        " do update set severity = excluded.severity, details = excluded.details"
        " returning review_id",
        [kind, subject, check_id, ReviewSeverity(severity).value, Jsonb(dict(details or {}))],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    conn.execute(
        "insert into governance.review_sightings (review_id, source) values (%s, %s)"
        " on conflict do nothing",
        [row[0], source],
    )
    return int(row[0])


_SELECT = (
    "select i.review_id, i.kind, i.subject, i.check_id, i.severity, i.state, i.opened_at,"
    " s.sightings, s.last_source, s.last_seen_at, i.details,"
    " i.acknowledged_by, i.acknowledged_reason, i.acknowledged_at"
    " from governance.review_items i cross join lateral ("
    "   select count(*)::int as sightings, max(v.seen_at) as last_seen_at,"
    "     (array_agg(v.source order by v.seen_at desc, v.source))[1] as last_source"
    "   from governance.review_sightings v where v.review_id = i.review_id) s"
)


def items(
    conn: Connection, state: ReviewState | None = ReviewState.OPEN, subject: str | None = None
) -> list[ReviewItem]:
    """Items in the order they were opened; `state` None lists all of them."""
    with conn.cursor(row_factory=class_row(ReviewItem)) as cursor:
        return cursor.execute(
            _SELECT + " where (%(state)s::text is null or i.state = %(state)s)"
            " and (%(subject)s::text is null or i.subject = %(subject)s) order by i.review_id",
            {"state": state.value if state else None, "subject": subject},
        ).fetchall()


def open_count(conn: Connection, subject: str | None = None) -> int:
    """How many items wait for somebody."""
    row = conn.execute(
        "select count(*) from governance.review_items where state = 'open'"
        " and (%(subject)s::text is null or subject = %(subject)s)",
        {"subject": subject},
    ).fetchone()
    return int(row[0]) if row else 0


def acknowledge(conn: Connection, review_id: int, *, by: str, reason: str) -> None:
    """Close an item; who and why are kept, and an audit event is written.

    Runs inside the caller's transaction. Raises UsageError where the item does not exist, is
    closed already, or by or reason is empty, PrivilegeMissing where the login is no operator's.
    """
    if not by.strip() or not reason.strip():
        raise UsageError(
            "An acknowledgement needs who and why.", remedy="Give --by and --reason, not empty."
        )
    row = conn.execute(
        "select state, acknowledged_by, kind, subject, check_id from governance.review_items"
        " where review_id = %s for update",
        [review_id],
    ).fetchone()
    if row is None:
        raise UsageError(
            f"There is no review item {review_id}.", remedy="See `tidegate review list`."
        )
    approvals.require_operator(conn, f"acknowledge review item {review_id}")
    state, earlier, kind, subject, check_id = row
    if state == ReviewState.ACKNOWLEDGED.value:
        raise UsageError(
            f"Review item {review_id} was already acknowledged by {earlier}.",
            remedy="See `tidegate review list --all`.",
        )
    conn.execute(
        "update governance.review_items set state = 'acknowledged', acknowledged_by = %s,"
        " acknowledged_reason = %s, acknowledged_at = clock_timestamp() where review_id = %s",
        [by.strip(), reason.strip(), review_id],
    )
    audit.record(
        conn,
        "review.item.acknowledged",
        subject,
        by.strip(),
        {"review_id": review_id, "kind": kind, "check_id": check_id, "reason": reason.strip()},
    )

"""Legal holds: nothing of a held dataset or delivery is pruned, whatever its contract says."""

from __future__ import annotations

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import audit


def place(conn: Connection, dataset: str, delivery_id: int | None, *, by: str, reason: str) -> int:
    """Hold one delivery of a dataset, or (None) all of it; returns the number of the hold.

    Raises UsageError without who and why, or where there is no such delivery.
    """
    _check(by, reason)
    with conn.transaction():
        known = conn.execute(
            "select exists (select from governance.deliveries where dataset = %(dataset)s"
            " and (%(delivery)s::bigint is null or delivery_id = %(delivery)s))",
            {"dataset": dataset, "delivery": delivery_id},
        ).fetchone()
        if not (known and known[0]):
            what = f"delivery {delivery_id}" if delivery_id is not None else "delivery"
            raise UsageError(
                f"The dataset {dataset} has no {what} to hold.",
                remedy="`tidegate status` and the reports of `tidegate land` name deliveries.",
            )
        row = conn.execute(
            "insert into governance.delivery_holds (dataset, delivery_id, holder, reason)"
            " values (%s, %s, %s, %s) returning hold_id",
            [dataset, delivery_id, by, reason],
        ).fetchone()
        assert row is not None  # noqa: S101 (returning always returns)
        details = {"delivery_id": delivery_id, "hold_id": row[0], "reason": reason}
        audit.record(conn, "delivery.hold.placed", dataset, by, details)
    return int(row[0])


def release(conn: Connection, dataset: str, hold_id: int, *, by: str, reason: str) -> None:
    """End a hold; that it was there stays recorded. UsageError where there is none."""
    _check(by, reason)
    with conn.transaction():
        row = conn.execute(
            "update governance.delivery_holds set released_at = clock_timestamp(),"
            " released_by = %s, release_reason = %s"
            " where hold_id = %s and dataset = %s and released_at is null returning delivery_id",
            [by, reason, hold_id, dataset],
        ).fetchone()
        if row is None:
            raise UsageError(
                f"The dataset {dataset} has no open hold {hold_id}.", remedy="See `tidegate prune`."
            )
        details = {"delivery_id": row[0], "hold_id": hold_id, "reason": reason}
        audit.record(conn, "delivery.hold.released", dataset, by, details)


def _check(by: str, reason: str) -> None:
    if not by.strip() or not reason.strip():
        raise UsageError("A hold needs who and why.", remedy="Give --by and --reason, not empty.")

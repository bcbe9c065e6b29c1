"""What the ledger says about quarantined records, without their values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import class_row, dict_row

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.warehouse.connect import privileges


@dataclass(frozen=True)
class HeldEntry:
    """One quarantined record; lines and record number are one-based."""

    quarantine_id: int
    dataset: str
    delivery_id: int
    run_id: int
    record_number: int
    line_from: int | None
    line_to: int | None
    reason: str
    category: str
    field: str | None
    state: str
    attempts: int
    first_seen: datetime
    last_seen: datetime
    materialization_id: int | None
    raw_bytes: int


@dataclass(frozen=True)
class Statistic:
    """How many records of a dataset are in a state for a reason."""

    dataset: str
    state: str
    reason: str
    category: str
    field: str | None
    records: int
    first_seen: datetime
    last_seen: datetime


def listed(
    conn: Connection,
    *,
    dataset: str | None = None,
    state: str | None = "held",
    limit: int = 100,
) -> list[HeldEntry]:
    """Records in the order they were held; `state` None lists all states."""
    with conn.cursor(row_factory=class_row(HeldEntry)) as cursor:
        return cursor.execute(
            "select * from governance.quarantine_index"
            " where (%(dataset)s::text is null or dataset = %(dataset)s)"
            " and (%(state)s::text is null or state = %(state)s)"
            " order by quarantine_id limit %(limit)s",
            {"dataset": dataset, "state": state, "limit": limit},
        ).fetchall()


def entry(conn: Connection, quarantine_id: int) -> HeldEntry:
    """One record; UsageError where there is none of that number."""
    with conn.cursor(row_factory=class_row(HeldEntry)) as cursor:
        found = cursor.execute(
            "select * from governance.quarantine_index where quarantine_id = %s", [quarantine_id]
        ).fetchone()
    if found is None:
        raise UsageError(
            f"There is no quarantined record {quarantine_id}.",
            remedy="See `tidegate quarantine list`.",
        )
    return found


def events(conn: Connection, quarantine_id: int) -> list[dict[str, Any]]:
    """Everything that happened to a record, oldest first."""
    with conn.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(
            "select event, run_id, reason, field, actor, note, happened_at"
            " from governance.quarantine_events where quarantine_id = %s"
            " order by quarantine_event_id",
            [quarantine_id],
        ).fetchall()


def raw(conn: Connection, quarantine_id: int) -> bytes:
    """The record's bytes: for members of tidegate_operator only (PrivilegeMissing).

    UsageError where retention removed them.
    """
    with privileges("read the bytes of quarantined records (tidegate_operator may)"):
        row = conn.execute(
            "select raw, pruned_at::date from governance.quarantine where quarantine_id = %s",
            [quarantine_id],
        ).fetchone()
    if row and row[1] is not None:
        raise UsageError(
            f"The bytes of record {quarantine_id} were pruned on {row[1]}.",
            remedy="Its reasons and events stay: `tidegate quarantine show` without --raw.",
        )
    return bytes(row[0]) if row else b""


def statistics(conn: Connection, dataset: str | None = None) -> list[Statistic]:
    """Counts by dataset, state, reason and field."""
    with conn.cursor(row_factory=class_row(Statistic)) as cursor:
        return cursor.execute(
            "select dataset, state, reason, category, field, count(*) as records,"
            " min(first_seen) as first_seen, max(last_seen) as last_seen"
            " from governance.quarantine_index"
            " where %(dataset)s::text is null or dataset = %(dataset)s"
            " group by dataset, state, reason, category, field"
            " order by dataset, state, records desc, reason, field",
            {"dataset": dataset},
        ).fetchall()


def rates(conn: Connection, dataset: str | None = None, limit: int = 20) -> list[dict[str, Any]]:
    """The quarantine rate of the newest runs, newest first."""
    with conn.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(
            "select run_id, dataset, delivery_id, status, rows_read, rows_quarantined,"
            " quarantine_rate from governance.quarantine_rates"
            " where %(dataset)s::text is null or dataset = %(dataset)s"
            " order by run_id desc limit %(limit)s",
            {"dataset": dataset, "limit": limit},
        ).fetchall()

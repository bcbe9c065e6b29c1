"""Recorded schema changes, as the ledger has them: what was found, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import class_row

from tidegate.connection import Connection
from tidegate.errors import UsageError


@dataclass(frozen=True)
class DriftRow:
    """One recorded change and what became of it."""

    drift_id: int
    run_id: int
    delivery_id: int
    dataset: str
    kind: str
    field: str
    reason_code: str
    classification: str
    disposition: str
    resolution: str
    details: dict[str, Any]
    contract_sha256: str
    resulting_contract_sha256: str | None
    keeps_contract: bool
    patch_path: str | None
    resolved_by: str | None
    resolved_reason: str | None
    resolved_at: datetime | None
    expires_at: datetime | None
    recorded_at: datetime


_SELECT = (
    "select drift_id, run_id, delivery_id, dataset, kind, field, reason_code, classification,"
    " disposition, resolution, details, contract_sha256, resulting_contract_sha256,"
    " keeps_contract, patch_path, resolved_by, resolved_reason, resolved_at, expires_at,"
    " recorded_at from governance.drift_changes"
)


def listed(
    conn: Connection, *, dataset: str | None = None, everything: bool = False
) -> list[DriftRow]:
    """Changes that wait, oldest first; with `everything` also those that were answered."""
    with conn.cursor(row_factory=class_row(DriftRow)) as cursor:
        return cursor.execute(
            _SELECT + " where (%(dataset)s::text is null or dataset = %(dataset)s)"
            " and (%(everything)s or resolution = 'parked') order by drift_id",
            {"dataset": dataset, "everything": everything},
        ).fetchall()


def of_run(conn: Connection, run_id: int, *, lock: bool = False) -> list[DriftRow]:
    """The changes of one run; UsageError where it has none."""
    with conn.cursor(row_factory=class_row(DriftRow)) as cursor:
        rows = cursor.execute(
            _SELECT + " where run_id = %s order by drift_id" + (" for update" if lock else ""),
            [run_id],
        ).fetchall()
    if not rows:
        raise UsageError(
            f"Run {run_id} has no schema changes.", remedy="See `tidegate drift list --all`."
        )
    return rows

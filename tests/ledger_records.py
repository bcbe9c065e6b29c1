"""Runs, accepted rows and anomalies of a dataset, in the ledger as landing writes them."""

from __future__ import annotations

from typing import Any

from tidegate.connection import Connection
from tidegate.ledger.review import ReviewKind, open_item

DATASET = "orders"


def delivered(
    conn: Connection,
    number: int,
    *,
    file: str | None = None,
    status: str = "accepted",
    halted_in: str | None = None,
    rows: int = 10,
    held: int = 0,
    days_ago: int = 0,
    dataset: str = DATASET,
    origin: str = "delivery",
) -> int:
    """One delivery and its run; accepted ones have a materialization. Return the run."""
    sha = f"{number:064x}"
    name = file or f"{dataset}/{number}.csv"
    conn.execute(
        "insert into governance.artifacts (sha256, bytes, compression, stored_path)"
        " values (%s, 1, 'none', %s)",
        [sha, sha],
    )
    delivery = _one(
        conn,
        "insert into governance.deliveries (dataset, artifact_sha256, source_name)"
        " values (%s, %s, %s) returning delivery_id",
        [dataset, sha, name],
    )
    over = status not in ("parked", "landed")
    reason = {"rejected": "malformed_header", "failed": "storage_error", "parked": "drift_parked"}
    counts = (rows + held, rows, held, 0) if status == "accepted" else (None,) * 4
    run = _one(
        conn,
        "insert into governance.runs (delivery_id, dataset, source_name, status, halted_in, reason,"
        " rows_read, rows_accepted, rows_quarantined, rows_withheld, origin, started_at,"
        " finished_at) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,"
        " now() - make_interval(days => %s), case when %s then now() end) returning run_id",
        [
            delivery,
            dataset,
            name,
            status,
            halted_in,
            reason.get(status),
            *counts,
            origin,
            days_ago,
            over,
        ],
    )
    for record in range(held):
        conn.execute(
            "insert into governance.quarantine"
            " (dataset, delivery_id, run_id, record_number, reason, raw) values"
            " (%s, %s, %s, %s, (select min(reason) from governance.quarantine_reasons"
            " where category = 'structural'), '')",
            [dataset, delivery, run, record + 1],
        )
    if status == "accepted":
        conn.execute(
            "insert into governance.landing_layouts"
            " (dataset, layout, relation, columns, columns_sha256) values (%s, 1, %s, '[]', %s)"
            " on conflict do nothing",
            [dataset, dataset, "0" * 64],
        )
        conn.execute(
            "insert into governance.materializations (dataset, delivery_id, run_id, origin,"
            " artifact_sha256, layout, contract_sha256, rows, provenance)"
            " values (%s, %s, %s, %s, %s, 1, 'x', %s, '{}')",
            [dataset, delivery, run, origin, sha, rows],
        )
    return run


def anomaly(
    conn: Connection, run: int, *, assessment: str | None = None, detector: str = "volume"
) -> None:
    """The volume of a run's delivery is unusual, and perhaps somebody said what it is."""
    review = open_item(conn, ReviewKind.ANOMALY, f"run {run}", detector, f"run:{run}")
    found = _one(
        conn,
        "insert into governance.anomalies (dataset, detector, severity, run_id, delivery_id,"
        " baseline, review_id) values (%s, %s, 'high', %s,"
        " (select delivery_id from governance.runs where run_id = %s), 5, %s)"
        " returning anomaly_id",
        [DATASET, detector, run, run, review],
    )
    if assessment:
        conn.execute(
            "insert into governance.anomaly_assessments"
            " (anomaly_id, assessment, assessed_by, reason) values (%s, %s, 'ada', 'asked them')",
            [found, assessment],
        )


def _one(conn: Connection, statement: str, values: list[Any]) -> int:
    row = conn.execute(statement.encode(), values).fetchone()
    assert row is not None
    return int(row[0])

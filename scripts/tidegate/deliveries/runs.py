"""The ledger of deliveries and runs: what was received, and how far each attempt came."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.deliveries import artifacts
from tidegate.deliveries.artifacts import Artifact
from tidegate.deliveries.vocabulary import HaltedIn, Origin, RunReason, RunStatus
from tidegate.ledger.publications import Attempt


@dataclass(frozen=True)
class Run:
    """One attempt at a delivery."""

    run_id: int
    delivery_id: int
    dataset: str
    source_name: str
    artifact: Artifact
    status: RunStatus
    received_at: datetime


@dataclass(frozen=True)
class Counts:
    """Records of a run: `read` is always the sum of the others.

    `withheld` are good records of a run that as a whole was not accepted.
    """

    read: int
    accepted: int
    quarantined: int
    withheld: int = 0


def lock_delivery(guard: Connection, dataset: str, sha256: str) -> None:
    """Wait for other runs of the same bytes for the same dataset.

    The lock lasts until the transaction of `guard` ends, at the latest when its process dies.
    """
    guard.execute(
        "select pg_advisory_xact_lock(hashtextextended(jsonb_build_array("
        "'tidegate.delivery', %s::text, %s::text)::text, 0))",
        [dataset, sha256],
    )


def accepted_delivery(conn: Connection, dataset: str, sha256: str) -> int | None:
    """The delivery by which these bytes were accepted for this dataset, if they were."""
    row = conn.execute(
        "select delivery_id from governance.materializations"
        " where dataset = %s and artifact_sha256 = %s and origin = 'delivery'",
        [dataset, sha256],
    ).fetchone()
    return int(row[0]) if row else None


_OPEN = """
select r.run_id, r.delivery_id, r.dataset, r.source_name, r.status, d.received_at,
    a.sha256, a.bytes, a.compression, a.stored_path
from governance.runs r
join governance.deliveries d using (delivery_id)
join governance.artifacts a on a.sha256 = d.artifact_sha256
"""


def _run(row: tuple[Any, ...]) -> Run:
    artifact = Artifact(row[6], row[7], row[8], row[9])
    return Run(row[0], row[1], row[2], row[3], artifact, RunStatus(row[4]), row[5])


def open_run(conn: Connection, dataset: str, sha256: str) -> Run | None:
    """The run of these bytes that is not over: parked, or cut off by a crash."""
    row = conn.execute(
        _OPEN + " where r.dataset = %s and a.sha256 = %s and r.finished_at is null",
        [dataset, sha256],
    ).fetchone()
    return _run(row) if row else None


def end_interrupted(conn: Connection, left: Run) -> None:
    """End a run whose process is gone; the caller holds the delivery's lock, so nobody runs it."""
    finish(
        conn,
        left,
        RunStatus.FAILED,
        halted_in=STAGE_OF[left.status],
        reason=RunReason.INTERRUPTED.value,
        detail="The process that ran it ended; the next run took the delivery over.",
    )


def read_run(conn: Connection, run_id: int) -> Run | None:
    """One run by its number."""
    row = conn.execute(_OPEN + " where r.run_id = %s", [run_id]).fetchone()
    return _run(row) if row else None


def last_run(conn: Connection, delivery_id: int) -> Run:
    """The newest run of a delivery that is not a mere duplicate of it."""
    row = conn.execute(
        _OPEN + " where r.delivery_id = %s and r.status <> 'duplicate'"
        " order by r.run_id desc limit 1",
        [delivery_id],
    ).fetchone()
    assert row is not None  # noqa: S101 (a delivery is recorded together with its first run)
    return _run(row)


def parked_runs(conn: Connection) -> list[Run]:
    """Every run that waits, oldest first."""
    rows = conn.execute(_OPEN + " where r.status = 'parked' order by r.delivery_id").fetchall()
    return [_run(row) for row in rows]


def receive(
    conn: Connection, dataset: str, source_name: str, artifact: Artifact, attempt: Attempt | None
) -> Run:
    """Record artefact, delivery and run; the artefact is stored already."""
    with conn.transaction():
        artifacts.register(conn, artifact)
        row = conn.execute(
            "insert into governance.deliveries"
            " (dataset, artifact_sha256, source_name, producer, tenant, idempotency_key)"
            " values (%s, %s, %s, %s, %s, %s) returning delivery_id, received_at",
            [
                dataset,
                artifact.sha256,
                source_name,
                attempt.producer if attempt else None,
                attempt.tenant if attempt else None,
                attempt.idempotency_key if attempt else None,
            ],
        ).fetchone()
        assert row is not None  # noqa: S101 (returning always returns)
        run = Run(0, row[0], dataset, source_name, artifact, RunStatus.RECEIVED, row[1])
        return start(conn, run)


def start(
    conn: Connection,
    run: Run,
    *,
    source_name: str | None = None,
    origin: Origin = Origin.DELIVERY,
) -> Run:
    """A new run of the delivery of `run`."""
    row = conn.execute(
        "insert into governance.runs (delivery_id, dataset, source_name, status, origin)"
        " values (%s, %s, %s, 'received', %s) returning run_id",
        [run.delivery_id, run.dataset, source_name or run.source_name, origin.value],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    return replace(run, run_id=row[0], status=RunStatus.RECEIVED)


def record_duplicate(conn: Connection, dataset: str, source_name: str, delivery_id: int) -> int:
    """The run of a receipt whose bytes were accepted before; returns its number."""
    row = conn.execute(
        "insert into governance.runs (delivery_id, dataset, source_name, status, finished_at)"
        " values (%s, %s, %s, 'duplicate', clock_timestamp()) returning run_id",
        [delivery_id, dataset, source_name],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    return int(row[0])


def advance(conn: Connection, run: Run, status: RunStatus, **facts: Any) -> Run:
    """Move a run on, and record what was learnt: columns of governance.runs by name."""
    values: dict[str, Any] = {
        key: Jsonb(value) if isinstance(value, (dict, list)) else value
        for key, value in facts.items()
    }
    values["status"] = status.value
    assignments = sql.SQL(", ").join(
        sql.SQL("{} = {}").format(sql.Identifier(key), sql.Placeholder(key)) for key in values
    )
    finished = sql.SQL(", finished_at = clock_timestamp()" if status.terminal else "")
    conn.execute(
        sql.SQL("update governance.runs set {}{} where run_id = %(run_id)s").format(
            assignments, finished
        ),
        {**values, "run_id": run.run_id},
    )
    return replace(run, status=status)


def finish(
    conn: Connection,
    run: Run,
    status: RunStatus,
    *,
    halted_in: HaltedIn | None = None,
    reason: str | None = None,
    detail: str | None = None,
    counts: Counts | None = None,
    **facts: Any,
) -> Run:
    """End a run: its status, where it halted and why, and its counts."""
    if counts is not None:
        facts |= {
            "rows_read": counts.read,
            "rows_accepted": counts.accepted,
            "rows_quarantined": counts.quarantined,
            "rows_withheld": counts.withheld,
        }
    return advance(
        conn,
        run,
        status,
        halted_in=halted_in.value if halted_in else None,
        reason=reason,
        detail=detail,
        **facts,
    )


STAGE_OF = {
    RunStatus.RECEIVED: HaltedIn.LANDING,
    RunStatus.LANDED: HaltedIn.PARSING,
    RunStatus.PARSED: HaltedIn.GOVERNANCE,
    RunStatus.STAGED: HaltedIn.LOADING,
    RunStatus.PARKED: HaltedIn.GOVERNANCE,
}
"""The stage that was at work when a run with this status stopped."""


def connected_role(conn: Connection) -> str:
    """Whoever is really connected, whatever name was given."""
    row = conn.execute("select session_user::text").fetchone()
    return str(row[0]) if row else ""

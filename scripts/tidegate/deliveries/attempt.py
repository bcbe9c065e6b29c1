"""One run: from a stored artefact to accepted, parked, rejected or failed.

Every step can be repeated: what a step leaves behind before its status is recorded is made again
from the artefact. Only acceptance changes what readers see, and it is one transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import accept, artifacts, reading, runs, staging, tables, versions
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.runs import Connection, Counts, Run
from tidegate.deliveries.vocabulary import HaltedIn, Origin, RunReason, RunStatus
from tidegate.failpoints import hit
from tidegate.ledger import audit, publications
from tidegate.warehouse import server_message


@dataclass(frozen=True)
class Job:
    """A run and everything it needs."""

    conn: Connection
    run: Run
    contract: DatasetContract
    store: Path
    attempt: publications.Attempt | None


class Halt(Exception):
    """The run ends here, for a reason known in advance."""

    def __init__(
        self,
        status: RunStatus,
        halted_in: HaltedIn | None,
        reason: str,
        detail: str,
        counts: Counts | None = None,
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.halted_in = halted_in
        self.reason = reason
        self.detail = detail
        self.counts = counts


def process(job: Job) -> FileOutcome:
    """Take a received run as far as it goes, and record where it ended."""
    run = job.run
    try:
        return _process(job)
    except Halt as halt:
        runs.finish(
            job.conn,
            run,
            halt.status,
            halted_in=halt.halted_in,
            reason=halt.reason,
            detail=halt.detail,
            counts=halt.counts,
        )
        return outcome_of(job.conn, run.run_id)
    except psycopg.errors.Error as error:
        if job.conn.closed:
            raise
        now = runs.read_run(job.conn, run.run_id) or run
        if not now.status.terminal:
            runs.finish(
                job.conn,
                now,
                RunStatus.FAILED,
                halted_in=runs.STAGE_OF[now.status],
                reason=RunReason.SERVER_ERROR.value,
                detail=f"The server refused: {server_message(error)}.",
            )
        return outcome_of(job.conn, run.run_id)


def _process(job: Job) -> FileOutcome:
    conn, contract = job.conn, job.contract
    run = runs.advance(
        conn,
        job.run,
        RunStatus.LANDED,
        contract_version=contract.keys.version,
        contract_sha256=contract.sha256,
    )
    hit("land.landed")
    stage = staging.Stage(run.run_id, _columns(contract))
    staging.create(conn, stage)
    names, read, held = _parse(job, stage)
    version = versions.observe(
        conn, contract.name, [{"name": name, "type": None, "nullable": None} for name in names]
    )
    run = runs.advance(conn, run, RunStatus.PARSED, schema_version_id=version)
    hit("land.parsed")
    held += staging.judge(conn, stage)
    if held:
        with _records(job) as (_, records):
            staging.fill_raw(conn, stage, records)
    run = runs.advance(conn, run, RunStatus.STAGED)
    hit("land.staged")
    counts = Counts(read, read - held, held)
    _accept(job, run, stage, counts, version, {"header": list(names)})
    hit("land.accepted")
    staging.drop(conn, stage)
    return outcome_of(conn, run.run_id)


def _columns(contract: DatasetContract) -> tuple[staging.Column, ...]:
    key = contract.keys.delivery.key
    return tuple(
        staging.Column(column.name, column.type.sql, column.keys, column.name in key)
        for column in contract.columns
    )


@contextmanager
def _records(
    job: Job,
) -> Iterator[tuple[tuple[str, ...], Iterator[reading.Record | reading.Held]]]:
    wanted = tuple(
        reading.Wanted(column.name, column.keys.path, column.keys.header)
        for column in job.contract.columns
    )
    with artifacts.opened(job.store, job.run.artifact, expand=True) as stream:
        yield reading.read(stream, job.contract.keys.format, wanted)


def _parse(job: Job, stage: staging.Stage) -> tuple[tuple[str, ...], int, int]:
    try:
        with _records(job) as (names, records):
            read, held = staging.fill(job.conn, stage, names, records)
    except reading.Unreadable as error:
        raise Halt(
            RunStatus.REJECTED, HaltedIn.PARSING, error.reason, error.detail, Counts(0, 0, 0)
        ) from None
    return names, read, held


def _accept(
    job: Job,
    run: Run,
    stage: staging.Stage,
    counts: Counts,
    version: int,
    context: dict[str, Any],
) -> None:
    """Everything that makes the rows visible, in one transaction."""
    conn, contract = job.conn, job.contract
    with conn.transaction():
        layout = tables.ensure(conn, contract)
        provenance = {
            "source_name": run.source_name,
            "contract_version": contract.keys.version,
            "rows_read": counts.read,
            "rows_quarantined": counts.quarantined,
        }
        materialization = accept.open_materialization(
            conn,
            run,
            layout,
            origin=Origin.DELIVERY,
            rows=counts.accepted,
            contract_sha256=contract.sha256,
            schema_version_id=version,
            provenance=provenance,
        )
        if materialization is None:
            runs.finish(conn, run, RunStatus.DUPLICATE)
            return
        written = accept.insert_rows(conn, stage, layout, run, materialization)
        assert written == counts.accepted, "rows written differ from rows accepted"  # noqa: S101
        accept.quarantine(conn, stage, run, contract.sha256, context)
        hit("land.written")
        runs.finish(conn, run, RunStatus.ACCEPTED, counts=counts)
        audit.record(
            conn,
            "delivery.accepted",
            contract.name,
            job.attempt.producer if job.attempt else _session_user(conn),
            {"delivery_id": run.delivery_id, "run_id": run.run_id, "rows": counts.accepted},
        )
        if job.attempt:
            publications.record(
                conn,
                job.attempt,
                kind="dataset",
                subject=contract.name,
                content_sha256=run.artifact.sha256,
                validation={},
                delivery_id=run.delivery_id,
            )


def _session_user(conn: Connection) -> str:
    row = conn.execute("select session_user::text").fetchone()
    return str(row[0]) if row else ""


_OUTCOME = """
select r.source_name, r.dataset, r.status, r.halted_in, r.reason, r.detail, r.delivery_id,
    r.run_id, r.rows_read, r.rows_accepted, r.rows_quarantined,
    (select jsonb_object_agg(q.reason, q.n) from (
        select q.reason, count(*) as n from governance.quarantine_index q
        where q.run_id = r.run_id group by q.reason) q),
    (select p.reference from governance.publications p where p.delivery_id = r.delivery_id limit 1)
from governance.runs r where r.run_id = %s
"""


def outcome_of(conn: Connection, run_id: int) -> FileOutcome:
    """The outcome as the ledger has it."""
    row = conn.execute(sql.SQL(_OUTCOME), [run_id]).fetchone()
    assert row is not None  # noqa: S101 (the run was just written)
    status = RunStatus(row[2])
    good = status in (RunStatus.ACCEPTED, RunStatus.DUPLICATE)
    return FileOutcome(
        file=row[0],
        dataset=row[1],
        status=status,
        halted_in=HaltedIn(row[3]) if row[3] else None,
        reason=row[4],
        detail=row[5] or "",
        delivery_id=row[6],
        run_id=row[7],
        read=row[8],
        accepted=row[9],
        quarantined=row[10],
        quarantine_reasons=row[11] or {},
        reference=row[12],
        exit_code=0 if good else 1,
    )

"""One run: from a stored artefact to accepted, parked, rejected or failed.

Every step can be repeated: what a step leaves behind before its status is recorded is made again
from the artefact. Only acceptance changes what readers see, and it is one transaction.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg

from tidegate import detection
from tidegate.deliveries import (
    accept,
    artifacts,
    landing_views,
    reading,
    runs,
    staging,
    versions,
)
from tidegate.deliveries.govern_step import govern
from tidegate.deliveries.job import Ended, Halt, Job
from tidegate.deliveries.outcomes import outcome_of
from tidegate.deliveries.parse_step import parse
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.runs import Connection, Counts
from tidegate.deliveries.vocabulary import RunReason, RunStatus
from tidegate.errors import EnvironmentFailure
from tidegate.failpoints import hit
from tidegate.warehouse import server_message


def process(job: Job) -> FileOutcome:
    """Take a run as far as it goes, and record where it ended."""
    try:
        _process(job)
    except Ended:
        pass
    except Halt as halt:
        with job.conn.transaction():
            staging.drop(job.conn, staging.stage_of(job.run.run_id, job.contract))
            runs.finish(
                job.conn,
                job.run,
                halt.status,
                halted_in=halt.halted_in,
                reason=halt.reason,
                detail=halt.detail,
                counts=halt.counts,
            )
    except psycopg.errors.Error as error:
        if job.conn.closed:
            raise
        _fail(job, RunReason.SERVER_ERROR, f"The server refused: {server_message(error)}.")
    except landing_views.ViewHasDependents as error:
        _fail(job, RunReason.VIEW_HAS_DEPENDENTS, str(error))
    except EnvironmentFailure as error:
        _fail(job, RunReason.STORAGE_ERROR, str(error))
    detection.after_run(job.conn, job.run.run_id, job.contract)
    return outcome_of(job.conn, job.run.run_id)


def _fail(job: Job, reason: RunReason, detail: str) -> None:
    """Something that no rule foresaw: the run failed where it was, and may be tried again."""
    now = runs.read_run(job.conn, job.run.run_id) or job.run
    if not now.status.terminal:
        runs.finish(
            job.conn,
            now,
            RunStatus.FAILED,
            halted_in=runs.STAGE_OF[now.status],
            reason=reason.value,
            detail=detail,
        )


def _process(job: Job) -> None:
    conn, contract = job.conn, job.contract
    run = runs.advance(
        conn,
        job.run,
        RunStatus.LANDED,
        contract_version=contract.keys.version,
        contract_sha256=contract.sha256,
        reason=None,
        detail=None,
    )
    hit("land.landed")
    if not versions.authorised(conn, contract):
        raise Halt(
            RunStatus.PARKED,
            RunReason.CONTRACT_UNPROMOTED.value,
            f"Nobody promoted version {contract.keys.version} of {contract.path}: "
            "`tidegate contract promote` or an approved drift does.",
        )
    stage = staging.stage_of(run.run_id, contract)
    staging.create(conn, stage)
    read = parse(job, stage)
    run = runs.advance(
        conn,
        run,
        RunStatus.PARSED,
        schema_version_id=read.schema_version_id,
        observed=read.observed,
    )
    hit("land.parsed")
    govern(job, read)
    held = staging.judge(conn, stage, read.tallies)
    if held:
        staging.add_raw(conn, stage, lambda places: _raw(job, places))
    run = runs.advance(conn, run, RunStatus.STAGED)
    hit("land.staged")
    counts = Counts(read.records, read.records - held, held)
    accept.accept(
        accept.Acceptance(
            conn,
            run,
            contract,
            stage,
            counts,
            read.schema_version_id,
            read.context,
            job.attempt,
            read.present,
            read.diff,
        )
    )
    hit("land.accepted")
    _clear(conn, stage)


def _clear(conn: Connection, stage: staging.Stage) -> None:
    """Drop the stage of an accepted run; that of a failed one stays for inspection."""
    row = conn.execute(
        "select status from governance.runs where run_id = %s", [stage.run_id]
    ).fetchone()
    if row and row[0] in (RunStatus.ACCEPTED.value, RunStatus.DUPLICATE.value):
        staging.drop(conn, stage)


def _raw(job: Job, places: Iterator[reading.Place]) -> Iterator[tuple[int, bytes]]:
    with artifacts.opened(job.store, job.run.artifact) as stream:
        yield from reading.raw_records(stream, job.contract, job.run.source_name, places)

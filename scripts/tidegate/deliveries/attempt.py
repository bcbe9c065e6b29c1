"""One run: from a stored artefact to accepted, parked, rejected or failed.

Every step can be repeated: what a step leaves behind before its status is recorded is made again
from the artefact. Only acceptance changes what readers see, and it is one transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import psycopg

from tidegate.connection import Connection
from tidegate.deliveries import (
    accept,
    artifacts,
    landing_views,
    loading,
    reading,
    runs,
    staging,
    versions,
)
from tidegate.deliveries.govern_step import govern
from tidegate.deliveries.job import Ended, Halt, Job
from tidegate.deliveries.loading import Loading
from tidegate.deliveries.outcomes import outcome_of
from tidegate.deliveries.parse_step import Read, parse
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.runs import Counts
from tidegate.deliveries.vocabulary import RunReason, RunStatus
from tidegate.detection.after import after_run
from tidegate.errors import EnvironmentFailure
from tidegate.failpoints import hit
from tidegate.warehouse import server_message


def process(job: Job) -> FileOutcome:
    """Take a run as far as it goes, and record where it ended.

    Raises LockNotAvailable and LandingBlocked where somebody else's lock was waited for in vain.
    """
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
    except psycopg.errors.LockNotAvailable:
        # The run stays open: landing the file again takes the delivery on.
        raise
    except psycopg.errors.Error as error:
        if job.conn.closed:
            raise
        _fail(job, RunReason.SERVER_ERROR, f"The server refused: {server_message(error)}.")
    except landing_views.ViewHasDependents as error:
        _fail(job, RunReason.VIEW_HAS_DEPENDENTS, str(error))
    except EnvironmentFailure as error:
        _fail(job, RunReason.STORAGE_ERROR, str(error))
    found = after_run(job.conn, job.run.run_id, job.contract)
    anomalies = tuple(f"anomaly in {one.sentence}" for one in found if one.anomalous)
    outcome = outcome_of(job.conn, job.run.run_id)
    return replace(outcome, warnings=(*outcome.warnings, *anomalies))


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
    with loading.opened(job.warehouse, stage, run, contract) as direct:
        _load(replace(job, run=run), stage, direct)
    hit("land.accepted")
    _clear(conn, stage)


def _load(job: Job, stage: staging.Stage, direct: Loading | None) -> None:
    """From bytes to accepted rows; those of `direct` are in their table before they are judged."""
    conn = job.conn
    read, direct = _read(job, stage, direct)
    run = runs.advance(
        conn,
        job.run,
        RunStatus.PARSED,
        schema_version_id=read.schema_version_id,
        observed=read.observed,
    )
    hit("land.parsed")
    govern(job, read)
    held = _judge(job, stage, read)
    run = runs.advance(conn, run, RunStatus.STAGED)
    hit("land.staged")
    counts = Counts(read.records, read.records - held, held)
    accept.accept(
        accept.Acceptance(
            conn,
            run,
            job.contract,
            stage,
            counts,
            read.schema_version_id,
            read.context,
            job.attempt,
            read.present,
            read.diff,
            direct,
            restage=lambda: _restage(job, stage),
        )
    )


def _read(job: Job, stage: staging.Stage, direct: Loading | None) -> tuple[Read, Loading | None]:
    """Read the artefact, with the loading that was used."""
    staging.create(job.conn, stage)
    try:
        return parse(job, stage, direct), direct
    except psycopg.errors.DataError as error:
        if direct is None:
            raise
        # The server holds less than observation proved: it judges every value itself.
        direct.abandon(error)
        direct.discard()
    staging.create(job.conn, stage)
    return parse(job, stage, None), None


def _restage(job: Job, stage: staging.Stage) -> None:
    """Stage every record, so that a run that failed can be looked at."""
    staging.create(job.conn, stage)
    _judge(job, stage, parse(job, stage, None))


def _judge(job: Job, stage: staging.Stage, read: Read) -> int:
    """Hold what does not conform, with the bytes it was delivered as; return how many records."""
    held = staging.judge(job.conn, stage, read.tallies)
    if held:
        staging.add_raw(job.conn, stage, lambda places: _raw(job, places))
    return held


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

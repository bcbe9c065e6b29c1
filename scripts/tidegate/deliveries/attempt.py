"""One run: from a stored artefact to accepted, parked, rejected or failed.

Every step can be repeated: what a step leaves behind before its status is recorded is made again
from the artefact. Only acceptance changes what readers see, and it is one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tidegate.contracts.keys import CsvFormat
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import (
    accept,
    approvals,
    artifacts,
    drift,
    quarantine,
    reading,
    runs,
    staging,
    tables,
    versions,
)
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.outcomes import outcome_of
from tidegate.deliveries.parsing import DeliveryRefused, Reader
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.runs import Connection, Counts, Run
from tidegate.deliveries.vocabulary import HaltedIn, RunReason, RunStatus
from tidegate.errors import EnvironmentFailure
from tidegate.failpoints import hit
from tidegate.ledger import publications
from tidegate.settings import Settings
from tidegate.shapes import Decision, SchemaDiff, decide
from tidegate.warehouse import server_message


@dataclass(frozen=True)
class Job:
    """A run and everything it needs; `attempt` where a producer handed the delivery over."""

    conn: Connection
    run: Run
    contract: DatasetContract
    settings: Settings
    attempt: publications.Attempt | None

    @property
    def store(self) -> Path:
        """The artefact store."""
        return self.settings.artifacts_dir


class Halt(Exception):
    """The run goes no further now, for a reason known in advance."""

    def __init__(
        self,
        status: RunStatus,
        reason: str,
        detail: str,
        *,
        halted_in: HaltedIn | None = None,
        counts: Counts | None = None,
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.detail = detail
        self.halted_in = halted_in
        self.counts = counts


def process(job: Job) -> FileOutcome:
    """Take a run as far as it goes, and record where it ended."""
    try:
        _process(job)
    except _Ended:
        pass
    except Halt as halt:
        with job.conn.transaction():
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
    except tables.ViewHasDependents as error:
        _fail(job, RunReason.VIEW_HAS_DEPENDENTS, str(error))
    except EnvironmentFailure as error:
        _fail(job, RunReason.STORAGE_ERROR, str(error))
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
    read = _parse(job, stage)
    run = runs.advance(
        conn,
        run,
        RunStatus.PARSED,
        schema_version_id=read.schema_version_id,
        observed=read.observed,
    )
    hit("land.parsed")
    _govern(job, stage, read)
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


@dataclass(frozen=True)
class Read:
    """What parsing found out."""

    records: int
    schema_version_id: int
    observed: dict[str, Any]
    context: dict[str, Any]
    present: frozenset[str]
    diff: SchemaDiff
    decision: Decision
    tallies: Mapping[str, Tally]


def _parse(job: Job, stage: staging.Stage) -> Read:
    """Stage every record; a file that cannot be read as records ends here."""
    conn, contract, run = job.conn, job.contract, job.run
    try:
        with reading.open_artifact(job.store, run.artifact, contract, run.source_name) as reader:
            filled = staging.fill(conn, stage, reader)
    except DeliveryRefused as error:
        raise Halt(
            RunStatus.REJECTED,
            error.refusal.reason.value,
            error.refusal.detail,
            halted_in=HaltedIn.PARSING,
            counts=Counts(0, 0, 0),
        ) from None
    context = _context(contract, reader)
    if reader.refusal:
        _refuse(job, stage, filled, reader, context)
    seen = drift.observed(contract, reader)
    shape = drift.shape_document(seen)
    facts = {
        "columns": drift.columns_document(reader),
        "blank_lines": reader.blank_lines,
        "bom": reader.bom,
    }
    diff = drift.compare(contract, seen)
    version = versions.observe(conn, contract.name, shape)
    return Read(
        filled.read,
        version,
        facts,
        context,
        frozenset(seen.by_name),
        diff,
        decide(diff, contract.keys.drift),
        reading.tallies(reader, contract),
    )


def _context(contract: DatasetContract, reader: Reader) -> dict[str, Any]:
    """What reading one record again needs; names and an encoding, never a value."""
    header = list(reader.layout.fields) if isinstance(contract.keys.format, CsvFormat) else None
    return {"header": header, "encoding": reader.encoding}


def _refuse(
    job: Job,
    stage: staging.Stage,
    filled: staging.Filled,
    reader: Reader,
    context: dict[str, Any],
) -> None:
    """The header cannot be trusted: every record is held under that reason."""
    refusal = reader.refusal
    assert refusal is not None  # noqa: S101 (the caller looked)
    with job.conn.transaction():
        quarantine.hold(job.conn, stage, job.run, job.contract.sha256, context)
        runs.finish(
            job.conn,
            job.run,
            RunStatus.REJECTED,
            halted_in=HaltedIn.PARSING,
            reason=refusal.reason.value,
            detail=refusal.detail,
            counts=Counts(filled.read, 0, filled.read),
        )
    staging.drop(job.conn, stage)
    raise _Ended


class _Ended(Exception):
    """The run's end is recorded already."""


def _govern(job: Job, stage: staging.Stage, read: Read) -> None:
    """Record the drift; park or end the run where the policy says so."""
    verdict = drift.resolve(job.conn, job.run, job.contract, read.decision)
    if verdict.automatic and not verdict.waits:
        approvals.propose(
            job.conn, job.settings.project_dir, job.settings.home, job.contract, job.run.run_id
        )
    withheld = Counts(read.records, 0, 0, read.records)
    if verdict.refused:
        raise Halt(
            RunStatus.FAILED,
            RunReason.DRIFT_BLOCKED.value,
            f"The drift policy blocks: {_names(verdict.refused)}. The contract stands unchanged.",
            halted_in=HaltedIn.GOVERNANCE,
            counts=withheld,
        )
    if verdict.rejected:
        raise Halt(
            RunStatus.REJECTED,
            RunReason.DRIFT_REJECTED.value,
            f"Rejected: {_names(verdict.rejected)}. The contract stands unchanged.",
            halted_in=HaltedIn.GOVERNANCE,
            counts=withheld,
        )
    if verdict.parked:
        staging.drop(job.conn, stage)
        raise Halt(
            RunStatus.PARKED,
            RunReason.DRIFT_PARKED.value,
            f"Waits for an answer about: {_names(verdict.parked)}. "
            f"`tidegate drift show {job.run.run_id}` says what changed.",
            counts=withheld,
        )


def _names(fields: Iterable[str]) -> str:
    return ", ".join(sorted(set(fields)))


def _raw(job: Job, places: Iterator[reading.Place]) -> Iterator[tuple[int, bytes]]:
    with artifacts.opened(job.store, job.run.artifact) as stream:
        yield from reading.raw_records(stream, job.contract, job.run.source_name, places)

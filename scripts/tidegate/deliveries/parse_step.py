"""The step that reads an artefact: every record staged or held, and what the file looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tidegate.contracts.keys import CsvFormat
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import drift, quarantine, reading, runs, staging, versions
from tidegate.deliveries.filling import Filled, fill
from tidegate.deliveries.job import Ended, Halt, Job
from tidegate.deliveries.loading import Loading
from tidegate.deliveries.observe import Tally
from tidegate.deliveries.parsing import DeliveryRefused, Reader
from tidegate.deliveries.runs import Counts
from tidegate.deliveries.vocabulary import HaltedIn, RunStatus
from tidegate.shapes.decide import Decision, decide
from tidegate.shapes.model import SchemaDiff


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


def parse(job: Job, stage: staging.Stage, loading: Loading | None) -> Read:
    """Stage, load or hold every record; a file that cannot be read as records ends here."""
    conn, contract, run = job.conn, job.contract, job.run
    try:
        with reading.open_artifact(job.store, run.artifact, contract, run.source_name) as reader:
            direct = loading if _as_declared(reader) else None
            filled = fill(conn, stage, reader, direct)
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


def _as_declared(reader: Reader) -> bool:
    """Whether the file has the contract's columns and no other: nobody will have to answer."""
    layout = reader.layout
    return reader.refusal is None and not layout.missing and not layout.unknown


def _context(contract: DatasetContract, reader: Reader) -> dict[str, Any]:
    """What reading one record again needs; names and an encoding, never a value."""
    header = list(reader.layout.fields) if isinstance(contract.keys.format, CsvFormat) else None
    return {"header": header, "encoding": reader.encoding}


def _refuse(
    job: Job,
    stage: staging.Stage,
    filled: Filled,
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
    raise Ended

"""Held records once more, under a contract that was corrected, without asking the partner.

Each record is accepted exactly once, whatever is retried or raced: the delivery's lock lets one
process at it, and rows, materialization and the records' new state are one transaction. Accepted
records keep their delivery and record number, so they never win over newer rows of the same key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract, Project
from tidegate.deliveries import (
    accept,
    filling,
    materializations,
    policy,
    quarantine,
    reading,
    runs,
    staging,
    tables,
    versions,
    waiting,
)
from tidegate.deliveries.parsing import Batch, DeliveryRefused, Malformed
from tidegate.deliveries.reasons import Reason
from tidegate.deliveries.runs import Counts, Run
from tidegate.deliveries.vocabulary import HaltedIn, Origin, RunReason, RunStatus
from tidegate.errors import UsageError
from tidegate.failpoints import hit
from tidegate.ledger import audit
from tidegate.shapes.model import SchemaDiff
from tidegate.warehouse import Warehouse

_AT_ONCE = 2000
"""Records in memory: a whole file may be held, and it may be large."""
_BYTES_AT_ONCE = 8 << 20
_REASONS = {reason.value: reason for reason in Reason}


@dataclass(frozen=True)
class Reprocessed:
    """What became of the held records of one delivery."""

    dataset: str
    delivery_id: int
    run_id: int | None
    accepted: int
    held: int
    detail: str = ""


@dataclass(frozen=True)
class HeldRecord:
    """A quarantined record as it has to be read again."""

    quarantine_id: int
    record_number: int
    line_from: int
    line_to: int
    reason: str
    raw: bytes
    raw_truncated: bool
    context: dict[str, Any]


@dataclass(frozen=True)
class Again:
    """One reprocessing of one delivery."""

    conn: Connection
    contract: DatasetContract
    run: Run
    origin: Origin
    actor: str


def reprocess(
    warehouse: Warehouse, project: Project, dataset: str, *, by: str, ids: Sequence[int] = ()
) -> tuple[Reprocessed, ...]:
    """Read the held records of a dataset again (or those of `ids`), delivery by delivery.

    Raises UsageError where the dataset has no contract, nobody is named, or one of `ids` is none of
    its records.
    """
    contract = project.dataset(dataset)
    if not by.strip():
        raise UsageError("Reprocessing needs somebody who answers for it.", remedy="Give --by.")
    with waiting.bounded(warehouse, "tidegate reprocess") as conn:
        quarantine.require_known(conn, ids, dataset)
        remedy = "Promote it with `tidegate contract promote`, then reprocess."
        versions.require_authorised(conn, contract, remedy)
        deliveries = conn.execute(
            "select delivery_id, artifact_sha256 from governance.deliveries d"
            " where dataset = %s and exists (select from governance.quarantine_index q"
            " where q.delivery_id = d.delivery_id and q.state = 'held'"
            " and (%s::bigint[] = '{}' or q.quarantine_id = any(%s::bigint[])))"
            " order by delivery_id",
            [dataset, list(ids), list(ids)],
        ).fetchall()
        done = []
        for delivery_id, sha256 in deliveries:
            with warehouse.transaction(application_name="tidegate reprocess lock") as guard:
                runs.lock_delivery(guard, dataset, sha256)
                done.append(_delivery(conn, contract, delivery_id, by, ids))
        return tuple(done)


def _delivery(
    conn: Connection, contract: DatasetContract, delivery_id: int, by: str, ids: Sequence[int]
) -> Reprocessed:
    last = runs.last_run(conn, delivery_id)
    if not last.status.terminal:
        if last.status is RunStatus.PARKED:
            return Reprocessed(contract.name, delivery_id, None, 0, 0, "The delivery is parked.")
        runs.end_interrupted(conn, last)
    accepted = runs.accepted_delivery(conn, contract.name, last.artifact.sha256)
    if accepted is None and not quarantine.refused_as_a_whole(conn, delivery_id):
        detail = "The delivery itself was not accepted: land its file again."
        return Reprocessed(contract.name, delivery_id, None, 0, 0, detail)
    if accepted not in (None, delivery_id):
        detail = f"The same file was accepted since as delivery {accepted}."
        return Reprocessed(contract.name, delivery_id, None, 0, 0, detail)
    origin = Origin.REPROCESS if accepted else Origin.DELIVERY
    run = runs.start(conn, last, origin=Origin.REPROCESS)
    hit("reprocess.started")
    again = Again(conn, contract, run, origin, by)
    stage = staging.stage_of(run.run_id, contract)
    try:
        with conn.transaction():
            result = _run(again, stage, ids)
    except policy.PolicyFailed as failed:
        runs.finish(
            conn,
            run,
            RunStatus.FAILED,
            halted_in=HaltedIn.GOVERNANCE,
            reason=failed.reason.value,
            detail=failed.detail,
        )
        return Reprocessed(contract.name, delivery_id, run.run_id, 0, 0, failed.detail)
    hit("reprocess.done")
    return result


def _run(again: Again, stage: staging.Stage, ids: Sequence[int]) -> Reprocessed:
    """Everything about one delivery, in one transaction."""
    conn, run, contract = again.conn, again.run, again.contract
    staging.create(conn, stage)
    read, cut, context = 0, 0, {}
    for records in _held(conn, run.delivery_id, ids):
        cut += sum(record.raw_truncated for record in records)
        filling.fill(conn, stage, _batches(records, contract))
        read, context = read + len(records), records[0].context
    held = staging.judge(conn, stage)
    counts = Counts(read, read - held, held)
    if counts.accepted:
        _accept(again, stage, counts)
    quarantine.hold(conn, stage, run, contract.sha256, context)
    hit("reprocess.written")
    facts: dict[str, Any] = {
        "contract_version": contract.keys.version,
        "contract_sha256": contract.sha256,
    }
    if counts.accepted:
        runs.finish(conn, run, RunStatus.ACCEPTED, counts=counts, **facts)
    else:
        runs.finish(
            conn,
            run,
            RunStatus.REJECTED,
            halted_in=HaltedIn.GOVERNANCE,
            reason=RunReason.STILL_HELD.value,
            detail=f"{held} records were read again; none conforms.",
            counts=counts,
            **facts,
        )
    staging.drop(conn, stage)
    audit.record(
        conn,
        "quarantine.reprocessed",
        contract.name,
        again.actor,
        {"delivery_id": run.delivery_id, "run_id": run.run_id, "accepted": counts.accepted},
    )
    detail = f"Of {cut} only the beginning is kept: land the file again." if cut else ""
    return Reprocessed(contract.name, run.delivery_id, run.run_id, counts.accepted, held, detail)


def _accept(again: Again, stage: staging.Stage, counts: Counts) -> None:
    conn, run, contract = again.conn, again.run, again.contract
    layout = tables.ensure(conn, contract)
    materialization = materializations.record(
        conn, run, contract, layout, again.origin, materializations.Facts(counts, SchemaDiff())
    )
    assert materialization is not None, "the delivery's lock is held"  # noqa: S101
    accept.insert_rows(conn, stage, layout, run, materialization)
    quarantine.hold_enums(conn, stage, run)
    quarantine.mark_reprocessed(conn, stage, run, materialization, again.actor)
    policy.judge(
        conn,
        contract,
        layout,
        run.delivery_id,
        rows=counts.accepted,
        present=frozenset(column.name for column in contract.columns),
        diff=None,
    )


def _held(conn: Connection, delivery_id: int, ids: Sequence[int]) -> Iterator[Sequence[HeldRecord]]:
    """Lock and read the records, some at a time; who waits finds them no longer held."""
    last = 0
    while True:
        rows = conn.execute(
            "with next as (select quarantine_id, record_number, octet_length(raw) as bytes"
            " from governance.quarantine where delivery_id = %(delivery)s and state = 'held'"
            " and record_number > %(last)s"
            " and (%(ids)s::bigint[] = '{}' or quarantine_id = any(%(ids)s::bigint[]))"
            " order by record_number limit %(records)s), sized as (select quarantine_id,"
            " sum(bytes) over (order by record_number) - bytes as before from next)"
            " select quarantine_id, record_number, coalesce(line_from, 0), coalesce(line_to, 0),"
            " reason, raw, raw_truncated, context from governance.quarantine"
            " where quarantine_id in (select quarantine_id from sized where before < %(bytes)s)"
            " order by record_number for update",
            {
                "delivery": delivery_id,
                "last": last,
                "ids": list(ids),
                "records": _AT_ONCE,
                "bytes": _BYTES_AT_ONCE,
            },
        ).fetchall()
        if not rows:
            return
        yield [HeldRecord(*row) for row in rows]
        last = rows[-1][1]


def _batches(records: Sequence[HeldRecord], contract: DatasetContract) -> Iterator[Batch]:
    """Each record as a batch of its own, under its old number and lines."""
    for record in records:
        yield _renumbered(record, _read(record, contract))


def _read(record: HeldRecord, contract: DatasetContract) -> list[Batch]:
    if record.raw_truncated:
        return []
    header, encoding = record.context.get("header"), record.context.get("encoding", "utf-8")
    try:
        return list(reading.open_held(record.raw, contract, header, encoding))
    except DeliveryRefused:
        return []


def _renumbered(record: HeldRecord, batches: Sequence[Batch]) -> Batch:
    """Exactly one record has to come out of one record's bytes; else it stays held as it was."""
    read = sum(batch.read for batch in batches)
    malformed = [one for batch in batches for one in batch.malformed]
    if read == 1 and not malformed:
        line = b"".join(batch.copy for batch in batches).split(b"\t", 3)[3]
        prefix = b"%d\t%d\t%d\t" % (record.record_number, record.line_from, record.line_to)
        return Batch(prefix + line, 1)
    found = malformed[0] if read == 1 else None
    reason = found.reason if found else _REASONS[record.reason]
    held = Malformed(record.record_number, record.line_from, record.line_to, reason, record.raw)
    return Batch(b"", 0, (held,))

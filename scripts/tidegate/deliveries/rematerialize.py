"""Rows that the present contract hides, read again from their files under it.

A narrowed contract leaves the rows of older layouts unseen; a later one may hold their values again
without being their old type. Each such row is taken up once: as part of a new materialization under
its old delivery and record number, so that it never wins over a newer row of its key. A row whose
record does not conform stays what it is: accepted, unseen, shown by a contract that can hold it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract, Project
from tidegate.deliveries import (
    accept,
    artifacts,
    hidden,
    landing_views,
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
from tidegate.deliveries.filling import fill
from tidegate.deliveries.layouts import ROWS, Layout
from tidegate.deliveries.parsing import DeliveryRefused
from tidegate.deliveries.runs import Counts, Run
from tidegate.deliveries.vocabulary import HaltedIn, Origin, RunReason, RunStatus
from tidegate.errors import EnvironmentFailure, UsageError
from tidegate.failpoints import hit
from tidegate.ledger import audit
from tidegate.settings import Settings
from tidegate.shapes.model import SchemaDiff
from tidegate.warehouse import Warehouse


@dataclass(frozen=True)
class TakenUp:
    """What became of the hidden rows of one delivery; `run_id` is None where none was read."""

    dataset: str
    delivery_id: int
    run_id: int | None
    accepted: int
    hidden: int
    detail: str = ""


@dataclass(frozen=True)
class _Again:
    """One delivery read again: its run, the layouts that hide its rows, and how many they are."""

    conn: Connection
    contract: DatasetContract
    run: Run
    settings: Settings
    hiding: Sequence[Layout]
    rows: int
    actor: str


def rematerialize(
    settings: Settings, warehouse: Warehouse, project: Project, dataset: str, *, by: str
) -> tuple[TakenUp, ...]:
    """Take up the hidden rows of a dataset, delivery by delivery; of a snapshot only the newest.

    Raises UsageError where the dataset has no contract, the contract was not promoted, or nobody
    is named.
    """
    contract = project.dataset(dataset)
    if not by.strip():
        raise UsageError("Taking rows up needs somebody who answers for it.", remedy="Give --by.")
    with waiting.bounded(warehouse, "tidegate rematerialize") as conn:
        remedy = "Promote it with `tidegate contract promote` first."
        versions.require_authorised(conn, contract, remedy)
        with conn.transaction():
            tables.ensure(conn, contract)
        done = []
        for delivery_id, sha256 in hidden.deliveries(conn, contract):
            with warehouse.transaction(application_name="tidegate rematerialize lock") as guard:
                runs.lock_delivery(guard, dataset, sha256)
                done.append(_delivery(conn, contract, settings, delivery_id, by))
        return tuple(done)


def _delivery(
    conn: Connection, contract: DatasetContract, settings: Settings, delivery_id: int, by: str
) -> TakenUp:
    last = runs.last_run(conn, delivery_id)
    hiding = landing_views.hiding_layouts(conn, contract)
    rows = hidden.count(conn, contract, delivery_id)
    if not rows:
        return TakenUp(contract.name, delivery_id, None, 0, 0, "Somebody else has taken them up.")
    if not last.status.terminal:
        if last.status is RunStatus.PARKED:
            return TakenUp(contract.name, delivery_id, None, 0, rows, "The delivery is parked.")
        runs.end_interrupted(conn, last)
    if not artifacts.is_stored(last.artifact, settings.artifacts_dir):
        detail = "Its file was pruned: it cannot be read again."
        return TakenUp(contract.name, delivery_id, None, 0, rows, detail)
    try:
        artifacts.require_intact(last.artifact, settings.artifacts_dir)
    except EnvironmentFailure as damaged:
        return TakenUp(contract.name, delivery_id, None, 0, rows, str(damaged))
    run = runs.start(conn, last, origin=Origin.REPROCESS)
    hit("rematerialize.started")
    again = _Again(conn, contract, run, settings, hiding, rows, by)
    try:
        with conn.transaction():
            result = _run(again)
    except DeliveryRefused as error:
        return _refused(again, error.refusal.reason.value, error.refusal.detail, HaltedIn.PARSING)
    except policy.PolicyFailed as failed:
        return _refused(again, failed.reason.value, failed.detail, HaltedIn.GOVERNANCE)
    hit("rematerialize.done")
    return result


def _run(again: _Again) -> TakenUp:
    """Everything about one delivery, in one transaction."""
    conn, run, contract = again.conn, again.run, again.contract
    stage = staging.stage_of(run.run_id, contract)
    staging.create(conn, stage)
    accepted = _stage(again, stage)
    if accepted:
        _accept(again, stage, accepted)
    hit("rematerialize.written")
    staging.drop(conn, stage)
    left = again.rows - accepted
    if not accepted:
        detail = f"{left} hidden rows were read again; none conforms."
        return _refused(again, RunReason.STILL_HIDDEN.value, detail, HaltedIn.GOVERNANCE)
    detail = f"{left} rows stay hidden: their records do not conform." if left else ""
    runs.finish(
        conn,
        run,
        RunStatus.ACCEPTED,
        detail=detail or None,
        counts=Counts(accepted, accepted, 0),
        contract_version=contract.keys.version,
        contract_sha256=contract.sha256,
    )
    facts = {"delivery_id": run.delivery_id, "run_id": run.run_id, "rows": accepted}
    audit.record(conn, "delivery.rematerialized", contract.name, again.actor, facts)
    return TakenUp(contract.name, run.delivery_id, run.run_id, accepted, left, detail)


def _stage(again: _Again, stage: staging.Stage) -> int:
    """Stage the records of hidden rows and no others; return how many of them conform."""
    conn, run = again.conn, again.run
    store = again.settings.artifacts_dir
    with reading.open_artifact(store, run.artifact, again.contract, run.source_name) as reader:
        fill(conn, stage, reader)
        if reader.refusal:
            raise DeliveryRefused(reader.refusal)
    wanted = sql.SQL("(select h._record_number from ({}) h where h._delivery_id = {})").format(
        hidden.rows(conn, again.contract), sql.Literal(run.delivery_id)
    )
    for table, column in ((stage.records, "_record_number"), (stage.held, "record_number")):
        conn.execute(
            sql.SQL("delete from {} where {} not in {}").format(
                table, sql.Identifier(column), wanted
            )
        )
    staging.judge(conn, stage)
    row = conn.execute(
        sql.SQL(
            "select count(*) from {} s where not exists"
            " (select from {} h where h.record_number = s._record_number)"
        ).format(stage.records, stage.held)
    ).fetchone()
    return int(row[0]) if row else 0


def _accept(again: _Again, stage: staging.Stage, rows: int) -> None:
    conn, run, contract = again.conn, again.run, again.contract
    layout = tables.ensure(conn, contract)
    facts = materializations.Facts(Counts(rows, rows, 0), SchemaDiff())
    number = materializations.record(conn, run, contract, layout, Origin.REPROCESS, facts)
    assert number is not None, "the delivery's lock is held"  # noqa: S101
    accept.insert_rows(conn, stage, layout, run, number)
    quarantine.hold_enums(conn, stage, run)
    policy.judge(
        conn,
        contract,
        layout,
        run.delivery_id,
        rows=rows,
        present=frozenset(column.name for column in contract.columns),
        diff=None,
    )
    for old in again.hiding:
        _note(again, old, layout, number)
    landing_views.ensure(conn, contract)


def _note(again: _Again, old: Layout, layout: Layout, number: int) -> None:
    """Remember from where rows were taken, so that no view shows them twice."""
    again.conn.execute(
        sql.SQL(
            "insert into governance.rematerializations"
            " (dataset, from_layout, layout, materialization_id, rows, taken_up_by)"
            " select %s, %s, %s, %s, count(*), %s from {old} o join {new} n"
            " on (n._delivery_id, n._record_number) = (o._delivery_id, o._record_number)"
            " where n._materialization_id = %s having count(*) > 0"
        ).format(old=sql.Identifier(ROWS, old.relation), new=sql.Identifier(ROWS, layout.relation)),
        [again.contract.name, old.number, layout.number, number, again.actor, number],
    )


def _refused(again: _Again, reason: str, detail: str, halted_in: HaltedIn) -> TakenUp:
    """The run ends without a row; everything is as it was."""
    runs.finish(
        again.conn,
        again.run,
        RunStatus.REJECTED,
        halted_in=halted_in,
        reason=reason,
        detail=detail,
        counts=Counts(again.rows, 0, 0, again.rows),
        contract_version=again.contract.keys.version,
        contract_sha256=again.contract.sha256,
    )
    return TakenUp(
        again.contract.name, again.run.delivery_id, again.run.run_id, 0, again.rows, detail
    )

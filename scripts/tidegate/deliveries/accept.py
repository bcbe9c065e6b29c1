"""Acceptance: typed rows, quarantine, materialization and the run's end in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import Classification
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import layouts, materializations, policy, quarantine, runs, tables
from tidegate.deliveries.loading import Loading
from tidegate.deliveries.runs import Counts, Run
from tidegate.deliveries.staging import Stage, outside_enum
from tidegate.deliveries.vocabulary import HaltedIn, Origin, RunStatus
from tidegate.errors import InvariantBroken
from tidegate.failpoints import hit
from tidegate.ledger import audit, evidence, outbox, publications
from tidegate.rules.validation import Validation
from tidegate.shapes.model import SchemaDiff


@dataclass(frozen=True)
class Acceptance:
    """Everything one acceptance is about.

    `context` is what reading a held record again needs, `present` the contract's columns that the
    delivery has, `diff` its schema difference, every part of which was resolved before. `loading`
    holds rows that are in their table already; `restage` stages every record of the run again.
    """

    conn: Connection
    run: Run
    contract: DatasetContract
    stage: Stage
    counts: Counts
    schema_version_id: int | None
    context: dict[str, Any]
    attempt: publications.Attempt | None
    present: frozenset[str]
    diff: SchemaDiff
    loading: Loading | None = None
    restage: Callable[[], None] = lambda: None


def accept(what: Acceptance) -> None:
    """Make the rows visible, or record why they are not; both with their evidence."""
    loading = what.loading
    writing = replace(what, conn=loading.conn) if loading else what
    try:
        with writing.conn.transaction():
            _accept(writing)
        if loading:
            loading.commit()
    except AcceptedBefore:
        _discard(loading)
        runs.finish(what.conn, what.run, RunStatus.DUPLICATE)
    except policy.PolicyFailed as failed:
        if _discard(loading):
            what.restage()
        with what.conn.transaction():
            _refuse(what, failed)


def _discard(loading: Loading | None) -> bool:
    """Take rows back that are in their table already; whether there were any."""
    rows = loading.rows if loading else 0
    if loading:
        loading.discard()
    return rows > 0


class AcceptedBefore(Exception):
    """Another run accepted these bytes."""


def _accept(what: Acceptance) -> None:
    conn, run, contract, counts = what.conn, what.run, what.contract, what.counts
    classified = what.diff.highest
    if classified is None:
        raise InvariantBroken(
            "A delivery came to acceptance that was never compared with its contract.",
            remedy="Nothing was accepted. Please report it.",
        )
    layout = tables.ensure(conn, contract)
    loading = what.loading
    materialization = materializations.record(
        conn,
        run,
        contract,
        layout,
        Origin.DELIVERY,
        materializations.Facts(
            what.counts,
            what.diff,
            what.schema_version_id,
            loading.materialization_id if loading else None,
        ),
    )
    if materialization is None:
        raise AcceptedBefore
    written = insert_rows(conn, what.stage, layout, run, materialization)
    written += loading.rows if loading else 0
    if written != counts.accepted:
        raise InvariantBroken(
            f"{written} rows were written where {counts.accepted} records conform.",
            remedy="Nothing was accepted. Please report it.",
        )
    hit("land.written")
    validation = policy.judge(
        conn,
        contract,
        layout,
        run.delivery_id,
        rows=written,
        present=what.present,
        diff=what.diff,
    )
    quarantine.hold(conn, what.stage, run, contract.sha256, what.context)
    quarantine.hold_enums(conn, what.stage, run)
    evidence.keep_policies(conn, [contract])
    policy.open_reviews(conn, contract, run.delivery_id, validation)
    runs.finish(conn, run, RunStatus.ACCEPTED, counts=counts, **_evidence(validation))
    _tell(what, validation, classified)
    hit("land.judged")


def _refuse(what: Acceptance, failed: policy.PolicyFailed) -> None:
    """The stage stays for inspection; a corrected file is a new delivery."""
    conn, run, counts = what.conn, what.run, what.counts
    evidence.keep_policies(conn, [what.contract])
    quarantine.hold(conn, what.stage, run, what.contract.sha256, what.context)
    runs.finish(
        conn,
        run,
        RunStatus.FAILED,
        halted_in=HaltedIn.GOVERNANCE,
        reason=failed.reason.value,
        detail=f"{failed.detail} The staged rows are in landing_stage.r{run.run_id}.",
        counts=Counts(counts.read, 0, counts.quarantined, counts.accepted),
        **_evidence(failed.validation),
    )


def _evidence(validation: Validation | None) -> dict[str, Any]:
    if validation is None:
        return {}
    return {
        "policy_version": validation.policy_version,
        "policy_sha256": validation.policy_sha256,
        "validation": validation.document(),
    }


def _tell(what: Acceptance, validation: Validation | None, classified: Classification) -> None:
    """The audit event, and what a producer's publication leaves behind."""
    conn, run, contract = what.conn, what.run, what.contract
    policy_sha256 = validation.policy_sha256 if validation else None
    facts = {"delivery_id": run.delivery_id, "run_id": run.run_id, "rows": what.counts.accepted}
    actor = what.attempt.producer if what.attempt else runs.connected_role(conn)
    audit.record(
        conn, "delivery.accepted", contract.name, actor, facts, policy_sha256=policy_sha256
    )
    if what.attempt is None:
        return
    document = validation.document() if validation else {}
    published = publications.record(
        conn,
        what.attempt,
        kind="dataset",
        subject=contract.name,
        content_sha256=run.artifact.sha256,
        validation=document,
        delivery_id=run.delivery_id,
    )
    evidence.store(
        conn,
        published.publication_id,
        contract.name,
        document,
        classification=classified,
        policy_version=validation.policy_version if validation else None,
        policy_sha256=policy_sha256,
    )
    outbox.enqueue(
        conn,
        outbox.PUBLISHED,
        contract.name,
        contract.keys.owner,
        {**facts, "reference": published.reference},
        publication_id=published.publication_id,
        source=f"delivery:{run.delivery_id}",
    )


def insert_rows(
    conn: Connection, stage: Stage, layout: layouts.Layout, run: Run, materialization_id: int
) -> int:
    """Convert every staged record that is not held and write it; return how many."""
    names, values = [], []
    for column, how in stage.conversions():
        names.append(sql.Identifier(column.name))
        kept = sql.SQL("{} is not null").format(sql.Identifier("s", column.name))
        if column.keys.enum is not None:
            kept = sql.SQL("{} and not {}").format(kept, outside_enum(column))
        values.append(sql.SQL("case when {} then {} end").format(kept, how.value))
    # Numbers are literals too: beside parameters a per cent sign of the contract would be one.
    cursor = conn.execute(
        sql.SQL(
            "insert into {table} ({names}, _materialization_id, _delivery_id, _record_number)"
            " select {values}, {materialization}, {delivery}, s._record_number"
            " from {records} s where not exists"
            " (select from {held} h where h.record_number = s._record_number)"
        ).format(
            table=sql.Identifier(layouts.ROWS, layout.relation),
            names=sql.SQL(", ").join(names),
            values=sql.SQL(", ").join(values),
            records=stage.records,
            held=stage.held,
            materialization=sql.Literal(materialization_id),
            delivery=sql.Literal(run.delivery_id),
        )
    )
    return cursor.rowcount

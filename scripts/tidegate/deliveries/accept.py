"""Acceptance: typed rows, quarantine, materialization and the run's end in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.contracts.model import DatasetContract
from tidegate.deliveries import runs, tables
from tidegate.deliveries.runs import Connection, Counts, Run
from tidegate.deliveries.staging import Stage
from tidegate.deliveries.vocabulary import Origin, RunStatus
from tidegate.errors import InvariantBroken
from tidegate.failpoints import hit
from tidegate.ledger import audit, publications


@dataclass(frozen=True)
class Acceptance:
    """Everything one acceptance is about; `context` is what reading a held record again needs."""

    conn: Connection
    run: Run
    contract: DatasetContract
    stage: Stage
    counts: Counts
    schema_version_id: int
    context: dict[str, Any]
    attempt: publications.Attempt | None


def accept(what: Acceptance) -> None:
    """Make the rows visible, with everything the ledger says about them, in one transaction."""
    conn, run, contract, counts = what.conn, what.run, what.contract, what.counts
    with conn.transaction():
        layout = tables.ensure(conn, contract)
        materialization = open_materialization(
            conn,
            run,
            layout,
            origin=Origin.DELIVERY,
            rows=counts.accepted,
            contract_sha256=contract.sha256,
            schema_version_id=what.schema_version_id,
            provenance={
                "source_name": run.source_name,
                "contract_version": contract.keys.version,
                "rows_read": counts.read,
                "rows_quarantined": counts.quarantined,
            },
        )
        if materialization is None:
            runs.finish(conn, run, RunStatus.DUPLICATE)
            return
        written = insert_rows(conn, what.stage, layout, run, materialization)
        if written != counts.accepted:
            raise InvariantBroken(
                f"{written} rows were written where {counts.accepted} records conform.",
                remedy="Nothing was accepted. Please report it.",
            )
        quarantine(conn, what.stage, run, contract.sha256, what.context)
        hit("land.written")
        runs.finish(conn, run, RunStatus.ACCEPTED, counts=counts)
        _tell(what)


def _tell(what: Acceptance) -> None:
    """Audit, and the publication record of a producer."""
    conn, run = what.conn, what.run
    audit.record(
        conn,
        "delivery.accepted",
        run.dataset,
        what.attempt.producer if what.attempt else runs.connected_role(conn),
        {"delivery_id": run.delivery_id, "run_id": run.run_id, "rows": what.counts.accepted},
    )
    if what.attempt:
        publications.record(
            conn,
            what.attempt,
            kind="dataset",
            subject=run.dataset,
            content_sha256=run.artifact.sha256,
            validation={},
            delivery_id=run.delivery_id,
        )


def open_materialization(
    conn: Connection,
    run: Run,
    layout: tables.Layout,
    *,
    origin: Origin,
    rows: int,
    contract_sha256: str,
    schema_version_id: int | None,
    provenance: dict[str, Any],
) -> int | None:
    """Claim the materialization; None where another run accepted these bytes before."""
    row = conn.execute(
        "insert into governance.materializations (dataset, delivery_id, run_id, origin,"
        " artifact_sha256, layout, contract_sha256, schema_version_id, rows, provenance)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
        " on conflict (dataset, artifact_sha256) where origin = 'delivery' do nothing"
        " returning materialization_id",
        [
            run.dataset,
            run.delivery_id,
            run.run_id,
            origin.value,
            run.artifact.sha256,
            layout.number,
            contract_sha256,
            schema_version_id,
            rows,
            Jsonb(provenance),
        ],
    ).fetchone()
    return int(row[0]) if row else None


def insert_rows(
    conn: Connection, stage: Stage, layout: tables.Layout, run: Run, materialization_id: int
) -> int:
    """Convert every staged record that is not held and write it; return how many."""
    names, values = [], []
    for column, how in stage.conversions():
        names.append(sql.Identifier(column.name))
        values.append(
            sql.SQL("case when {} is not null then {} end").format(
                sql.Identifier("s", column.name), how.value
            )
        )
    cursor = conn.execute(
        sql.SQL(
            "insert into {table} ({names}, _materialization_id, _delivery_id, _record_number)"
            " select {values}, %(materialization)s, %(delivery)s, s._record_number"
            " from {records} s where not exists"
            " (select from {held} h where h.record_number = s._record_number)"
        ).format(
            table=sql.Identifier(tables.ROWS, layout.relation),
            names=sql.SQL(", ").join(names),
            values=sql.SQL(", ").join(values),
            records=stage.records,
            held=stage.held,
        ),
        {"materialization": materialization_id, "delivery": run.delivery_id},
    )
    return cursor.rowcount


def quarantine(
    conn: Connection, stage: Stage, run: Run, contract_sha256: str, context: dict[str, Any]
) -> int:
    """Move held records to the quarantine, each once however often the run is tried."""
    cursor = conn.execute(
        sql.SQL(
            "insert into governance.quarantine (dataset, delivery_id, run_id, record_number,"
            " line_from, line_to, reason, field, raw, context)"
            " select distinct on (record_number) %s, %s, %s, record_number, line_from, line_to,"
            " reason, field, coalesce(raw, ''), %s from {} order by record_number, reason, field"
            " on conflict (delivery_id, record_number) do update set last_seen = clock_timestamp(),"
            " attempts = governance.quarantine.attempts + 1"
            " where governance.quarantine.state = 'held'"
        ).format(stage.held),
        [run.dataset, run.delivery_id, run.run_id, Jsonb(context)],
    )
    conn.execute(
        sql.SQL(
            "insert into governance.quarantine_events"
            " (quarantine_id, event, run_id, reason, field, contract_sha256)"
            " select q.quarantine_id, case when q.run_id = %(run)s then 'held' else 'held_again'"
            " end, %(run)s, h.reason, h.field, %(contract)s"
            " from {} h join governance.quarantine q on q.record_number = h.record_number"
            " where q.delivery_id = %(delivery)s and q.state = 'held'"
            " order by h.record_number"
        ).format(stage.held),
        {"run": run.run_id, "delivery": run.delivery_id, "contract": contract_sha256},
    )
    return cursor.rowcount

"""The quarantine: records that could not be accepted, kept with reason, run and bytes.

Isolate, never drop (governance seed). What people do about held records is in `reprocess` and
`discard`; here they come in, and are looked at without their values.
"""

from __future__ import annotations

from typing import Any

from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.deliveries.runs import Connection, Run
from tidegate.deliveries.staging import Stage, outside_enum


def hold(
    conn: Connection, stage: Stage, run: Run, contract_sha256: str, context: dict[str, Any]
) -> None:
    """Move a run's held records to the quarantine, inside the transaction that ends the run.

    A record has one entry however often its delivery is tried: the entry counts the attempts, and
    the events keep every reason of every attempt.
    """
    conn.execute(
        sql.SQL(
            "insert into governance.quarantine (dataset, delivery_id, run_id, record_number,"
            " line_from, line_to, reason, field, raw, context)"
            " select distinct on (record_number) %s, %s, %s, record_number, line_from, line_to,"
            " reason, field, coalesce(raw, ''), %s from {} order by record_number, field, reason"
            " on conflict (delivery_id, record_number) do update set last_seen = clock_timestamp(),"
            " attempts = governance.quarantine.attempts + 1, reason = excluded.reason,"
            " field = excluded.field, run_id = excluded.run_id"
            " where governance.quarantine.state = 'held'"
        ).format(stage.held),
        [run.dataset, run.delivery_id, run.run_id, Jsonb(context)],
    )
    conn.execute(
        sql.SQL(
            "insert into governance.quarantine_events"
            " (quarantine_id, event, run_id, reason, field, contract_sha256)"
            " select q.quarantine_id, case when q.attempts = 1 then 'held' else 'held_again' end,"
            " %(run)s, h.reason, h.field, %(contract)s"
            " from {} h join governance.quarantine q on q.record_number = h.record_number"
            " where q.delivery_id = %(delivery)s and q.state = 'held'"
            " order by h.record_number, h.field, h.reason"
        ).format(stage.held),
        {"run": run.run_id, "delivery": run.delivery_id, "contract": contract_sha256},
    )


def hold_enums(conn: Connection, stage: Stage, run: Run) -> int:
    """Keep the values outside closed enums of accepted rows: the cell is null, the row stays."""
    held = 0
    for column in stage.columns:
        if column.keys.enum is None or column.required:
            continue
        cursor = conn.execute(
            sql.SQL(
                "insert into governance.enum_quarantine"
                " (dataset, delivery_id, record_number, field, source_value, run_id)"
                " select %(dataset)s, %(delivery)s, s._record_number, %(field)s, {value}, %(run)s"
                " from {records} s where {outside} and not exists"
                " (select from {held} h where h.record_number = s._record_number)"
                " on conflict do nothing"
            ).format(
                value=sql.Identifier("s", column.name),
                records=stage.records,
                outside=outside_enum(column),
                held=stage.held,
            ),
            {
                "dataset": run.dataset,
                "delivery": run.delivery_id,
                "field": column.name,
                "run": run.run_id,
            },
        )
        held += cursor.rowcount
    return held

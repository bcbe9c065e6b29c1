"""The quarantine: records that could not be accepted, kept with reason, run and bytes.

Isolate, never drop (governance seed). What people do about held records is in `reprocess` and
`discard`; here they come in, and are looked at without their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.deliveries.runs import Run
from tidegate.deliveries.staging import Stage, outside_enum
from tidegate.errors import UsageError
from tidegate.ledger import approvals, audit
from tidegate.names import SAMPLE_CAP


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
            " line_from, line_to, reason, field, raw, raw_truncated, context)"
            " select distinct on (record_number) %s, %s, %s, record_number, line_from, line_to,"
            " reason, field, coalesce(raw, ''), raw_truncated, %s from {}"
            " order by record_number, field, reason"
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


def refused_as_a_whole(conn: Connection, delivery_id: int) -> bool:
    """Whether the file could not be read as records, so that each of them is held."""
    row = conn.execute(
        "select exists (select from governance.runs where delivery_id = %s"
        " and status = 'rejected' and halted_in = 'parsing')",
        [delivery_id],
    ).fetchone()
    return bool(row and row[0])


def hold_enums(conn: Connection, stage: Stage, run: Run) -> int:
    """Keep the values outside closed enums of accepted rows: the cell is null, the row stays."""
    held = 0
    for column in stage.columns:
        if column.keys.enum is None or column.required:
            continue
        # No parameters: beside them a per cent sign of the closed set would be one.
        cursor = conn.execute(
            sql.SQL(
                "insert into governance.enum_quarantine"
                " (dataset, delivery_id, record_number, field, source_value, run_id)"
                " select {dataset}, {delivery}, s._record_number, {field}, {value}, {run}"
                " from {records} s where {outside} and not exists"
                " (select from {held} h where h.record_number = s._record_number)"
                " on conflict do nothing"
            ).format(
                value=sql.Identifier("s", column.name),
                records=stage.records,
                outside=outside_enum(column),
                held=stage.held,
                dataset=sql.Literal(run.dataset),
                delivery=sql.Literal(run.delivery_id),
                field=sql.Literal(column.name),
                run=sql.Literal(run.run_id),
            )
        )
        held += cursor.rowcount
    return held


def mark_reprocessed(
    conn: Connection, stage: Stage, run: Run, materialization_id: int, actor: str
) -> None:
    """The staged records that conform are accepted now; their reasons and bytes stay."""
    conn.execute(
        sql.SQL(
            "with accepted as (update governance.quarantine q set state = 'reprocessed',"
            " materialization_id = %(materialization)s, attempts = attempts + 1,"
            " last_seen = clock_timestamp() from {records} s"
            " where q.delivery_id = %(delivery)s and q.record_number = s._record_number"
            " and q.state = 'held' and not exists"
            " (select from {held} h where h.record_number = s._record_number)"
            " returning q.quarantine_id)"
            " insert into governance.quarantine_events (quarantine_id, event, run_id, actor)"
            " select quarantine_id, 'reprocessed', %(run)s, %(actor)s from accepted"
        ).format(records=stage.records, held=stage.held),
        {
            "materialization": materialization_id,
            "delivery": run.delivery_id,
            "run": run.run_id,
            "actor": actor,
        },
    )


def require_known(conn: Connection, ids: Sequence[int], dataset: str) -> None:
    """Raise UsageError where one of `ids` is no record of the dataset, in whatever state."""
    rows = conn.execute(
        "select wanted from unnest(%s::bigint[]) as wanted where not exists (select"
        " from governance.quarantine_index q where q.quarantine_id = wanted and q.dataset = %s)"
        " order by 1 limit %s",
        [list(ids), dataset, SAMPLE_CAP],
    ).fetchall()
    if rows:
        shown = ", ".join(str(row[0]) for row in rows)
        raise UsageError(
            f"No quarantined record of {dataset}: {shown}. Nothing was done.",
            remedy="See `tidegate quarantine list`.",
        )


def discard(conn: Connection, ids: Sequence[int], *, by: str, reason: str) -> int:
    """Give records up: they are not held any more, and everything about them stays.

    Raises UsageError without actor or reason, or where one of `ids` is not held, PrivilegeMissing
    where the login is no operator's; then none is discarded.
    """
    if not by.strip() or not reason.strip():
        raise UsageError("Discarding needs who and why.", remedy="Give --by and --reason.")
    approvals.require_operator(conn, "discard quarantined records")
    with conn.transaction():
        rows = conn.execute(
            "update governance.quarantine set state = 'discarded', last_seen = clock_timestamp()"
            " where quarantine_id = any(%s) and state = 'held' returning quarantine_id, dataset",
            [list(ids)],
        ).fetchall()
        missing = sorted(set(ids) - {row[0] for row in rows})
        if missing:
            shown = ", ".join(map(str, missing[:SAMPLE_CAP]))
            raise UsageError(
                f"Not held: {shown}. Nothing was discarded.",
                remedy="See `tidegate quarantine list`.",
            )
        conn.execute(
            "insert into governance.quarantine_events (quarantine_id, event, actor, note)"
            " select unnest(%s::bigint[]), 'discarded', %s, %s",
            [[row[0] for row in rows], by, reason],
        )
        for dataset in sorted({row[1] for row in rows}):
            count = sum(row[1] == dataset for row in rows)
            audit.record(
                conn, "quarantine.discarded", dataset, by, {"records": count, "reason": reason}
            )
    return len(rows)

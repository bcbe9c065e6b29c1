"""Accepted rows that are older than their contract keeps them, and that nobody needs to see.

Of a snapshot all deliveries but the newest may go; of an upsert every row that a newer one of its
key replaced; of an append dataset whatever is old enough: age is all that `rows_days` can mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract, Project
from tidegate.deliveries import landing_views, layouts
from tidegate.deliveries.layouts import Layout
from tidegate.deliveries.references import parse

_HOLD = (
    "(select min(h.hold_id) from governance.delivery_holds h where h.released_at is null"
    " and h.dataset = m.dataset and (h.delivery_id is null or h.delivery_id = m.delivery_id))"
)


def pinned(project: Project) -> frozenset[tuple[str, int]]:
    """Deliveries that a quality policy names: rules that look into them must find them whole."""
    policies: list[Any] = [one.policy for one in project.datasets.values()]
    policies += [one.policy for one in project.models.values()]
    found = set()
    for policy in policies:
        for rule in (policy or {}).get("rules") or ():
            target = rule.get("references") if isinstance(rule, dict) else None
            wanted = target.get("materialization") if isinstance(target, dict) else None
            parts = parse(wanted) if isinstance(wanted, str) else None
            if parts:
                found.add(parts[:2])
    return frozenset(found)


def old(
    conn: Connection,
    contract: DatasetContract,
    pins: Collection[tuple[str, int]],
    at: datetime,
) -> Iterator[tuple[int, int, str]]:
    """Deliveries with rows that are old enough: how many, and why they stay (empty: they go)."""
    counts: dict[int, int] = {}
    why: dict[int, str] = {}
    for layout, condition in _conditions(conn, contract):
        query = sql.SQL(
            "select r._delivery_id, count(*), min({hold}) {rest} group by r._delivery_id"
        ).format(hold=sql.SQL(_HOLD), rest=_of(layout, condition))
        for delivery, records, hold in conn.execute(query, _values(contract, at)):
            counts[delivery] = counts.get(delivery, 0) + records
            if hold is not None:
                why[delivery] = f"hold {hold}"
            elif (contract.name, delivery) in pins:
                why[delivery] = "a quality policy refers to it"
    for delivery in sorted(counts):
        yield delivery, counts[delivery], why.get(delivery, "")


def remove(
    conn: Connection, contract: DatasetContract, deliveries: Iterable[int], at: datetime
) -> int:
    """Delete the old rows of these deliveries; returns how many. The caller knows they may go."""
    removed = 0
    values = {**_values(contract, at), "deliveries": list(deliveries)}
    for layout, condition in _conditions(conn, contract):
        query = sql.SQL(
            "delete from {table} gone using (select r.ctid as place {rest}"
            " and r._delivery_id = any(%(deliveries)s)) found where gone.ctid = found.place"
        ).format(table=sql.Identifier(layouts.ROWS, layout.relation), rest=_of(layout, condition))
        removed += conn.execute(query, values).rowcount
    return removed


def _values(contract: DatasetContract, at: datetime) -> dict[str, Any]:
    return {"dataset": contract.name, "days": contract.keys.retention.rows_days, "at": at}


def _of(layout: Layout, condition: sql.Composable) -> sql.Composed:
    return sql.SQL(
        "from {} r join governance.materializations m"
        " on m.materialization_id = r._materialization_id"
        " where m.accepted_at < %(at)s::timestamptz - make_interval(days => %(days)s) and {}"
    ).format(sql.Identifier(layouts.ROWS, layout.relation), condition)


def _conditions(
    conn: Connection, contract: DatasetContract
) -> Iterator[tuple[Layout, sql.Composable]]:
    """Each layout with the condition that nobody sees a row `r` of it; nothing: all is kept."""
    if contract.keys.retention.rows_days is None:
        return
    kind = contract.keys.delivery.kind
    if kind is DeliveryKind.UPSERT:
        yield from _replaced(conn, contract)
        return
    condition: sql.Composable = sql.SQL("true")
    if kind is DeliveryKind.SNAPSHOT:
        condition = sql.SQL(
            "r._delivery_id <> (select max(n.delivery_id) from governance.materializations n"
            " where n.dataset = %(dataset)s and n.origin = 'delivery')"
        )
    for layout in layouts.layouts(conn, contract.name):
        yield layout, condition


def _replaced(
    conn: Connection, contract: DatasetContract
) -> Iterator[tuple[Layout, sql.Composable]]:
    """Rows of an upsert with a newer one of their key; rows that the view cannot show stay.

    Those may be the newest of their key, and would be shown again by a wider contract.
    """
    shown = landing_views.shown_layouts(conn, contract)
    types = {column.name: column.type.sql for column in contract.columns}
    key = contract.keys.delivery.key
    newer = sql.SQL(" union all ").join(
        landing_views.of_layout(layout, contract, shown) for layout in shown
    )
    for layout in shown:
        there = {name for name, _ in layout.columns}
        if not there.issuperset(key):
            continue
        same = sql.SQL(" and ").join(
            sql.SQL("n.{0} = r.{0}::{1}").format(sql.Identifier(name), sql.SQL(types[name]))
            for name in key
        )
        yield (
            layout,
            sql.SQL(
                "exists (select from ({}) n where {} and (n._delivery_id, n._record_number)"
                " > (r._delivery_id, r._record_number))"
            ).format(newer, same),
        )

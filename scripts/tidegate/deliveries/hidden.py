"""Accepted rows that the present contract's view cannot show, and no other layout has instead."""

from __future__ import annotations

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries.landing_views import absent_from, divided
from tidegate.deliveries.layouts import ROWS, layouts

_NEWEST = sql.SQL(
    " and d.delivery_id = (select max(m.delivery_id) from governance.materializations m"
    " where m.dataset = {} and m.origin = 'delivery')"
)


def rows(conn: Connection, contract: DatasetContract) -> sql.Composable:
    """A query for delivery and record number of each; none where nothing hides rows."""
    shown, hiding = divided(contract, layouts(conn, contract.name))
    if not hiding:
        return sql.SQL("select 0::bigint as _delivery_id, 0::bigint as _record_number where false")
    return sql.SQL(" union all ").join(
        sql.SQL("select o._delivery_id, o._record_number from {} o where true{}").format(
            sql.Identifier(ROWS, layout.relation), absent_from(shown, newer=False)
        )
        for layout in hiding
    )


def deliveries(conn: Connection, contract: DatasetContract) -> list[tuple[int, str]]:
    """Deliveries that have some, with the hash of their file, oldest first.

    Of a snapshot only the newest: no view shows another one.
    """
    snapshot = contract.keys.delivery.kind is DeliveryKind.SNAPSHOT
    found = conn.execute(
        sql.SQL(
            "select d.delivery_id, d.artifact_sha256 from governance.deliveries d"
            " where d.delivery_id in (select h._delivery_id from ({}) h){} order by 1"
        ).format(
            rows(conn, contract),
            _NEWEST.format(sql.Literal(contract.name)) if snapshot else sql.SQL(""),
        )
    ).fetchall()
    return [(int(row[0]), str(row[1])) for row in found]


def count(conn: Connection, contract: DatasetContract, delivery_id: int | None = None) -> int:
    """How many there are, or how many a delivery has."""
    only: sql.Composable = sql.SQL("")
    if delivery_id is not None:
        only = sql.SQL(" where h._delivery_id = {}").format(sql.Literal(delivery_id))
    row = conn.execute(
        sql.SQL("select count(*) from ({}) h{}").format(rows(conn, contract), only)
    ).fetchone()
    return int(row[0]) if row else 0

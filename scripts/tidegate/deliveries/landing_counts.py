"""How many rows readers of a dataset's landing view see, and how many it cannot show them."""

from __future__ import annotations

from psycopg import sql

from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries.landing_views import absent_from, hiding_layouts, newer_of, shown_layouts
from tidegate.deliveries.layouts import ROWS
from tidegate.deliveries.runs import Connection
from tidegate.names import LANDING

_NOTHING = sql.SQL("")
_ACCEPTED = """
select coalesce(sum(m.rows), 0)::bigint from governance.materializations m
where
    m.dataset = %(dataset)s
    and (%(delivery)s::bigint is null or m.delivery_id = %(delivery)s)
having
    (select count(*) from governance.landing_layouts l where l.dataset = %(dataset)s) = 1
    and not exists (
        select from governance.delivery_prunings p
        where p.dataset = %(dataset)s and p.kind = 'rows'
    )
"""


def shown_rows(conn: Connection, contract: DatasetContract, latest: int | None) -> int:
    """How many rows the view has; `latest` is the delivery that a snapshot shows.

    The materializations say it where all rows are still where they were accepted, so that a
    landing does not read the whole history again. Elsewhere rows are counted where they lie: the
    view's joins neither add nor drop one.
    """
    kind = contract.keys.delivery.kind
    if kind is DeliveryKind.UPSERT:
        return _count(conn, sql.Identifier(LANDING, contract.name))
    shown = shown_layouts(conn, contract)
    only = latest if kind is DeliveryKind.SNAPSHOT else None
    if kind is DeliveryKind.SNAPSHOT and only is None:
        return 0
    accepted = _accepted(conn, contract.name, only) if len(shown) == 1 else None
    if accepted is not None:
        return accepted
    return sum(
        _count(conn, sql.Identifier(ROWS, one.relation), only, newer_of(one, shown))
        for one in shown
    )


def hidden_rows(conn: Connection, contract: DatasetContract) -> int:
    """Accepted rows of older contracts that the present contract's view cannot show."""
    shown = shown_layouts(conn, contract)
    return sum(
        _count(conn, sql.Identifier(ROWS, one.relation), None, absent_from(shown, newer=False))
        for one in hiding_layouts(conn, contract)
    )


def _count(
    conn: Connection,
    relation: sql.Identifier,
    delivery: int | None = None,
    where: sql.Composable = _NOTHING,
) -> int:
    only = sql.SQL("") if delivery is None else sql.SQL(" and o._delivery_id = %(delivery)s")
    counted = sql.SQL("select count(*) from {} o where true{}{}").format(relation, only, where)
    row = conn.execute(counted, {"delivery": delivery}).fetchone()
    assert row is not None  # noqa: S101 (aggregates always return)
    return int(row[0])


def _accepted(conn: Connection, dataset: str, delivery: int | None) -> int | None:
    """Rows that were ever accepted; None where some may have moved to another layout, or gone."""
    row = conn.execute(_ACCEPTED, {"dataset": dataset, "delivery": delivery}).fetchone()
    return None if row is None else int(row[0])

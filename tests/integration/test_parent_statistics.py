"""Serving parents have statistics, so that what readers ask through a view is planned as asked."""

from __future__ import annotations

from typing import Any

import pytest

from publication_support import change_both_shapes, publish
from shop import Shop, orders_and_customers
from tidegate.connection import Connection
from tidegate.publishing import statistics
from tidegate.warehouse import Warehouse

ROWS = 2000
JOIN = (
    "select * from query.q_orders as a join query.q_orders as b on a.order_key = b.order_key"
    " join query.q_orders as c on c.order_key = a.order_key"
)


@pytest.fixture
def shop(warehouse: Warehouse) -> Shop:
    """Two thousand orders, each with a key of its own."""
    return Shop(warehouse, tables=orders_and_customers(ROWS))


def estimated(conn: Connection) -> int:
    """How many rows the planner expects of joining orders with themselves, twice, by their key."""
    row = conn.execute(f"explain (format json) {JOIN}".encode()).fetchone()
    assert row is not None
    return int(row[0][0]["Plan"]["Plan Rows"])


def unknown(conn: Connection) -> list[tuple[Any, ...]]:
    """Columns of serving parents without statistics."""
    return conn.execute(
        "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid"
        " left join pg_stats s on s.schemaname = 'shop__serving' and s.tablename = c.relname"
        " and s.attname = a.attname and s.inherited"
        " where c.relnamespace = 'shop__serving'::regnamespace and a.attnum > 0"
        " and a.attname <> '_generation' and s.attname is null"
    ).fetchall()


@pytest.mark.parametrize("copies", [True, False])
def test_a_join_through_the_view_is_estimated_as_on_the_table(
    shop: Shop, conn: Connection, monkeypatch: pytest.MonkeyPatch, copies: bool
) -> None:
    """Without statistics the planner takes 200 keys for 2,000, and 20,000 rows for each one."""
    if not copies:
        monkeypatch.setattr(statistics, "_CAN_COPY", 10**9)
    for _ in range(3):
        assert publish(shop).verdict.value == "published"
        assert unknown(conn) == []
        assert estimated(conn) == pytest.approx(ROWS, rel=0.05)


def test_a_new_shape_has_statistics_too(shop: Shop, conn: Connection) -> None:
    """Its parent is another one, or the same with further columns."""
    publish(shop)
    change_both_shapes(shop)
    assert publish(shop).verdict.value == "published"
    assert unknown(conn) == []

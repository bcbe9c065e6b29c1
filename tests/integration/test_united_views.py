"""The views that unite a table of each family bear parts of different widths."""

from __future__ import annotations

import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.publishing import promotion_views

NARROW, WIDE = ("k",), ("k", "extra")


def served(conn: Connection, family: str, columns: tuple[str, ...]) -> None:
    """The receipts of a family, as its newest publication left them, with these columns of text."""
    model, schema = f"q_provenance__{family}", f"{family}__serving"
    made = sql.SQL(", ").join(
        sql.SQL("{} as {}").format(sql.Literal(f"{family} {name}"), sql.Identifier(name))
        for name in columns
    )
    conn.execute(sql.SQL("create schema {}").format(sql.Identifier(schema)))
    conn.execute(
        sql.SQL("create table {} as select {}, 1 as _generation").format(
            sql.Identifier(schema, model), made
        )
    )
    shown = [{"name": it, "type": "text", "mask": None, "description": ""} for it in columns]
    there = [[it, "text"] for it in columns]
    conn.execute(
        "insert into governance.serving_parents values (%s, %s, 1, %s, %s, 1)",
        [family, model, model, Jsonb(there)],
    )
    with conn.transaction():
        # No generation was built here, and none is looked at.
        conn.execute("set local session_replication_role = replica")
        conn.execute(
            "insert into governance.generation_models values (%s, 1, %s, 1, 1, 0, '1', 'x', %s)",
            [family, model, Jsonb(shown)],
        )
        conn.execute("insert into governance.serving_heads values (%s, 1)", [family])


@pytest.mark.parametrize("first", ["before", "zulu"])
def test_a_part_that_was_published_before_a_column_was_added_has_null_there(
    conn: Connection, first: str
) -> None:
    """Whichever family is published with the new column first; one is enough to show it."""
    served(conn, "later", WIDE)
    served(conn, first, NARROW)
    with conn.transaction():
        promotion_views.change(conn, [])
    rows = conn.execute("select * from query.q_provenance order by k").fetchall()
    assert rows == sorted([("later k", "later extra"), (f"{first} k", None)])

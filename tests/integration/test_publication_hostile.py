"""Names and texts that SQL could take apart go through a publication exactly as they are.

What contracts refuse already (quotes and percent signs in names, names that are too long) is
tested there; these are the names that are allowed, and texts that may hold anything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from psycopg import sql

from publication_support import publish
from shop import FAMILY, Shop, contract
from tidegate.connection import Connection
from tidegate.contracts.identifiers import column_problem, relation_problem
from tidegate.contracts.model import ModelContract
from tidegate.ledger.evidence import document_sha256
from tidegate.publishing.context import contract_document
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.rollback import rollback
from tidegate.reporting.diff_live import Side, diff_live
from tidegate.warehouse import Warehouse

LONG = "q_" + "x" * 40
COLUMNS = (
    "select",
    "User",
    "order by",
    "Größe",
    "名前",
    "$$",
    "a'b",
    "a;drop table x--",
    "{{ ref('x') }}",
    "{0}",
    "x" * 63,
    "é" * 31,
)
TEXTS = (
    'It\'s 100 % "done"',
    "{{ 1/0 }} {% raw %} {} {0}",
    "$$; drop schema query; $$ $1 %s %(x)s",
    "back\\slash\nline\ttab",
    "/* comment */ -- end",
    "名前 🙂",
)


def hostile(name: str, extra: tuple[str, ...] = ()) -> ModelContract:
    """A contract whose columns and descriptions are hostile; text columns, all but the key null."""
    columns = (("key", "text", False), *((column, "text", True) for column in (*COLUMNS, *extra)))
    made = contract(name, columns)
    told = tuple(
        replace(column, description=TEXTS[index % len(TEXTS)])
        for index, column in enumerate(made.columns)
    )
    whole = replace(made, description=TEXTS[0] + TEXTS[2], columns=told, sha256="0" * 64)
    return replace(whole, sha256=document_sha256(contract_document(whole)))


class Hostile(Shop):
    """One model; each value is the name of its column, so that none can be taken for another."""

    def __init__(self, warehouse: Warehouse, name: str = LONG) -> None:
        super().__init__(warehouse, [hostile(name)])
        self.tables = self._build

    def _build(self, number: int) -> dict[str, str]:
        (made,) = self.contracts.values()
        table = sql.Identifier(f"{FAMILY}__candidate", made.name)
        names = [column.name for column in made.columns]
        columns = sql.SQL(", ").join(
            sql.SQL("{} text").format(sql.Identifier(column)) for column in names
        )
        values = sql.SQL(", ").join(map(sql.Literal, [f"row {number}", *names[1:]]))
        statement = sql.SQL(
            "create table {table} ({columns}); insert into {table} values ({values});"
            " alter table {table} alter key set not null"
        ).format(table=table, columns=columns, values=values)
        return {made.name: statement.as_string(None)}


def rows(conn: Connection, name: str) -> tuple[list[str], Any]:
    """Column names of the view, and its only row."""
    cursor = conn.execute(sql.SQL("select * from {}").format(sql.Identifier("query", name)))
    assert cursor.description is not None
    return [column.name for column in cursor.description], cursor.fetchone()


def comments(conn: Connection, name: str) -> tuple[str, dict[str, str]]:
    """The comment of the view, and those of its columns."""
    found = conn.execute(
        "select obj_description(oid, 'pg_class') from pg_class"
        " where relnamespace = 'query'::regnamespace and relname = %s",
        [name],
    ).fetchone()
    columns = conn.execute(
        "select attname, col_description(attrelid, attnum) from pg_attribute"
        " join pg_class on pg_class.oid = attrelid where relnamespace = 'query'::regnamespace"
        " and relname = %s and attnum > 0",
        [name],
    ).fetchall()
    assert found is not None
    return found[0], {row[0]: row[1] for row in columns}


def test_these_names_are_allowed_in_contracts() -> None:
    """Otherwise this module would prove nothing."""
    assert [column_problem(name, quoted=True) for name in COLUMNS] == [None] * len(COLUMNS)
    assert relation_problem(LONG, "q_") is None


@pytest.mark.parametrize("name", [LONG, "q_table", "q_select__s2"])
def test_names_and_texts_are_served_exactly(
    warehouse: Warehouse, conn: Connection, name: str
) -> None:
    """Candidate, table, parent, view, comments and diff; twice, since the second finds them."""
    shop = Hostile(warehouse, name)
    for number in (1, 2):
        assert publish(shop).verdict is Verdict.PUBLISHED
        columns, row = rows(conn, name)
        assert columns == ["key", *COLUMNS]
        assert row == (f"row {number}", *COLUMNS)
    (made,) = shop.contracts.values()
    told, by_column = comments(conn, name)
    assert told == made.description
    assert by_column == {column.name: column.description for column in made.columns}
    report = diff_live(conn, [made], Side.SERVING)
    assert [subject.mismatches for subject in report.subjects] == [()]


def test_a_changed_shape_keeps_hostile_names_comments_and_grants(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Extended, rebuilt and rolled back; a grant on one column and a role with a hostile name."""
    shop = Hostile(warehouse)
    publish(shop)
    view, role = sql.Identifier("query", LONG), sql.Identifier('a "role" %s {0}')
    conn.execute(sql.SQL("create role {} nologin").format(role))
    grant = sql.SQL("grant select ({}) on {} to {}")
    conn.execute(grant.format(sql.Identifier(COLUMNS[7]), view, role))
    try:
        shop.contracts = {LONG: hostile(LONG, ("more ' columns",))}
        promote(shop)
        assert publish(shop).verdict is Verdict.PUBLISHED
        assert rows(conn, LONG) == (
            ["key", *COLUMNS, "more ' columns"],
            ("row 2", *COLUMNS, "more ' columns"),
        )
        narrower = hostile(LONG)
        shop.contracts = {
            LONG: rehashed(replace(narrower, columns=(narrower.columns[0], *narrower.columns[2:])))
        }
        promote(shop)
        assert publish(shop).verdict is Verdict.PUBLISHED
        assert rows(conn, LONG) == (["key", *COLUMNS[1:]], ("row 3", *COLUMNS[1:]))
        rollback(warehouse, FAMILY, 1, by="o'brien", reason="100 % {sure}")
        assert rows(conn, LONG) == (["key", *COLUMNS], ("row 1", *COLUMNS))
        granted = conn.execute(
            "select grantee, column_name, privilege_type"
            " from information_schema.column_privileges where grantee = %s",
            ['a "role" %s {0}'],
        ).fetchall()
        assert granted == [('a "role" %s {0}', COLUMNS[7], "SELECT")]
    finally:
        conn.execute(sql.SQL("drop owned by {0}; drop role {0}").format(role))


def rehashed(made: ModelContract) -> ModelContract:
    """The contract with the hash of what it says."""
    return replace(made, sha256=document_sha256(contract_document(made)))


def promote(shop: Shop) -> None:
    """Approve the contract as it is."""
    from publication_support import promote_contracts

    promote_contracts(shop)


@pytest.mark.parametrize("key", ["o'brien", "100 %s", "{0} $$", "名前", 'a"b', "x" * 5000])
def test_keys_producers_and_reasons_are_data(
    warehouse: Warehouse, conn: Connection, key: str
) -> None:
    """Idempotency key, producer and tenant come from callers and may hold anything but NUL."""
    shop = Shop(warehouse)
    first = publish(shop, idempotency_key=key, producer=key, tenant=key, actor=key)
    second = publish(shop, idempotency_key=key, producer=key, tenant=key, actor=key)
    assert (first.verdict, second.verdict) == (Verdict.PUBLISHED, Verdict.REPLAYED)
    row = conn.execute(
        "select tenant, producer, idempotency_key from governance.publications"
    ).fetchone()
    assert row == (key, key, key)

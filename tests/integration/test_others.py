"""A warehouse that had objects of these names before Tidegate came: they stay as they are."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from shop import FAMILY, Shop
from tidegate.errors import EnvironmentFailure
from tidegate.ledger import upgrade
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.mark.parametrize(
    ("made", "name", "moved"),
    [
        ("create table query.q_orders (n integer)", "query.q_orders",
         "alter table query.q_orders rename to old_orders"),
        ("create view query.q_orders as select 1 as n", "query.q_orders",
         "alter view query.q_orders rename to old_orders"),
        ("create schema shop__serving; create table shop__serving.q_orders__s2 (n integer)",
         "shop__serving.q_orders__s2", "drop table shop__serving.q_orders__s2"),
        ("create schema shop__candidate; create table shop__candidate.precious (n integer)",
         "shop__candidate.precious", "alter table shop__candidate.precious set schema public"),
    ],
)  # fmt: skip
def test_what_is_somebody_elses_is_named_and_not_touched(
    warehouse: Warehouse, conn: Connection, made: str, name: str, moved: str
) -> None:
    """Nothing is built over it; once it is out of the way, the family is published."""
    conn.execute(made)  # type: ignore[call-overload]
    before = conn.execute("select %s::regclass::oid", [name]).fetchone()
    (held,) = publish_group(Shop(warehouse), (FAMILY,), Request())  # type: ignore[arg-type]
    assert held.verdict is Verdict.HELD_BACK
    (entry,) = held.entries
    assert entry.reason == (
        f"1 objects with names that shop needs are not Tidegate's: {name}."
        " Rename or move them: Tidegate replaces nothing that it did not make."
    )
    assert conn.execute("select %s::regclass::oid", [name]).fetchone() == before
    conn.execute(moved)  # type: ignore[call-overload]
    for _ in range(2):  # what it has made itself is in nobody's way
        (done,) = publish_group(Shop(warehouse), (FAMILY,), Request())  # type: ignore[arg-type]
        assert done.verdict is Verdict.PUBLISHED, done


def test_a_ledger_does_not_grow_into_somebody_elses_schema(empty_database: Warehouse) -> None:
    """The object is named, and nothing of the ledger is left behind."""
    with empty_database.connect() as conn:
        conn.execute("create schema governance; create table governance.runs (n integer)")
        with pytest.raises(EnvironmentFailure) as refused:
            upgrade(empty_database)
        assert str(refused.value) == (
            "The database has an object of somebody else's where the ledger wants its own:"
            ' relation "runs". Rename or move it, or give Tidegate another database;'
            " docs/architecture.md lists its schemas."
        )
        there = "select count(*) from pg_catalog.pg_tables where schemaname = 'governance'"
        assert conn.execute(there).fetchone() == (1,)
        conn.execute("alter table governance.runs rename to old_runs")
    assert upgrade(empty_database)

"""A warehouse that had objects of these names before Tidegate came: they stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from landing_project import make_project
from shop import FAMILY, Shop
from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.deliveries import landing
from tidegate.errors import EnvironmentFailure, HeldBack
from tidegate.ledger import upgrade
from tidegate.publishing import others
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse


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
        " Rename or move what is named: Tidegate replaces nothing that it did not make."
    )
    assert conn.execute("select %s::regclass::oid", [name]).fetchone() == before
    conn.execute(moved)  # type: ignore[call-overload]
    for _ in range(2):  # what it has made itself is in nobody's way
        (done,) = publish_group(Shop(warehouse), (FAMILY,), Request())  # type: ignore[arg-type]
        assert done.verdict is Verdict.PUBLISHED, done


@pytest.mark.parametrize("name", ["q_catalog__shop", "q_catalog__shop__s2"])
def test_a_model_may_be_called_as_if_it_had_a_shape(conn: Connection, name: str) -> None:
    """As parts of united views are in every family whose name starts with an s."""
    conn.execute(f"create schema shop__serving; create table shop__serving.{name} (n integer)")  # type: ignore[call-overload]
    with pytest.raises(HeldBack, match=rf"shop needs are not Tidegate's: shop__serving\.{name}\."):
        others.refuse(conn, FAMILY, ["q_catalog__shop"])


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


@pytest.mark.parametrize(
    ("made", "name", "moved"),
    [
        ("create table landing.orders (n integer)", "landing.orders", "table"),
        ("create view landing.orders as select 1 as n", "landing.orders", "view"),
        ("create table landing_rows.orders__l1 (n integer)", "landing_rows.orders__l1", "table"),
    ],
)
def test_a_dataset_does_not_take_somebody_elses_place(
    tmp_path: Path, warehouse: Warehouse, conn: Connection, made: str, name: str, moved: str
) -> None:
    """Not even a view, which could be replaced and never be had back."""
    project = make_project(tmp_path, warehouse)
    conn.execute(made)  # type: ignore[call-overload]
    before = conn.execute("select %s::regclass::oid", [name]).fetchone()
    with pytest.raises(EnvironmentFailure) as refused:
        landing.prepare(warehouse, load_project(project.folder))
    assert str(refused.value) == (
        f"{name} is there, and is not Tidegate's."
        " Rename or move what is named: Tidegate replaces nothing that it did not make."
    )
    assert conn.execute("select %s::regclass::oid", [name]).fetchone() == before
    conn.execute(f"alter {moved} {name} rename to old_orders")  # type: ignore[call-overload]
    for _ in range(2):
        landing.prepare(warehouse, load_project(project.folder))
    assert conn.execute("select count(*) from landing.orders").fetchone() == (0,)

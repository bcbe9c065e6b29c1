"""Tables are analysed while dbt builds the next ones; what was missed is analysed when frozen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from publication_support import publish
from shop import Shop
from tidegate.connection import Connection
from tidegate.errors import EnvironmentFailure
from tidegate.publishing import build
from tidegate.publishing.beside import AnalysedBeside
from tidegate.publishing.dbt import _listener
from tidegate.warehouse import Warehouse

SCHEMA = "shop__g000001"


def unknown(conn: Connection) -> list[tuple[Any, ...]]:
    """Columns of the first generation's tables without statistics."""
    return conn.execute(
        "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid"
        " left join pg_stats s on s.schemaname = %s and s.tablename = c.relname"
        " and s.attname = a.attname"
        " where c.relnamespace = %s::regnamespace and c.relkind = 'r' and a.attnum > 0"
        " and s.attname is null",
        [SCHEMA, SCHEMA],
    ).fetchall()


@pytest.mark.parametrize("heard", ["all", "none"])
def test_every_column_has_statistics_whenever_its_table_was_analysed(
    warehouse: Warehouse, conn: Connection, monkeypatch: pytest.MonkeyPatch, heard: str
) -> None:
    """The generation's own column, which comes last, too."""
    analysed: list[frozenset[str]] = []
    run_models = build.run_models

    def noted(*given: Any) -> frozenset[str]:
        analysed.append(run_models(*given))
        return analysed[0]

    monkeypatch.setattr(build, "run_models", noted)
    if heard == "none":
        monkeypatch.setattr(AnalysedBeside, "built", lambda *_: None)
    assert publish(Shop(warehouse)).generation == 1
    assert analysed[0] <= {"q_orders", "q_customers"}
    assert (analysed[0] == frozenset()) or heard == "all"
    assert unknown(conn) == []


def test_what_cannot_be_analysed_is_left_to_the_freeze(
    warehouse: Warehouse, conn: Connection
) -> None:
    """A table that is not there, or stands elsewhere, stops neither the others nor dbt."""
    conn.execute("create schema s; create table s.t as select 1 as i")
    conn.execute("create table public.other as select 1 as i")
    with AnalysedBeside(warehouse.connect, "s") as found:
        found.built("s", "missing")
        found.built("public", "other")
        found.built("s", "t")
        while not found.done:
            assert found._thread.is_alive()
    assert found.done == {"t"}


def test_without_a_connection_nothing_is_analysed_and_nothing_fails() -> None:
    """The build decides what is wrong with the server, in its own words."""

    def refuse() -> Connection:
        raise EnvironmentFailure("No server.", remedy="Start it.")

    with AnalysedBeside(refuse, "s") as found:
        found.built("s", "t")
    assert found.done == set()


def test_only_ended_nodes_are_heard_of() -> None:
    """dbt tells of a relation by its schema and alias; every other event is passed over.

    What waited for a lock in vain is not there, and is passed on as what it is.
    """
    told: list[tuple[str, str]] = []
    waited: list[str] = []
    hear = _listener(waited.append, lambda schema, name: told.append((schema, name)))
    relation = SimpleNamespace(schema="shop__candidate", alias="q_orders")
    node = SimpleNamespace(node_relation=relation, unique_id="model.shop.q_orders")
    for name, message in (
        ("NodeStart", ""),
        ("NodeFinished", "SELECT 20"),
        ("NodeFinished", "Database Error: canceling statement due to lock timeout"),
        ("CommandCompleted", ""),
    ):
        result = SimpleNamespace(message=message)
        data = SimpleNamespace(node_info=node, run_result=result)
        hear(SimpleNamespace(info=SimpleNamespace(name=name), data=data))
    assert told == [("shop__candidate", "q_orders")]
    assert waited == ["model.shop.q_orders"]

"""No reader ever gets an error, an empty family or a mix of two generations from a publication."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from psycopg import IsolationLevel

from readers import MODES, racing
from shop import FAMILY, Shop, contract
from tidegate.connection import Connection
from tidegate.ledger import generations
from tidegate.publishing import prune
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse

MODELS = tuple(f"q_m{number:02}" for number in range(17))
ROWS = 50


@pytest.fixture
def seventeen(warehouse: Warehouse) -> Iterator[Shop]:
    """Seventeen models; every row carries the number of its build. Published once."""
    columns = (("key", "integer", False), ("build", "integer", False))
    shop = Shop(warehouse, [contract(name, columns) for name in MODELS])

    def build(number: int) -> dict[str, str]:
        return {
            name: f"create table shop__candidate.{name} (key integer not null,"
            f" build integer not null); insert into shop__candidate.{name}"
            f" select i, {number} from generate_series(1, {ROWS}) as i"
            for name in MODELS
        }

    shop.tables = build
    publish(shop)
    return shop


def publish(shop: Shop) -> None:
    """Publish once more; anything but a publication is a failure."""
    (outcome,) = publish_group(shop, (FAMILY,), Request())  # type: ignore[arg-type]
    assert outcome.verdict.value == "published"


@pytest.mark.parametrize("modes", [MODES[:2], MODES[2:]], ids=["statements", "transactions"])
def test_readers_see_whole_generations_during_publications(
    seventeen: Shop, modes: tuple[str, ...]
) -> None:
    """READ COMMITTED by statement (also prepared), REPEATABLE READ, SERIALIZABLE, cursor (C10)."""
    race(seventeen, modes, publications=12)


@pytest.mark.long
def test_readers_see_whole_generations_during_two_hundred_publications(seventeen: Shop) -> None:
    """The same with four readers and two hundred publications."""
    race(seventeen, ("statement", "prepared", "repeatable_read", "serializable"), publications=100)
    race(seventeen, ("cursor", "repeatable_read", "prepared", "statement"), publications=100)


def race(shop: Shop, modes: tuple[str, ...], publications: int) -> None:
    """Publish again and again under readers and assert that they saw nothing but whole families."""
    with racing(shop.warehouse.conninfo, MODELS, ROWS, modes) as seen:
        for _ in range(publications):
            publish(shop)
    assert seen.anomalies == {}
    assert seen.counts["reads"] > publications


def test_a_statement_whose_planning_straddles_the_promotion_sees_one_generation(
    seventeen: Shop, conn: Connection
) -> None:
    """Made deterministic: the planner stops in a constant function while a promotion commits."""
    conn.execute(
        "create function public.slow() returns integer immutable language plpgsql as $$ begin"
        " perform pg_advisory_lock_shared(77); perform pg_advisory_unlock_shared(77);"
        " return 1000; end $$"
    )
    conn.execute("select pg_advisory_lock(77)")
    found: list[Any] = []

    def read() -> None:
        with seventeen.warehouse.connect() as reader:
            reader.prepare_threshold = None
            statement = (
                "select count(*), min(build), max(build) from query.q_m03 where key < public.slow()"
            )
            found.append(reader.execute(statement).fetchone())

    thread = threading.Thread(target=read)
    thread.start()
    wait_until(conn, "select exists (select from pg_locks where locktype = 'advisory'"
               " and objid = 77 and not granted)")  # fmt: skip
    publish(seventeen)
    conn.execute("select pg_advisory_unlock(77)")
    thread.join()
    count, low, high = found[0]
    assert count == ROWS
    assert low == high


def wait_until(conn: Connection, condition: Any, seconds: float = 30) -> None:
    """Poll the server until a condition holds; nothing sleeps to be right."""
    import time

    deadline = time.monotonic() + seconds
    while not (conn.execute(condition).fetchone() or [False])[0]:
        assert time.monotonic() < deadline, "the condition never held"


def test_a_snapshot_older_than_the_build_keeps_its_generation(
    seventeen: Shop, warehouse: Warehouse
) -> None:
    """Replaced views would show such a reader no rows; it first touches the view later (C12)."""
    with warehouse.connect(autocommit=False) as reader:
        reader.isolation_level = IsolationLevel.REPEATABLE_READ
        reader.execute("select 1")
        publish(seventeen)
        publish(seventeen)
        seen = reader.execute("select count(*), min(build), max(build) from query.q_m00")
        assert seen.fetchone() == (ROWS, 1, 1)


def test_a_reader_that_stays_open_never_blocks_a_publication(
    seventeen: Shop, warehouse: Warehouse
) -> None:
    """Publishing the same shape needs no lock that a reader's transaction holds."""
    with warehouse.connect(autocommit=False) as reader:
        reader.execute("select count(*) from query.q_m01")
        publish(seventeen)
        publish(seventeen)
        seen = reader.execute("select min(build), max(build) from query.q_m01").fetchone()
        assert seen == (3, 3)


def test_prune_leaves_what_an_old_snapshot_may_still_read(
    seventeen: Shop, warehouse: Warehouse, conn: Connection
) -> None:
    """A reader from before two promotions that first touches a view after a prune sees its rows."""
    with warehouse.connect(autocommit=False) as reader:
        reader.isolation_level = IsolationLevel.REPEATABLE_READ
        reader.execute("select 1")
        publish(seventeen)
        publish(seventeen)
        items = prune.plan(conn, {FAMILY: 0})
        assert {item.generation: item.kept_because for item in items} == {
            1: "a running transaction may still read it",
            2: "a running transaction may still read it",
        }
        assert prune.apply(warehouse, items, by="ann", reason="test") == ()
        seen = reader.execute("select count(*), min(build), max(build) from query.q_m02")
        assert seen.fetchone() == (ROWS, 1, 1)
    items = prune.plan(conn, {FAMILY: 0})
    assert [item.generation for item in prune.apply(warehouse, items, by="ann", reason="t")] == [
        1,
        2,
    ]
    assert conn.execute("select to_regnamespace('shop__g000001')").fetchone() == (None,)
    found = generations.find(conn, FAMILY, 1)
    assert found is not None
    assert found.state is generations.GenerationState.PRUNED


def test_a_snapshot_of_another_database_keeps_nothing(
    seventeen: Shop, warehouse: Warehouse, empty_database: Warehouse, conn: Connection
) -> None:
    """It cannot look at these tables, however old it is."""
    with empty_database.connect(autocommit=False) as elsewhere:
        elsewhere.isolation_level = IsolationLevel.REPEATABLE_READ
        elsewhere.execute("select 1")
        publish(seventeen)
        (item,) = prune.plan(conn, {FAMILY: 0})
        assert (item.generation, item.kept_because) == (1, "")


def test_held_generations_are_never_pruned(
    seventeen: Shop, warehouse: Warehouse, conn: Connection
) -> None:
    """Neither under legal hold nor when somebody recorded a reference to it."""
    publish(seventeen)
    publish(seventeen)
    number = prune.place_hold(conn, FAMILY, 1, kind="legal", by="ann", reason="case 12")
    items = {item.generation: item.kept_because for item in prune.plan(conn, {FAMILY: 0})}
    assert items == {1: "legal hold: case 12", 2: ""}
    prune.release_hold(conn, number, by="ann", reason="closed")
    assert prune.plan(conn, {FAMILY: 0})[0].kept_because == ""

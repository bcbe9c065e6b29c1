"""Publications and the locks of readers: nobody waits long, no reader is ever the victim."""

from __future__ import annotations

import re

import pytest

from publication_support import (
    beside,
    change_both_shapes,
    counts,
    publish,
    served,
    wait_until,
    widen_both_shapes,
)
from shop import Shop
from tidegate.connection import Connection
from tidegate.errors import PublishBlocked
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.rollback import rollback
from tidegate.warehouse import Warehouse, locks
from tidegate.warehouse.locks import REMEDY

ORDERS = "select count(*) from query.q_orders"
CUSTOMERS = "select count(*) from query.q_customers"
WAITS_FOR_ORDERS = (
    "select exists (select from pg_locks join pg_class on pg_class.oid = relation"
    " where relname = 'q_orders' and mode = 'AccessExclusiveLock' and not granted)"
)
CHANGES = {"rebuilt": change_both_shapes, "extended": widen_both_shapes}


@pytest.fixture
def shop(warehouse: Warehouse) -> Shop:
    """Two models that refer to each other, published once."""
    made = Shop(warehouse)
    assert publish(made).generation == 1
    return made


def without_age(error: PublishBlocked) -> str:
    """The message without how long the transaction has been open."""
    return re.sub(r"open for \d+ s", "open for N s", str(error))


def with_patience(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """How long a publication goes on trying to get its locks."""
    monkeypatch.setitem(locks.retried.__kwdefaults__, "patience", seconds)


def test_the_same_shape_never_waits_for_readers(
    shop: Shop, warehouse: Warehouse, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers hold both views in opposite orders; a single lock that waited would end this."""
    with_patience(monkeypatch, 0)
    with warehouse.connect(autocommit=False) as one, warehouse.connect(autocommit=False) as two:
        for first, second in ((ORDERS, CUSTOMERS), (CUSTOMERS, ORDERS)):
            one.execute(first)
            two.execute(second)
            assert publish(shop).verdict is Verdict.PUBLISHED
        rollback(warehouse, "shop", 1, by="ann", reason="test")
        assert one.execute(ORDERS).fetchone() == two.execute(ORDERS).fetchone() == (20,)
    assert served(conn) == {1}


@pytest.mark.parametrize("change", CHANGES)
def test_a_reader_in_the_opposite_order_is_never_the_victim(
    shop: Shop, warehouse: Warehouse, conn: Connection, change: str
) -> None:
    """It holds the view that the publication wants next and asks for the one it has changed (C09).

    Views are changed in one order, so this reader and the publication wait for each other. The
    publication gives everything up before the server looks for a deadlock, and starts over.
    """
    CHANGES[change](shop)
    with warehouse.connect(autocommit=False) as reader:
        reader.execute(ORDERS)
        with beside(lambda: publish(shop)) as found:
            for _ in range(3):
                wait_until(conn, WAITS_FOR_ORDERS)
                reader.execute("set local statement_timeout = '30s'")
                assert reader.execute(CUSTOMERS).fetchone() == (5,)
                assert reader.execute(ORDERS).fetchone() == (20,)
                # The next round asks again without the lock on q_customers.
                reader.rollback()
                reader.execute(ORDERS)
            reader.rollback()
    assert isinstance(found[0], FamilyOutcome), found
    assert found[0].verdict is Verdict.PUBLISHED
    assert served(conn) == {2}


@pytest.mark.parametrize("change", CHANGES)
def test_a_publication_that_waits_keeps_nobody_waiting(
    shop: Shop, warehouse: Warehouse, conn: Connection, change: str
) -> None:
    """One report holds q_orders; readers of q_customers go on beside the waiting change (C08).

    Their statements have a limit that is far below the patience of the publication.
    """
    CHANGES[change](shop)
    with warehouse.connect(autocommit=False) as report, warehouse.connect() as reader:
        report.execute(ORDERS)
        reader.execute("set statement_timeout = '20s'")
        with beside(lambda: publish(shop)) as found:
            for _ in range(5):
                wait_until(conn, WAITS_FOR_ORDERS)
                assert reader.execute(CUSTOMERS).fetchone() == (5,)
            report.rollback()
    assert isinstance(found[0], FamilyOutcome), found
    assert found[0].verdict is Verdict.PUBLISHED
    assert served(conn) == {2}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("rebuilt", "The view query.q_orders"),
        ("extended", "The serving parent shop__serving.q_orders"),
    ],
)
def test_a_change_of_shape_that_cannot_be_locked_is_publish_blocked(
    shop: Shop,
    warehouse: Warehouse,
    conn: Connection,
    monkeypatch: pytest.MonkeyPatch,
    change: str,
    what: str,
) -> None:
    """The message names the process; nothing changed, the cursor goes on, a retry works (C22)."""
    CHANGES[change](shop)
    with_patience(monkeypatch, 1)
    before = counts(conn)
    with warehouse.connect(autocommit=False) as reader, reader.cursor(name="report") as cursor:
        cursor.execute("select order_key from query.q_orders")
        assert len(cursor.fetchmany(1)) == 1
        with pytest.raises(PublishBlocked) as blocked:
            publish(shop)
        pid = reader.info.backend_pid
        assert without_age(blocked.value) == (
            f"{what} could not be locked within 1 s (blocked by process {pid} (tidegate,"
            f" transaction open for N s)). {REMEDY}"
        )
        assert served(conn) == {1}
        assert counts(conn) == before
        assert len(cursor.fetchall()) == 19
        assert reader.execute(CUSTOMERS).fetchone() == (5,)
        states = "select generation, state from governance.generations order by generation"
        assert (2, "published") not in conn.execute(states).fetchall()
    assert publish(shop).verdict is Verdict.PUBLISHED
    assert served(conn) == {shop.builds}
    assert counts(conn)["records"] == before["records"] + 1


def test_a_rollback_to_another_shape_that_cannot_be_locked_is_publish_blocked(
    shop: Shop, warehouse: Warehouse, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rolling back moves nothing unless it can change the views too."""
    change_both_shapes(shop)
    publish(shop)
    with_patience(monkeypatch, 1)
    with warehouse.connect(autocommit=False) as reader:
        reader.execute(CUSTOMERS)
        with pytest.raises(PublishBlocked) as blocked:
            rollback(warehouse, "shop", None, by="ann", reason="test")
        assert without_age(blocked.value) == (
            "The view query.q_customers could not be locked within 1 s (blocked by process"
            f" {reader.info.backend_pid} (tidegate, transaction open for N s)). {REMEDY}"
        )
        assert served(conn) == {2}
    rollback(warehouse, "shop", None, by="ann", reason="test")
    assert served(conn) == {1}


@pytest.mark.parametrize(
    ("deadlock_timeout", "lock_timeout"), [("1s", "500ms"), ("200ms", "100ms"), ("1h", "500ms")]
)
def test_lock_timeout_stays_below_deadlock_timeout(
    conn: Connection, deadlock_timeout: str, lock_timeout: str
) -> None:
    """Whoever waits longer than `deadlock_timeout` may be made the victim of a deadlock."""
    conn.execute("select set_config('deadlock_timeout', %s, false)", [deadlock_timeout])
    locks.use_short_waits(conn, for_session=True)
    assert conn.execute("show lock_timeout").fetchone() == (lock_timeout,)

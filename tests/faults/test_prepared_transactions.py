"""Transactions prepared for two-phase commit outlive their connections, and keep their locks."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from publication_support import change_both_shapes, publish, served
from shop import FAMILY, Shop
from tidegate.errors import PublishBlocked
from tidegate.ledger import upgrade
from tidegate.publishing import prune
from tidegate.publishing.outcome import Verdict
from tidegate.warehouse import Warehouse, locks
from tidegate.warehouse.embedded import running


@pytest.fixture(scope="module")
def two_phase() -> Iterator[Warehouse]:
    """A ledger on a server of its own that allows prepared transactions; by default none does."""
    folder = Path(tempfile.mkdtemp(prefix="tidegate-two-phase-"))
    folder.chmod(0o755)
    server = running(folder / "postgres", cleanup_mode="stop")
    with psycopg.connect(server.get_uri(), autocommit=True) as conn:
        conn.execute("alter system set max_prepared_transactions = 2")
        conn.execute("create database two_phase")
    server.cleanup()
    server = running(folder / "postgres", cleanup_mode="stop")
    warehouse = Warehouse(make_conninfo(server.get_uri(), dbname="two_phase"), "test")
    upgrade(warehouse)
    yield warehouse
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def test_a_prepared_transaction_is_named_and_keeps_what_it_may_read(
    two_phase: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It blocks a change of shape by name, and no generation from before it is pruned."""
    monkeypatch.setitem(locks.retried.__kwdefaults__, "patience", 1)
    shop = Shop(two_phase)
    assert publish(shop).verdict is Verdict.PUBLISHED
    with two_phase.connect(autocommit=False) as reader:
        reader.execute("select count(*) from query.q_orders")
        reader.execute("select pg_current_xact_id()")
        reader.execute("prepare transaction 'left-behind'")
    with two_phase.connect() as conn:
        assert publish(shop).verdict is Verdict.PUBLISHED
        (item,) = prune.plan(conn, {FAMILY: 0})
        assert item.kept_because == "a running transaction may still read it"

        change_both_shapes(shop)
        with pytest.raises(PublishBlocked) as blocked:
            publish(shop)
        assert re.sub(r"\d+ s old", "N s old", str(blocked.value)) == (
            "The view query.q_orders could not be locked within 1 s (blocked by a prepared"
            f" transaction (N s old)). {locks.REMEDY}"
        )
        assert served(conn) == {2}

        conn.execute("rollback prepared 'left-behind'")
        assert publish(shop).verdict is Verdict.PUBLISHED
        assert {i.kept_because for i in prune.plan(conn, {FAMILY: 0})} == {""}

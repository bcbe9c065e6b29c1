"""Servers and databases that tests may do anything with."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tidegate.warehouse import Warehouse, embedded


def start_server(home: Path) -> str:
    """Start a server under `home`, or join it; the connection string of its superuser."""
    uri = make_conninfo(embedded.start(home), dbname="postgres")
    with psycopg.connect(uri, autocommit=True) as conn:
        # Tests kill servers on purpose where durability is what they prove; elsewhere speed counts.
        conn.execute("alter system set fsync = off")
        conn.execute("alter system set full_page_writes = off")
        conn.execute("select pg_reload_conf()")
    return uri


@contextmanager
def database(server: str, template: str = "template0") -> Iterator[Warehouse]:
    """A fresh database, a copy of `template`, dropped afterwards."""
    name = f"tidegate_{uuid.uuid4().hex[:16]}"
    create_database(server, name, template)
    try:
        yield Warehouse(make_conninfo(server, dbname=name), "test")
    finally:
        drop_database(server, name)


@contextmanager
def copy_of(warehouse: Warehouse) -> Iterator[Warehouse]:
    """A copy of a database that nobody is connected to, on the same server."""
    server = make_conninfo(warehouse.conninfo, dbname="postgres")
    with database(server, name_of(warehouse)) as copied:
        yield copied


def name_of(warehouse: Warehouse) -> str:
    """The name of a warehouse's database."""
    return str(conninfo_to_dict(warehouse.conninfo)["dbname"])


def create_database(server: str, name: str, template: str = "template0") -> None:
    """Create a database as a copy of another one."""
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(
            sql.SQL("create database {} template {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )


def drop_database(server: str, name: str) -> None:
    """Drop a database if it is there, whoever is connected to it."""
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(sql.SQL("drop database if exists {} (force)").format(sql.Identifier(name)))

"""One real PostgreSQL for the session, one fresh database for each test.

`TIDEGATE_TEST_SERVER` names another server (a connection string of a superuser): `make test-all`
uses it to run the same tests on PostgreSQL 15.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import settings
from psycopg import sql
from psycopg.conninfo import make_conninfo

from tidegate.ledger import upgrade
from tidegate.warehouse import Warehouse
from tidegate.warehouse.embedded import wheel

REPOSITORY = Path(__file__).resolve().parent.parent

# The same examples in every run, so that red means that something changed; tests marked `long`
# say `derandomize=False` and look for new ones.
settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def server(worker_id: str) -> Iterator[str]:
    """The connection string of a server that this test process may do anything with."""
    given = os.environ.get("TIDEGATE_TEST_SERVER")
    if given:
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix=f"tidegate-test-{worker_id}-"))
    folder.chmod(0o755)
    running = wheel().get_server(folder / "postgres", cleanup_mode="stop")
    uri = running.get_uri(database="postgres")
    with psycopg.connect(uri, autocommit=True) as conn:
        # Tests kill servers on purpose where durability is what they prove; elsewhere speed counts.
        conn.execute("alter system set fsync = off")
        conn.execute("alter system set full_page_writes = off")
        conn.execute("select pg_reload_conf()")
    yield uri
    running.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def worker_id(request: pytest.FixtureRequest) -> str:
    """The name of the xdist worker, `main` without xdist."""
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


@pytest.fixture(scope="session")
def template(server: str, worker_id: str) -> Iterator[str]:
    """A database with the newest ledger; tests copy it."""
    name = f"tidegate_template_{worker_id}_{uuid.uuid4().hex[:8]}"
    _create_database(server, name)
    upgrade(Warehouse(make_conninfo(server, dbname=name), "test"))
    yield name
    _drop_database(server, name)


@pytest.fixture
def warehouse(server: str, template: str) -> Iterator[Warehouse]:
    """A fresh database with the newest ledger, dropped after the test."""
    name = f"tidegate_{uuid.uuid4().hex[:16]}"
    _create_database(server, name, template)
    yield Warehouse(make_conninfo(server, dbname=name), "test")
    _drop_database(server, name)


@pytest.fixture
def empty_database(server: str) -> Iterator[Warehouse]:
    """A fresh database without a ledger, dropped after the test."""
    name = f"tidegate_{uuid.uuid4().hex[:16]}"
    _create_database(server, name)
    yield Warehouse(make_conninfo(server, dbname=name), "test")
    _drop_database(server, name)


@pytest.fixture
def conn(warehouse: Warehouse) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """An autocommit connection to the fresh database."""
    with warehouse.connect() as connection:
        yield connection


def _create_database(server: str, name: str, template: str = "template0") -> None:
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(
            sql.SQL("create database {} template {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )


def _drop_database(server: str, name: str) -> None:
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(sql.SQL("drop database if exists {} (force)").format(sql.Identifier(name)))

"""One real PostgreSQL for the session, one fresh database for each test.

`TIDEGATE_TEST_SERVER` names another server (a connection string of a superuser): `make test-all`
uses it to run the same tests on PostgreSQL 15.

The process that starts the run makes one folder for it, tells the workers of xdist of it, and in
the end stops every server that was started in it, whatever became of the worker that started it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from psycopg.conninfo import make_conninfo

import built_once
from databases import create_database, database, drop_database, start_server
from tidegate.connection import Connection
from tidegate.ledger import upgrade
from tidegate.warehouse import Warehouse, embedded

# The same examples in every run, so that red means that something changed; tests marked `long`
# say `derandomize=False` and look for new ones.
settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

RUN_FOLDER = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of the run, or take the one that the run's first process made."""
    told = getattr(config, "workerinput", {}).get("run_folder")
    folder = Path(told or tempfile.mkdtemp(prefix="tidegate-test-"))
    # Root's servers run as another user, who has to get through.
    folder.chmod(0o755)
    config.stash[RUN_FOLDER] = folder


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of xdist which folder the run has."""
    node.workerinput["run_folder"] = str(node.config.stash[RUN_FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop what runs in the folder of the run, and remove it."""
    if hasattr(config, "workerinput"):
        return
    folder = config.stash[RUN_FOLDER]
    built_once.forget(folder)
    for home in folder.iterdir():
        embedded.stop(home)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def run_folder(pytestconfig: pytest.Config) -> Path:
    """The folder that every worker of this run shares."""
    return pytestconfig.stash[RUN_FOLDER]


@pytest.fixture(scope="session")
def worker_id() -> str:
    """The name of the xdist worker, `main` without xdist."""
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


@pytest.fixture(scope="session")
def server(run_folder: Path, worker_id: str) -> str:
    """The connection string of a server that this test process may do anything with."""
    return os.environ.get("TIDEGATE_TEST_SERVER") or start_server(run_folder / worker_id)


@pytest.fixture(scope="session")
def template(server: str, worker_id: str) -> Iterator[str]:
    """A database with the newest ledger; tests copy it."""
    name = f"tidegate_template_{worker_id}_{uuid.uuid4().hex[:8]}"
    create_database(server, name)
    upgrade(Warehouse(make_conninfo(server, dbname=name), "test"))
    yield name
    drop_database(server, name)


@pytest.fixture
def warehouse(server: str, template: str) -> Iterator[Warehouse]:
    """A fresh database with the newest ledger, dropped after the test."""
    with database(server, template) as fresh:
        yield fresh


@pytest.fixture
def empty_database(server: str) -> Iterator[Warehouse]:
    """A fresh database without a ledger, dropped after the test."""
    with database(server) as fresh:
        yield fresh


@pytest.fixture
def conn(warehouse: Warehouse) -> Iterator[Connection]:
    """An autocommit connection to the fresh database."""
    with warehouse.connect() as connection:
        yield connection

"""What several integration tests share."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from dbt_profile import write_profile
from tidegate.warehouse import Warehouse
from trial_project import Built, build


@pytest.fixture(scope="session")
def built(server: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """The project built with the samples landed; built once, so tests leave it as it is."""
    name = f"tidegate_{uuid.uuid4().hex[:16]}"
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(
            sql.SQL("create database {} template {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
    warehouse = Warehouse(make_conninfo(server, dbname=name), "test")
    folder = tmp_path_factory.mktemp("trials")
    write_profile(folder, warehouse)
    yield build(warehouse, folder)
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(sql.SQL("drop database {} (force)").format(sql.Identifier(name)))

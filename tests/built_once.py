"""The reference project, built once a run: every worker works on a copy of its own."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from dataclasses import fields
from pathlib import Path

from psycopg.conninfo import make_conninfo

from databases import create_database, drop_database, start_server
from dbt_profile import write_profile
from tidegate.ledger import upgrade
from tidegate.warehouse import Warehouse
from trial_project import Built, build


def built_once(run_folder: Path) -> Built:
    """What the first worker that asks has built; the others wait for it and read what it kept.

    Nobody connects to the database of it, which stays free to be copied. The lock ends with the
    process that holds it, so where a worker dies while it builds the next one begins anew.
    """
    kept = run_folder / "built.json"
    with (run_folder / "built.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = _given_server() or start_server(run_folder / "shared")
        warehouse = Warehouse(make_conninfo(server, dbname=_name(run_folder)), "test")
        if not kept.exists():
            drop_database(server, _name(run_folder))
            create_database(server, _name(run_folder))
            upgrade(warehouse)
            folder = run_folder / "reference"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            write_profile(folder, warehouse)
            _keep(build(warehouse, folder), kept)
    return Built(warehouse=warehouse, **json.loads(kept.read_text(encoding="utf-8")))


def forget(run_folder: Path) -> None:
    """Drop what a run has left on a server that outlives it."""
    server = _given_server()
    if server and (run_folder / "built.lock").exists():
        drop_database(server, _name(run_folder))


def _keep(built: Built, file: Path) -> None:
    described = {
        item.name: getattr(built, item.name) for item in fields(built) if item.name != "warehouse"
    }
    unfinished = file.with_suffix(".tmp")
    unfinished.write_text(json.dumps(described), encoding="utf-8")
    unfinished.replace(file)


def _given_server() -> str | None:
    return os.environ.get("TIDEGATE_TEST_SERVER")


def _name(run_folder: Path) -> str:
    return f"built_{run_folder.name}".lower().replace("-", "_")

"""Whole processes as a user has them, with their modules compiled."""

from __future__ import annotations

import os
from pathlib import Path

from bench.server import Server
from tidegate.warehouse import Warehouse

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"


def environment(server: Server, warehouse: Warehouse, project: Path) -> dict[str, str]:
    """What a process of the harness, or of dbt, is given.

    Compiled modules are kept with the server, so only the first process compiles them: run one that
    does not count.
    """
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {
        **own,
        "PYTHONPATH": str(SCRIPTS),
        "PYTHONPYCACHEPREFIX": str(server.folder / "pycache"),
        "DATABASE_URL": warehouse.conninfo,
        "TIDEGATE_PROJECT_DIR": str(project),
    }

"""The dbt profile of a test's database."""

from __future__ import annotations

import json
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from tidegate.warehouse import Warehouse


def write_profile(folder: Path, warehouse: Warehouse, *names: str) -> None:
    """Write `profiles.yml` with the targets `dev` and `ci` on one database (JSON is YAML).

    `names` are further profiles beside those of the tests' own projects.
    """
    parts = conninfo_to_dict(warehouse.conninfo)
    output = {
        "type": "postgres",
        "host": parts.get("host") or "localhost",
        "port": int(parts.get("port") or 5432),
        "user": parts.get("user") or "postgres",
        "password": parts.get("password") or "",
        "dbname": parts["dbname"],
        "schema": "staging",
        "threads": 2,
    }
    profile = {"target": "dev", "outputs": {"dev": output, "ci": output}}
    profiles = dict.fromkeys(("tidegate", "tidegate_reference", *names), profile)
    (folder / "profiles.yml").write_text(json.dumps(profiles), encoding="utf-8")

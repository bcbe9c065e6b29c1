"""The dbt profile of a test's database."""

from __future__ import annotations

import json
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from tidegate.warehouse import Warehouse


def write_profile(folder: Path, warehouse: Warehouse) -> None:
    """Write `profiles.yml` with the targets `dev` and `ci` on one database (JSON is YAML)."""
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
    profile = {"tidegate": {"target": "dev", "outputs": {"dev": output, "ci": output}}}
    (folder / "profiles.yml").write_text(json.dumps(profile), encoding="utf-8")

"""dbt's profile of the server that the harness uses, whichever way it was chosen."""

from __future__ import annotations

import os
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from tidegate.settings import PROFILES_FILE, Settings
from tidegate.warehouse.connect import Warehouse
from tidegate.warehouse.open import PROFILE_ORIGIN, profile_name, profile_target

_CI = "ci"
"""The target in which an empty landing table is no failure: never that of a publication."""


def write_profile(settings: Settings, warehouse: Warehouse) -> Path:
    """Write the profile of the chosen server for dbt; return its folder.

    Where the project's own profile chose it, target and schema are called as they are there: what
    belongs to no family is built where dbt builds it. The file holds the password of the
    connection, so only its owner may read it.
    """
    from ruamel.yaml import YAML

    target, schema = _called(settings, warehouse)
    parts = conninfo_to_dict(warehouse.conninfo)
    output: dict[str, object] = {
        "type": "postgres",
        "host": str(parts.get("host") or "localhost"),
        "port": int(parts.get("port") or 5432),
        "user": str(parts.get("user") or os.environ.get("PGUSER") or "postgres"),
        "password": str(parts.get("password") or os.environ.get("PGPASSWORD") or ""),
        "dbname": str(parts.get("dbname") or parts.get("user") or "postgres"),
        "schema": schema,
        "threads": max(2, os.cpu_count() or 2),
        "keepalives_idle": 0,
    }
    for key in ("sslmode", "sslrootcert", "sslcert", "sslkey"):
        if parts.get(key):
            output[key] = str(parts[key])
    folder = settings.own_profiles_dir
    folder.mkdir(parents=True, exist_ok=True)
    profile = {"target": target, "outputs": {target: output, _CI: dict(output)}}
    path = folder / PROFILES_FILE
    text_path = path.with_suffix(f".{os.getpid()}.tmp")
    with os.fdopen(os.open(text_path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
        file.write("# Written by tidegate for the server it uses; changes here are overwritten.\n")
        YAML(typ="safe").dump({profile_name(settings): profile}, file)
    text_path.replace(path)
    return folder


def _called(settings: Settings, warehouse: Warehouse) -> tuple[str, str]:
    """Names of the target and of the schema of what names none."""
    chosen = profile_target(settings) if warehouse.origin == PROFILE_ORIGIN else None
    if chosen is None:
        return "dev", "staging"
    name = "dev" if chosen.name == _CI else chosen.name
    return name, str(chosen.values.get("schema") or "staging")

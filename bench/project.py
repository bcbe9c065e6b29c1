"""A dbt project made for a benchmark: seventeen models in one family, with this project's macros.

The models select from `generate_series`, so that a build costs what writing the rows costs; each
has the gates `schema_contract` and, but the first, `referential_integrity`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tidegate.macros import macros_dir

FAMILY = "bench"
MODELS = tuple(f"q_m{number:02}" for number in range(17))
PROJECT = """
name: tidegate
version: "1.0"
config-version: 2
profile: tidegate
model-paths: ["models", "contracts"]
macro-paths: ["macros"]
test-paths: ["tests/dbt"]
seed-paths: []
snapshot-paths: []
analysis-paths: []
flags: {send_anonymous_usage_stats: false, version_check: false, use_colors: false}
models: {+materialized: table}
"""
COLUMNS = {
    "key": "integer",
    "owner_key": "integer",
    "label": "text",
    "note": "text",
    "amount": "numeric(12,2)",
    "day": "date",
    "seen": "timestamp with time zone",
    "flag": "boolean",
}
SELECT = """select
    i as key,
    i as owner_key,
    'label ' || i % 1000 as label,
    md5(i::text) as note,
    ((i % 1000) / 4.0)::numeric(12, 2) as amount,
    date '2020-01-01' + i % 1500 as day,
    timestamptz '2020-01-01 00:00Z' + i % 86400 * interval '1 second' as seen,
    i % 2 = 0 as flag
from generate_series(1, {rows}) as i{after}
"""


def make(folder: Path, rows: int) -> Path:
    """Write the project into a folder and return it."""
    shutil.copytree(macros_dir(), folder / "macros")
    (folder / "dbt_project.yml").write_text(PROJECT, encoding="utf-8")
    models = folder / "models" / "query" / FAMILY
    contracts = folder / "contracts" / FAMILY
    models.mkdir(parents=True)
    contracts.mkdir(parents=True)
    for name in MODELS:
        # The owner is built first, as a real family's is: a reference is a dependency.
        after = "" if name == MODELS[0] else "\n-- depends_on: {{ ref('" + MODELS[0] + "') }}"
        (models / f"{name}.sql").write_text(SELECT.format(rows=rows, after=after), encoding="utf-8")
        document = {"version": 2, "models": [_contract(name)]}
        # JSON is YAML.
        (contracts / f"{name}.yml").write_text(json.dumps(document, indent=2), encoding="utf-8")
    return folder


def _contract(name: str) -> dict[str, Any]:
    columns = [
        {
            "name": column,
            "data_type": kind,
            "description": f"The {column}.",
            "constraints": [{"type": "not_null"}],
        }
        for column, kind in COLUMNS.items()
    ]
    references = [] if name == MODELS[0] else [{"columns": ["owner_key"], "to": MODELS[0]}]
    keys = {
        "family": FAMILY,
        "version": "1",
        "owner": "bench",
        "grain": "one row",
        "row_key": ["key"],
        "provenance": {"policy": "none"},
        "references": references,
    }
    return {
        "name": name,
        "description": f"Rows of {name}.",
        "config": {"contract": {"enforced": True}, "meta": {"tidegate": keys}},
        "constraints": [{"type": "primary_key", "columns": ["key"]}],
        "columns": columns,
        "data_tests": ["schema_contract", *(["referential_integrity"] if references else [])],
    }

"""A small dbt project with the macros of the repository, and dbt run on it in this process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dbt_profile import write_profile
from dbt_runs import run_dbt, statuses
from tidegate.macros import macros_dir
from tidegate.warehouse import Warehouse

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


def contract(
    name: str, family: str, columns: Mapping[str, Any], tests: list[Any], **keys: Any
) -> dict[str, Any]:
    """A contract as dbt reads it; a column is its type, `!` for not null, or a mapping."""
    listed = []
    for column, described in columns.items():
        text = described if isinstance(described, str) else described["type"]
        entry: dict[str, Any] = {
            "name": column,
            "data_type": text.rstrip("!"),
            "description": f"The {column}.",
        }
        if text.endswith("!"):
            entry["constraints"] = [{"type": "not_null"}]
        if not isinstance(described, str):
            entry["config"] = {"meta": {"tidegate": described["keys"]}}
        listed.append(entry)
    given = {
        "family": family,
        "version": "3",
        "owner": "trials",
        "grain": f"one {name}",
        "row_key": ["k"],
        "provenance": {"policy": "none"},
        **keys,
    }
    enforced = given.pop("enforced", True)
    config: dict[str, Any] = {"meta": {"tidegate": given}}
    if enforced:
        config["contract"] = {"enforced": True}
    return {
        "version": 2,
        "models": [
            {
                "name": name,
                "description": f"The model {name}.",
                "config": config,
                "columns": listed,
                "data_tests": tests,
            }
        ],
    }


class Project:
    """A dbt project in a folder of its own, on the test's database."""

    def __init__(self, folder: Path, warehouse: Warehouse) -> None:
        self.folder = folder
        for part in ("models", "contracts", "tests/dbt"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "macros").symlink_to(macros_dir())
        (folder / "dbt_project.yml").write_text(PROJECT)
        write_profile(folder, warehouse)

    def model(self, document: dict[str, Any], body: str) -> None:
        """Add one model: its contract (JSON is YAML) and its SQL."""
        name = document["models"][0]["name"]
        (self.folder / "contracts" / f"{name}.yml").write_text(json.dumps(document))
        (self.folder / "models" / f"{name}.sql").write_text(body)

    def dbt(self, *arguments: str) -> Any:
        """Run one dbt command; what it returns is dbt's `dbtRunnerResult`."""
        folder = str(self.folder)
        return run_dbt(*arguments, "--project-dir", folder, "--profiles-dir", folder)

    def outcomes(self, *arguments: str) -> dict[str, str]:
        """Each node that ran, with dbt's status."""
        return statuses(self.dbt(*arguments).result)

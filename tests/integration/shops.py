"""Shops of one dbt project: each a dataset, a staged model and a family of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from integration.dbt_project import Project, contract
from tidegate.deliveries.landing import LandOptions, land
from tidegate.publishing.publish import Request
from tidegate.publishing.refresh import refresh
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

GATES = [
    "source_reachability",
    "source_parseability",
    "source_key_uniqueness",
    {"source_count_delta": {"arguments": {"bound_pct": 400, "warn_pct": 400}}},
    {"source_freshness": {"arguments": {"warn_after": {"count": 1, "period": "day"}}}},
]


class Shops:
    """Each shop's items by number, as `landing.<shop>`, `stg_<shop>` and `q_<shop>`."""

    def __init__(
        self, folder: Path, warehouse: Warehouse, names: Iterable[str] = ("bakery", "butcher")
    ) -> None:
        self.project = Project(folder / "project", warehouse)
        self.deliveries = folder / "deliveries"
        self.settings = Settings(project_dir=self.project.folder, home=folder / "home")
        self.warehouse = warehouse
        for shop in names:
            self._add(shop)

    def _add(self, shop: str) -> None:
        keys = {"sensitivity": "public"}
        table = {
            "name": shop,
            "description": f"Sales of the {shop}.",
            "loaded_at_field": "_received_at",
            "config": {
                "meta": {
                    "tidegate": {
                        "version": "1",
                        "owner": shop,
                        "delivery": {"kind": "snapshot", "key": ["id"], "match": [f"{shop}/*.csv"]},
                        "format": {"type": "csv"},
                    }
                }
            },
            "data_tests": GATES,
            "columns": [
                {"name": "id", "data_type": "text", "description": "Number of the sale.",
                 "config": {"meta": {"tidegate": {"required": True, **keys}}}},
                {"name": "item", "data_type": "text", "description": "What was sold.",
                 "config": {"meta": {"tidegate": keys}}},
            ],
        }  # fmt: skip
        source = {"name": f"{shop}s", "schema": "landing", "tables": [table]}
        folder = self.project.folder / "contracts" / "datasets"
        folder.mkdir(exist_ok=True)
        (folder / f"{shop}.yml").write_text(json.dumps({"version": 2, "sources": [source]}))
        staged = {"name": f"stg_{shop}", "data_tests": [
            {"identifier_presence": {"arguments": {"row_key": ["id"], "identifiers": ["item"]}}},
        ]}  # fmt: skip
        models = self.project.folder / "models"
        (models / f"stg_{shop}.yml").write_text(json.dumps({"version": 2, "models": [staged]}))
        (models / f"stg_{shop}.sql").write_text(
            "{{ config(schema='staging') }} select landed.id, landed.item"
            f" from {{{{ source('{shop}s', '{shop}') }}}} as landed"
        )
        document = contract(
            name := f"q_{shop}", shop, {"id": {"type": "text!", "keys": keys}, "item": "text"},
            ["schema_contract"], row_key=["id"],
        )  # fmt: skip
        (self.project.folder / "contracts" / shop).mkdir()
        path = self.project.folder / "contracts" / shop / f"{name}.yml"
        path.write_text(json.dumps(document))
        (models / f"{name}.sql").write_text(f"select id, item from {{{{ ref('stg_{shop}') }}}}")

    def land(self, **files: str) -> None:
        """Land one file for each shop that is named."""
        for shop, text in files.items():
            folder = self.deliveries / shop
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{len(list(folder.iterdir()))}.csv"
            path.write_text(text)
            land(self.settings, self.warehouse, (path,), LandOptions())

    def refresh(self) -> dict[str, Any]:
        """Verdict and what is served of each family."""
        report = refresh(self.settings, self.warehouse, (), Request())
        return {one.family: (one.verdict, one.served) for one in report.outcomes}

    def failed_gates(self) -> set[tuple[str, str]]:
        """Gates of lower layers that ever failed, by asset."""
        with self.warehouse.connect() as conn:
            rows = conn.execute(
                "select gate_id, asset from governance.gate_results where status = 'fail'"
            ).fetchall()
        return {(row[0], row[1]) for row in rows}

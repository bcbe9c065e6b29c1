"""A blocking gate on a lower layer stops what depends on it, in `dbt build` and in `refresh`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.dbt_project import Project, contract
from tidegate.deliveries.landing import LandOptions, land
from tidegate.publishing.outcome import Verdict
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
    """Two shops, each a dataset, a staged model and a family of its own."""

    def __init__(self, folder: Path, warehouse: Warehouse) -> None:
        self.project = Project(folder / "project", warehouse)
        self.deliveries = folder / "deliveries"
        self.settings = Settings(project_dir=self.project.folder, home=folder / "home")
        self.warehouse = warehouse
        for shop in ("bakery", "butcher"):
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


@pytest.mark.timeout(300)
def test_a_lower_layer_that_fails_holds_back_its_own_family_only(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """An unreadable delivery, then a row without its identifier; readers keep what was good."""
    shops = Shops(tmp_path, warehouse)
    shops.land(bakery="id,item\n1,bread\n2,roll\n", butcher="id,item\n1,ham\n")
    assert shops.refresh() == {
        "bakery": (Verdict.PUBLISHED, 1), "butcher": (Verdict.PUBLISHED, 1),
    }  # fmt: skip
    # The bakery's next file can be read; the one after it, which nobody sent again, cannot.
    shops.land(bakery="id,item\n1,bread\n2,roll\n3,bun\n", butcher="id,item\n1,ham\n2,tongue\n")
    shops.land(bakery="id,id\n1,2\n")
    assert shops.refresh() == {
        "bakery": (Verdict.HELD_BACK, 1), "butcher": (Verdict.PUBLISHED, 2),
    }  # fmt: skip
    assert shops.failed_gates() == {("source_parseability", "bakery")}
    outcomes = shops.project.outcomes("build")
    assert (outcomes["stg_bakery"], outcomes["q_bakery"]) == ("skipped", "skipped")
    assert (outcomes["stg_butcher"], outcomes["q_butcher"]) == ("success", "success")
    shops.land(bakery="id,item\n1,bread\n2,roll\n4,cake\n", butcher="id,item\n1,ham\n2,\n")
    assert shops.refresh() == {
        "bakery": (Verdict.PUBLISHED, 2), "butcher": (Verdict.HELD_BACK, 2),
    }  # fmt: skip
    assert shops.failed_gates() == {
        ("source_parseability", "bakery"), ("identifier_presence", "stg_butcher"),
    }  # fmt: skip
    with warehouse.connect() as conn:
        assert conn.execute("select id, item from query.q_butcher order by 1").fetchall() == [
            ("1", "ham"), ("2", "tongue"),
        ]  # fmt: skip

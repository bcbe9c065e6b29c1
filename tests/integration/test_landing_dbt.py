"""dbt's own view of landing: `dbt source freshness` on `_received_at`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from dbt_profile import write_profile
from landing_project import ORDERS, make_project
from tidegate.contracts.load import load_project
from tidegate.warehouse import Warehouse

FRESH = (
    "loaded_at_field: _received_at\n"
    "        freshness: {warn_after: {count: 1, period: day}, error_after: {count: 2, period: day}}"
)


@pytest.mark.long
def test_dbt_source_freshness_reads_when_deliveries_were_received(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """Right after a delivery its source is fresh."""
    from dbt.cli.main import dbtRunner

    project = make_project(tmp_path, warehouse)
    project.contract(
        "shop",
        ORDERS.replace("KIND", "append").replace("loaded_at_field: _received_at", FRESH),
    )
    (tmp_path / "dbt_project.yml").write_text(
        "name: test\nversion: '1.0'\nconfig-version: 2\nprofile: tidegate\n"
        "model-paths: [models, contracts]\n"
        "flags: {send_anonymous_usage_stats: false, version_check: false}\n",
        encoding="utf-8",
    )
    write_profile(tmp_path, warehouse)
    project.land("orders/1.csv", "id,item,qty\n1,tea,2\n")
    folder = str(tmp_path)
    done = dbtRunner().invoke(
        ["--quiet", "source", "freshness", "--project-dir", folder, "--profiles-dir", folder]
    )
    assert done.success
    found = json.loads((tmp_path / "target" / "sources.json").read_text("utf-8"))
    assert [one["status"] for one in found["results"]] == ["pass"]


def test_every_dataset_of_the_project_says_when_it_is_stale() -> None:
    """`dbt source freshness` has something to measure, and measures receipt, for each sample."""
    folder = Path(__file__).resolve().parents[2] / "contracts" / "datasets"
    tables = [
        table
        for path in sorted(folder.glob("*.yml"))
        for source in yaml.safe_load(path.read_text(encoding="utf-8"))["sources"]
        for table in source["tables"]
    ]
    assert len(tables) == len(load_project(folder.parents[1]).datasets) > 0
    for table in tables:
        assert table["loaded_at_field"] == "_received_at", table["name"]
        assert table["freshness"]["warn_after"]["period"] == "day", table["name"]

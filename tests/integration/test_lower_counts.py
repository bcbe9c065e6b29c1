"""Gates below the families say how many rows they looked at, as every gate does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from integration.shops import Shops
from tidegate.warehouse import Warehouse

PRESENCE = {"arguments": {"row_key": ["id"], "identifiers": ["item"]}}


def counted(warehouse: Warehouse) -> dict[tuple[str, str], int | None]:
    """Rows checked by the gates below, by gate and asset."""
    with warehouse.connect() as conn:
        rows = conn.execute(
            "select gate_id, asset, rows_checked from governance.gate_results where family is null"
        ).fetchall()
    return {(gate, asset): checked for gate, asset, checked in rows}


@pytest.mark.timeout(300)
def test_gates_below_count_what_they_look_at(tmp_path: Path, warehouse: Warehouse) -> None:
    """Rows under the gate's own `where`, deliveries of gates that judge those; also where it warns.

    A query of its own may look at anything, an ephemeral model has no rows to count, and nobody
    says a number for either.
    """
    shops = Shops(tmp_path, warehouse, ("bakery",))
    models = shops.project.folder / "models"
    staged = {
        "name": "stg_bakery",
        "data_tests": [
            {"identifier_presence": PRESENCE | {"config": {"where": "id <> '2'"}}},
            {
                "accepted_values": {
                    "arguments": {"column_name": "item", "values": ["bread"]},
                    "config": {"severity": "warn"},
                }
            },
            {"unique": {"arguments": {"column_name": "id"}}},
        ],
    }
    passing = {
        "name": "int_bakery",
        "config": {"materialized": "ephemeral"},
        "data_tests": [{"not_null": {"arguments": {"column_name": "id"}}}],
    }
    text = json.dumps({"version": 2, "models": [staged, passing]})
    (models / "stg_bakery.yml").write_text(text)
    (models / "int_bakery.sql").write_text("select id, item from {{ ref('stg_bakery') }}")
    (models / "q_bakery.sql").write_text("select id, item from {{ ref('int_bakery') }}")
    singular = shops.project.folder / "tests" / "dbt"
    singular.mkdir(parents=True, exist_ok=True)
    (singular / "assert_items.sql").write_text(
        "select id as row_key from {{ ref('stg_bakery') }} where item = 'stone'"
    )
    shops.land(bakery="id,item\n1,bread\n")
    shops.land(bakery="id,item\n1,bread\n2,roll\n3,bun\n")
    shops.refresh()
    assert counted(warehouse) == {
        ("source_reachability", "bakery"): 2,
        ("source_parseability", "bakery"): 2,
        ("source_count_delta", "bakery"): 1,
        ("source_key_uniqueness", "bakery"): 3,
        ("source_freshness", "bakery"): 3,
        ("identifier_presence", "stg_bakery"): 2,
        ("accepted_values", "stg_bakery"): 3,
        ("unique", "stg_bakery"): 3,
        ("not_null", "int_bakery"): None,
        ("assert_items", "stg_bakery"): None,
    }

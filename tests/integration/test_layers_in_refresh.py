"""A blocking gate on a lower layer stops what depends on it, in `dbt build` and in `refresh`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.dbt_project import contract
from integration.shops import Shops
from tidegate.deliveries.landing import LandOptions, land
from tidegate.publishing.dbt import DbtProject
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.publish import Request
from tidegate.publishing.refresh import refresh
from tidegate.warehouse import Warehouse


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


BREAD = {
    "relationships": {
        "name": "bread_and_butter",
        "arguments": {"to": "ref('stg_butcher')", "field": "id"},
    }
}
"""On what the bakery stages; who sells to the bakery only stands on it, and the mall on both."""


def mall_of(shops: Shops) -> None:
    """A third family, on what both shops stage, so that the gate between them is its own."""
    document = contract(
        "q_mall", "mall", {"id": "text!", "item": "text"}, ["schema_contract"], row_key=["id"]
    )
    folder = shops.project.folder
    (folder / "contracts" / "mall").mkdir()
    (folder / "contracts" / "mall" / "q_mall.yml").write_text(json.dumps(document))
    (folder / "models" / "q_mall.sql").write_text(
        "select id, item from {{ ref('stg_bakery') }} where id in"
        " (select id from {{ ref('stg_butcher') }})"
    )
    path = folder / "models" / "stg_bakery.yml"
    staged = json.loads(path.read_text())
    staged["models"][0]["columns"] = [{"name": "id", "data_tests": [BREAD]}]
    path.write_text(json.dumps(staged))


def refresh_only(shops: Shops, *families: str) -> dict[str, Any]:
    """Verdict of each of these families and why."""
    report = refresh(shops.settings, shops.warehouse, families, Request())
    return {one.family: (one.verdict, [entry.reason for entry in one.entries])
            for one in report.outcomes}  # fmt: skip


@pytest.mark.timeout(300)
def test_a_gate_below_that_reads_what_the_family_does_not_is_judged_with_it(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """The bakery alone is refreshed: what its gate compares with is built along, and not only for
    the mall, in whose own build the gate would run too late."""
    shops = Shops(tmp_path, warehouse)
    mall_of(shops)
    shops.land(bakery="id,item\n1,bread\n2,roll\n", butcher="id,item\n1,ham\n")
    (held,) = refresh_only(shops, "bakery").values()
    assert held == (
        Verdict.HELD_BACK,
        [
            "bakery stands on 1 nodes that failed below it: relationships on stg_bakery (1"
            " violations)."
            " Correct them, or the deliveries they read; nothing above them was built."
        ],
    )
    shops.land(butcher="id,item\n1,ham\n2,tongue\n")
    assert refresh_only(shops, "bakery") == {"bakery": (Verdict.PUBLISHED, [])}
    assert refresh_only(shops) == {
        "bakery": (Verdict.UNCHANGED, []),
        "butcher": (Verdict.PUBLISHED, []),
        "mall": (Verdict.PUBLISHED, []),
    }


@pytest.mark.timeout(300)
def test_a_gate_below_that_dbt_did_not_run_has_not_passed(
    tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever dbt's selection left out, the family is not published on it."""
    shops = Shops(tmp_path, warehouse)
    shops.land(bakery="id,item\n1,bread\n", butcher="id,item\n1,ham\n")
    run = DbtProject.run

    def without_identifiers(project: DbtProject, *arguments: Any, **more: Any) -> Any:
        return tuple(
            node
            for node in run(project, *arguments, **more)
            if (node.gate_id, node.asset) != ("identifier_presence", "stg_bakery")
        )

    monkeypatch.setattr(DbtProject, "run", without_identifiers)
    assert refresh_only(shops) == {
        "bakery": (
            Verdict.HELD_BACK,
            [
                "bakery stands on 1 blocking gates below it that dbt did not run:"
                " identifier_presence_stg_bakery_item__id. Run `dbt test --select"
                ' "identifier_presence_stg_bakery_item__id"` to see why; nothing above was built.'
            ],
        ),
        "butcher": (Verdict.PUBLISHED, []),
    }


@pytest.mark.timeout(300)
def test_a_delivery_of_which_nothing_is_accepted_is_judged_in_the_next_refresh(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """No row has changed, and the gates of deliveries judge otherwise; in both directions.

    A file that comes again changes nothing, nor does what no such gate looks at.
    """
    shops = Shops(tmp_path, warehouse)
    good = {"bakery": "id,item\n1,bread\n", "butcher": "id,item\n1,ham\n"}
    shops.land(**good)
    assert shops.refresh() == {"bakery": (Verdict.PUBLISHED, 1), "butcher": (Verdict.PUBLISHED, 1)}
    unchanged = {"bakery": (Verdict.UNCHANGED, 1), "butcher": (Verdict.UNCHANGED, 1)}
    shops.land(**good)
    assert shops.refresh() == unchanged
    shops.land(bakery="id,id\n1,2\n")
    held = {"bakery": (Verdict.HELD_BACK, 1), "butcher": (Verdict.UNCHANGED, 1)}
    assert shops.refresh() == held
    assert shops.failed_gates() == {("source_parseability", "bakery")}
    assert shops.refresh() == held
    # The partner sends the file once more, under its own name and as it was meant.
    (shops.deliveries / "bakery" / "2.csv").write_text(good["bakery"])
    land(shops.settings, warehouse, (shops.deliveries / "bakery" / "2.csv",), LandOptions())
    assert shops.refresh() == unchanged

"""A blocking gate on a lower layer stops what depends on it, in `dbt build` and in `refresh`."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.shops import Shops
from tidegate.publishing.outcome import Verdict
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

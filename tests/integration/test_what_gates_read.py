"""What only a gate reads is an input of the family that it judges, as what its models read is."""

from __future__ import annotations

from pathlib import Path

import pytest

from integration.shops import Shops
from tidegate.publishing.outcome import Verdict
from tidegate.warehouse import Warehouse

COMPARED = {
    "bakery": "{{ ref('q_butcher') }}",
    "cafe": "{{ ref('stg_butcher') }}",
    "deli": "{{ source('butchers', 'butcher') }}",
}
"""What a test of each family looks into: another family, a model below, a dataset."""
SHARED = (
    "{{{{ config(meta={{'tidegate': {{'family': '{shop}'}}}}) }}}} select own.id"
    " from {{{{ ref('q_{shop}') }}}} as own inner join {other} as other on other.item = own.item"
)
EVERYBODY = ("butcher", *COMPARED)


@pytest.mark.timeout(300)
def test_a_change_of_what_only_a_gate_reads_is_judged_in_the_same_run(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """No shop may sell what the butcher sells; only the butcher's deliveries change.

    The bakery, first in the alphabet, reads what the butcher publishes, and waits for it.
    """
    shops = Shops(tmp_path, warehouse, EVERYBODY)
    for shop, other in COMPARED.items():
        file = shops.project.folder / "tests" / "dbt" / f"nobody_else_sells_it_{shop}.sql"
        file.write_text(SHARED.format(shop=shop, other=other))
    rolls, ham = "id,item\n1,roll\n", "id,item\n1,ham\n"
    shops.land(butcher=ham, **dict.fromkeys(COMPARED, rolls))
    assert shops.refresh() == dict.fromkeys(EVERYBODY, (Verdict.PUBLISHED, 1))
    assert shops.refresh() == dict.fromkeys(EVERYBODY, (Verdict.UNCHANGED, 1))
    shops.land(butcher="id,item\n1,roll\n2,ham\n")
    red = {"butcher": (Verdict.PUBLISHED, 2), **dict.fromkeys(COMPARED, (Verdict.HELD_BACK, 1))}
    assert shops.refresh() == red
    assert shops.refresh() == {**red, "butcher": (Verdict.UNCHANGED, 2)}
    shops.land(butcher="id,item\n1,tongue\n")
    assert shops.refresh() == dict.fromkeys(EVERYBODY, (Verdict.PUBLISHED, 3))
    assert shops.refresh() == dict.fromkeys(EVERYBODY, (Verdict.UNCHANGED, 3))

"""What a contract makes of a gate: a warning is kept, shown and reviewed, or the gate withholds.

Source: contracts seed, "Publication-state behavior": warnings never silently disappear, and can be
promoted to blocking by changing the contract.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.shops import Shops
from tidegate.ledger import review
from tidegate.publishing.markers import promote_contracts
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.publish import Request
from tidegate.publishing.refresh import refresh
from tidegate.publishing.status import read_status
from tidegate.warehouse import Warehouse

GATE = "identifier_presence"


def say(shops: Shops, *, staged: str, served: str) -> None:
    """Write the severity of the gate on what is staged and of the one on what is served.

    The contract of what is served is promoted, where readers have one.
    """
    folder = shops.project.folder
    arguments = {"row_key": ["id"], "identifiers": ["item"]}
    for path, severity in (
        (folder / "models" / "stg_bakery.yml", staged),
        (folder / "contracts" / "bakery" / "q_bakery.yml", served),
    ):
        document = json.loads(path.read_text())
        (model,) = document["models"]
        kept = [entry for entry in model["data_tests"] if GATE not in entry]
        gate = {GATE: {"arguments": arguments, "config": {"severity": severity}}}
        model["data_tests"] = [*kept, gate]
        path.write_text(json.dumps(document))
    with shops.warehouse.connect() as conn:
        if read_status(conn).families:
            promote_contracts(conn, folder, ["q_bakery"], by="ada", reason="another severity")


def refreshed(shops: Shops) -> tuple[Verdict, int | None, int, list[str]]:
    """Verdict, what is served, warnings, and why it was held back."""
    (one,) = refresh(shops.settings, shops.warehouse, (), Request()).outcomes
    return one.verdict, one.served, one.warnings, [entry.reason for entry in one.entries]


def kept(shops: Shops) -> list[tuple[Any, ...]]:
    """The newest result of the gate on each relation, and how often its item was seen."""
    with shops.warehouse.connect() as conn:
        rows: list[tuple[Any, ...]] = conn.execute(
            "select distinct on (results.asset) results.asset, results.severity, results.status,"
            " results.rows_failing, items.state,"
            " (select count(*) from governance.review_sightings as seen"
            " where seen.review_id = items.review_id)"
            " from governance.gate_results as results left join governance.review_items as items"
            " on items.subject = results.asset and items.check_id = results.gate_id"
            " where results.gate_id = %s order by results.asset, results.result_id desc",
            [GATE],
        ).fetchall()
        return rows


@pytest.mark.timeout(300)
def test_a_warning_is_kept_until_the_contract_alone_makes_it_block(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """Nothing but the severity changes, of the gate on a layer below and of that on the model."""
    shops = Shops(tmp_path, warehouse, ["bakery"])
    say(shops, staged="warn", served="warn")
    shops.land(bakery="id,item\n1,bread\n2,\n")
    verdict, served, warnings, reasons = refreshed(shops)
    assert (verdict, served, reasons) == (Verdict.PUBLISHED, 1, [])
    assert warnings == 1
    assert kept(shops) == [
        ("q_bakery", "warning", "warn", 1, "open", 1),
        ("stg_bakery", "warning", "warn", 1, "open", 1),
    ]
    say(shops, staged="warn", served="error")
    assert refreshed(shops)[:2] == (Verdict.HELD_BACK, 1)
    assert kept(shops)[0][:4] == ("q_bakery", "blocking", "fail", 1)
    say(shops, staged="error", served="warn")
    verdict, served, _, reasons = refreshed(shops)
    assert (verdict, served) == (Verdict.HELD_BACK, 1)
    assert reasons == [
        "bakery stands on 1 nodes that failed below it: identifier_presence on stg_bakery"
        " (1 violations). Correct them, or the deliveries they read; nothing above them was built."
    ]
    assert kept(shops)[1][:4] == ("stg_bakery", "blocking", "fail", 1)
    with warehouse.connect() as conn:
        assert read_status(conn).open_reviews == review.open_count(conn) == 2
        assert conn.execute("select id, item from query.q_bakery order by 1").fetchall() == [
            ("1", "bread"), ("2", None),
        ]  # fmt: skip
    say(shops, staged="warn", served="warn")
    assert refreshed(shops)[:2] == (Verdict.PUBLISHED, 3)
    assert [row[4:] for row in kept(shops)] == [("open", 2), ("open", 3)]

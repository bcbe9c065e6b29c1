"""What a promotion judges besides a family's own gates: policies, and references from outside."""

from __future__ import annotations

from typing import Any

from shop import CUSTOMERS, ORDERS, Shop, contract, dbt_spec, orders_and_customers
from tidegate.connection import Connection
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.policies import GATE_ID
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse


def two_families(warehouse: Warehouse) -> Shop:
    """q_customers in the family shop, and q_orders of the family sales, which refers to it."""
    owner = {"columns": ["customer_key"], "to": "q_customers"}
    shop = Shop(
        warehouse,
        [
            contract("q_customers", CUSTOMERS),
            contract("q_orders", ORDERS, family="sales", references=[owner]),
        ],
    )

    def build(number: int) -> dict[str, str]:
        made = orders_and_customers()(number)
        return {name: text.replace("shop__candidate.q_orders", "sales__candidate.q_orders")
                for name, text in made.items()}  # fmt: skip

    shop.tables = build
    return shop


def publish(shop: Shop, family: str) -> Any:
    """Publish one family once."""
    (outcome,) = publish_group(shop, (family,), Request())  # type: ignore[arg-type]
    return outcome


def test_an_owner_that_drops_keys_in_use_is_held_back(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Found before it is published: 4 orders of the served sales would have lost their customer."""
    shop = two_families(warehouse)
    assert publish(shop, "shop").verdict is Verdict.PUBLISHED
    assert publish(shop, "sales").verdict is Verdict.PUBLISHED
    complete = shop.tables
    shop.tables = lambda number: {
        **complete(number),
        "q_customers": complete(number)["q_customers"].replace("(0, 4)", "(1, 4)"),
    }
    outcome = publish(shop, "shop")
    assert outcome.verdict is Verdict.HELD_BACK
    assert [(e.model, e.gate_id, e.affected_rows, e.reason) for e in outcome.entries] == [
        ("q_orders", "referential_integrity", 4, "key_dangling (4)")
    ]
    assert conn.execute("select count(*) from query.q_customers").fetchone() == (5,)
    shop.tables = complete
    assert publish(shop, "shop").verdict is Verdict.PUBLISHED


def test_a_policy_of_a_model_is_judged_and_its_evidence_kept(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Version and hash stand beside the validation; a violated rule holds the family back."""
    policy = {
        "version": "orders-v1",
        "rules": [
            {"id": "amount-range", "type": "range", "field": "amount", "maximum": 2},
            {"id": "many", "type": "row_count", "minimum": 100, "severity": "warning"},
        ],
    }
    made = contract("q_orders", ORDERS, policy=policy)
    shop = Shop(warehouse, [made, contract("q_customers", CUSTOMERS)])
    shop.extra_specs = [dbt_spec(made, GATE_ID, "select 1 where false")]
    outcome = publish(shop, "shop")
    assert (outcome.verdict, outcome.warnings) == (Verdict.PUBLISHED, 1)
    row = conn.execute(
        "select policy_version, length(policy_sha256), validation -> 'policy' ->> 'verdict'"
        " from provenance.publication_validation where relation = 'q_orders'"
    ).fetchone()
    assert row == ("orders-v1", 64, "ready_with_warnings")
    publish(shop, "shop")
    outcome = publish(shop, "shop")
    assert outcome.verdict is Verdict.HELD_BACK
    assert [(e.gate_id, e.affected_rows, e.reason) for e in outcome.entries] == [
        ("quality_policy", 20, "amount-range (20), many (0)")
    ]

"""What tests of publications share: publishing once, what readers see, other shapes, waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from shop import CUSTOMERS, FAMILY, ORDERS, Columns, Shop, contract, orders_and_customers
from tidegate.connection import Connection
from tidegate.ledger import contracts as markers
from tidegate.publishing.outcome import FamilyOutcome
from tidegate.publishing.publish import Request, publish_group


def publish(shop: Shop, **request: Any) -> FamilyOutcome:
    """Publish the shop's family once."""
    (outcome,) = publish_group(shop, (FAMILY,), Request(**request))  # type: ignore[arg-type]
    return outcome


def served(conn: Connection) -> set[int]:
    """The build numbers that readers see in q_orders and q_customers together."""
    rows = conn.execute(
        "select distinct amount::integer from query.q_orders"
        " union select distinct generation_built from query.q_customers"
    ).fetchall()
    return {row[0] for row in rows}


def counts(conn: Connection) -> dict[str, int]:
    """Publication records, their evidence, audit events, outbox events, moves of the head."""
    row = conn.execute(
        "select (select count(*) from governance.publications),"
        " (select count(distinct publication_id) from provenance.publication_validation),"
        " (select count(*) from governance.audit_events"
        " where event = 'datasource.publication.published'),"
        " (select count(*) from governance.outbox_events),"
        " (select count(*) from governance.head_moves)"
    ).fetchone()
    assert row is not None
    return dict(zip(("records", "evidence", "audit", "outbox", "moves"), row, strict=True))


def promote_contracts(shop: Shop) -> None:
    """Approve the contracts of the shop as they are now."""
    with shop.warehouse.connect() as conn:
        for family in shop.project.families:
            known = markers.promoted(conn, family)
            for version in shop.family_contracts(family):
                if known.get(version.model) != version.sha256:
                    markers.promote(conn, version, by="ann", reason="test")


def change_both_shapes(shop: Shop) -> None:
    """Give both models a column of another type, so that both views must be rebuilt."""
    owner = {"columns": ["customer_key"], "to": "q_customers"}
    orders: Columns = (ORDERS[0], ORDERS[1], ("amount", "bigint", True))
    customers: Columns = (CUSTOMERS[0], ("generation_built", "bigint", False))
    shop.contracts["q_orders"] = contract("q_orders", orders, references=[owner])
    shop.contracts["q_customers"] = contract("q_customers", customers)
    promote_contracts(shop)
    first = shop.tables

    def build(number: int) -> dict[str, str]:
        made = dict(first(number))
        made["q_orders"] += "; alter table shop__candidate.q_orders alter amount type bigint"
        made["q_customers"] += (
            "; alter table shop__candidate.q_customers alter generation_built type bigint"
        )
        return made

    shop.tables = build


def widen_both_shapes(shop: Shop) -> None:
    """Give both models one more nullable column, so that parents and views are extended."""
    owner = {"columns": ["customer_key"], "to": "q_customers"}
    note = ("note", "text", True)
    shop.contracts["q_orders"] = contract("q_orders", (*ORDERS, note), references=[owner])
    shop.contracts["q_customers"] = contract("q_customers", (*CUSTOMERS, note))
    promote_contracts(shop)

    def build(number: int) -> dict[str, str]:
        made = dict(orders_and_customers()(number))
        for name in made:
            made[name] += f"; alter table shop__candidate.{name} add column note text"
        return made

    shop.tables = build


def wait_until(conn: Connection, condition: Any, seconds: float = 60) -> None:
    """Poll the server until a condition holds; nothing sleeps to be right."""
    deadline = time.monotonic() + seconds
    while not (conn.execute(condition).fetchone() or [False])[0]:
        assert time.monotonic() < deadline, f"never held: {condition}"


@contextmanager
def beside(work: Callable[[], Any]) -> Iterator[list[Any]]:
    """Run `work` in a thread beside the block; its result or error is in the list afterwards."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # the test decides what it is
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield found
    finally:
        thread.join(timeout=120)
        assert not thread.is_alive(), "it never ended"

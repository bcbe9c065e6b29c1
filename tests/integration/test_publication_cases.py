"""Reported failures of publication (area C of the cases): each with the right behaviour."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg
import pytest

from shop import FAMILY, ORDERS, Shop, contract, orders_and_customers
from tidegate.connection import Connection
from tidegate.ledger import contracts as markers
from tidegate.names import MAX_IDENTIFIER_BYTES, generation_schema
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse

PACKAGE = Path(__file__).resolve().parents[2] / "scripts" / "tidegate"
OWNER = {"columns": ["customer_key"], "to": "q_customers"}


@pytest.fixture
def shop(warehouse: Warehouse) -> Shop:
    """The test family, published once."""
    made = Shop(warehouse)
    assert publish(made).verdict is Verdict.PUBLISHED
    return made


def publish(shop: Shop) -> FamilyOutcome:
    """Publish the family once."""
    (outcome,) = publish_group(shop, (FAMILY,), Request())  # type: ignore[arg-type]
    return outcome


def reshape(shop: Shop, columns: Any, expressions: str) -> None:
    """Give q_orders these columns, promote the contract, and build it with `expressions`."""
    shop.contracts["q_orders"] = contract("q_orders", columns, references=[OWNER])
    with shop.warehouse.connect() as conn:
        entry = next(e for e in shop.family_contracts(FAMILY) if e.model == "q_orders")
        markers.promote(conn, entry, by="ann", reason="test")
    shop.tables = lambda number: {
        **orders_and_customers()(number),
        "q_orders": f"create table shop__candidate.q_orders as select {expressions}"
        " from generate_series(1, 20) as i;"
        " alter table shop__candidate.q_orders alter order_key set not null",
    }


def columns_of(conn: Connection, name: str = "q_orders") -> list[tuple[str, str]]:
    """Names and types of a stable view."""
    return conn.execute(
        "select attname::text, format_type(atttypid, atttypmod) from pg_attribute"
        " where attrelid = to_regclass('query.' || %s) and attnum > 0 order by attnum",
        [name],
    ).fetchall()


KEYS = "'o' || i as order_key, 'c' || (i % 5) as customer_key"


@pytest.mark.parametrize(
    ("columns", "expressions"),
    [
        (ORDERS[:2], KEYS),
        ((*ORDERS[:2], ("amount", "numeric(12,2)", True)), f"{KEYS}, 2::numeric(12,2) as amount"),
        (
            (ORDERS[0], ("extra", "text", True), *ORDERS[1:]),
            f"{KEYS}, 2::numeric(10,2) as amount, 'x' as extra",
        ),
        ((ORDERS[0], ORDERS[2], ORDERS[1]), f"{KEYS}, 2::numeric(10,2) as amount"),
    ],
    ids=["c01-column-dropped", "c02-type-changed", "c03-column-in-the-middle", "order-changed"],
)
def test_shapes_that_or_replace_refuses_are_published(
    shop: Shop, conn: Connection, columns: Any, expressions: str
) -> None:
    """The view has the contract's columns in its order, and the reader's grant (C01, C02, C03)."""
    reshape(shop, columns, expressions)
    assert publish(shop).verdict is Verdict.PUBLISHED
    assert columns_of(conn) == [(name, kind) for name, kind, _ in columns]
    row = conn.execute(
        "select has_table_privilege('tidegate_reader', 'query.q_orders', 'select')"
    ).fetchone()
    assert row == (True,)


def test_c05_serving_schemas_are_never_a_dbt_target() -> None:
    """dbt builds into `<family>__candidate` and layers only: the macro knows no other schema."""
    macro = (PACKAGE.parents[1] / "macros/dbt/generate_schema_name.sql").read_text()
    assert "__candidate" in macro
    assert "__serving" not in macro
    assert "query" not in macro


def test_c07_options_of_a_view_survive_a_replacement(shop: Shop, conn: Connection) -> None:
    """`security_barrier` and `security_invoker` are restated when a column is appended."""
    conn.execute("alter view query.q_orders set (security_barrier = true)")
    reshape(
        shop, (*ORDERS, ("note", "text", True)), f"{KEYS}, 2::numeric(10,2) as amount, 'n' as note"
    )
    assert publish(shop).verdict is Verdict.PUBLISHED
    options = conn.execute(
        "select reloptions from pg_class where oid = 'query.q_orders'::regclass"
    ).fetchone()
    assert options == (["security_barrier=true"],)
    assert columns_of(conn)[-1] == ("note", "text")


def test_c13_names_of_schemas_and_generations_fit() -> None:
    """The longest names stay within 63 bytes, so nothing is cut and nothing collides."""
    assert len(generation_schema("f" * 40, 999_999_999).encode()) <= MAX_IDENTIFIER_BYTES


def test_c17_no_lock_outlives_its_transaction() -> None:
    """Session advisory locks strand behind a transaction pooler: none is taken anywhere."""
    found = [
        f"{path.name}: {match}"
        for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.sql")]
        for match in re.findall(r"pg_(?:try_)?advisory_lock\w*", path.read_text())
    ]
    assert found == []


def test_c18_views_name_the_parent_and_not_a_generation(shop: Shop, conn: Connection) -> None:
    """A view follows what it was made on: it is made on the serving parent, which never moves."""
    before = conn.execute("select pg_get_viewdef('query.q_orders'::regclass)").fetchone()
    publish(shop)
    after = conn.execute("select pg_get_viewdef('query.q_orders'::regclass)").fetchone()
    assert before == after
    assert before is not None
    assert "shop__serving.q_orders" in before[0]


def test_c21_a_reader_reaches_the_views_and_nothing_behind_them(
    shop: Shop, conn: Connection
) -> None:
    """Select on the view; neither the parent nor the generation's tables."""
    conn.execute("set role tidegate_reader")
    assert conn.execute("select count(*) from query.q_orders").fetchone() == (20,)
    for relation in ("shop__serving.q_orders", "shop__g000001.q_orders"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(f"select count(*) from {relation}")
    conn.execute("reset role")


def test_c24_default_privileges_do_not_widen_access(warehouse: Warehouse, conn: Connection) -> None:
    """What `alter default privileges` adds to a new view is revoked."""
    conn.execute("create role curious_bystander nologin")
    conn.execute("alter default privileges in schema query grant select on tables to"
                 " curious_bystander")  # fmt: skip
    publish(Shop(warehouse))
    row = conn.execute(
        "select has_table_privilege('curious_bystander', 'query.q_orders', 'select')"
    ).fetchone()
    assert row == (False,)
    conn.execute("drop owned by curious_bystander; drop role curious_bystander")

"""A family becomes visible in one step, or the last good generation stays (design §6)."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from shop import CUSTOMERS, FAMILY, ORDERS, Shop, contract, dbt_spec, orders_and_customers
from tidegate.connection import Connection
from tidegate.ledger import contracts as markers
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.publish import Request, publish_group
from tidegate.publishing.rollback import rollback
from tidegate.publishing.status import read_status
from tidegate.warehouse import Warehouse


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


@pytest.fixture
def shop(warehouse: Warehouse) -> Shop:
    """Two models that refer to each other."""
    return Shop(warehouse)


def test_the_first_publication_makes_every_model_visible(shop: Shop, conn: Connection) -> None:
    """Both views appear, at generation 1, with a record, evidence, audit and outbox event."""
    outcome = publish(shop)
    assert (outcome.verdict, outcome.generation, outcome.served) == (Verdict.PUBLISHED, 1, 1)
    assert served(conn) == {1}
    assert outcome.reference is not None
    assert outcome.reference.startswith("shop@g000001#")
    counts = conn.execute(
        "select (select count(*) from governance.publications),"
        " (select count(*) from provenance.publication_validation),"
        " (select count(*) from governance.audit_events"
        " where event = 'datasource.publication.published'),"
        " (select count(*) from governance.outbox_events),"
        " (select state from governance.family_states where family = 'shop')"
    ).fetchone()
    assert counts == (1, 2, 1, 1, "published")


def test_a_contract_of_a_model_that_nobody_has_read_needs_nobodys_leave(shop: Shop) -> None:
    """It may change, and go again, while the family is served; what readers have may not."""
    assert publish(shop).verdict is Verdict.PUBLISHED
    for columns in (ORDERS, CUSTOMERS):  # its model is not built yet
        shop.contracts["q_extra"] = contract("q_extra", columns)
        outcome = publish(shop)
        assert outcome.verdict is Verdict.HELD_BACK
        assert outcome.entries[0].reason.startswith("The candidate of shop lacks q_extra.")
    del shop.contracts["q_extra"]
    assert publish(shop).verdict is Verdict.PUBLISHED
    del shop.contracts["q_orders"]
    outcome = publish(shop)
    assert outcome.verdict is Verdict.PARKED
    assert [(entry.model, entry.reason) for entry in outcome.entries] == [
        ("q_orders", "its contract is gone, readers still have the view")
    ]


def test_a_second_publication_replaces_the_first_in_all_models(
    shop: Shop, conn: Connection
) -> None:
    """Generation 2 is seen whole, generation 1 not at all."""
    publish(shop)
    assert publish(shop).generation == 2
    assert served(conn) == {2}


def test_a_blocking_gate_keeps_the_last_good_generation(shop: Shop, conn: Connection) -> None:
    """Prior run, blocked run, model, affected rows and reason are kept; readers see no change."""
    publish(shop)
    shop.tables = lambda number: {
        **orders_and_customers()(number),
        "q_customers": "create table shop__candidate.q_customers as"
        " select 'c' || i as customer_key, 2 as generation_built from generate_series(1, 4) as i;"
        " alter table shop__candidate.q_customers alter customer_key set not null,"
        " alter generation_built set not null",
    }
    outcome = publish(shop)
    assert outcome.verdict is Verdict.HELD_BACK
    assert (outcome.generation, outcome.served) == (2, 1)
    assert served(conn) == {1}
    row = conn.execute(
        "select prior_generation, blocked_generation, model, gate_id, affected_rows, reason"
        " from governance.held_back"
    ).fetchone()
    assert row == (1, 2, "q_orders", "referential_integrity", 4, "key_dangling (4)")
    state = conn.execute("select state from governance.family_states").fetchone()
    assert state == ("previous_published_served",)
    kept = conn.execute("select count(*) from shop__g000002.q_orders").fetchone()
    assert kept == (20,)


def test_a_family_that_was_never_published_stays_invisible_when_held_back(
    shop: Shop, conn: Connection
) -> None:
    """There is no view at all before the first good generation."""
    shop.extra_specs = [dbt_spec(shop.contracts["q_orders"], "never", "select 1 as one")]
    assert publish(shop).verdict is Verdict.HELD_BACK
    assert conn.execute("select to_regclass('query.q_orders')").fetchone() == (None,)


def test_an_additive_column_extends_the_parent_and_the_view(shop: Shop, conn: Connection) -> None:
    """Grants and comments of the view survive; the older generation shows null."""
    publish(shop)
    conn.execute("create role extra_reader_add nologin")
    conn.execute("grant select on query.q_orders to extra_reader_add")
    wider = (*ORDERS, ("note", "text", True))
    _change_orders(shop, wider, "'n' || i as note")
    assert publish(shop).verdict is Verdict.PUBLISHED
    assert _columns(conn) == ["order_key", "customer_key", "amount", "note"]
    assert _may_select(conn, "extra_reader_add")
    rollback(shop.warehouse, FAMILY, None, by="ann", reason="test")
    assert conn.execute("select distinct note from query.q_orders").fetchall() == [(None,)]
    conn.execute("drop owned by extra_reader_add; drop role extra_reader_add")


def test_a_breaking_shape_rebuilds_the_view_with_all_it_had(shop: Shop, conn: Connection) -> None:
    """Owner, grants, comments, options are the same; a rollback brings the old shape (C06)."""
    publish(shop)
    conn.execute("create role extra_reader_break nologin; create role view_owner nologin")
    conn.execute("grant select on query.q_orders to extra_reader_break with grant option")
    conn.execute("grant select (order_key) on query.q_orders to tidegate_operator")
    conn.execute("alter view query.q_orders set (security_barrier = true)")
    conn.execute("comment on view query.q_orders is 'kept'")
    conn.execute("comment on column query.q_orders.order_key is 'kept too'")
    before = _carried(conn)
    _change_orders(shop, (ORDERS[0], ORDERS[1], ("amount", "bigint", True)), None, "bigint")
    assert publish(shop).verdict is Verdict.PUBLISHED
    assert _carried(conn) == before
    assert _types(conn) == ["text", "text", "bigint"]
    assert served(conn) == {2}
    rollback(shop.warehouse, FAMILY, 1, by="ann", reason="test")
    assert _types(conn) == ["text", "text", "numeric(10,2)"]
    assert served(conn) == {1}
    assert _carried(conn) == before
    conn.execute("drop owned by extra_reader_break; drop role extra_reader_break, view_owner")


DEPENDENTS = {
    "view bi.report": "create view bi.report as select amount from query.q_orders",
    "materialized view bi.kept": "create materialized view bi.kept as table query.q_orders",
    "function bi.all_of()": "create function bi.all_of() returns setof query.q_orders"
    " language sql as 'select * from query.q_orders'",
    "function bi.how_many()": "create function bi.how_many() returns bigint"
    " begin atomic select count(amount) from query.q_orders; end",
    "table bi.cache": "create table bi.cache (last query.q_orders)",
}


@pytest.mark.parametrize("dependent", DEPENDENTS)
def test_dependents_of_others_stop_a_breaking_shape_and_are_named(
    shop: Shop, conn: Connection, dependent: str
) -> None:
    """Nothing is cascaded: the dependent and the served generation are still there (C04)."""
    publish(shop)
    conn.execute("create schema bi")
    conn.execute(DEPENDENTS[dependent])
    _change_orders(shop, (ORDERS[0], ORDERS[1], ("amount", "bigint", True)), None, "bigint")
    outcome = publish(shop)
    assert outcome.verdict is Verdict.HELD_BACK
    assert f"other objects depend on it: {dependent}" in outcome.entries[0].reason
    assert served(conn) == {1}
    conn.execute("drop schema bi cascade")
    assert publish(shop).verdict is Verdict.PUBLISHED


def test_a_changed_contract_parks_until_somebody_promotes_it(shop: Shop, conn: Connection) -> None:
    """YAML that nobody approved is never built; the promotion names who and why."""
    publish(shop)
    shop.contracts["q_orders"] = contract(
        "q_orders",
        (*ORDERS, ("note", "text", True)),
        references=[{"columns": ["customer_key"], "to": "q_customers"}],
    )
    outcome = publish(shop)
    assert outcome.verdict is Verdict.PARKED
    assert outcome.entries[0].gate_id == "contract_unpromoted"
    assert shop.builds == 1
    assert served(conn) == {1}
    publish(shop)
    (family,) = read_status(conn).families
    assert (family.state, family.served) == ("previous_published_served", 1)
    assert [entry[:2] for entry in family.held_back] == [("q_orders", "contract_unpromoted")]
    for version in shop.family_contracts(FAMILY):
        markers.promote(conn, version, by="ann", reason="test")
    _change_orders(shop, (*ORDERS, ("note", "text", True)), "'n' || i as note")
    assert publish(shop).verdict is Verdict.PUBLISHED
    (family,) = read_status(conn).families
    assert (family.state, family.served, family.held_back) == ("published", 2, ())


def test_rollback_moves_one_row_and_is_recorded(shop: Shop, conn: Connection) -> None:
    """The head goes back, with actor and reason."""
    publish(shop)
    publish(shop)
    (outcome,) = rollback(shop.warehouse, FAMILY, None, by="ann", reason="wrong prices")
    assert outcome.served == 1
    assert served(conn) == {1}
    moves = conn.execute(
        "select from_generation, to_generation, kind, moved_by, reason from governance.head_moves"
        " order by move_id"
    ).fetchall()
    assert moves[-1] == (2, 1, "rollback", "ann", "wrong prices")


def test_the_same_key_is_one_publication(shop: Shop) -> None:
    """A retry returns the publication that its key made before, and builds nothing."""
    first = publish(shop, idempotency_key="run-7")
    second = publish(shop, idempotency_key="run-7")
    assert second.verdict is Verdict.REPLAYED
    assert second.reference == first.reference
    assert shop.builds == 1


def test_a_candidate_that_changes_after_the_freeze_is_held_back(
    shop: Shop, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Domain §5.4, test 4: its fingerprint differs, so nobody has judged what would be served."""
    from tidegate.publishing import promote

    publish(shop)
    original = promote._freeze

    def mutate(*args: Any) -> None:
        conn.execute("update shop__g000002.q_orders set amount = 7")
        original(*args)

    monkeypatch.setattr(promote, "_freeze", mutate)
    outcome = publish(shop)
    assert outcome.verdict is Verdict.HELD_BACK
    assert [entry.gate_id for entry in outcome.entries] == ["candidate_frozen"]
    assert served(conn) == {1}


def test_a_model_that_is_missing_from_the_candidate_holds_the_family_back(
    shop: Shop, conn: Connection
) -> None:
    """Domain §5.4, test 1."""
    publish(shop)
    shop.tables = lambda number: {"q_orders": orders_and_customers()(number)["q_orders"]}
    outcome = publish(shop)
    assert outcome.entries[0].reason == (
        "The candidate of shop lacks q_customers."
        " Every contract of a family needs a model of the same name."
    )
    assert served(conn) == {1}


def test_the_state_machine_is_constrained_in_the_database(shop: Shop, conn: Connection) -> None:
    """A published generation can become nothing but pruned, whoever asks."""
    publish(shop)
    with pytest.raises(psycopg.errors.CheckViolation):
        conn.execute("update governance.generations set state = 'candidate_materialized'")


def _change_orders(
    shop: Shop, columns: Any, extra: str | None = None, amount: str = "numeric(10,2)"
) -> None:
    """Give q_orders other columns, and promote that contract."""
    made = contract(
        "q_orders", columns, references=[{"columns": ["customer_key"], "to": "q_customers"}]
    )
    shop.contracts["q_orders"] = made
    with shop.warehouse.connect() as conn:
        for version in shop.family_contracts(FAMILY):
            if version.model == "q_orders":
                markers.promote(conn, version, by="ann", reason="test")

    def build(number: int) -> dict[str, str]:
        more = f", {extra}" if extra else ""
        return {
            **orders_and_customers()(number),
            "q_orders": "create table shop__candidate.q_orders as select 'o' || i as order_key,"
            f" 'c' || (i % 5) as customer_key, ({number})::{amount} as amount{more}"
            " from generate_series(1, 20) as i;"
            " alter table shop__candidate.q_orders alter order_key set not null",
        }

    shop.tables = build


def _columns(conn: Connection) -> list[str]:
    return [
        row[0]
        for row in conn.execute(
            "select attname from pg_attribute where attrelid = 'query.q_orders'::regclass"
            " and attnum > 0 order by attnum"
        ).fetchall()
    ]


def _types(conn: Connection) -> list[str]:
    return [
        row[0]
        for row in conn.execute(
            "select format_type(atttypid, atttypmod) from pg_attribute"
            " where attrelid = 'query.q_orders'::regclass and attnum > 0 order by attnum"
        ).fetchall()
    ]


def _may_select(conn: Connection, role: str) -> bool:
    row = conn.execute("select has_table_privilege(%s, 'query.q_orders', 'select')", [role])
    return bool((row.fetchone() or [False])[0])


def _carried(conn: Connection) -> Any:
    return conn.execute(
        "select pg_get_userbyid(relowner), reloptions, obj_description(oid, 'pg_class'),"
        " (select array_agg(acl::text order by acl::text) from unnest(relacl) as acl),"
        " (select array_agg((attname, attacl, col_description(attrelid, attnum))::text"
        " order by attname) from pg_attribute where attrelid = pg_class.oid and attnum > 0"
        " and attname <> 'amount')"
        " from pg_class where oid = 'query.q_orders'::regclass"
    ).fetchone()

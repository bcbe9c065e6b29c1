"""A ledger of an earlier version with publications in it comes to the present one intact."""

from __future__ import annotations

from typing import Any

from psycopg.types.json import Jsonb

from publication_support import publish, served
from shop import FAMILY, Shop, orders_and_customers
from tidegate.connection import Connection
from tidegate.ledger import generations, publications, upgrade
from tidegate.ledger.generations import GenerationState
from tidegate.ledger.publications import Attempt
from tidegate.ledger.upgrade import MIGRATIONS, current_version, newest_version
from tidegate.publishing import generation, promotion_views
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.rollback import rollback
from tidegate.warehouse import Warehouse

OLD = "0002"
KEPT = (
    "generations", "generation_models", "serving_parents", "serving_heads", "head_moves",
    "serving_views", "publications", "gate_results", "held_back", "model_contracts",
)  # fmt: skip


def ledger_at(warehouse: Warehouse, version: str) -> None:
    """What Alembic leaves at an earlier version: the files up to it, and the version's row."""
    with warehouse.transaction() as conn:
        conn.execute("create schema governance")
        conn.execute("create table governance.ledger_version (version_num varchar(32) primary key)")
        for path in sorted((MIGRATIONS / "versions").glob("*.sql")):
            if path.name[:4] <= version:
                conn.execute(path.read_text(encoding="utf-8"))  # type: ignore[arg-type]
        conn.execute("insert into governance.ledger_version values (%s)", [version])


def publish_as_then(shop: Shop, conn: Connection) -> None:
    """Publish as version 0002 did: no policies, evidence, review items, audit or outbox yet."""
    shop.dbt.run("run", list(shop.contracts))
    built = generation.make_generation(
        conn, FAMILY, shop.family_models(FAMILY), code_sha256="code", inputs={"volatile": True}
    )
    number = built.generation
    with conn.transaction():
        generations.set_state(conn, FAMILY, number, GenerationState.CHECKS_PASSING)
        generations.move_head(conn, FAMILY, number, kind="publish", by="ann", reason=None)
        generations.set_state(
            conn, FAMILY, number, GenerationState.PUBLISHED, content_sha256=built.content_sha256
        )
        publications.record(
            conn,
            Attempt("default", "tidegate", f"run-{number}", "0" * 64),
            kind="family",
            subject=FAMILY,
            content_sha256=built.content_sha256,
            validation={"gates": []},
            generation=number,
        )
        promotion_views.change(conn, [built])
    for made in shop.family_contracts(FAMILY):
        conn.execute(
            "insert into governance.model_contracts (family, model, contract_version,"
            " contract_sha256, document, is_contract, promoted_by, reason)"
            " values (%s, %s, %s, %s, %s, true, 'ann', 'first') on conflict do nothing",
            [made.family, made.model, made.version, made.sha256, Jsonb(made.document)],
        )


def contents(conn: Connection) -> dict[str, list[Any]]:
    """Every row of the tables of 0002, by the columns they had then."""
    return {
        table: sorted(
            (str(row[0]) for row in conn.execute(f"select to_jsonb(t) from governance.{table} t")),
        )
        for table in KEPT
    }


def test_publications_of_an_old_ledger_are_served_and_followed(
    empty_database: Warehouse,
) -> None:
    """Rows, views, grants and a reader's snapshot survive; the next publication is number 3."""
    ledger_at(empty_database, OLD)
    shop = Shop(empty_database, tables=orders_and_customers(10))
    with empty_database.connect() as conn:
        assert current_version(conn) == OLD
        publish_as_then(shop, conn)
        publish_as_then(shop, conn)
        conn.execute("create role old_bi nologin; grant select on query.q_orders to old_bi")
        before = contents(conn)
        assert served(conn) == {2}
        try:
            assert upgrade(empty_database) is True
            assert current_version(conn) == newest_version()
            after = contents(conn)
            assert {name: len(found) for name, found in after.items()} == {
                name: len(found) for name, found in before.items()
            }
            for name in ("serving_heads", "head_moves", "serving_parents", "serving_views"):
                assert after[name] == before[name]
            assert served(conn) == {2}
            may = "select has_table_privilege('old_bi', 'query.q_orders', 'select')"
            assert conn.execute(may).fetchone() == (True,)
            outcome = publish(shop)
            assert (outcome.verdict, outcome.generation) == (Verdict.PUBLISHED, 3)
            assert served(conn) == {3}
            rollback(empty_database, FAMILY, 1, by="ann", reason="test")
            assert served(conn) == {1}
        finally:
            conn.execute("drop owned by old_bi; drop role old_bi")
    assert upgrade(empty_database) is False

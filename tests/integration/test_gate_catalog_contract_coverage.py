"""catalog_contract_coverage on real relations: what no contract describes blocks."""

from __future__ import annotations

import pytest

from integration.gating import found, in_schema, model, spec
from tidegate.connection import Connection
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import Status
from tidegate.gates.result import GateResult

CATALOG = model("q_catalog__clinical_trials", "row_key text!", row_key=["row_key"], public=False)


@pytest.fixture
def described(conn: Connection) -> Connection:
    """q_trials with two columns, both described; the catalogue describes itself."""
    conn.execute(
        """
        create schema clinical_trials__g000007;
        set search_path to clinical_trials__g000007, pg_catalog;
        create table q_trials (trial_key text, enrollment integer, _generation integer);
        create table not_served (secret text);
        create table q_catalog__clinical_trials (model_name text, column_name text,
            contract_version text, description text, grain text, owner text,
            provenance_policy text);
        insert into q_catalog__clinical_trials
        select relname, attname, '3', 'Described.', 'one row', 'trials', 'row_required'
        from pg_class inner join pg_attribute on attrelid = pg_class.oid
        where relnamespace = 'clinical_trials__g000007'::regnamespace and attnum > 0
            and relname ~ '^q_' and attname <> '_generation';
        create schema other_schema_is_not_looked_at
            create table q_elsewhere (x text);
        set search_path to pg_catalog, pg_temp;
        """
    )
    return conn


def run(conn: Connection, statement: str) -> None:
    conn.execute("set search_path to clinical_trials__g000007, pg_catalog")
    conn.execute(statement.encode())
    conn.execute("set search_path to pg_catalog, pg_temp")


def judged(conn: Connection) -> GateResult:
    return evaluate(conn, spec("catalog_contract_coverage", CATALOG), in_schema())


def test_described_columns_pass(described: Connection) -> None:
    """Registered models pass; the harness's own column and other tables are not looked at."""
    result = judged(described)
    assert (result.status, result.rows_checked, found(result)) == (Status.PASS, 9, [])


def test_dropped_columns_and_what_dbt_is_building_are_not_looked_at(described: Connection) -> None:
    """Only what is there counts: no dropped column, no temporary relation of dbt."""
    run(described, "alter table q_trials add column gone text")
    run(described, "alter table q_trials drop column gone")
    run(described, "create table q_trials__dbt_tmp (x text)")
    run(described, "create table q_trials__dbt_backup (x text)")
    assert judged(described).status is Status.PASS


def test_an_unregistered_relation_and_an_additive_column_block(described: Connection) -> None:
    """A q_* relation without contract, and a column nobody documented, are named."""
    run(described, "create view q_rogue as select 1 as a, 2 as trial_key")
    run(described, "alter table q_trials add column extra_note text")
    result = judged(described)
    assert (result.status, result.rows_checked) == (Status.FAIL, 12)
    assert found(result) == [
        ("q_rogue.a", "block", "catalog_row_missing"),
        ("q_rogue.trial_key", "block", "catalog_row_missing"),
        ("q_trials.extra_note", "block", "catalog_row_missing"),
    ]
    assert result.samples[0].metadata == {
        "model": "q_rogue",
        "column": "a",
        "missing": ["contract_version", "description", "grain", "owner", "provenance_policy"],
    }


@pytest.mark.parametrize(
    "relation",
    [
        "table {} (a integer)",
        "table {} (a integer) partition by list (a)",
        "view {} as select 1 as a",
        "materialized view {} as select 1 as a",
        "foreign table {} (a integer) server elsewhere",
    ],
)
def test_whatever_can_be_queried_has_to_be_described(described: Connection, relation: str) -> None:
    """Every kind of relation with rows."""
    described.execute("create foreign data wrapper nobody")
    described.execute("create server elsewhere foreign data wrapper nobody")
    run(described, f"create {relation.format('q_rogue')}")
    assert found(judged(described)) == [("q_rogue.a", "block", "catalog_row_missing")]


@pytest.mark.parametrize(
    "key", ["contract_version", "description", "grain", "owner", "provenance_policy"]
)
@pytest.mark.parametrize("value", ["null", "''", "'  '"])
def test_a_row_that_lacks_a_key_blocks(described: Connection, key: str, value: str) -> None:
    """Each of the five keys is needed; blank text is none."""
    run(
        described,
        f"update q_catalog__clinical_trials set {key} = {value} where column_name = 'enrollment'",
    )
    result = judged(described)
    assert found(result) == [("q_trials.enrollment", "block", "catalog_row_incomplete")]
    assert result.samples[0].metadata["missing"] == [key]


def test_an_empty_catalogue_is_not_evaluated(described: Connection) -> None:
    """A catalogue without rows is no verdict, and blocks."""
    run(described, "truncate q_catalog__clinical_trials")
    result = judged(described)
    assert (result.status, result.blocks) == (Status.NOT_EVALUATED, True)

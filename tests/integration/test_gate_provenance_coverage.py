"""provenance_coverage on real tables: complete, missing and partial receipts."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import found, in_schema, model, spec
from tidegate.connection import Connection
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import Status
from tidegate.gates.result import GateResult


@pytest.fixture
def receipts(conn: Connection) -> Connection:
    """Response rates of NCT01642004: r1 whole, r2 no bundle, r3 no fact, r4 partial."""
    conn.execute(
        """
        create schema clinical_trials__g000007;
        set search_path to clinical_trials__g000007, pg_catalog;
        create table q_trial_outcomes (row_key text, value_num numeric, provenance_bundle_key text);
        insert into q_trial_outcomes values ('r1', 20.0, 'b1'), ('r2', 8.8, null),
            ('r3', 9.23, 'b3'), ('r4', 6.01, 'b4');
        create table q_provenance__clinical_trials (model_name text, row_key text, fact_path text,
            provenance_bundle_key text, completeness text, source_artifact_key text,
            source_content_hash text, source_version_id text, locator jsonb);
        insert into q_provenance__clinical_trials
        select 'q_trial_outcomes', row_key, fact_path, bundle, completeness, 'ctgov:NCT01642004',
            repeat('a', 64), version, '{"pointer": "/resultsSection"}'
        from (values
            ('b1', 'r1', '$row', 'complete', '2018-05-11'),
            ('b1', 'r1', 'value_num', 'complete', '2018-05-11'),
            ('b3', 'r3', '$row', 'complete', '2018-05-11'),
            ('b4', 'r4', '$row', 'complete', '2018-05-11'),
            ('b4', 'r4', 'value_num', 'partial', null)
        ) as given (bundle, row_key, fact_path, completeness, version);
        set search_path to pg_catalog, pg_temp;
        """
    )
    return conn


def run(conn: Connection, statement: str) -> None:
    conn.execute("set search_path to clinical_trials__g000007, pg_catalog")
    conn.execute(statement.encode())
    conn.execute("set search_path to pg_catalog, pg_temp")


def judged(
    conn: Connection, policy: str, *facts: str, missing: tuple[str, ...] = (), **options: Any
) -> GateResult:
    contract = model(
        "q_trial_outcomes",
        "row_key text!, value_num numeric, provenance_bundle_key text",
        row_key=["row_key"],
        provenance={"policy": policy, "facts": list(facts)},
    )
    return evaluate(conn, spec("provenance_coverage", contract, **options), in_schema(*missing))


def test_every_required_fact_needs_its_receipt(receipts: Connection) -> None:
    """Without bundle and without fact path blocks; partial warns; whole passes."""
    result = judged(receipts, "fact_required", "value_num")
    assert (result.status, result.rows_checked) == (Status.FAIL, 4)
    assert (result.rows_failing, result.rows_warning) == (2, 1)
    assert [(s.row_key, s.level.value, s.reason, s.metadata) for s in result.samples] == [
        ("r2", "block", "bundle_missing",
         {"model": "q_trial_outcomes", "fact_path": "$row", "missing": ["provenance_bundle_key"]}),
        ("r2", "block", "bundle_missing",
         {"model": "q_trial_outcomes", "fact_path": "value_num",
          "missing": ["provenance_bundle_key"]}),
        ("r3", "block", "receipt_missing",
         {"model": "q_trial_outcomes", "fact_path": "value_num", "missing": None}),
        ("r4", "warn", "receipt_partial",
         {"model": "q_trial_outcomes", "fact_path": "value_num",
          "missing": ["completeness", "source_version_id"]}),
    ]  # fmt: skip
    assert result.asset_keys == ("q_trial_outcomes", "q_provenance__clinical_trials")


def test_row_required_asks_for_the_row_only(receipts: Connection) -> None:
    """A row receipt is enough where the contract asks for rows."""
    assert found(judged(receipts, "row_required")) == [("r2", "block", "bundle_missing")]


def test_optional_only_looks_at_what_is_there(receipts: Connection) -> None:
    """Nothing is required; a partial receipt of the row still warns."""
    assert judged(receipts, "optional").status is Status.PASS
    run(receipts, "update q_provenance__clinical_trials set completeness = 'partial'")
    assert found(judged(receipts, "optional")) == [
        ("r1", "warn", "receipt_partial"),
        ("r3", "warn", "receipt_partial"),
        ("r4", "warn", "receipt_partial"),
    ]


def test_none_asks_for_nothing(receipts: Connection) -> None:
    """The policy `none` passes even without any provenance."""
    result = judged(receipts, "none", missing=("q_provenance__clinical_trials",))
    assert (result.status, result.blocks) == (Status.PASS, False)


def test_no_provenance_at_all_blocks_every_row(receipts: Connection) -> None:
    """A family without its provenance has no receipt for anything."""
    result = judged(receipts, "row_required", missing=("q_provenance__clinical_trials",))
    assert (result.status, result.reasons) == (Status.FAIL, {"receipt_missing": 4})


def test_a_model_without_bundles_is_judged_by_its_keys(receipts: Connection) -> None:
    """Where rows name no bundle, a receipt under the row's key is enough, and needed."""
    run(receipts, "alter table q_trial_outcomes drop column provenance_bundle_key")
    assert found(judged(receipts, "row_required")) == [("r2", "block", "receipt_missing")]


def test_a_receipt_of_another_bundle_or_model_does_not_count(receipts: Connection) -> None:
    """The bundle a row names has to hold its receipts; another model's do not help."""
    run(
        receipts, "update q_provenance__clinical_trials set model_name = 'q_x' where row_key = 'r1'"
    )
    run(receipts, "update q_trial_outcomes set provenance_bundle_key = 'b1' where row_key = 'r3'")
    assert found(judged(receipts, "row_required")) == [
        ("r1", "block", "receipt_missing"),
        ("r2", "block", "bundle_missing"),
        ("r3", "block", "receipt_missing"),
    ]


@pytest.mark.parametrize("column", ["source_artifact_key", "source_content_hash"])
def test_a_receipt_without_its_artefact_blocks(receipts: Connection, column: str) -> None:
    """A receipt that does not say which bytes is no complete receipt; blank says nothing."""
    for nothing in ("null", "' '"):
        changed = f"update q_provenance__clinical_trials set {column} = {nothing}"
        run(receipts, f"{changed} where row_key = 'r1'")
        result = judged(receipts, "row_required", where="row_key = 'r1'")
        assert found(result) == [("r1", "block", "receipt_incomplete")]
        assert result.samples[0].metadata["missing"] == [column]


@pytest.mark.parametrize(
    ("column", "nothing"),
    [
        ("source_version_id", "null"), ("source_version_id", "' '"), ("locator", "null"),
        ("completeness", "null"), ("completeness", "'partial'"),
    ],
)  # fmt: skip
def test_a_receipt_without_supporting_metadata_warns(
    receipts: Connection, column: str, nothing: str
) -> None:
    """Version and locator support a receipt, and it is said to be whole: else it is told."""
    changed = f"update q_provenance__clinical_trials set {column} = {nothing}"
    run(receipts, f"{changed} where row_key = 'r1'")
    result = judged(receipts, "row_required", where="row_key = 'r1'")
    assert found(result) == [("r1", "warn", "receipt_partial")]
    assert result.samples[0].metadata["missing"] == [column]


def test_a_fact_without_value_claims_nothing(receipts: Connection) -> None:
    """A null fact needs no receipt; the row still does."""
    run(receipts, "update q_trial_outcomes set value_num = null where row_key = 'r3'")
    result = judged(receipts, "fact_required", "value_num", where="row_key = 'r3'")
    assert result.status is Status.PASS


def test_fact_required_without_facts_blocks(receipts: Connection) -> None:
    """A policy that names no fact cannot be judged."""
    result = judged(receipts, "fact_required", where="row_key = 'r1'")
    assert found(result) == [("q_trial_outcomes", "block", "facts_undeclared")]


def test_an_empty_relation_is_not_evaluated(receipts: Connection) -> None:
    """No row, no verdict."""
    run(receipts, "truncate q_trial_outcomes")
    assert judged(receipts, "row_required").status is Status.NOT_EVALUATED

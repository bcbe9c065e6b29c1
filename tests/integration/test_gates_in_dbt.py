"""The gates as dbt tests in a real project: what dbt calls pass, warn and fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from integration.dbt_project import Project, contract
from tidegate.warehouse import Warehouse

TRIALS = "clinical_trials"
RECEIPTS = {
    "k": "text!",
    "model_name": "text!",
    "row_key": "text!",
    "fact_path": "text!",
    "completeness": "text!",
    "source_artifact_key": "text",
    "source_content_hash": "text",
    "source_version_id": "text",
    "locator": "jsonb",
}
CATALOG = {
    "row_key": "text!",
    "model_name": "text!",
    "column_name": "text!",
    "ordinal": "integer!",
    "data_type": "text!",
    "nullable": "boolean!",
    "description": "text",
    "grain": "text",
    "owner": "text",
    "closed_enum": "text[]",
    "contract_version": "text",
    "provenance_policy": "text",
    "sensitivity": "text!",
    "row_key_columns": "text[]!",
}


def reference(to: str, *columns: str, **options: Any) -> dict[str, Any]:
    return {"columns": list(columns), "to": to, **options}


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> Project:
    """Four trial models, their provenance and catalogue, and organisations as another family."""
    made = Project(tmp_path / "project", warehouse)
    made.model(
        contract("q_endpoints", TRIALS, {"k": "text!", "publication_state": "text!"},
                 ["schema_contract"]),
        "select 'endpoint:orr' as k, 'published' as publication_state",
    )  # fmt: skip
    made.model(
        contract(
            "q_trial_outcomes", TRIALS, {"k": "text!", "endpoint_key": "text", "value": "numeric"},
            ["schema_contract", "referential_integrity", "provenance_coverage"],
            references=[reference("q_endpoints", "endpoint_key"),
                        reference("q_publications", "endpoint_key", deferred=True)],
            provenance={"policy": "fact_required", "facts": ["value"]},
        ),
        "select 'o1' as k, 'endpoint:orr' as endpoint_key, 20.0::numeric as value",
    )  # fmt: skip
    made.model(
        contract(
            "q_trial_sponsors", TRIALS, {"k": "text!", "organisation_key": "text"},
            ["referential_integrity"],
            references=[reference("q_organisations", "organisation_key")],
        ),
        "select k, 'org:bms' as organisation_key from {{ ref('q_endpoints') }}",
    )  # fmt: skip
    made.model(
        contract("q_provenance__clinical_trials", TRIALS, RECEIPTS, []),
        "select 'r1' as k, 'q_trial_outcomes' as model_name, 'o1' as row_key, p as fact_path,"
        " 'complete' as completeness, 'ctgov:NCT01642004' as source_artifact_key,"
        " repeat('a', 64) as source_content_hash, '2018-05-11' as source_version_id,"
        " '{\"p\": 1}'::jsonb as locator from (values ('$row'), ('value')) as paths (p)",
    )
    made.model(
        contract("q_catalog__clinical_trials", TRIALS, CATALOG, ["catalog_contract_coverage"],
                 row_key=["row_key"]),
        "{{ tidegate.catalog_rows('clinical_trials', [ref('q_endpoints'), ref('q_trial_outcomes'),"
        " ref('q_trial_sponsors'), ref('q_provenance__clinical_trials')]) }}",
    )  # fmt: skip
    made.model(
        contract("q_organisations", "organisations", {"k": "text!"}, ["schema_contract"]),
        "select 'org:bms' as k",
    )
    return made


GREEN = {
    "q_endpoints": "success",
    "q_trial_outcomes": "success",
    "q_trial_sponsors": "success",
    "q_organisations": "success",
    "q_provenance__clinical_trials": "success",
    "q_catalog__clinical_trials": "success",
    "schema_contract_q_endpoints_": "pass",
    "schema_contract_q_trial_outcomes_": "pass",
    "schema_contract_q_organisations_": "pass",
    "referential_integrity_q_trial_outcomes_": "warn",
    "referential_integrity_q_trial_sponsors_": "pass",
    "provenance_coverage_q_trial_outcomes_": "pass",
    "catalog_contract_coverage_q_catalog__clinical_trials_": "pass",
}
"""Everything passes; only the reference to publications is deferred, which warns."""


def test_gates_are_dbt_tests_by_family(project: Project, warehouse: Warehouse) -> None:
    """Target ci reads candidates; otherwise another family is its published view."""
    assert project.outcomes("build", "--target", "ci") == GREEN
    with warehouse.connect() as conn:
        described = conn.execute(
            """select column_name, ordinal, data_type, nullable, description, grain, owner,
            contract_version, provenance_policy, sensitivity, row_key_columns
            from clinical_trials__candidate.q_catalog__clinical_trials
            where model_name = 'q_trial_outcomes' order by ordinal"""
        ).fetchall()
        schemas = conn.execute(
            "select nspname from pg_namespace where nspname ~ '__' order by 1"
        ).fetchall()
    assert described == [
        ("k", 1, "text", False, "The k.", "one q_trial_outcomes", "trials", "3",
         "fact_required", "internal", ["k"]),
        ("endpoint_key", 2, "text", True, "The endpoint_key.", "one q_trial_outcomes", "trials",
         "3", "fact_required", "internal", ["k"]),
        ("value", 3, "numeric", True, "The value.", "one q_trial_outcomes", "trials", "3",
         "fact_required", "internal", ["k"]),
    ]  # fmt: skip
    assert schemas == [("clinical_trials__candidate",), ("organisations__candidate",)]

    # Outside ci the sponsors' owner is what is published: nothing yet, so the gate blocks.
    selected = ("test", "--select", "q_trial_sponsors", "q_trial_outcomes")
    tests = {name: status for name, status in GREEN.items() if name.endswith("_") and
             ("sponsors" in name or "outcomes" in name)}  # fmt: skip
    blocked = {**tests, "referential_integrity_q_trial_sponsors_": "fail"}
    assert project.outcomes(*selected) == blocked
    with warehouse.connect() as conn:
        conn.execute("create view query.q_organisations as select 'org:bms'::text as k")
        # What is published of the own family must not matter: it would dangle.
        conn.execute("create view query.q_endpoints as select 'old'::text as k")
    assert project.outcomes(*selected) == tests


@pytest.fixture
def broken(project: Project) -> Project:
    """The same project with one thing wrong for each gate, and one gate that only warns."""
    project.model(
        contract("q_endpoints", TRIALS, {"k": "text!", "publication_state": "text!",
                                         "label": "varchar(20)!"},
                 ["schema_contract"], enforced=False),
        "select 'endpoint:orr' as k, 'published' as publication_state, 'x'::text as extra_note",
    )  # fmt: skip
    project.model(
        contract(
            "q_trial_outcomes", TRIALS, {"k": "text!", "endpoint_key": "text", "value": "numeric"},
            [{"referential_integrity": {"config": {"severity": "warn"}}}, "provenance_coverage"],
            references=[reference("q_endpoints", "endpoint_key")],
            provenance={"policy": "fact_required", "facts": ["value"]},
        ),
        "select * from (values ('o1', 'endpoint:orr', 20.0), ('o2', 'endpoint:orrr', 8.8))"
        " as given (k, endpoint_key, value)",
    )  # fmt: skip
    project.model(
        contract(
            "q_trial_sponsors", TRIALS, {"k": "text!", "organisation_key": "text"},
            ["referential_integrity"],
            references=[reference("q_organisations", "organisation_key")],
        ),
        "select 's1' as k, 'org:bms' as organisation_key where false",
    )  # fmt: skip
    return project


def test_gates_fail_and_warn_as_the_contract_says(broken: Project) -> None:
    """Drift, a missing receipt, an undocumented column fail; severity warn and emptiness warn."""
    results = broken.dbt("build", "--target", "ci").result.results
    found = {
        item.node.name: (item.status.value, item.failures)
        for item in results
        if item.node.resource_type == "test"
    }
    assert found == {
        "schema_contract_q_endpoints_": ("fail", 4),
        "schema_contract_q_organisations_": ("pass", 0),
        "referential_integrity_q_trial_outcomes_": ("warn", 1),
        "referential_integrity_q_trial_sponsors_": ("warn", 1),
        "provenance_coverage_q_trial_outcomes_": ("fail", 2),
        "catalog_contract_coverage_q_catalog__clinical_trials_": ("skipped", None),
    }


def test_a_closed_enum_is_judged_in_dbt_as_in_the_promotion(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """The column's own `enum`, of arrays every member; a column of another type is drift only."""
    project = Project(tmp_path / "project", warehouse)
    columns = {
        "k": "text!",
        "phases": {"type": "text[]", "keys": {"enum": ["PHASE1", "PHASE2"]}},
        "status": {"type": "text", "keys": {"enum": ["OPEN"]}},
    }

    def failures(body: str, materialized: str, enforced: bool = True) -> tuple[str, int]:
        config = f"{{{{ config(materialized='{materialized}') }}}} "
        document = contract("q_trials", TRIALS, columns, ["schema_contract"], enforced=enforced)
        project.model(document, config + body)
        (test,) = [
            item
            for item in project.dbt("build", "--target", "ci").result.results
            if item.node.resource_type == "test"
        ]
        return test.status.value, test.failures

    good = "select 't1' as k, array['PHASE1']::text[] as phases, 'OPEN' as status"
    bad = "select 't1' as k, array['PHASE1', 'PHASE5']::text[] as phases, 'SHUT' as status"
    typed = "select 't1' as k, 'PHASE5' as phases"
    assert failures(good, "table") == ("pass", 0)
    assert failures(bad, "table") == ("fail", 2)
    assert failures(bad, "view") == ("fail", 2)
    # Type, nullability and a missing column of a table that no contract enforced.
    assert failures(typed, "table", enforced=False) == ("fail", 3)

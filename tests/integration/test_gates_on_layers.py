"""Gates on any layer in dbt: models without family, sources, models of a family."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from integration.dbt_project import Project, contract
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import Status
from tidegate.gates.specs import specs_of
from tidegate.publishing.judging import read_below
from tidegate.warehouse import Warehouse

CLAIM = (
    "select 'c1' as k, 'pubmed' as source_family, {artifact} as source_artifact_key,"
    " 'text_quote' as locator_shape, '{{\"exact\": \"0.83\"}}'::jsonb as locator,"
    " 'exact_span' as source_text_coverage, true as canonical_bound, 'value' as fact_path,"
    " 's1' as subject_key"
)
GOOD = CLAIM.format(artifact="'pubmed:29768149.1'")
BAD = CLAIM.format(artifact="null::text")
COLUMNS = {
    "k": {"type": "text!", "keys": {"sensitivity": "public"}}, "source_family": "text",
    "source_artifact_key": "text", "locator_shape": "text", "locator": "jsonb",
    "source_text_coverage": "text", "canonical_bound": "boolean", "fact_path": "text",
    "subject_key": "text",
}  # fmt: skip


def lower(project: Project, body: str, *tests: Any) -> None:
    """`claims`, a model of a layer below: no family, no contract."""
    document = {"version": 2, "models": [{"name": "claims", "data_tests": list(tests)}]}
    project.model(document, body)


def source(project: Project, *tests: Any) -> None:
    """`claims` as a source table that something else fills."""
    document = {
        "version": 2,
        "sources": [
            {"name": "raw", "schema": "raw",
             "tables": [{"name": "claims", "data_tests": list(tests)}]}
        ],
    }  # fmt: skip
    (project.folder / "contracts" / "raw.yml").write_text(json.dumps(document))


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> Project:
    return Project(tmp_path / "project", warehouse)


def locator(**arguments: Any) -> dict[str, Any]:
    return {"source_locator": {"arguments": arguments}}


def test_a_gate_judges_a_model_below_and_stops_what_depends_on_it(project: Project) -> None:
    """A claim without artefact fails its layer, and the model above is not built."""
    (project.folder / "models" / "above.sql").write_text("select k from {{ ref('claims') }}")
    lower(project, GOOD, locator(row_key=["k"]))
    (good,) = [v for k, v in project.outcomes("build").items() if k.startswith("source_locator")]
    assert good == "pass"
    lower(project, BAD, locator(row_key=["k"]))
    outcomes = project.outcomes("build")
    assert outcomes.pop("claims") == "success"
    assert outcomes.pop("above") == "skipped"
    assert list(outcomes.values()) == ["fail"]


def test_severity_where_and_other_columns_are_the_tests_own(project: Project) -> None:
    """Columns are arguments; severity and where are dbt's own configuration."""
    body = f"select k as id, source_artifact_key as artefact, * from ({BAD}) as claims"
    columns = {"source_artifact_key": "artefact", "subject_key": None}

    def outcome(config: dict[str, str], **arguments: Any) -> str:
        found = locator(row_key=["id"], columns=columns, **arguments)["source_locator"]
        lower(project, body, {"source_locator": {**found, "config": config}})
        return next(
            status
            for name, status in project.outcomes("build").items()
            if name.startswith("source_locator")
        )

    assert outcome({"severity": "warn"}) == "warn"
    nothing = {"where": "canonical_bound is null"}
    assert outcome(nothing) == "fail"
    assert outcome(nothing, may_be_empty=True) == "pass"


def test_a_gate_judges_a_source(project: Project, warehouse: Warehouse) -> None:
    """What others put into the database is judged like a model."""
    with warehouse.connect() as conn:
        conn.execute("create schema raw")
        conn.execute(f"create table raw.claims as {GOOD}".encode())
    source(project, locator(row_key=["k"]))
    assert list(project.outcomes("build").values()) == ["pass"]
    with warehouse.connect() as conn:
        conn.execute(f"drop table raw.claims; create table raw.claims as {BAD}".encode())
    assert list(project.outcomes("test").values()) == ["fail"]


def test_a_wrong_argument_or_no_row_key_is_an_error(project: Project) -> None:
    """A misspelt argument is never ignored."""
    lower(project, GOOD, locator(row_key=["k"], artefact="source_artifact_key"))
    assert sorted(project.outcomes("build").values()) == ["error", "success"]
    lower(project, GOOD, "source_locator")
    assert sorted(project.outcomes("build").values()) == ["error", "success"]


def test_a_family_has_its_layered_gates_judged_by_the_harness(
    project: Project, warehouse: Warehouse
) -> None:
    """The manifest's arguments reach the macro; the verdict is that of dbt."""
    project.model(
        contract(
            "q_claims",
            "evidence",
            COLUMNS,
            ["schema_contract", locator(columns={"subject_key": None})],
        ),
        BAD,
    )
    assert sorted(project.outcomes("build").values()) == ["fail", "pass", "success"]
    spec = specs_of(project.dbt("parse").result, "evidence")[1]
    assert (spec.gate_id, spec.arguments) == ("source_locator", {"columns": {"subject_key": None}})
    with warehouse.connect() as conn:
        result = evaluate(conn, spec, lambda name: ("evidence__candidate", name))
    assert (result.status, result.sample_keys) == (Status.FAIL, ("c1",))
    assert "fact_path" in result.samples[0].metadata["withheld"]
    assert result.reasons == {"artifact_missing": 1}


ATTEMPT = (
    "select 'a1' as attempt_id, 'k1' as request_key, {cost} as cost_usd, now() as completed_at"
)


def capped(**config: Any) -> dict[str, Any]:
    given = {"row_key": ["attempt_id"], "task": "pub_outcome", "cap_usd": 10,
             "relations": {"requests": "raw.requests"}}  # fmt: skip
    return {"llm_cost_cap": {"arguments": given, "config": config}}


def test_a_gate_reads_further_relations_and_keeps_its_own_severity(
    project: Project, warehouse: Warehouse
) -> None:
    """A source beside the judged model; a cost cap warns until the contract says otherwise."""
    with warehouse.connect() as conn:
        conn.execute("create schema raw")
        conn.execute("create table raw.requests as select 'k1' as request_key,"
                     " 'pub_outcome' as task_id")  # fmt: skip
    tables = [{"name": "requests"}, {"name": "gone"}]
    raw = {"version": 2, "sources": [{"name": "raw", "schema": "raw", "tables": tables}]}
    (project.folder / "contracts" / "raw.yml").write_text(json.dumps(raw))

    def outcome(cost: str, test: dict[str, Any]) -> str:
        document = {"version": 2, "models": [{"name": "attempts", "data_tests": [test]}]}
        project.model(document, ATTEMPT.format(cost=cost))
        return project.outcomes("build").popitem()[1]

    assert outcome("7.9", capped()) == "pass"
    assert outcome("11.5", capped()) == "warn"
    assert outcome("11.5", capped(severity="error")) == "fail"
    gone = capped(severity="error")
    gone["llm_cost_cap"]["arguments"]["relations"] = {"requests": "raw.gone"}
    assert outcome("7.9", gone) == "fail"


def test_a_family_reads_other_layers_where_dbt_built_them(
    project: Project, warehouse: Warehouse
) -> None:
    """The harness finds them, names its check by task, and knows what to lock."""
    with warehouse.connect() as conn:
        conn.execute("create schema raw")
    (project.folder / "models" / "requests.sql").write_text(
        "{{ config(schema='provenance') }} select 'k1' as request_key, 'pub_outcome' as task_id"
    )
    test = capped(severity="error")
    test["llm_cost_cap"]["arguments"]["relations"] = {"requests": "requests"}
    columns = {"attempt_id": "text!", "request_key": "text", "cost_usd": "numeric",
               "completed_at": "timestamptz"}  # fmt: skip
    project.model(
        contract("q_attempts", "inference", columns, ["schema_contract", test],
                 row_key=["attempt_id"]),
        "select 'a1' as attempt_id, 'k1' as request_key, 11.5 as cost_usd, now() as completed_at",
    )  # fmt: skip
    assert sorted(project.outcomes("build").values()) == ["fail", "pass", "success", "success"]
    spec = specs_of(project.dbt("parse").result, "inference")[1]
    assert (spec.gate_id, spec.related["requests"].schema) == (
        "llm_cost_cap_pub_outcome", "provenance",
    )  # fmt: skip
    with warehouse.connect() as conn:
        result = evaluate(conn, spec, lambda name: ("inference__candidate", name))
        assert read_below(conn, {"inference": (spec,)}) == (("provenance", "requests"),)
        conn.execute("drop table provenance.requests")
        blind = evaluate(conn, spec, lambda name: ("inference__candidate", name))
    assert (result.status, result.reasons) == (Status.FAIL, {"cost_over_cap": 1})
    assert result.document()["gate_id"] == "llm_cost_cap_pub_outcome"
    assert (blind.status, blind.blocks) == (Status.NOT_EVALUATED, True)

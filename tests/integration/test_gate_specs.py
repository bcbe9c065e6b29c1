"""Checks of a family from dbt's real manifest, judged on a frozen generation over connections."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from integration.dbt_project import Project, contract
from tidegate.errors import ContractError, NothingJudged
from tidegate.gates.evaluate import evaluate
from tidegate.gates.manifest import Reading
from tidegate.gates.model import GATE_FAILS_IF, GateSpec, Kind, Severity, Status
from tidegate.gates.parallel import evaluate_all, executed
from tidegate.gates.specs import specs_of
from tidegate.warehouse import Warehouse

LINK = (
    "candidate_id", "subject_kind", "source_term", "target_key", "verdict", "overlay_state",
    "link_state", "publishable", "confidence", "valid_until",
)  # fmt: skip
FAMILY = "clinical_trials"
GENERATION = "clinical_trials__g000007"


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> Project:
    """Endpoints and outcomes of one family; drugs of another; tests of every sort."""
    made = Project(tmp_path / "project", warehouse)
    made.model(
        contract("q_drugs", "drugs", {"k": "text!"}, ["schema_contract"]),
        "select 'drug:nivolumab' as k",
    )
    made.model(
        contract("q_endpoints", FAMILY, {"k": "text!"}, ["schema_contract", "unique_key"]),
        "select 'endpoint:orr' as k",
    )
    document = contract(
        "q_trial_outcomes",
        FAMILY,
        {"k": {"type": "text!", "keys": {"sensitivity": "public"}}, "endpoint_key": "text",
         "drug_key": "text", "value": "numeric"},
        [
            "schema_contract",
            {"referential_integrity": {
                "arguments": {"slice": "trials", "owner": "evidence", "partition_key": "nct_id",
                              "sample_strategy": "all", "contract_ref": "contracts/x.yml"},
                "config": {"severity": "warn", "where": "value > 0"},
            }},
            {"relationships": {"arguments": {"to": "ref('q_endpoints')", "field": "k"},
                               "column_name": "endpoint_key"}},
        ],
        references=[{"columns": ["endpoint_key"], "to": "q_endpoints"},
                    {"columns": ["drug_key"], "to": "q_drugs"}],
    )  # fmt: skip
    document["models"][0]["columns"][3]["data_tests"] = [
        {"not_null": {"config": {"error_if": "> 1", "warn_if": "> 0"}}}
    ]
    made.model(
        document,
        "select * from (values ('o1', 'endpoint:orr', 'drug:nivolumab', 20.0),"
        " ('o2', 'endpoint:none', null, 8.8), ('o3', null, null, null))"
        " as given (k, endpoint_key, drug_key, value)",
    )
    (made.folder / "tests/dbt/assert_rates_are_shares.sql").write_text(
        "with rates as (select value from {{ ref('q_trial_outcomes') }})"
        " select value from rates where value > 100"
    )
    (made.folder / "macros_of_the_project").mkdir()
    (made.folder / "macros_of_the_project/unique_key.sql").write_text(
        "{% test unique_key(model) %}select k from {{ model }} group by k"
        " having count(*) > 1{% endtest %}"
    )
    settings = made.folder / "dbt_project.yml"
    settings.write_text(
        settings.read_text().replace('["macros"]', '["macros", "macros_of_the_project"]')
    )
    return made


def resolve(name: str) -> tuple[str, str] | None:
    return ("drugs__candidate", name) if name == "q_drugs" else (GENERATION, name)


def specs(project: Project) -> tuple[GateSpec, ...]:
    """Build, compile, and read the checks as the harness does."""
    project.dbt("run", "--target", "ci")
    compiled = project.dbt("compile", "--target", "ci", "--select", "resource_type:test")
    code = {item.node.unique_id: item.node.compiled_code for item in compiled.result.results}
    return specs_of(project.dbt("parse", "--target", "ci").result, FAMILY, code)


def test_checks_of_a_family_are_found_and_judged_on_one_snapshot(
    project: Project, warehouse: Warehouse
) -> None:
    """Gates and dbt's own tests, with severity, where and recorded arguments, run in parallel."""
    found = specs(project)
    assert [(s.model.name, s.gate_id, s.kind, s.severity) for s in found] == [
        ("q_endpoints", "schema_contract", Kind.GATE, Severity.BLOCKING),
        ("q_endpoints", "unique_key", Kind.DBT, Severity.BLOCKING),
        ("q_trial_outcomes", "schema_contract", Kind.GATE, Severity.BLOCKING),
        ("q_trial_outcomes", "referential_integrity", Kind.GATE, Severity.WARNING),
        ("q_trial_outcomes", "assert_rates_are_shares", Kind.DBT, Severity.BLOCKING),
        ("q_trial_outcomes", "not_null", Kind.DBT, Severity.BLOCKING),
        ("q_trial_outcomes", "relationships", Kind.DBT, Severity.BLOCKING),
    ]
    integrity = found[3]
    assert (integrity.where, integrity.slice, integrity.owner, integrity.contract_ref) == (
        "value > 0", "trials", "evidence", "contracts/x.yml",
    )  # fmt: skip
    assert (integrity.partition_key, integrity.sample_strategy) == ("nct_id", "all")
    assert found[2].contract_ref == "contracts/q_trial_outcomes.yml"

    with warehouse.connect(autocommit=False) as promoting:
        promoting.execute(
            "alter schema clinical_trials__candidate rename to clinical_trials__g000007"
        )
        promoting.commit()
        snapshot = promoting.execute("select pg_export_snapshot()").fetchone()
        assert snapshot is not None
        with warehouse.connect() as intruder:
            intruder.execute("delete from clinical_trials__g000007.q_endpoints")
        results = evaluate_all(warehouse.connect, snapshot[0], found, resolve, workers=2)
    verdicts = [(r.gate_id, r.status, r.rows_checked, r.rows_failing, r.rows_warning)
                for r in results]  # fmt: skip
    assert verdicts == [
        ("schema_contract", Status.PASS, 1, 0, 0),
        ("unique_key", Status.PASS, 1, 0, 0),
        ("schema_contract", Status.PASS, 4, 0, 0),
        ("referential_integrity", Status.WARN, 2, 1, 0),
        ("assert_rates_are_shares", Status.PASS, 3, 0, 0),
        ("not_null", Status.WARN, 3, 0, 1),
        ("relationships", Status.FAIL, 3, 1, 0),
    ]
    assert results[3].sample_keys == ("o2",)
    assert results[6].document()["reasons"] == {"test_failed": 1}
    assert results[6].samples == ()
    assert results[6].asset_keys == ("q_trial_outcomes", "q_endpoints")
    assert all(result.publication_protected for result in results)
    assert [result.blocks for result in results] == [False] * 6 + [True]


def test_d21_one_broken_check_hides_no_other(warehouse: Warehouse) -> None:
    """A check that errors blocks and is told; the others still have their verdict."""
    read = "select k from fam__candidate.q_a group by k having count(*) > 1"
    found = specs_of(
        manifest(gate("schema_contract"), gate("unique_key", "p", severity="error")),
        "fam",
        {"test.p.1": read},
    )
    broken = [
        dataclasses.replace(found[1], sql="select 1; drop table x"),
        dataclasses.replace(found[1], sql=None),
        dataclasses.replace(found[1], dropped=True),
        dataclasses.replace(found[1], sql="select no_such_column from fam__candidate.q_a"),
        dataclasses.replace(found[1], error_if="> 0) or (true"),
        dataclasses.replace(found[1], fail_calc="max(null::integer)"),
        found[1],
    ]  # fmt: skip
    with warehouse.connect() as conn:
        conn.execute("create schema fam__candidate")
        conn.execute("create table fam__candidate.q_a as select 'a'::text as k")
        results = [evaluate(conn, item, lambda name: ("fam__candidate", name)) for item in broken]
    assert [(r.status, r.error) for r in results] == [
        (Status.ERROR, "the SQL of the test is 2 statements, not one"),
        (Status.ERROR, "the test is not compiled"),
        (Status.ERROR, "dbt left the test out: something it refers to does not exist"),
        (Status.ERROR, 'UndefinedColumn [42703]: column "no_such_column" does not exist'),
        (Status.ERROR, "the SQL of the test cannot be parsed"),
        (Status.NOT_EVALUATED, None),
        (Status.PASS, None),
    ]
    assert [result.blocks for result in results] == [True] * 6 + [False]


def test_a_dbt_test_that_speaks_as_gates_do_tells_its_reasons_and_no_value(
    warehouse: Warehouse,
) -> None:
    """Codes that stand in the test's own text are counted; whatever it read is `test_failed`."""
    rows = (
        "select k as row_key, 'block' as level, case when k = 'a' then 'too_high' else k end"
        " as reason, '{}'::jsonb as metadata from fam__candidate.q_a"
    )
    found = specs_of(
        manifest(
            gate("schema_contract"),
            gate("assert_bounds", "p", severity="error", error_if=GATE_FAILS_IF),
            gate("other_test", "p", severity="error"),
        ),
        "fam",
        {"test.p.1": rows, "test.p.2": rows},
    )
    with warehouse.connect() as conn:
        conn.execute("create schema fam__candidate")
        conn.execute(
            "create table fam__candidate.q_a as select * from (values ('a'), ('secret')) as v (k)"
        )
        results = [
            evaluate(conn, item, lambda name: ("fam__candidate", name)) for item in found[1:]
        ]
    assert [(r.gate_id, r.status, r.rows_failing, dict(r.reasons)) for r in results] == [
        ("assert_bounds", Status.FAIL, 2, {"too_high": 1, "test_failed": 1}),
        ("other_test", Status.FAIL, 2, {"test_failed": 2}),
    ]
    assert "secret" not in repr([result.document() for result in results])


def test_a_reference_to_nothing_keeps_its_check(project: Project) -> None:
    """dbt drops a test that refers to a missing model; here it stays, and errors."""
    (project.folder / "tests/dbt/assert_rates_are_shares.sql").unlink()
    document = contract(
        "q_trial_arms", FAMILY, {"k": "text!"},
        ["schema_contract",
         {"relationships": {"arguments": {"to": "ref('q_gone')", "field": "k"},
                            "column_name": "k"}}],
    )  # fmt: skip
    project.model(document, "select 'arm' as k")
    found = specs_of(project.dbt("parse", "--target", "ci").result, FAMILY)
    dropped = [spec for spec in found if spec.dropped]
    assert [(spec.model.name, spec.gate_id) for spec in dropped] == [
        ("q_trial_arms", "relationships")
    ]


def manifest(*tests: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """A manifest with one model `q_a` of family `fam` and the given tests on it."""
    meta = {"family": "fam", "version": "1", "owner": "o", "grain": "one a", "row_key": ["k"],
            "provenance": {"policy": "none"}, **keys}  # fmt: skip
    node = {
        "resource_type": "model", "name": "q_a", "unique_id": "model.p.q_a",
        "schema": "fam__candidate",
        "alias": "q_a", "patch_path": "p://contracts/fam/q_a.yml",
        "config": {"meta": {"tidegate": meta}},
        "columns": {"k": {"name": "k", "data_type": "text"}},
        "constraints": [{"type": "primary_key", "columns": ["k"]}],
    }  # fmt: skip
    found = {"model.p.q_a": node}
    for number, test in enumerate(tests):
        unique_id = f"test.p.{number}"
        found[unique_id] = {"resource_type": "test", "unique_id": unique_id, "name": unique_id,
                            "attached_node": "model.p.q_a", **test}  # fmt: skip
    return {"nodes": found, "disabled": {}}


def gate(name: str, package: str = "tidegate", **config: Any) -> dict[str, Any]:
    return {
        "test_metadata": {"name": name, "kwargs": {}},
        "depends_on": {"macros": [f"macro.{package}.test_{name}"], "nodes": ["model.p.q_a"]},
        "config": config,
    }


def test_null_is_an_argument(project: Project) -> None:
    """`confidence: null` says that there is none; an option that is null keeps no default."""
    model = contract(
        "q_links", "links", {"k": "text!", "basis": "text"},
        ["schema_contract", {"resolution_basis": {"arguments": {
            "columns": {"confidence": None, "verdict": "basis"}, "low_confidence": None,
            "sample_strategy": None, "may_be_empty": None,
        }}}],
    )  # fmt: skip
    project.model(model, "select 'l1' as k, 'verified' as basis")
    manifest = project.dbt("parse", "--target", "ci").result
    (found,) = (s for s in specs_of(manifest, "links") if s.gate_id == "resolution_basis")
    assert found.arguments == {
        "columns": {"confidence": None, "verdict": "basis"}, "low_confidence": None,
        "may_be_empty": None,
    }  # fmt: skip
    assert found.sample_strategy is None


def test_a_sample_never_stands_in_for_a_blocking_check(
    project: Project, warehouse: Warehouse
) -> None:
    """Refused in the contract by dbt and by the harness; as a warning it is recorded so."""
    entry = {"arguments": {"sample_strategy": "1 in 100 a week", "partition_key": "k",
                           "allowed": {"*": ["fine"]}, "may_be_empty": True,
                           "columns": dict.fromkeys(LINK)}}  # fmt: skip
    blocking = contract("q_links", "links", {"k": "text!", "basis": "text"},
                        ["schema_contract", {"resolution_basis": entry}])  # fmt: skip
    project.model(blocking, "select 'l1' as k, 'fine' as basis")
    with pytest.raises(ContractError) as refused:
        specs_of(project.dbt("parse", "--target", "ci").result, "links")
    assert "a sample never stands in for a blocking check." in str(refused.value)
    project.dbt("run", "--target", "ci", "--select", "q_links")
    asked = project.dbt("test", "--target", "ci", "--select", "q_links")
    assert [item.status.value for item in asked.result.results if "basis" in item.node.name] == [
        "error"
    ]
    entry["config"] = {"severity": "warn"}
    project.model(blocking, "select 'l1' as k, 'fine' as basis")
    manifest = project.dbt("parse", "--target", "ci").result
    (found,) = (s for s in specs_of(manifest, "links") if s.gate_id == "resolution_basis")
    with warehouse.connect() as conn:
        warns = evaluate(conn, found, lambda name: ("links__candidate", name))
        forced = dataclasses.replace(found, severity=Severity.BLOCKING)
        blocks = evaluate(conn, forced, lambda name: ("links__candidate", name))
    document = warns.document()
    assert (warns.status, warns.blocks, document["sampled"]) == (Status.PASS, False, True)
    assert (document["sample_strategy"], document["partition_key"]) == ("1 in 100 a week", "k")
    assert (blocks.status, blocks.blocks, blocks.reasons) == (
        Status.NOT_EVALUATED, True, {"sampled": 1},
    )  # fmt: skip


def test_a_json_manifest_is_read_as_well() -> None:
    """`manifest.json` and the object in memory mean the same; a primary key is not null."""
    (spec,) = specs_of(manifest(gate("schema_contract")), "fam")
    assert (spec.kind, spec.contract_ref) == (Kind.GATE, "contracts/fam/q_a.yml")
    assert [(column.name, column.nullable) for column in spec.model.columns] == [("k", False)]


def test_a_manifest_is_read_once_for_all_families() -> None:
    """Each node is made into a dictionary once, whoever asks next; the checks are the same."""
    read: list[str] = []

    class Node:
        def __init__(self, node: dict[str, Any]) -> None:
            self.resource_type, self.node = node["resource_type"], node

        def to_dict(self, omit_none: bool) -> dict[str, Any]:
            assert omit_none
            read.append(self.node["unique_id"])
            return self.node

    found = manifest(gate("schema_contract"), gate("resolution_basis"))
    nodes = {name: Node(node) for name, node in found["nodes"].items()}
    reading = Reading(SimpleNamespace(nodes=nodes, sources={}, disabled={}))
    first, second = specs_of(reading, "fam"), specs_of(reading, "fam")
    assert first == second == specs_of(found, "fam")
    assert reading.models.by_name == first[0].models
    assert sorted(read) == sorted(nodes)


def test_d18_a_family_without_checks_is_an_error() -> None:
    """A selection that matches nothing never passes."""
    with pytest.raises(NothingJudged) as caught:
        specs_of(manifest(gate("schema_contract")), "other")
    assert str(caught.value) == (
        "The family other has no check. Add its gates to `data_tests:` of its contracts; "
        "docs/gates.md lists them."
    )


def test_a_gate_that_the_contract_needs_has_to_be_there() -> None:
    """Every q_* model has its shape judged; references and receipts where it declares them.

    A test of the same name from another package is not the gate.
    """
    with pytest.raises(ContractError) as caught:
        specs_of(
            manifest(
                gate("schema_contract", package="other"),
                references=[{"columns": ["k"], "to": "q_b"}],
                provenance={"policy": "row_required"},
            ),
            "fam",
        )
    assert [str(problem) for problem in caught.value.problems] == [
        f"contracts/fam/q_a.yml: models[q_a].data_tests: q_a has no gate `{name}`, "
        f"which its contract makes necessary. Add `- tidegate.{name}`."
        for name in ("schema_contract", "referential_integrity", "provenance_coverage")
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [("error_if", "> 10"), ("warn_if", "> 5"), ("fail_calc", "max(0)"), ("limit", 1)],
)
def test_a_gate_takes_no_threshold(name: str, value: Any) -> None:
    """What would let violations through is refused; severity is the contract's only say."""
    with pytest.raises(ContractError) as caught:
        specs_of(manifest(gate("schema_contract", **{name: value})), "fam")
    assert str(caught.value) == (
        f"contracts/fam/q_a.yml: data_tests.schema_contract.config.{name}: a gate takes no "
        "threshold. Remove it; `severity: warn` is how a gate records without blocking."
    )


def test_a_where_that_is_no_condition_is_refused() -> None:
    """The condition of a gate is parsed, never pasted."""
    with pytest.raises(ContractError) as caught:
        specs_of(manifest(gate("schema_contract", where="true) or pg_sleep(9) is null")), "fam")
    assert str(caught.value).startswith("contracts/fam/q_a.yml: data_tests.schema_contract.where: ")


def test_keys_that_cannot_be_read_are_named() -> None:
    """A contract that is wrong is told with its file and key, without its value."""
    with pytest.raises(ContractError) as caught:
        specs_of(manifest(gate("schema_contract"), row_key=[]), "fam")
    assert "contracts/fam/q_a.yml: row_key: " in str(caught.value)


def test_d18_what_did_not_run_has_not_passed(warehouse: Warehouse) -> None:
    """No spec, or a spec without a result, is an error."""
    with pytest.raises(NothingJudged):
        evaluate_all(warehouse.connect, "00000003-0000001B-1", (), resolve)
    expected = specs_of(manifest(gate("schema_contract")), "fam")
    with pytest.raises(NothingJudged) as caught:
        executed(expected, ())
    assert caught.value.message == "0 of 1 checks ran; without result: test.p.0."


def test_connections_share_what_the_server_gives_to_one_statement(warehouse: Warehouse) -> None:
    """Processes are divided among the connections; memory is what maintenance may take."""
    with warehouse.connect() as conn:
        conn.execute("create schema fam__candidate")
        conn.execute("create table fam__candidate.q_a as select 'a'::text as k")
        for setting in (
            "max_parallel_workers_per_gather = 4", "work_mem = '1MB'",
            "maintenance_work_mem = '3MB'", "jit = on",
        ):  # fmt: skip
            conn.execute(f"alter database {conn.info.dbname} set {setting}".encode())
    differs = (
        "select name from pg_settings where (name, setting) in (('work_mem', '3072'),"
        " ('max_parallel_workers_per_gather', '{}'), ('parallel_tuple_cost', '0'), ('jit', 'off'),"
        " ('random_page_cost', '1.1'))"
    )
    found = specs_of(
        manifest(
            gate("schema_contract"),
            gate("settings_are_shared", "p", severity="error", error_if="!= 5"),
        ),
        "fam",
        {"test.p.1": differs},
    )
    (test,) = (spec for spec in found if spec.kind is Kind.DBT)
    for workers, helpers in ((1, 4), (2, 1), (3, 0), (8, 0)):
        asked = dataclasses.replace(test, sql=differs.format(helpers))
        with warehouse.connect(autocommit=False) as conn:
            snapshot = conn.execute("select pg_export_snapshot()").fetchone()
            assert snapshot is not None
            results = evaluate_all(
                warehouse.connect,
                snapshot[0],
                [asked] * workers,
                lambda name: ("fam__candidate", name),
                workers=workers,
            )
        assert [result.status for result in results] == [Status.WARN] * workers


def test_a_lost_connection_is_no_pass(warehouse: Warehouse) -> None:
    """A snapshot that is gone makes every check an error."""
    expected = specs_of(manifest(gate("schema_contract")), "fam")
    (result,) = evaluate_all(warehouse.connect, "00000003-0000001B-1", expected, resolve)
    assert (result.status, result.blocks) == (Status.ERROR, True)

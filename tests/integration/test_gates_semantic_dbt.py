"""The semantic gates as dbt tests: dbt's verdict is the harness's, from the same macro."""

from __future__ import annotations

from pathlib import Path

from integration.dbt_project import Project, contract
from tidegate.gates import evaluate, specs_of
from tidegate.warehouse import Warehouse

FAMILY = "clinical_trials"


def test_dbt_and_the_harness_judge_alike(tmp_path: Path, warehouse: Warehouse) -> None:
    """Arguments of the contract reach both; severity, where and other models as well."""
    project = Project(tmp_path / "project", warehouse)
    names = {"basis": "how", **dict.fromkeys([
        "candidate_id", "subject_kind", "source_term", "target_key", "verdict", "overlay_state",
        "link_state", "confidence", "valid_until",
    ])}  # fmt: skip
    given = {"columns": names, "allowed": {"*": ["sworn"]}}
    project.model(
        contract(
            "q_links", FAMILY,
            {"k": {"type": "text!", "keys": {"sensitivity": "public"}}, "how": "text",
             "publishable": "boolean"},
            ["schema_contract",
             {"resolution_basis": {"name": "blocks", "arguments": given}},
             {"resolution_basis": {"name": "warns", "arguments": given,
                                   "config": {"severity": "warn"}}},
             {"resolution_basis": {"name": "narrowed", "arguments": given,
                                   "config": {"where": "how = 'sworn'"}}}],
        ),
        "select * from (values ('a', 'sworn', true), ('b', 'guessed', true), ('c', 'x', false))"
        " as given (k, how, publishable)",
    )  # fmt: skip
    outcomes = project.outcomes("build")  # with every argument as a keyword of the test
    assert {name: outcomes[name] for name in ("blocks", "warns", "narrowed")} == {
        "blocks": "fail", "warns": "warn", "narrowed": "pass",
    }  # fmt: skip
    found = specs_of(project.dbt("parse").result, FAMILY)
    with warehouse.connect() as conn:
        results = [evaluate(conn, spec, lambda name: (f"{FAMILY}__candidate", name))
                   for spec in found if spec.gate_id == "resolution_basis"]  # fmt: skip
    assert sorted((result.status.value, result.sample_keys) for result in results) == [
        ("fail", ("b",)), ("pass", ()), ("warn", ("b",)),
    ]  # fmt: skip

"""The semantic gates as dbt tests: dbt's verdict is the harness's, from the same macro."""

from __future__ import annotations

import json
import re
from pathlib import Path

from integration.dbt_project import Project, contract
from tidegate.gates.calls_publications import PUBLICATION
from tidegate.gates.evaluate import evaluate
from tidegate.gates.semantics import SEMANTIC
from tidegate.gates.specs import specs_of
from tidegate.macros import macros_dir, render
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


def columns_of(gate_id: str, role: str | None = None) -> dict[str, str]:
    """The columns that a gate's macro reads of the judged relation, or of another by its role."""
    text = (macros_dir() / "gates" / f"{gate_id}.sql").read_text(encoding="utf-8")
    call = rf'gate_relation\(\s*gate, "{role}",' if role else r"gate_rows\(\s*gate,|set types ="
    found = re.search(rf"(?:{call})\s*(\{{[^}}]*\}})", text)
    return dict(re.findall(r'"(\w+)": "([\w\[\]]+)"', found[1])) if found else {}


def test_every_gate_runs_in_dbt_as_in_the_harness(tmp_path: Path, warehouse: Warehouse) -> None:
    """Each on one row of nulls and its relations: no error, and the same verdict."""
    project = Project(tmp_path / "project", warehouse)
    gates = [gate.gate_id for gate in (*SEMANTIC, *PUBLICATION)]
    for gate_id in gates:
        known = json.loads(render(f"{gate_id}_arguments"))
        own = dict(known.get("columns", {}))
        relations = {role: f"q_{gate_id}_{role}"[:42] for role in known["relations"]}
        for role, name in ((None, f"q_{gate_id}"[:42]), *((r, n) for r, n in relations.items())):
            columns = {"k": {"type": "text!", "keys": {"sensitivity": "public"}}}
            columns |= {
                column: {"type": kind, "keys": {"sensitivity": "public"}}
                for column, kind in columns_of(gate_id, role).items()
            }
            given = {"relations": relations} if relations else {}
            tests = ["schema_contract"]
            if role is None:
                tests.append({gate_id: {"name": f"check_{gate_id}", "arguments": given}})
            nulls = "".join(f", null::{item['type']} as {name_}" for name_, item in columns.items()
                            if name_ != "k")  # fmt: skip
            project.model(contract(name, FAMILY, columns, tests), f"select 'a'::text as k{nulls}")
        assert {name for name in own if "." not in name} <= set(columns_of(gate_id))
    outcomes = project.outcomes("build")
    ran = {gate_id: outcomes[f"check_{gate_id}"] for gate_id in gates}
    found = specs_of(project.dbt("parse").result, FAMILY)
    with warehouse.connect() as conn:
        judged = {
            spec.gate_id: evaluate(conn, spec, lambda name: (f"{FAMILY}__candidate", name))
            for spec in found
            if spec.gate_id in gates
        }
    assert {result.error for result in judged.values()} == {None}
    assert ran == {gate_id: judged[gate_id].status.value for gate_id in gates}

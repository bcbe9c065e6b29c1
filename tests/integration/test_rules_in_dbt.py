"""Rules as dbt tests in a real project: what dbt calls pass, warn and fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from dbt_profile import write_profile
from integration.dbt_project import Project, contract
from logins import login
from tidegate.errors import UsageError
from tidegate.publishing.node_results import safe
from tidegate.rules.relation import Relation, read_facts
from tidegate.warehouse import Warehouse

RANGE = {"arguments": {"field": "v", "minimum": 0}}
SINGLE: list[dict[str, Any]] = [
    {"rule_row_count": {"minimum": 3, "name": "row_count"}},
    {"rule_required_fields": {"fields": ["k", "v"], "name": "required_fields"}},
    {"rule_field": {"field": "v", "data_type": "number", "nullable": False, "name": "field"}},
    {"rule_not_null": {"fields": ["k", "v"], "name": "not_null"}},
    {"rule_unique": {"field": "k", "name": "unique"}},
    {"rule_range": {"field": "v", "minimum": 0, "name": "range"}},
    {"rule_referential": {"field": "s", "allowed_values": ["new"], "name": "referential"}},
]
ROWS = "select * from (values {}) as t (k, v, s)"
GOOD = ROWS.format("('a', 1::numeric, 'new'), ('b', 2, 'new'), ('c', 3, 'new')")
BAD = ROWS.format("('a', 1::numeric, 'new'), ('a', 'NaN', 'old'), ('c', null, 'it')")
NONE = GOOD + " where false"
POLICY = {
    "version": "v1",
    "rules": [
        {"id": "some", "type": "row_count", "minimum": 1},
        {"id": "columns", "type": "required_fields", "fields": ["k", "v"]},
        {"id": "shape", "type": "field", "field": "v", "data_type": "number"},
        {"id": "here", "type": "not_null", "field": "v"},
        {"id": "key", "type": "unique", "field": "k"},
        {"id": "bounds", "type": "range", "field": "v", "minimum": 0},
        {"id": "state", "type": "referential", "field": "s", "allowed_values": ["new"]},
    ],
}


def policy(*severities: str, **changes: Any) -> dict[str, Any]:
    """The policy with these severities, in the order of its rules."""
    rules = [
        dict(rule, severity=word) for rule, word in zip(POLICY["rules"], severities, strict=True)
    ]
    return {**POLICY, "rules": rules, **changes}


def add(project: Project, name: str, body: str, tests: list[Any], **keys: Any) -> None:
    columns = {"k": "text", "v": "numeric", "s": "text"}
    project.model(contract(name, "shop", columns, tests, enforced=False, **keys), body)


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> Project:
    """An empty project."""
    return Project(tmp_path / "project", warehouse)


def told(project: Project, *arguments: str) -> dict[str, tuple[str, int | None]]:
    """Each test that ran: dbt's status and its number of failures."""
    results = project.dbt(*arguments).result.results
    return {
        item.node.name: (item.status.value, item.failures)
        for item in results
        if item.node.resource_type == "test"
    }


def test_each_rule_alone_fails_and_passes(project: Project) -> None:
    """Every rule type is a dbt test of its own, which counts violating rows (case D12)."""
    for name, body in (("good", GOOD), ("bad", BAD)):
        tests = []
        for test in SINGLE:
            [(kind, keys)] = test.items()
            label = f"{name}_{keys['name']}"
            arguments = {key: value for key, value in keys.items() if key != "name"}
            tests.append({kind: {"name": label, "arguments": arguments}})
        tests.append({"rule_not_null": {"name": f"{name}_warns", "arguments": {"field": "v"},
                                        "config": {"severity": "warn"}}})  # fmt: skip
        most = {"name": f"{name}_at_most", "arguments": {"maximum": 3 if name == "good" else 2}}
        gone = {"name": f"{name}_gone", "arguments": {"fields": ["k", "gone"]}}
        tests += [{"rule_row_count": most}, {"rule_required_fields": gone}]
        add(project, name, body, tests)
    assert told(project, "build") == {
        "good_row_count": ("pass", 0),
        "good_required_fields": ("pass", 0),
        "good_field": ("pass", 0),
        "good_not_null": ("pass", 0),
        "good_unique": ("pass", 0),
        "good_range": ("pass", 0),
        "good_referential": ("pass", 0),
        "good_warns": ("pass", 0),
        "good_at_most": ("pass", 0),
        "good_gone": ("fail", 1),
        "bad_row_count": ("pass", 0),
        "bad_required_fields": ("pass", 0),
        "bad_field": ("fail", 1),
        "bad_not_null": ("fail", 1),
        "bad_unique": ("fail", 2),
        "bad_range": ("fail", 2),
        "bad_referential": ("fail", 2),
        "bad_warns": ("warn", 1),
        "bad_at_most": ("fail", 1),
        "bad_gone": ("fail", 1),
    }


def test_the_policy_of_a_contract_runs_as_one_test(project: Project) -> None:
    """It passes, warns or fails by the severities of the rules that fail (case D09)."""
    error, warning = "error", "warning"
    cases = {
        "q_good": (GOOD, policy(*[error] * 7), {}),
        "q_bad": (BAD, policy(*[error] * 7), {}),
        "q_mixed": (BAD, policy(error, error, error, warning, warning, error, warning), {}),
        "q_warns": (BAD, policy(error, error, error, *[warning] * 4), {}),
        "q_empty": (NONE, policy(*[warning] * 3, error, *[warning] * 3), {}),
        "q_leave": (NONE, policy(*[error] * 7, rules=POLICY["rules"][1:]), {"may_be_empty": True}),
        "q_refers": (GOOD, policy(*[error] * 7, rules=[{
            "id": "r", "type": "reference", "field": "k", "references": {
                "dataset": "d", "materialization": "latest", "fields": ["k"]}}]), {}),
        "q_broken": (GOOD, policy(*[error] * 7, rules=[
            {"id": "r", "type": "range", "field": "s", "minimum": 1, "severity": "warning"},
            {"id": "s", "type": "not_null", "field": "gone"}]), {}),
    }  # fmt: skip
    for name, (body, given, keys) in cases.items():
        test = {"quality_policy": {"name": f"p_{name}"}}
        add(project, name, body, [test], quality_policy=given, **keys)
    assert told(project, "build") == {
        "p_q_good": ("pass", 0),
        "p_q_bad": ("fail", 4),
        "p_q_mixed": ("fail", 4),
        "p_q_warns": ("warn", 4),
        "p_q_empty": ("fail", 5),
        "p_q_leave": ("pass", 0),
        "p_q_refers": ("warn", 1),
        "p_q_broken": ("fail", 2),
    }
    assert told(project, "test", "--target", "ci", "--select", "q_empty", "q_leave") == {
        "p_q_empty": ("warn", 5),
        "p_q_leave": ("pass", 0),
    }


def test_a_policy_on_a_source_table(project: Project, warehouse: Warehouse) -> None:
    """A dataset's policy runs on `landing.<dataset>` too, in its own words."""
    with warehouse.connect() as conn:
        conn.execute("create table landing.orders as select 1 as k, 2 as v, 'new' as s")
        conn.execute("create table landing.lines as select 1 as k, null::int as v, 'new' as s")
    keys = {"config": {"meta": {"tidegate": {"quality_policy": POLICY}}}}
    number = [*POLICY["rules"][:2], *POLICY["rules"][3:]]
    keys = {"config": {"meta": {"tidegate": {"quality_policy": {**POLICY, "rules": number}}}}}
    tables = [
        {"name": name, "data_tests": [{"quality_policy": {"name": f"p_{name}"}}], **keys}
        for name in ("orders", "lines")
    ]
    document = {"version": 2, "sources": [{"name": "shop", "schema": "landing", "tables": tables}]}
    (project.folder / "contracts" / "shop.yml").write_text(json.dumps(document))
    assert told(project, "test") == {"p_orders": ("pass", 0), "p_lines": ("fail", 2)}


def test_a_test_that_cannot_mean_anything_is_an_error(project: Project) -> None:
    """No policy, a policy in a file, a `where`, no field: an error with a remedy, never a pass."""
    add(project, "a", GOOD, [{"quality_policy": {"name": "no_policy"}}])
    add(project, "b", GOOD, [{"quality_policy": {"name": "in_file"}}], quality_policy="p.json")
    add(project, "c", GOOD, [{"rule_not_null": {"name": "no_field"}}])
    add(project, "d", GOOD, [{"rule_not_null": {"name": "partly", "arguments": {"field": "v"},
                                                "config": {"where": "k = 'a'"}}}])  # fmt: skip
    results = project.dbt("build").result.results
    messages = {i.node.name: (i.status.value, i.message) for i in results
                if i.node.resource_type == "test"}  # fmt: skip
    assert {name: status for name, (status, _) in messages.items()} == dict.fromkeys(
        ("no_policy", "in_file", "no_field", "partly"), "error"
    )
    assert "Write the policy into the contract" in messages["no_policy"][1]
    assert "dbt cannot read it from a JSON file" in messages["in_file"][1]
    assert "names no field. Put it under a column" in messages["no_field"][1]
    assert "remove `where` from the test partly" in messages["partly"][1]


def test_rows_that_row_security_hides_fail_the_policy_and_each_rule(
    project: Project, warehouse: Warehouse
) -> None:
    """dbt logs in as a tenant of the table: what it does not see has not passed, as with `check`.

    Nor what a view shows of such a table under the tenant's own rights; a view of the owner's does.
    """
    source = {
        "version": 2,
        "sources": [
            {
                "name": "shop",
                "tables": [
                    {
                        "name": name,
                        "config": {"meta": {"tidegate": {"quality_policy": POLICY}}},
                        "data_tests": [
                            {"quality_policy": {"name": f"{name}_policy"}},
                            {"rule_range": {"name": f"{name}_range", **RANGE}},
                        ],
                    }
                    for name in ("orders", "seen", "all_of_it")
                ],
            }
        ],
    }
    (project.folder / "contracts" / "source.yml").write_text(json.dumps(source))
    with warehouse.connect() as conn, login(warehouse) as tenant:
        conn.execute(f"create schema shop; create table shop.orders as {BAD};")  # type: ignore[call-overload]
        conn.execute(
            "create view shop.seen with (security_invoker) as select * from shop.orders;"
            "create view shop.all_of_it as select * from shop.orders;"
            "alter table shop.orders enable row level security;"
            "create policy own on shop.orders using (v = 1)"
        )
        user = sql.Identifier(conninfo_to_dict(tenant.conninfo)["user"])
        conn.execute(sql.SQL("grant usage on schema shop to {}").format(user))
        conn.execute(sql.SQL("grant select on all tables in schema shop to {}").format(user))
        write_profile(project.folder, tenant)
        results = project.dbt("test").result.results
        found = {item.node.name: (item.status.value, item.message or "") for item in results}
        with tenant.connect() as judging, pytest.raises(UsageError) as harness:
            read_facts(judging, Relation("shop", "orders"))
    assert {name: status for name, (status, _) in found.items()} == {
        "orders_policy": "error", "orders_range": "error",
        "seen_policy": "error", "seen_range": "error",
        "all_of_it_policy": "fail", "all_of_it_range": "fail",
    }  # fmt: skip
    for name in ("orders_policy", "orders_range"):
        assert safe(found[name][1]) == str(harness.value)
    for name in ("seen_policy", "seen_range"):
        assert safe(found[name][1]) == (
            'query would be affected by row-level security policy for table "orders"'
        )

"""`tidegate diff`: contracts against the warehouse, by candidate, serving view and git ref."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result

from tidegate.cli.errors import exit_code_of
from tidegate.cli.group import root
from tidegate.connection import Connection
from tidegate.warehouse import Warehouse

HEAD = """\
version: 2
models:
  - name: {name}
    description: Rows.
    config:
      contract: {{enforced: true}}
      meta:
        tidegate:
          family: shop
          version: "1"
          owner: shop
          grain: one row
          row_key: [k]
          provenance: {{policy: none}}
    columns:
"""
COLUMNS = """\
      - {name: k, data_type: text, description: K., constraints: [{type: not_null}]}
      - {name: n, data_type: "numeric(10,2)", description: N.}
"""
TESTS = "    data_tests: [schema_contract]\n"


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two models, with the fresh database as its warehouse."""
    for name in ("q_orders", "q_items"):
        write(tmp_path, name, COLUMNS)
    (tmp_path / "dbt_project.yml").write_text("name: p\n", encoding="utf-8")
    monkeypatch.setenv("DATABASE_URL", warehouse.conninfo)
    monkeypatch.setenv("TIDEGATE_PROJECT_DIR", str(tmp_path))
    return tmp_path


def write(project: Path, name: str, columns: str) -> None:
    """One contract."""
    path = project / "contracts" / "shop" / f"{name}.yml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD.format(name=name) + columns + TESTS, encoding="utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(root, ["diff", *arguments])


def refused(result: Result, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and message of a command that raised."""
    assert result.exception is not None
    code = exit_code_of(result.exception)
    return code, capsys.readouterr().err


@pytest.fixture
def shown(project: Path, conn: Connection) -> Connection:
    """A candidate of both models, one with a lost scale; and a served generation as promised."""
    conn.execute(
        """
        create schema shop__candidate;
        create table shop__candidate.q_orders (k text not null, n numeric);
        create table shop__candidate.q_items (k text not null, n numeric(10,2));
        create schema shop__serving;
        create table shop__serving.q_orders (k text not null, n numeric(10,2), _generation int);
        create view query.q_orders as select k, n from shop__serving.q_orders;
        """
    )
    return conn


ORDERS = """\
q_orders: breaking, compared with shop__candidate.q_orders
| column | contract      | found   | change kind  | reason code    | classification |
| ------ | ------------- | ------- | ------------ | -------------- | -------------- |
| n      | numeric(10,2) | numeric | type_changed | precision_loss | breaking       |
  n: Expressions lose length, precision and scale: cast the column to numeric(10,2).

2 contracts compared, 1 agree; differences: 1 breaking.
"""


def test_the_candidate_is_compared_where_there_is_one(shown: Connection) -> None:
    """Without a flag; a breaking difference is exit code 1 unless nothing is to fail."""
    result = run()
    assert (result.exit_code, result.output) == (1, ORDERS)
    assert run("--candidate").output == ORDERS
    assert run("--fail-on", "never").exit_code == 0
    assert run("q_items").exit_code == 0


def test_the_serving_view_is_compared_where_there_is_no_candidate(shown: Connection) -> None:
    """Names and types from the view, nullability from the parent behind it."""
    shown.execute("drop schema shop__candidate cascade")
    result = run("q_orders")
    assert (result.exit_code, result.output) == (0, "1 contract compared, 1 agree.\n")
    shown.execute("alter table shop__serving.q_orders alter k drop not null")
    relaxed = run("q_orders", "--json")
    assert relaxed.exit_code == 1
    (mismatch,) = json.loads(relaxed.output)["subjects"][0]["mismatches"]
    assert (mismatch["column"], mismatch["reason_code"]) == ("k", "nullability_relaxed")


def test_the_parent_behind_a_view_is_found_whatever_it_is_called(shown: Connection) -> None:
    """A changed shape has a new parent beside the old one."""
    shown.execute(
        "create table shop__serving.q_orders_2 (k text, n numeric(10,2), _generation int);"
        "create or replace view query.q_orders as select k, n from shop__serving.q_orders_2"
    )
    (mismatch,) = json.loads(run("q_orders", "--serving", "--json").output)["subjects"][0][
        "mismatches"
    ]
    assert (mismatch["column"], mismatch["reason_code"]) == ("k", "nullability_relaxed")


def test_the_parts_of_the_catalogue_are_compared_with_the_view_that_unites_them(
    shown: Connection, project: Path
) -> None:
    """`q_catalog__shop` has no view of its own."""
    write(project, "q_catalog__shop", COLUMNS)
    shown.execute(
        "create schema other__serving;"
        "create table other__serving.q_catalog__other (k text, n numeric(10,2));"
        "create table shop__serving.q_catalog__shop (k text not null, n numeric(10,2));"
        "create view query.q_catalog as select * from other__serving.q_catalog__other"
        " union all select * from shop__serving.q_catalog__shop"
    )
    assert run("q_catalog__shop", "--serving").output == "1 contract compared, 1 agree.\n"


def test_a_masked_column_is_compared_by_the_table_behind_it(
    shown: Connection, project: Path
) -> None:
    """Readers get text for it; that is no drift."""
    masked = COLUMNS.replace(
        "description: N.", "description: N., config: {meta: {tidegate: {mask: redact}}}"
    )
    write(project, "q_orders", masked)
    shown.execute("drop view query.q_orders")
    shown.execute("create view query.q_orders as select k, n::text from shop__serving.q_orders")
    assert run("q_orders", "--serving").output == "1 contract compared, 1 agree.\n"
    write(project, "q_orders", COLUMNS)
    assert run("q_orders", "--serving").exit_code == 1


def test_b23_one_missing_relation_is_told_once_and_fails(shown: Connection) -> None:
    """Served are the orders, not the items."""
    result = run("--serving", "--json")
    document = json.loads(result.output)
    assert result.exit_code == 1
    assert document["counts"] == {"breaking": 1, "warning": 0, "compatible": 0, "unknown": 0}
    assert document["subjects"][0] == {
        "subject": "q_items",
        "kind": "model",
        "compared_with": "query.q_items",
        "classification": "breaking",
        "mismatches": [
            {
                "column": None,
                "contract": "2 columns",
                "found": "no relation",
                "kind": None,
                "reason_code": "relation_missing",
                "classification": "breaking",
                "hint": "query.q_items does not exist; it has not been built, or is called"
                " otherwise.",
            }
        ],
        "reader_changes": [],
    }


def test_nothing_to_compare_is_never_a_pass(project: Path) -> None:
    """Nothing was built: exit code 2 whatever --fail-on says."""
    for how in ("error", "never"):
        assert run("--fail-on", how).exit_code == 2
    assert "0 agree; differences: 2 breaking." in run().output


def test_b02_what_the_role_cannot_see_is_no_drift_and_no_pass(
    shown: Connection, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2 and `unknown`, whatever --fail-on says; what is seen is still compared."""
    shown.execute("create role tidegate_test_blind login password 'x'")
    try:
        shown.execute("grant usage on schema shop__candidate to tidegate_test_blind")
        shown.execute("grant select (k) on shop__candidate.q_items to tidegate_test_blind")
        shown.execute("grant select on shop__candidate.q_orders to tidegate_test_blind")
        shown.execute("grant usage on schema governance to tidegate_test_blind")
        shown.execute("grant select on governance.ledger_version to tidegate_test_blind")
        conninfo = psycopg.conninfo.make_conninfo(
            warehouse.conninfo, user="tidegate_test_blind", password="x"
        )
        monkeypatch.setenv("DATABASE_URL", conninfo)
        result = run("--fail-on", "never")
        assert result.exit_code == 2
        assert result.output.splitlines()[:4] == [
            "q_items: unknown, compared with shop__candidate.q_items",
            "| column | contract  | found                 | change kind | reason code        "
            "      | classification |",
            "| ------ | --------- | --------------------- | ----------- | ------------------"
            "------ | -------------- |",
            "| (all)  | 2 columns | 1 of 2 columns hidden |             | introspection_inco"
            "mplete | unknown        |",
        ]
        assert result.output.endswith("differences: 1 breaking, 1 unknown.\n")
    finally:
        shown.execute("drop owned by tidegate_test_blind")
        shown.execute("drop role tidegate_test_blind")


def test_the_policy_of_a_model_decides_what_a_difference_is(
    shown: Connection, project: Path
) -> None:
    """`schema_policy` overrides by kind."""
    path = project / "contracts/shop/q_orders.yml"
    text = path.read_text(encoding="utf-8")
    policy = (
        "          quality_policy:\n"
        "            version: '1'\n"
        "            rules: [{id: some, type: row_count, minimum: 1}]\n"
        "            schema_policy: {type_changed: warning}\n    columns:\n"
    )
    text = text.replace("    columns:\n", policy).replace("[schema_contract]", "[quality_policy]")
    path.write_text(text, encoding="utf-8")
    assert run("q_orders").exit_code == 0
    assert run("q_orders", "--fail-on", "warning").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--candidate", "--serving"],
         "--candidate, --serving and --against are different comparisons.\nGive one of them."),
        (["--json", "--markdown"],
         "--markdown and --json are different forms.\nGive one of them."),
        (["q_none"], "No contract declares q_none.\nModels: q_items, q_orders."),
        (["--family", "none"], "No model belongs to a family 'none'.\nFamilies: shop."),
    ],
)  # fmt: skip
def test_a_request_without_meaning_is_refused(
    project: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that matches nothing is a mistake, not an empty pass."""
    code, told = refused(run(*arguments), capsys)
    assert code == 2
    assert told == f"Error [usage]: {message}\nServing views unchanged.\n"


def test_against_needs_no_warehouse(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CI shows on a pull request what the change breaks for readers."""
    monkeypatch.setenv("DATABASE_URL", "host=/nowhere dbname=none")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "one"]):
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments],
            cwd=project,
            check=True,
            capture_output=True,
        )
    assert run("--against", "HEAD").output == "2 contracts compared, 2 agree.\n"
    write(project, "q_orders", COLUMNS.replace("numeric(10,2)", "text"))
    result = run("--against", "HEAD", "--markdown")
    assert result.exit_code == 1
    assert result.output.splitlines()[:5] == [
        "### Contracts against `HEAD`",
        "",
        "**2 contracts compared, 1 agree; differences: 1 breaking, 1 warning.**",
        "",
        "#### Model `q_orders`: breaking, compared with `q_orders at HEAD`",
    ]
    assert run("--against", "HEAD", "q_items").exit_code == 0
    (project / "contracts/shop/q_orders.yml").unlink()
    gone = run("--against", "HEAD", "q_orders", "--json")
    assert gone.exit_code == 1
    (change,) = json.loads(gone.output)["subjects"][0]["reader_changes"]
    assert change["code"] == "model_removed"

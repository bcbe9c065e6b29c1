"""`tidegate gates`: every gate, and the newest result of each model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tidegate.cli.commands import init, refresh
from tidegate.cli.commands.gates import command
from tidegate.gates.model import Severity, Status
from tidegate.gates.registry import GATES
from tidegate.warehouse import Warehouse


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project on the test's database."""
    (tmp_path / "dbt_project.yml").write_text("name: p\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", warehouse.conninfo)
    monkeypatch.delenv("TIDEGATE_PROJECT_DIR", raising=False)
    return tmp_path


def test_every_gate_is_listed_before_it_ever_ran(project: Path) -> None:
    """Where it applies, its severity, what it demands."""
    result = CliRunner().invoke(command, [])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:3] == [
        "schema_contract  (blocking; every q_* model)",
        "    The relation exists and has the columns, types and nullability of its contract.",
        "    not run yet",
    ]


def test_the_newest_result_of_each_model_is_shown(project: Path, warehouse: Warehouse) -> None:
    """An older verdict of the same gate on the same model is not."""
    with warehouse.connect() as conn:
        conn.execute(
            """
            insert into governance.gate_results (gate_id, asset, severity, status, rows_checked,
                rows_failing, publication_protected, result, evaluated_at)
            values
                ('referential_integrity', 'q_trials', 'blocking', 'fail', 10, 2, true, '{}',
                    '2026-01-01 08:00+00'),
                ('referential_integrity', 'q_trials', 'blocking', 'pass', 11, 0, true, '{}',
                    '2026-01-02 08:00+00'),
                ('not_null', 'q_trials', 'warning', 'warn', 11, 0, true, '{}',
                    '2026-01-02 08:00+00')
            """
        )
    output = CliRunner().invoke(command, []).stdout
    assert "    pass          q_trials: 11 checked, 2026-01-02 08:00 UTC" in output
    assert "2026-01-01" not in output
    document = json.loads(CliRunner().invoke(command, ["--json"]).stdout)
    assert [gate["gate_id"] for gate in document] == [*GATES, "not_null"]
    assert document[-1]["severity"] == "warning"
    assert document[2]["results"][0]["status"] == "pass"


def test_what_is_declared_and_never_ran_is_listed(
    tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gate that nobody ran has not passed: it is named until its first result, of any layer."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", warehouse.conninfo)
    for name in ("TIDEGATE_PROJECT_DIR", "DBT_PROFILES_DIR"):
        monkeypatch.delenv(name, raising=False)
    runner = CliRunner()
    assert runner.invoke(init.command, [".", "--name", "corner_shop"]).exit_code == 0
    below = tmp_path / "models/staging/_staging.yml"
    below.write_text(BELOW)
    (tmp_path / "tests").mkdir(exist_ok=True)
    silent = {
        "schema_contract": [{"asset": "q_products", "severity": "blocking"}],
        "quality_policy": [{"asset": "q_products", "severity": "blocking"}],
        "identifier_presence": [{"asset": "stg_shop__products", "severity": "warning"}],
    }
    lines = runner.invoke(command, []).output.splitlines()
    assert "    never ran     stg_shop__products (warning)" in lines
    assert never_ran(runner) == silent
    assert never_ran(runner) == silent, "what was kept says the same"
    assert runner.invoke(refresh.command, []).exit_code == 0
    assert never_ran(runner) == {}
    below.write_text(BELOW.replace("identifier_presence", "date_validity"))
    assert never_ran(runner) == {
        "date_validity": [{"asset": "stg_shop__products", "severity": "warning"}]
    }


BELOW = """
version: 2
models:
  - name: stg_shop__products
    data_tests:
      - tidegate.identifier_presence:
          arguments: {row_key: [sku], identifiers: [sku]}
          config: {severity: warn}
"""


def never_ran(runner: CliRunner) -> dict[str, Any]:
    """What `tidegate gates --json` says of gates without a result."""
    document = json.loads(runner.invoke(command, ["--json"]).output)
    return {gate["gate_id"]: gate["never_ran"] for gate in document if gate["never_ran"]}


def test_a_project_that_cannot_be_read_still_shows_what_ran(
    project: Path, warehouse: Warehouse
) -> None:
    """Results are wanted most when something is broken; what is not known is said."""
    (project / "models").mkdir()
    (project / "models" / "_broken.yml").write_text("models: [")
    result = CliRunner().invoke(command, ["--json"])
    assert result.exit_code == 0
    assert result.stderr.startswith("What never ran is not listed. dbt cannot read the project:")
    assert {gate["never_ran"] for gate in json.loads(result.stdout)} == {None}


def test_verdicts_in_the_ledger_are_those_of_the_code(warehouse: Warehouse) -> None:
    """The check constraints of `governance.gate_results` list the two enums."""
    with warehouse.connect() as conn:
        rows = conn.execute(
            """
            select pg_get_constraintdef(oid) from pg_constraint
            where conrelid = 'governance.gate_results'::regclass and contype = 'c'
            """
        ).fetchall()
    listed = [set(re.findall(r"'([a-z_]+)'::text", definition)) for (definition,) in rows]
    assert {status.value for status in Status} in listed
    assert {severity.value for severity in Severity} in listed

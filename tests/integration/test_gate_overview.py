"""`tidegate gates`: every gate, and the newest result of each model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

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
    assert result.output.splitlines()[:3] == [
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
    output = CliRunner().invoke(command, []).output
    assert "    pass          q_trials: 11 checked, 2026-01-02 08:00 UTC" in output
    assert "2026-01-01" not in output
    document = json.loads(CliRunner().invoke(command, ["--json"]).output)
    assert [gate["gate_id"] for gate in document] == [*GATES, "not_null"]
    assert document[-1]["severity"] == "warning"
    assert document[2]["results"][0]["status"] == "pass"


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

"""What the loader accepts, dbt accepts too, and both read the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract_texts import DATASET, FULL_DATASET, FULL_MODEL, write
from tidegate.contracts.load import load_project

PROJECT = """\
name: tidegate
version: "1.0.0"
profile: tidegate
model-paths: ["models", "contracts"]
macro-paths: ["macros"]
test-paths: ["tests/dbt"]
flags: {send_anonymous_usage_stats: false, version_check: false, use_colors: false}
"""
PROFILE = """\
tidegate:
  target: dev
  outputs:
    dev: {type: postgres, host: localhost, port: 1, user: nobody, password: "", dbname: none,
          schema: staging, threads: 1}
"""
GENERIC = """\
{% test schema_contract(model) %}select 1 as x where false{% endtest %}
{% test quality_policy(model) %}select 1 as x where false{% endtest %}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A dbt project whose contracts use every key, without any server."""
    (tmp_path / "dbt_project.yml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "profiles.yml").write_text(PROFILE, encoding="utf-8")
    for name in ("models/query", "macros/generic", "tests/dbt"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "macros/generic/gates.sql").write_text(GENERIC, encoding="utf-8")
    (tmp_path / "models/query/q_trials.sql").write_text("select 1 as x", encoding="utf-8")
    files = {
        "datasets/drugs.yml": FULL_DATASET,
        "datasets/ctgov.yml": DATASET,
        "clinical_trials/q_trials.yml": FULL_MODEL,
    }
    return write(tmp_path, files)


def test_dbt_parses_what_the_loader_accepts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A contract is a dbt property file: dbt refuses none of its keys and reads none otherwise."""
    from dbt.cli.main import dbtRunner

    (project / "contracts/tidegate.schema.json").write_text("{}", encoding="utf-8")
    contracts = load_project(project)
    monkeypatch.chdir(project)
    result = dbtRunner().invoke(
        ["--quiet", "--no-use-colors", "--warn-error", "parse", "--no-partial-parse"]
    )
    assert result.success, result.exception
    manifest = result.result
    source = manifest.sources["source.tidegate.drugs.drug_products"]
    dataset = contracts.datasets["drug_products"]
    assert source.schema == "landing"
    assert list(source.columns) == [column.name for column in dataset.columns]
    node = manifest.nodes["model.tidegate.q_trials"]
    model = contracts.models["q_trials"]
    assert node.config.contract.enforced
    assert node.config.meta["tidegate"]["row_key"] == list(model.keys.row_key)
    assert {name: column.data_type for name, column in node.columns.items()} == {
        column.name: column.data_type for column in model.columns
    }
    assert node.config.meta["tidegate"]["quality_policy"] == model.policy

"""A project's contracts load as a whole: every contract, or every problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract_texts import DATASET, MODEL, write
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.load import load_project
from tidegate.errors import ContractError


def test_datasets_and_models_load_with_types_lines_and_families(tmp_path: Path) -> None:
    """One YAML file is everything the harness needs to know about a contract."""
    project = load_project(
        write(tmp_path, {"datasets/ctgov.yml": DATASET, "clinical_trials/q_trials.yml": MODEL})
    )
    dataset = project.datasets["ctgov_studies"]
    assert (dataset.source, dataset.path, dataset.line) == (
        "ctgov",
        "contracts/datasets/ctgov.yml",
        6,
    )
    assert dataset.keys.delivery.kind is DeliveryKind.APPEND
    assert [(it.name, it.type.sql, it.nullable, it.line) for it in dataset.columns] == [
        ("nct_id", "text", False, 17),
        ("snapshot_id", "text", False, 21),
    ]
    model = project.models["q_trials"]
    assert [(it.name, it.type.sql, it.nullable) for it in model.columns] == [
        ("trial_key", "text", False),
        ("enrollment", "integer", True),
    ]
    assert [check.expression for check in model.checks] == ["enrollment >= 0"]
    assert model.tests == ("schema_contract",)
    assert project.families == {"clinical_trials": ("q_trials",)}


def test_a_dataset_has_no_more_columns_than_its_tables_can(tmp_path: Path) -> None:
    """The server would refuse the table in the middle of a landing."""
    head, more = (
        DATASET.rstrip() + "\n",
        "          - {name: c%d, data_type: text, description: c.}\n",
    )
    columns = [more % number for number in range(1595)]
    with pytest.raises(ContractError) as refused:
        load_project(write(tmp_path, {"datasets/ctgov.yml": head + "".join(columns)}))
    assert "are 1597, and a table of PostgreSQL has room for 1596 beside Tidegate's own. " in str(
        refused.value
    )
    text = head + "".join(columns[1:])
    loaded = load_project(write(tmp_path, {"datasets/ctgov.yml": text}))
    assert len(loaded.datasets["ctgov_studies"].columns) == 1596

"""A project's contracts load as a whole: every contract, or every problem."""

from __future__ import annotations

from pathlib import Path

from contract_texts import DATASET, MODEL, write
from tidegate.contracts import load_project
from tidegate.contracts.keys import DeliveryKind


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

"""A project's contracts load as a whole: every contract, or every problem."""

from __future__ import annotations

from pathlib import Path

from tidegate.contracts import load_project
from tidegate.contracts.keys import DeliveryKind

DATASET = """\
version: 2
sources:
  - name: ctgov
    schema: landing
    tables:
      - name: ctgov_studies
        description: One ClinicalTrials.gov record per snapshot, verbatim.
        loaded_at_field: _received_at
        config:
          meta:
            tidegate:
              version: "1"
              owner: trials
              delivery: {kind: append, key: [nct_id, snapshot_id], match: ["ctgov/*.json"]}
              format: {type: json}
        columns:
          - name: nct_id
            data_type: text
            description: Registry number.
            config: {meta: {tidegate: {required: true, path: /protocolSection/nctId}}}
          - name: snapshot_id
            data_type: text
            description: When the registry was read.
            config: {meta: {tidegate: {required: true}}}
"""

MODEL = """\
version: 2
models:
  - name: q_trials
    description: One registered study.
    config:
      contract: {enforced: true}
      meta:
        tidegate:
          family: clinical_trials
          version: "1"
          owner: trials
          grain: one registered study
          row_key: [trial_key]
          provenance: {policy: row_required}
    columns:
      - name: trial_key
        data_type: text
        description: Stable key.
        constraints: [{type: not_null}]
      - name: enrollment
        data_type: int4
        description: Participants enrolled.
        constraints: [{type: check, expression: "enrollment >= 0"}]
    data_tests:
      - schema_contract
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    """A project with these files under contracts/."""
    for name, text in files.items():
        path = folder / "contracts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


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

"""docs/contracts.md describes every key, and its examples are right."""

from __future__ import annotations

import re
from pathlib import Path

from contract_texts import write
from tidegate.contracts.expressions import FUNCTIONS
from tidegate.contracts.load import load_project
from tidegate.contracts.schema import contract_schema

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "contracts.md").read_text(encoding="utf-8")
FREE = {"DatasetMeta", "DatasetColumnMeta", "ModelMeta", "ModelColumnMeta"}
"""dbt's `meta`, whose one key of ours is described with the keys inside it."""


def described() -> dict[str, list[tuple[str, str, str]]]:
    """Per group of keys: key, meaning and example of each row of its table."""
    found = {}
    for part in TEXT.split("<!-- keys: ")[1:]:
        name, _, rest = part.partition(" -->")
        table = rest.partition("\n#")[0]
        rows = re.findall(r"^\| `([^`]+)` \| (.+?) \| `(.+)` \|$", table, re.MULTILINE)
        found[name] = rows
    return found


def test_every_key_is_documented_and_no_other() -> None:
    """A key that is added to the types without a line in the docs fails here."""
    schema = contract_schema()
    groups = {name: it["properties"] for name, it in schema["$defs"].items() if "properties" in it}
    groups["ContractFile"] = schema["properties"]
    keys = {name: sorted(it) for name, it in groups.items() if name not in FREE}
    tables = {name: sorted(row[0] for row in rows) for name, rows in described().items()}
    assert tables == keys


def test_every_key_has_a_meaning_and_an_example_of_itself() -> None:
    """An example shows the key it is about."""
    for name, rows in described().items():
        for key, meaning, example in rows:
            assert meaning.strip(), (name, key)
            assert example.startswith(f"{key}:"), (name, key, example)


def test_every_function_of_conditions_is_documented() -> None:
    """The error message sends people here."""
    part = TEXT.partition("## Conditions")[2].partition("A `where` may also")[0]
    listed = part.partition("functions other than")[2]
    assert set(re.findall(r"`([a-z_]+)`", listed)) == FUNCTIONS


def test_the_examples_are_contracts(tmp_path: Path) -> None:
    """What people copy loads."""
    dataset, model = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    files = {"datasets/drugsfda.yml": dataset, "clinical_trials/q_trial_arms.yml": model}
    project = load_project(write(tmp_path, files))
    assert (list(project.datasets), list(project.models)) == (
        ["drugsfda_products"],
        ["q_trial_arms"],
    )

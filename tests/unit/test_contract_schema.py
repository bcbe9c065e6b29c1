"""The JSON Schema that editors use says the same as the loader."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
import yaml

from contract_texts import DATASET, FULL_DATASET, FULL_MODEL, MODEL
from tidegate.contracts.schema import FILE, contract_schema, schema_text

REPOSITORY = Path(__file__).resolve().parents[2]
VALIDATOR = jsonschema.Draft202012Validator(contract_schema())


def test_the_checked_in_schema_is_the_generated_one() -> None:
    """Editors never check against an older form: `tidegate contract schema` writes it anew."""
    assert (REPOSITORY / FILE).read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_a_schema() -> None:
    """Editors can load it."""
    jsonschema.Draft202012Validator.check_schema(contract_schema())


@pytest.mark.parametrize("text", [DATASET, MODEL, FULL_DATASET, FULL_MODEL])
def test_the_schema_accepts_what_the_loader_accepts(text: str) -> None:
    """No squiggle under a right contract."""
    VALIDATOR.validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (MODEL, "grain:", "grian:"),
        (MODEL, "enforced: true", "enforced: false"),
        (MODEL, "policy: row_required", "policy: rows"),
        (MODEL, "version: 2", "version: 3"),
        (MODEL, "row_key: [trial_key]", "row_key: []"),
        (MODEL, "type: check,", "type: chek,"),
        (MODEL, 'version: "1"', "version: 1"),
        (DATASET, "kind: append", "kind: apend"),
        (DATASET, "schema: landing", "schema: raw"),
        (DATASET, "{type: json}", "{type: xml}"),
        (DATASET, "loaded_at_field", "loaded_at"),
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(text: str, old: str, new: str) -> None:
    """A wrong key or word is marked while it is typed."""
    assert old in text
    assert not VALIDATOR.is_valid(yaml.safe_load(text.replace(old, new)))


def test_every_contract_names_the_schema() -> None:
    """Every editor with a YAML language server finds the schema without set-up."""
    line = "# yaml-language-server: $schema=../tidegate.schema.json"
    for path in (REPOSITORY / "contracts").rglob("*.yml"):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first == line, f"{path} does not start with: {line}"

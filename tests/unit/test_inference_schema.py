"""The JSON Schema that editors use for `inference/*.yml` says the same as the loader."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
import yaml

from tidegate.errors import ContractError
from tidegate.inference.declared import load_declarations
from tidegate.inference.schema import FILE, inference_schema, schema_text

REPOSITORY = Path(__file__).resolve().parents[2]
VALIDATOR = jsonschema.Draft202012Validator(inference_schema())
FULL = """\
version: 1
tasks:
  - id: check
    revision: 1
    description: Checks.
    owner: pubs
    high_impact: true
    prompt: Check it.
    output_schema: {type: object, properties: {verdict: {enum: [pass, fail]}, sure: {}}}
  - id: judge
    revision: 2
    description: Judges.
    owner: pubs
    high_impact: false
    prompt: Judge it.
    output_schema: {type: object, properties: {verdict: {enum: [pass, fail]}}}
profiles:
  - {id: recorded, revision: 1, adapter: recorded, model: by-hand, input_usd: 3, output_usd: 1.5,
     call_cap_usd: 0.05, parameters: {answers: a.jsonl}}
  - {id: own, revision: 1, adapter: "shop.models:make", model: large}
routes:
  - {id: main, revision: 1, task: check, contract_revision: 1, profile: recorded,
     profile_revision: 1, owner: pubs, active: true}
  - {id: second, revision: 1, task: judge, contract_revision: 2, profile: own,
     profile_revision: 1}
policies:
  - {task: check, version: "1", decided_by: verifier_model, max_attempts: 2,
     verifier: {task: judge, field: verdict, accept: [pass]},
     rules: [{field: sure, at_least: 0.5}, {field: verdict, one_of: [pass]}]}
  - {task: judge, version: "1", decided_by: deterministic_validator}
runs:
  - {task: check, route: main, target: resolution.verifications, input: select 1 as x,
     artifacts: keys, may_be_empty: true}
"""
WRONG = {
    "another version": ("version: 1\n", "version: 2\n"),
    "a misspelt section": ("policies:", "polices:"),
    "a misspelt key": ("    prompt: Check it.", "    promt: Check it."),
    "a missing key": ("    owner: pubs\n    high_impact: true\n", "    high_impact: true\n"),
    "a name in capitals": ("  - id: check\n", "  - id: Check\n"),
    "a revision of nothing": ("    revision: 2\n", "    revision: 0\n"),
    "a revision that no database holds": ("    revision: 2\n", "    revision: 2147483648\n"),
    "a word for yes": ("high_impact: true", "high_impact: 'yes'"),
    "an empty prompt": ("prompt: Check it.", "prompt: ''"),
    "an answer that is no object": ("output_schema: {type: object", "output_schema: {type: array"),
    "an answer of no type": ("output_schema: {type: object, ", "output_schema: {"),
    "an adapter of no module": ("shop.models:make", "shop.models"),
    "a price below nothing": ("input_usd: 3", "input_usd: -3"),
    "a route that floats": ("task: check, contract_revision: 1,", "task: check,"),
    "a route of no revision": ("profile_revision: 1, owner", "profile_revision: null, owner"),
    "a version that is a number": ('version: "1", decided_by: det', "version: 1, decided_by: det"),
    "another judge": ("decided_by: verifier_model", "decided_by: a_friend"),
    "a verifier nobody asks": ("decided_by: verifier_model", "decided_by: human"),
    "no verifier to ask": ("decided_by: deterministic_validator", "decided_by: verifier_model"),
    "a rule that demands nothing": ("{field: sure, at_least: 0.5}", "{field: sure}"),
    "a rule of null": ("{field: sure, at_least: 0.5}", "{field: sure, at_least: null}"),
    "no attempt at all": ("max_attempts: 2", "max_attempts: 0"),
    "a verifier that accepts nothing": ("accept: [pass]", "accept: []"),
    "a target of no schema": ("target: resolution.verifications", "target: verifications"),
}  # fmt: skip


def test_the_checked_in_schema_is_the_generated_one() -> None:
    """Editors never check against an older form: `tidegate infer schema` writes it anew."""
    assert (REPOSITORY / FILE).read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_a_schema() -> None:
    """Editors can load it."""
    jsonschema.Draft202012Validator.check_schema(inference_schema())


def loaded(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "inference"
    folder.mkdir()
    (folder / "all.yml").write_text(text, encoding="utf-8")
    load_declarations(tmp_path)


def test_the_schema_accepts_what_the_loader_accepts(tmp_path: Path) -> None:
    """No squiggle under a right declaration; every key is in it once."""
    loaded(tmp_path, FULL)
    VALIDATOR.validate(yaml.safe_load(FULL))


def test_the_schema_accepts_every_declaration_of_the_project() -> None:
    """And each of them names it, so that editors find it without set-up."""
    files = sorted((REPOSITORY / "inference").rglob("*.yml"))
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# yaml-language-server: $schema=inference.schema.json\n"), path
        VALIDATOR.validate(yaml.safe_load(text))


@pytest.mark.parametrize("what", WRONG)
def test_the_schema_refuses_what_the_loader_refuses(tmp_path: Path, what: str) -> None:
    """What is wrong in itself is marked while it is typed, and refused when it is read."""
    old, new = WRONG[what]
    assert old in FULL
    wrong = FULL.replace(old, new, 1)
    assert not VALIDATOR.is_valid(yaml.safe_load(wrong))
    with pytest.raises(ContractError):
        loaded(tmp_path, wrong)

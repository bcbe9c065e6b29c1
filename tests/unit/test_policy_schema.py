"""The JSON Schema of policies says the same as the loader, as far as no column is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tidegate.errors import ContractError
from tidegate.rules.load import load_policy
from tidegate.rules.schema import FILE, policy_schema, schema_text

REPOSITORY = Path(__file__).resolve().parents[2]
VALIDATOR = jsonschema.Draft202012Validator(policy_schema())
RIGHT: list[dict[str, Any]] = [
    {"type": "row_count", "minimum": 1},
    {"type": "row_count", "minimum": 1.0, "maximum": 5, "severity": "warning"},
    {"type": "required_fields", "fields": ["a", "b"]},
    {"type": "field", "field": "a", "data_type": "numeric(10,2)"},
    {"type": "field", "field": "a", "nullable": False},
    {"type": "not_null", "field": "a"},
    {"type": "not_null", "fields": ["a", "b"]},
    {"type": "unique", "fields": ["a"], "ignore_nulls": True},
    {"type": "unique", "field": "a", "ignore_nulls": "all"},
    {"type": "range", "field": "a", "minimum": -1.5, "maximum": 3, "allow_null": True},
    {"type": "range", "field": "a", "minimum": "2026-01-01"},
    {"type": "referential", "field": "a", "allowed_values": ["x", 1, True, {"k": []}]},
    {"type": "reference", "fields": ["a"],
     "references": {"dataset": "d", "materialization": "latest", "fields": ["b"]}},
]  # fmt: skip
WRONG: list[dict[str, Any]] = [
    {},
    {"type": "rows"},
    {"type": "row_count"},
    {"type": "row_count", "minimum": -1},
    {"type": "row_count", "minimum": 1.5},
    {"type": "row_count", "minimum": True},
    {"type": "row_count", "minimum": None, "maximum": 4},
    {"type": "row_count", "minimum": 1, "fields": ["a"]},
    {"type": "required_fields", "fields": []},
    {"type": "required_fields", "fields": ["a", "a"]},
    {"type": "required_fields", "field": "a"},
    {"type": "field", "field": "a"},
    {"type": "field", "field": "", "nullable": True},
    {"type": "field", "field": "a", "nullable": "no"},
    {"type": "not_null"},
    {"type": "not_null", "field": "a", "fields": ["b"]},
    {"type": "unique", "field": "a", "ignore_nulls": "some"},
    {"type": "range", "field": "a"},
    {"type": "range", "field": "a", "minimum": False},
    {"type": "range", "field": "a", "minimum": 2**53},
    {"type": "range", "field": "a", "minimum": 1, "allow_null": 1},
    {"type": "referential", "field": "a"},
    {"type": "referential", "field": "a", "allowed_values": []},
    {"type": "referential", "field": "a", "allowed_values": ["x"], "severity": "fatal"},
    {"type": "reference", "field": "a", "references": {"dataset": "d"}},
]


def policy(rule: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A policy with this one rule."""
    return {"version": "v1", "rules": [{"id": "a", **rule}], **more}


def test_the_checked_in_schema_is_the_generated_one() -> None:
    """Editors never check against an older form: `contract schema --policy` writes it anew."""
    assert (REPOSITORY / FILE).read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_a_schema() -> None:
    """Editors can load it."""
    jsonschema.Draft202012Validator.check_schema(policy_schema())


@pytest.mark.parametrize("rule", RIGHT, ids=lambda rule: str(rule)[:60])
def test_what_the_loader_takes_the_schema_takes(rule: dict[str, Any]) -> None:
    """No squiggle under a right policy."""
    load_policy(policy(rule))
    VALIDATOR.validate(policy(rule))


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: str(rule)[:60])
def test_what_the_loader_refuses_the_schema_refuses(rule: dict[str, Any]) -> None:
    """A wrong key, word or number is marked while it is typed."""
    with pytest.raises(ContractError):
        load_policy(policy(rule))
    assert not VALIDATOR.is_valid(policy(rule))


@pytest.mark.parametrize(
    ("more", "right"),
    [
        ({"schema_policy": {"field_removed": "breaking"}}, True),
        ({"schema_policy": {"field_gone": "breaking"}}, False),
        ({"schema_policy": {"field_removed": "fatal"}}, False),
        ({"version": ""}, False),
        ({"version": 1}, False),
        ({"rules": []}, False),
        ({"owner": "shop"}, False),
    ],
)
def test_the_rest_of_a_policy_is_told_alike(more: dict[str, Any], right: bool) -> None:
    """Overrides, version, an empty list, a key that no policy has."""
    found = policy({"type": "row_count", "minimum": 1}, **more)
    assert VALIDATOR.is_valid(found) is right
    if right:
        load_policy(found)
    else:
        with pytest.raises(ContractError):
            load_policy(found)

"""The JSON Schema of quality policies, generated from the types that read them.

For editors, and for programs that write policies. It knows no columns: that a field exists and that
values fit its type is said by `tidegate check` and `tidegate contract check`. It is checked in as
`contracts/policy.schema.json`; `tidegate contract schema --policy` prints it.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import Field, StrictStr

from tidegate.contracts.key_base import Keys
from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.contracts.schema import DIALECT, Untitled, public
from tidegate.rules.model import RULE_TYPES, Rule

FILE = "contracts/policy.schema.json"
_ONE_OF_FIELDS = ("not_null", "unique", "reference")
_BOUNDED = ("row_count", "range")


class _Policy(Keys):
    version: Annotated[StrictStr, Field(min_length=1)]
    """The policy's own version, such as `v1`."""
    rules: Annotated[tuple[Annotated[Rule, Field(discriminator="type")], ...], Field(min_length=1)]
    """At least one; the ids differ."""
    schema_policy: dict[ChangeKind, Classification] = Field(default_factory=dict)
    """How schema changes are classified, where not as usual."""


def policy_schema() -> dict[str, Any]:
    """The schema as a JSON document (draft 2020-12)."""
    found = _plain(_Policy.model_json_schema(schema_generator=Untitled))
    for name, model in RULE_TYPES.items():
        rule = found["$defs"][model.__name__]
        if name in _ONE_OF_FIELDS:
            rule["oneOf"] = [{"required": ["field"]}, {"required": ["fields"]}]
        elif name in _BOUNDED:
            rule["anyOf"] = [{"required": ["minimum"]}, {"required": ["maximum"]}]
        elif name == "field":
            rule["anyOf"] = [{"required": ["data_type"]}, {"required": ["nullable"]}]
    return {
        "$schema": DIALECT,
        "title": "Tidegate quality policy",
        "description": "Rules about rows; see docs/rules.md.",
        **{key: value for key, value in found.items() if key not in ("title", "description")},
    }


def schema_text() -> str:
    """The schema as it is checked in: two spaces, a line break at the end."""
    return json.dumps(public(policy_schema()), indent=2, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """No null: a key that says nothing is left out."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: item for key, item in value.items() if not (key == "default" and item is None)}
    if "anyOf" in kept:
        kept["anyOf"] = [item for item in kept["anyOf"] if item != {"type": "null"}]
        if len(kept["anyOf"]) == 1:
            kept = {**kept.pop("anyOf")[0], **kept}
    return {key: _plain(item) for key, item in kept.items()}

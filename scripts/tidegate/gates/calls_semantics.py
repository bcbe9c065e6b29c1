"""Calls of the semantic gates: each macro takes one mapping, see `macros/sql/gate_rows.sql`.

A gate says in `<gate>_arguments`, as JSON, which other models it reads by role and which options
it has with which defaults; dbt and this module read the same text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tidegate.contracts.keys import Sensitivity
from tidegate.gates.calls import Call
from tidegate.gates.model import GateSpec, Model
from tidegate.gates.relations import Relations
from tidegate.gates.retarget import Unreadable
from tidegate.macros import render

_SHARED = ("row_key", "columns", "relations")
"""Arguments of every semantic gate; all others are its options."""


def semantic(macro: str) -> Callable[[GateSpec, Relations], Call]:
    """The call of a gate that judges the rows of its model, alone or beside other models."""

    def call(spec: GateSpec, relations: Relations) -> Call:
        gate = gate_argument(macro, spec, relations)
        names = (found["name"] for found in gate["relations"].values())
        assets = tuple(dict.fromkeys((spec.model.name, *names)))
        return Call(render(macro, gate), render("row_count", gate["relation"], spec.where), assets)

    return call


def gate_argument(macro: str, spec: GateSpec, relations: Relations) -> dict[str, Any]:
    """What the macro takes.

    Raises LookupError where the judged model has no relation, Unreadable where the contract's
    entry has arguments that the gate does not know.
    """
    known = json.loads(render(f"{macro}_arguments"))
    names = {**known["relations"], **spec.arguments.get("relations", {})}
    options = {name: value for name, value in spec.arguments.items() if name not in _SHARED}
    strange = sorted({*options} - {*known["options"]} | {*names} - {*known["relations"]})
    if strange:
        allowed = ", ".join(sorted({*_SHARED, *known["options"], *known["relations"]}))
        raise Unreadable(f"{macro} has no argument {', '.join(strange)}; it has {allowed}")
    columns = spec.arguments.get("columns", {})
    public = _public(spec.model, columns, "")
    found = {}
    for role, name in names.items():
        relation = relations.find(name)
        found[role] = {"name": name, "sql": relation.sql if relation else None}
        if name in spec.models:
            public += _public(spec.models[name], columns, f"{role}.")
    return {
        "relation": relations.require(spec.model.name).sql,
        "subject": spec.model.name,
        "row_key": list(spec.arguments.get("row_key") or spec.model.keys.row_key),
        "columns": columns,
        "public": public,
        "relations": found,
        "options": {**known["options"], **options},
        "where": spec.where,
        "when_empty": "ignore" if spec.model.keys.may_be_empty else "block",
    }


def _public(model: Model, columns: Mapping[str, str | None], prefix: str) -> list[str]:
    """The public columns of a contract by the names a gate has for them."""
    renamed = {
        column: name
        for name, column in columns.items()
        if column and name.rpartition(".")[0] == prefix.rstrip(".")
    }
    return [
        renamed.get(column.name, f"{prefix}{column.name}")
        for column in model.columns
        if column.sensitivity is Sensitivity.PUBLIC
    ]

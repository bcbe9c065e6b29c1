"""Calls of the semantic gates: each macro takes one mapping, see `macros/sql/gate_rows.sql`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tidegate.contracts.keys import Sensitivity
from tidegate.gates.calls import Call
from tidegate.gates.model import GateSpec, Model
from tidegate.gates.relations import Relations
from tidegate.macros import render

_NOT_OPTIONS = ("row_key", "columns", "relations")


def semantic(macro: str, *, compares: bool = False) -> Callable[[GateSpec, Relations], Call]:
    """The call of a gate that judges the rows of its model.

    `compares` says that the gate reads other models: the macro `<macro>_relations` names them by
    role, as JSON, and the contract's entry may name others.
    """

    def call(spec: GateSpec, relations: Relations) -> Call:
        defaults = json.loads(render(f"{macro}_relations")) if compares else {}
        names = {**defaults, **spec.arguments.get("relations", {})}
        gate = gate_argument(spec, relations, names)
        assets = tuple(dict.fromkeys((spec.model.name, *names.values())))
        return Call(render(macro, gate), render("row_count", gate["relation"], spec.where), assets)

    return call


def gate_argument(spec: GateSpec, relations: Relations, names: Mapping[str, str]) -> dict[str, Any]:
    """What a semantic gate's macro takes; raise LookupError where its model has no relation."""
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
        "options": {
            name: value for name, value in spec.arguments.items() if name not in _NOT_OPTIONS
        },
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

"""Calls of the semantic gates: each macro takes one mapping, see `macros/sql/gate_rows.sql`.

A gate says in `<gate>_arguments`, as JSON, which other models it reads by role and which options
it has with which defaults; dbt and this module read the same text.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from jinja2 import TemplateError

from tidegate.gates.calls import Call
from tidegate.gates.model import GateSpec
from tidegate.gates.relations import Relations
from tidegate.gates.retarget import Unreadable
from tidegate.macros import defined, render
from tidegate.names import QUERY, provenance_model

SHARED = ("row_key", "columns", "relations", "may_be_empty")
"""Arguments of every semantic gate; all others are its options."""


class Columns(dict[str, Any]):
    """The columns that a contract's entry names, by the gate's own names for them.

    `asked` are the names that the gate has looked up: whatever else is given means nothing to it.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        self.asked: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        """What the entry says of a column, which is the gate's name where it says nothing."""
        self.asked.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)


def semantic(macro: str, spec: GateSpec, relations: Relations) -> Call:
    """The call of a gate that judges the rows of its model, alone or beside other models."""
    return _call(macro, spec, gate_argument(macro, spec, relations))


def relation_names(gate_id: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """What a gate reads besides the relation it judges, by dbt's names; the contract's own first.

    A model's name, or `source.table`; of `referential_integrity` the owners that the test names.
    """
    if not defined(f"{gate_id}_arguments"):
        owners = (
            it.get("to") for it in arguments.get("references") or () if isinstance(it, Mapping)
        )
        return tuple(str(name) for name in owners if name)
    known = json.loads(render(f"{gate_id}_arguments"))
    links = arguments.get("links") if "links" in known["options"] else None
    rows = [link.get("rows") for link in links or () if isinstance(link, Mapping)]
    return tuple(
        str(name) for name in (*_names(known["relations"], arguments).values(), *rows) if name
    )


def _names(defaults: Mapping[str, str], arguments: Mapping[str, Any]) -> dict[str, str | None]:
    given = arguments.get("relations")
    return {**defaults, **(given if isinstance(given, Mapping) else {})}


def temporal_validity(spec: GateSpec, relations: Relations) -> Call:
    """Intervals beside those that are published: `query.<model>`, unless `previous` says."""
    gate = gate_argument("temporal_validity", spec, relations)
    schema, _, name = (gate["options"]["previous"] or f"{QUERY}.{spec.model.name}").partition(".")
    before = relations.at(schema, name)
    gate["previous"] = before.sql if before else None
    gate["previous_columns"] = sorted(before.columns) if before else []
    return _call("temporal_validity", spec, gate)


def search_provenance(spec: GateSpec, relations: Relations) -> Call:
    """Search rows beside the models that exist and the receipts of every family."""
    gate = gate_argument("search_provenance", spec, relations)
    families = sorted({model.keys.family for model in spec.models.values()})
    own = {family: relations.find(provenance_model(family)) for family in families}
    receipts = [found.sql for found in own.values() if found]
    united = relations.at(QUERY, "q_provenance")
    if united:  # a family that is only served has no receipts of its own, see `promotion_views`
        served = [name for name, model in spec.models.items() if not own[model.keys.family]]
        receipts.append(render("receipts_of", united.sql, sorted(served)))
    gate["models"] = sorted(name for name in spec.models if relations.find(name))
    gate["receipts"] = receipts
    return _call("search_provenance", spec, gate, *map(provenance_model, families))


def downstream_boundary(spec: GateSpec, relations: Relations) -> Call:
    """Names of the model and of the columns that its relation really has."""
    gate = gate_argument("downstream_boundary", spec, relations)
    columns = relations.require(spec.model.name).columns
    gate["live"] = sorted(columns - {"_generation"})
    return _call("downstream_boundary", spec, gate)


def _call(macro: str, spec: GateSpec, gate: dict[str, Any], *others: str) -> Call:
    read = (found["name"] for found in gate["relations"].values())
    assets = tuple(dict.fromkeys((spec.model.name, *read, *others)))
    violations = rendered(macro, gate)
    require_meaning(macro, gate)
    return Call(violations, render("row_count", gate["relation"], spec.where), assets)


def rendered(macro: str, gate: Mapping[str, Any]) -> str:
    """A macro of the gate as SQL; Unreadable where an argument has another shape or no meaning."""
    try:
        text = render(macro, gate)
    except (KeyError, TemplateError, TypeError, ValueError):
        # Their text may hold values of the contract.
        raise Unreadable(f"an argument of {macro} has a shape it cannot use") from None
    return text


def require_meaning(macro: str, gate: Mapping[str, Any]) -> None:
    """Raise Unreadable where the entry renames a column that the gate, once rendered, never asked.

    Of a relation that is not there no column is asked.
    """
    columns: Columns = gate["columns"]
    away = {role for role in gate["roles"] if not gate["relations"].get(role, {}).get("sql")}
    strange = sorted(
        name
        for name in columns
        if name not in columns.asked and name.rpartition(".")[0] not in away
    )
    if strange:
        raise Unreadable(no_column(macro, strange, columns.asked))


def no_column(macro: str, strange: Collection[str], asked: Collection[str]) -> str:
    """What is said of names under `columns` that mean nothing to the gate."""
    return f"{macro} has no column {', '.join(strange)}; it has {', '.join(sorted(asked))}"


def gate_argument(macro: str, spec: GateSpec, relations: Relations) -> dict[str, Any]:
    """What the macro takes.

    Raises LookupError where the judged model has no relation, Unreadable where the contract's
    entry has arguments that the gate does not know.
    """
    known = json.loads(render(f"{macro}_arguments"))
    for mapping in ("columns", "relations"):
        if not isinstance(spec.arguments.get(mapping) or {}, Mapping):
            raise Unreadable(f"`{mapping}` of {macro} is no mapping")
    names = _names(known["relations"], spec.arguments)
    options = {name: value for name, value in spec.arguments.items() if name not in SHARED}
    strange = sorted(({*options} - {*known["options"]}) | ({*names} - {*known["relations"]}))
    if strange:
        allowed = ", ".join(sorted({*SHARED, *known["options"], *known["relations"]}))
        raise Unreadable(f"{macro} has no argument {', '.join(strange)}; it has {allowed}")
    columns = Columns({**known.get("columns", {}), **(spec.arguments.get("columns") or {})})
    said = spec.arguments.get("may_be_empty")
    empty_allowed = spec.model.keys.may_be_empty if said is None else said
    public = _public(spec.model.public, columns, "")
    found = {}
    for role, name in names.items():
        if name is None:
            continue  # the contract's entry says that there is none
        other = spec.related.get(name)
        relation = relations.find_named(name, spec.related)
        found[role] = {"name": name, "sql": relation.sql if relation else None}
        if name in spec.models:
            public += _public(spec.models[name].public, columns, f"{role}.")
        elif other:
            public += _public(other.public, columns, f"{role}.")
    return {
        "relation": relations.require(spec.model.name).sql,
        "subject": spec.model.name,
        "row_key": list(spec.row_key),
        "columns": columns,
        "public": public,
        "relations": found,
        "roles": sorted(names),
        "options": {**known["options"], **options},
        "where": spec.where,
        "when_empty": "ignore" if empty_allowed else "block",
    }


def _public(shown: Collection[str], columns: Mapping[str, Any], prefix: str) -> list[str]:
    """The public columns of a relation by the names a gate has for them.

    What the contract's entry itself says (`{value: …}`) is public too.
    """
    mine = {
        name: column
        for name, column in columns.items()
        if name.rpartition(".")[0] == prefix.rstrip(".")
    }
    renamed = {column: name for name, column in mine.items() if isinstance(column, str)}
    said = [name for name, column in mine.items() if isinstance(column, Mapping)]
    return [*said, *(renamed.get(column, f"{prefix}{column}") for column in sorted(shown))]

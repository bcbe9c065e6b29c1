"""The columns that gates read, by the names that a contract's entry may give others for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tidegate.gates.calls_layers import LEDGER
from tidegate.gates.calls_semantics import SHARED, Columns, no_column, rendered
from tidegate.gates.retarget import Unreadable
from tidegate.macros import defined, render

_RELATION = '"s"."m"'


def columns_of(gate_id: str, arguments: Mapping[str, Any] | None = None) -> list[str]:
    """What the gate asks for when every relation that it may read is there; `role.column`.

    `arguments` are those of a contract's entry. Raises Unreadable where they have no meaning.
    """
    return sorted(_asked(gate_id, arguments or {}, _RELATION))


def strange_columns(gate_id: str, arguments: Mapping[str, Any]) -> tuple[list[str], str]:
    """Names under `columns` that the gate never asks for, and what is to be said of them.

    Without a server nobody knows which relations are there, and an entry may say that there is
    none: what the gate asks for in any of these cases counts.
    Arguments of another shape are told when the gate is judged.
    """
    given = arguments.get("columns")
    if not defined(f"{gate_id}_arguments") or not isinstance(given, Mapping):
        return [], ""
    try:
        asked = set().union(
            *(_asked(gate_id, arguments, sql) for sql in (_RELATION, None)),
            _asked(gate_id, arguments, None, named=False),
        )
    except Unreadable:
        return [], ""
    strange = sorted(str(name) for name in given if name not in asked)
    return strange, no_column(gate_id, strange, asked)


def _asked(
    gate_id: str, arguments: Mapping[str, Any], sql: str | None, *, named: bool = True
) -> set[str]:
    """What it asks for where its other relations are read as `sql`, or where none is `named`."""
    if not defined(f"{gate_id}_arguments"):
        return set()
    known = json.loads(render(f"{gate_id}_arguments"))
    columns = Columns({**known.get("columns", {}), **(arguments.get("columns") or {})})
    options = {name: value for name, value in arguments.items() if name not in SHARED}
    roles = known["relations"] if named else ()
    gate: dict[str, Any] = {
        "relation": _RELATION,
        "subject": "m",
        "row_key": ["k"],
        "columns": columns,
        "public": [],
        "relations": {role: {"name": role, "sql": sql} for role in roles},
        "options": {"dataset": "m", **known["options"], **options},
        "where": None,
        "when_empty": "block",
        # What the calls of single gates add.
        "previous": _RELATION,
        "previous_columns": [],
        "models": ["m"],
        "receipts": [_RELATION],
        "live": ["k"],
        "ledger": {name: f"governance.{name}" for name in LEDGER},
    }
    rendered(gate_id, gate)
    return columns.asked

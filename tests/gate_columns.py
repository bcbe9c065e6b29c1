"""The columns that gates read, by the names that a contract's entry may give others for."""

from __future__ import annotations

import json
from typing import Any

from tidegate.gates.calls_layers import LEDGER
from tidegate.gates.calls_semantics import Columns
from tidegate.macros import defined, render

RELATION = '"s"."m"'


def columns_of(gate_id: str) -> list[str]:
    """What the gate asks for when every relation that it may read is there; `role.column`."""
    if not defined(f"{gate_id}_arguments"):
        return []
    known = json.loads(render(f"{gate_id}_arguments"))
    columns = Columns(known.get("columns", {}))
    gate: dict[str, Any] = {
        "relation": RELATION,
        "subject": "m",
        "row_key": ["k"],
        "columns": columns,
        "public": [],
        "relations": {role: {"name": role, "sql": RELATION} for role in known["relations"]},
        "options": {"dataset": "m", **known["options"]},
        "where": None,
        "when_empty": "block",
        # What the calls of single gates add.
        "previous": RELATION,
        "previous_columns": [],
        "models": ["m"],
        "receipts": [RELATION],
        "live": ["k"],
        "ledger": {name: f"governance.{name}" for name in LEDGER},
    }
    render(gate_id, gate)
    return sorted(columns.asked)

"""What makes a family look changed: its owners' generations, but not those of its own cycle."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg

from shop import CUSTOMERS, ORDERS, contract
from tidegate.contracts import Project
from tidegate.publishing.context import Context
from tidegate.publishing.graph import FamilyGraph
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse


def test_families_of_one_cycle_are_no_inputs_of_each_other(
    warehouse: Warehouse, conn: psycopg.Connection[tuple[Any, ...]]
) -> None:
    """Each publication moves both heads: as inputs they would make both look changed for ever."""

    def to(model: str) -> dict[str, Any]:
        return {"columns": ["customer_key"], "to": model}

    models = (
        contract("q_a", ORDERS, family="left", references=[to("q_b"), to("q_c")]),
        contract("q_b", ORDERS, family="right", references=[to("q_a")]),
        contract("q_c", CUSTOMERS, family="shared"),
    )
    context = Context(Settings(Path("/nonexistent"), Path("/nonexistent")), warehouse)
    made: dict[str, Any] = {
        "project": Project(datasets={}, models={model.name: model for model in models}),
        "project_sha256": "0" * 64,
        "dbt": SimpleNamespace(manifest=SimpleNamespace(nodes={}, sources={})),
        "_graphs": {
            name: FamilyGraph(name, (), (), (), (), "code") for name in ("left", "right", "shared")
        },
    }
    context.__dict__.update(made)
    assert context.groups() == (("shared",), ("left", "right"))
    assert context.group_of("right") == ("left", "right")
    assert context.inputs(conn, "left")["owners"] == ["shared"]
    assert context.inputs(conn, "right")["owners"] == []

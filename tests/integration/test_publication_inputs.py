"""What makes a family look changed: its owners' generations, but not those of its own cycle."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from curating import OMAR, proposed
from shop import CUSTOMERS, ORDERS, contract
from tidegate.connection import Connection
from tidegate.contracts.model import Project
from tidegate.ledger import curation
from tidegate.publishing import inputs
from tidegate.publishing.context import Context
from tidegate.publishing.graph import FamilyGraph
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse


def test_families_of_one_cycle_are_no_inputs_of_each_other(
    warehouse: Warehouse, conn: Connection
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
            name: FamilyGraph(name, {}, (), (), (), "code") for name in ("left", "right", "shared")
        },
    }
    context.__dict__.update(made)
    assert context.groups() == (("shared",), ("left", "right"))
    assert context.group_of("right") == ("left", "right")
    assert context.inputs(conn, "left")["owners"] == ["shared"]
    assert context.inputs(conn, "right")["owners"] == []


def test_what_a_run_leaves_on_shared_nodes_is_no_change(warehouse: Warehouse) -> None:
    """The graph of every family is read before dbt runs anything, not when its turn comes."""
    models = (
        contract("q_a", CUSTOMERS, family="left"),
        contract("q_b", CUSTOMERS, family="right"),
    )
    shared = _node("model.p.stg", "select 1")
    nodes = {
        "model.p.stg": shared,
        "model.p.q_a": _node("model.p.q_a", "", "left", "model.p.stg"),
        "model.p.q_b": _node("model.p.q_b", "", "right", "model.p.stg"),
    }

    def context() -> Context:
        made = Context(Settings(Path("/nonexistent"), Path("/nonexistent")), warehouse)
        made.__dict__["project"] = Project(datasets={}, models={it.name: it for it in models})
        manifest = SimpleNamespace(nodes=nodes, sources={}, macros={})
        made.__dict__["dbt"] = SimpleNamespace(manifest=manifest)
        return made

    running = context()
    before = running.graph("left"), running.graph("right")
    shared.config.meta["ran"] = True
    assert (running.graph("left"), running.graph("right")) == before
    assert context().graph("right") != before[1]


def test_overlays_in_force_are_an_input_and_proposals_are_none(
    warehouse: Warehouse, conn: Connection
) -> None:
    """A family that reads curation is built again once somebody approved or withdrew something."""
    source = SimpleNamespace(schema="curation", name="effective_overlays")
    context = Context(Settings(Path("/nonexistent"), Path("/nonexistent")), warehouse)
    made: dict[str, Any] = {
        "project": Project(datasets={}, models={"q_a": contract("q_a", CUSTOMERS, family="left")}),
        "project_sha256": "0" * 64,
        "dbt": SimpleNamespace(manifest=SimpleNamespace(nodes={}, sources={"s": source})),
        "_graphs": {"left": FamilyGraph("left", {}, (), ("s",), (), "code")},
    }
    context.__dict__.update(made)
    recorded = context.inputs(conn, "left")
    assert (recorded["curation"], recorded["volatile"]) == ("none", False)
    key = proposed(conn)
    assert inputs.same_inputs(conn, recorded)
    curation.approve(conn, key, OMAR)
    assert not inputs.same_inputs(conn, recorded)
    assert inputs.same_inputs(conn, {**recorded, "curation": None})
    curation.withdraw(conn, key, OMAR)
    assert inputs.same_inputs(conn, recorded)


def _node(unique_id: str, code: str, family: str | None = None, *parents: str) -> Any:
    meta: dict[str, Any] = {"tidegate": {"family": family}} if family else {}
    return SimpleNamespace(
        unique_id=unique_id,
        name=unique_id.rsplit(".", 1)[1],
        resource_type="model",
        raw_code=code,
        config=SimpleNamespace(meta=meta, to_dict=lambda: {"meta": dict(meta)}),
        depends_on=SimpleNamespace(nodes=list(parents), macros=[]),
    )

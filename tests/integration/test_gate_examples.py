"""What gates read from public columns: for the operator alone, kept with the generation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from command_line import project
from logins import login
from planted_secrets import places, secret
from shop import CUSTOMERS, ORDERS, Shop, contract, gate_model, orders_and_customers
from tidegate.connection import Connection
from tidegate.contracts.keys import Sensitivity
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import GateSpec, Kind, Level, Severity
from tidegate.ledger import examples
from tidegate.ledger.roles import Role
from tidegate.publishing import prune
from tidegate.publishing.outcome import Verdict
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse

COLUMNS = (*ORDERS, ("note", "text", True), ("address", "text", True))
SHOWN, HIDDEN = secret(), secret()
GATE = "resolution_basis"


@pytest.fixture
def shop(warehouse: Warehouse) -> Shop:
    """Orders whose first row has a public note and an internal address; a gate reads both."""
    made = contract("q_orders", COLUMNS)
    shop = Shop(warehouse, [made, contract("q_customers", CUSTOMERS)])
    model = gate_model(made)
    columns = tuple(
        replace(column, sensitivity=Sensitivity.INTERNAL) if column.name == "address" else column
        for column in model.columns
    )
    shop.extra_specs = [
        GateSpec(
            gate_id=GATE, unique_id=f"test.shop.{GATE}", kind=Kind.GATE,
            severity=Severity.BLOCKING, family="shop", model=replace(model, columns=columns),
            asset_keys=("q_orders",),
            arguments={
                "allowed": {"*": ["fine"]},
                "columns": {
                    "candidate_id": "order_key", "basis": "note", "source_term": "address",
                    "subject_kind": None, "target_key": None, "verdict": None,
                    "overlay_state": None, "link_state": None, "publishable": None,
                    "confidence": None, "valid_until": None,
                },
            },
        )
    ]  # fmt: skip
    shop.tables = noted(SHOWN)
    return shop


def noted(note: str) -> Any:
    """Twenty orders, of which the first has this note."""

    def build(number: int) -> dict[str, str]:
        tables = orders_and_customers()(number)
        return {**tables, "q_orders": tables["q_orders"].replace(
            " as amount", f" as amount, case when i = 1 then '{note}' else 'fine' end as note,"
            f" case when i = 1 then '{HIDDEN}' end as address")}  # fmt: skip

    return build


def publish(shop: Shop) -> Verdict:
    (outcome,) = publish_group(shop, ("shop",), Request())  # type: ignore[arg-type]
    return outcome.verdict


def test_a_promotion_keeps_what_a_gate_read_of_public_columns(shop: Shop, conn: Connection) -> None:
    """Key, level, reason and values beside the generation; of the internal column nothing."""
    assert publish(shop) is Verdict.HELD_BACK
    (kept,) = examples.read(conn, GATE)
    assert (kept.family, kept.generation, kept.asset, kept.row_key) == ("shop", 1, "q_orders", "o1")
    assert (kept.level, kept.reason) == (Level.BLOCK, "basis_unsupported")
    assert kept.values == {"candidate_id": "o1", "basis": SHOWN}
    assert examples.read(conn, GATE, "q_customers") == ()


def test_values_stand_nowhere_else_and_internal_ones_nowhere(shop: Shop, conn: Connection) -> None:
    """Not in results, evidence, events, audit, review items; the internal one not even here."""
    assert publish(shop) is Verdict.HELD_BACK
    assert places(conn, [SHOWN, HIDDEN]) == []
    told = conn.execute("select gate_examples::text from governance.gate_examples").fetchall()
    assert len(told) == 1
    assert SHOWN in told[0][0]
    assert HIDDEN not in told[0][0]


def test_an_example_is_kept_as_it_was(shop: Shop, conn: Connection) -> None:
    """Nobody changes or removes one while its generation is there."""
    publish(shop)
    for statement in ("update governance.gate_examples set reason = 'other'",
                      "delete from governance.gate_examples",
                      "truncate governance.gate_examples"):  # fmt: skip
        with pytest.raises(psycopg.errors.RestrictViolation):
            conn.execute(statement.encode())
    assert len(examples.read(conn, GATE)) == 1


def test_an_example_goes_with_its_generation(shop: Shop, conn: Connection) -> None:
    """Pruning the generation that was held back removes its examples, and no others."""
    publish(shop)
    shop.tables = noted("fine")
    assert publish(shop) is Verdict.PUBLISHED
    shop.tables = noted(SHOWN)
    publish(shop)
    items = tuple(item for item in prune.plan(conn, {"shop": 1}) if item.generation == 1)
    assert [item.kept_because for item in items] == [""]
    prune.apply(shop.warehouse, items, by="ann", reason="retention")
    assert [kept.generation for kept in examples.read(conn, GATE)] == [3]


def test_only_the_operator_reads_examples(shop: Shop, warehouse: Warehouse) -> None:
    """The publisher writes them and cannot read them back; nobody else comes near."""
    publish(shop)
    for role in Role:
        with login(warehouse, role.value) as other, other.connect() as conn:
            if role is Role.OPERATOR:
                assert len(examples.read(conn, GATE)) == 1
            else:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    examples.read(conn, GATE)
    with login(warehouse, Role.PUBLISHER.value) as publisher, publisher.connect() as conn:
        spec = shop.extra_specs[0]
        result = evaluate(conn, spec, lambda name: ("shop__g000001", name))
        assert examples.keep(conn, "shop", 1, [result]) == 1


def test_a_check_replaces_what_the_check_before_it_found(shop: Shop, conn: Connection) -> None:
    """It has no generation; the examples of promotions stay."""
    publish(shop)
    result = evaluate(conn, shop.extra_specs[0], lambda name: ("shop__g000001", name))
    assert [examples.keep_of_check(conn, [result]) for _ in range(2)] == [1, 1]
    assert [kept.generation for kept in examples.read(conn, GATE)] == [None, 1]


def test_the_operator_is_shown_examples(shop: Shop, warehouse: Warehouse, tmp_path: Path) -> None:
    """As text and as JSON; another role is told what it lacks, and an unknown gate that it is."""
    publish(shop)
    with login(warehouse, "tidegate_operator") as operator:
        tidegate = project(tmp_path, operator)
        answer = tidegate.run("examples", GATE, "--model", "q_orders")
        assert answer.code == 0
        lines = answer.out.splitlines()
        assert lines[0] == "q_orders o1  block basis_unsupported"
        assert lines[1].startswith("    shop g000001, ")
        assert lines[2:] == [f"    basis: {SHOWN}", "    candidate_id: o1"]
        (document,) = json.loads(tidegate.run("examples", GATE, "--json").out)
        assert document["values"] == {"candidate_id": "o1", "basis": SHOWN}
        assert tidegate.run("examples", "source_locator").out == (
            "No example of source_locator is kept.\n"
        )
        unknown = tidegate.run("examples", "sauce_locator")
        assert (unknown.code, "There is no gate sauce_locator." in unknown.err) == (2, True)
    with login(warehouse, "tidegate_publisher") as publisher:
        refused = project(tmp_path, publisher).run("examples", GATE)
        assert refused.code == 2
        assert "The connected role may not read examples of gates." in refused.err
        assert SHOWN not in refused.err + refused.out


def test_levels_are_the_same_in_the_ledger(conn: Connection) -> None:
    """A word added on one side only fails here."""
    row = conn.execute(
        "select pg_get_constraintdef(oid) from pg_constraint"
        " where conname = 'gate_examples_level_check'"
    ).fetchone()
    assert row is not None
    assert all(f"'{level.value}'" in row[0] for level in Level)
    assert row[0].count("::text") - row[0].count("::text[]") == len(Level)

"""Every gate of the contracts seed is found in code, contracts, tests and docs, with its fixtures.

The list is `tests/gate_catalogue.yml`. Source: contracts seed, "Acceptance Criteria Matrix",
"Implementable gate factory matrix", "Publication Quality Failure Taxonomy".
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tidegate.contracts.gate_entries import entry_name
from tidegate.gates import GATES

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
CATALOGUE: dict[str, dict[str, Any]] = yaml.safe_load(
    (TESTS / "gate_catalogue.yml").read_text(encoding="utf-8")
)
FIXTURES = [
    (gate_id, fixture, node)
    for gate_id, entry in CATALOGUE.items()
    for fixture, node in entry["fixtures"].items()
]


def test_the_list_is_in_the_registry() -> None:
    """No entry without a gate, in the matrix' default severity; other gates are no entries."""
    assert {gate_id: entry["severity"] for gate_id, entry in CATALOGUE.items()} == {
        gate.gate_id: gate.severity.value for gate in GATES.values() if gate.gate_id in CATALOGUE
    }
    assert {
        gate_id: entry["taxonomy"] for gate_id, entry in CATALOGUE.items() if "taxonomy" in entry
    } == {gate.gate_id: gate.taxonomy_id for gate in GATES.values() if gate.taxonomy_id}


@pytest.mark.parametrize("gate_id", CATALOGUE)
def test_a_gate_is_attached_to_the_reference_domain(gate_id: str) -> None:
    """In a contract, where an engineer reads which gates a model has; one reads code instead."""
    assert gate_id in attached() or GATES[gate_id].static


@pytest.mark.parametrize("gate_id", CATALOGUE)
def test_a_gate_is_found_in_tests_and_docs(gate_id: str) -> None:
    """By its id, and by the id of its entry in the taxonomy where it has one."""
    docs = (ROOT / "docs" / "gates.md").read_text(encoding="utf-8")
    names = [gate_id, *filter(None, [CATALOGUE[gate_id].get("taxonomy")])]
    for name in names:
        assert name in docs
    assert any(f'"{gate_id}"' in text or f"{gate_id}:" in text for text in texts_of_tests())


@pytest.mark.parametrize(("gate_id", "fixture", "node"), FIXTURES)
def test_a_required_fixture_is_one_named_test(gate_id: str, fixture: str, node: str) -> None:
    """The test exists, has no mark that keeps it from running, and is no other fixture's."""
    file, _, name = node.partition("::")
    function, _, parameter = name.partition("[")
    path = (TESTS / "integration" / file).resolve()
    found = {
        item.name: item
        for item in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(item, ast.FunctionDef)
    }
    assert function in found, f"{gate_id}, {fixture}: {node} does not exist"
    decorators = "".join(ast.unparse(item) for item in found[function].decorator_list)
    assert "skip" not in decorators
    assert "xfail" not in decorators
    assert "mark.long" not in decorators
    if parameter:
        assert parameter.rstrip("]") in path.read_text(encoding="utf-8")
    assert [item[2] for item in FIXTURES].count(node) == 1


@cache
def attached() -> frozenset[str]:
    """Names of the gates that stand in `data_tests` of a contract or model of the project."""
    found: set[str] = set()
    for folder in ("contracts", "models"):
        for path in (ROOT / folder).rglob("*.yml"):
            document = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
            sources = [table for it in document.get("sources", ()) for table in it["tables"]]
            for piece in (*document.get("models", ()), *sources):
                names = (entry_name(entry) for entry in piece.get("data_tests", ()))
                found.update(name.rpartition(".")[2] for name in names if name)
    return frozenset(found)


@cache
def texts_of_tests() -> tuple[str, ...]:
    """Tests beside this one."""
    return tuple(path.read_text(encoding="utf-8") for path in TESTS.glob("*/test_*.py"))

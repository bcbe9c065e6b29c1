"""Every gate of the contracts seed is found in code, contracts, tests and docs, with its fixtures.

The list is `tests/gate_catalogue.yml`. Source: contracts seed, "Acceptance Criteria Matrix",
"Implementable gate factory matrix", "Publication Quality Failure Taxonomy".
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tidegate.contracts.gate_entries import entry_name
from tidegate.contracts.keys import DeliveryKind
from tidegate.contracts.load import load_project
from tidegate.gates.registry import GATES

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


DELIVERED = {
    "source_reachability", "source_parseability", "source_key_uniqueness", "source_freshness",
}  # fmt: skip
"""Contracts seed, "Layered checks", sources.*; the count of a delivery is compared in snapshots."""


def test_every_dataset_is_judged_as_it_was_delivered() -> None:
    """Reached, readable, no key twice, fresh; of snapshots as large as the one before."""
    for name, gates in gates_of("contracts/datasets", "sources").items():
        kind = DATASETS[name].keys.delivery.kind
        counted = {"source_count_delta"} if kind is DeliveryKind.SNAPSHOT else set()
        assert gates >= DELIVERED | counted, name
    assert gates_of("contracts/datasets", "sources").keys() == DATASETS.keys()


@pytest.mark.parametrize(
    ("models", "reads", "needed"),
    [
        ("staging/*/stg_*", "receipt_columns(", {"identifier_presence", "provenance_retention"}),
        ("evidence/claims__*", "", {"source_locator", "source_artifact_immutability",
                                    "claim_origin"}),
        ("resolution/candidates__*", "", {"conflict_routing"}),
        ("resolution/links__*", "", {"resolution_basis", "llm_verifier_required"}),
        ("resolution/int_curation_overlays", "", {"curation_effective_state"}),
        ("resolution/int_curation_decisions", "", {"curation_review_state"}),
        ("provenance/source_artifacts__*", "", {"source_artifact_immutability"}),
        ("canonical/assertions", "", {"source_authority", "document_version", "assertion_support"}),
    ],
)  # fmt: skip
def test_every_model_of_a_layer_has_the_gates_of_its_layer(
    models: str, reads: str, needed: set[str]
) -> None:
    """What is read from a landed list, every slice of claims, candidates, links and artefacts."""
    gates = gates_of("models", "models")
    found = [path for path in (ROOT / "models").glob(f"{models}.sql") if reads in text_of(path)]
    assert found
    lacking = {path.stem: needed - gates.get(path.stem, set()) for path in found}
    assert {name: missing for name, missing in lacking.items() if missing} == {}


def test_every_mapped_word_of_a_source_is_judged_where_it_is_staged() -> None:
    """What the quarantine of a source watches is mapped or stands in it: the gate says so."""
    watched = {
        (staged, model, tuple(re.findall(r"\w+", key)), column)
        for path in (ROOT / "models" / "staging").glob("*/enum_quarantine*.sql")
        for model, staged, key, columns in WATCHED.findall(text_of(path))
        for column in re.findall(r"\w+", columns)
    }
    judged = {
        (name, said["quarantined_as"], tuple(said["row_key"]), column)
        for name, entry in entries("models", "models")
        if isinstance(entry, dict) and (said := entry.get("enum_mapping", {}).get("arguments"))
        for column in said["enums"]
        if "quarantined_as" in said
    }
    assert len(watched) > 40
    assert watched - judged == set()


WATCHED = re.compile(
    r'\(\s*"(q_\w+)",\s*ref\("(stg_\w+)"\),\s*\[([^\]]*)\],\s*\[([^\]]*)\]', re.DOTALL
)
"""An entry of a quarantine: the model whose enum it is, what is staged, its key, its columns."""
DATASETS = load_project(ROOT).datasets


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def entries(folder: str, kind: str) -> list[tuple[str, Any]]:
    """What stands in `data_tests` of the models or sources below a folder."""
    found: list[tuple[str, Any]] = []
    for path in (ROOT / folder).rglob("*.yml"):
        document = yaml.safe_load(text_of(path)) or {}
        tables = [table for source in document.get("sources", ()) for table in source["tables"]]
        for piece in tables if kind == "sources" else document.get("models", ()):
            found.extend((piece["name"], entry) for entry in piece.get("data_tests", ()))
    return found


def gates_of(folder: str, kind: str) -> dict[str, set[str]]:
    """The same as names of gates, by model or dataset."""
    found: dict[str, set[str]] = {}
    for name, entry in entries(folder, kind):
        found.setdefault(name, set()).add((entry_name(entry) or "").rpartition(".")[2])
    return found


@cache
def attached() -> frozenset[str]:
    """Names of the gates that stand in `data_tests` of a contract or model of the project."""
    folders = [("contracts", "models"), ("contracts", "sources"), ("models", "models"),
               ("models", "sources")]  # fmt: skip
    return frozenset(gate for it in folders for gates in gates_of(*it).values() for gate in gates)


@cache
def texts_of_tests() -> tuple[str, ...]:
    """Tests beside this one."""
    return tuple(path.read_text(encoding="utf-8") for path in TESTS.glob("*/test_*.py"))

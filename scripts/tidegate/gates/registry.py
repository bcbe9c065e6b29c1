"""The gates: where each applies, what it demands, how to remedy what it finds.

A gate is one macro file in `macros/gates/`, one entry here or in a module listed here, and one
call; docs/gates.md has one section each. Source: contracts seed, "Acceptance Criteria Matrix".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tidegate.gates import calls
from tidegate.gates.calls_evidence import EVIDENCE
from tidegate.gates.calls_layers import LAYERS
from tidegate.gates.calls_publications import PUBLICATION
from tidegate.gates.gate import Gate
from tidegate.gates.semantics import SEMANTIC

_ALL = (
    Gate(
        gate_id="schema_contract",
        applies_to="every q_* model",
        demands="The relation exists and has the columns, types and nullability of its contract.",
        remedy="Make the model's SQL and its contract agree: correct the one that is wrong, and "
        "document columns that are new.",
        own_call=calls.schema_contract,
        about_columns=True,
    ),
    Gate(
        gate_id="catalog_contract_coverage",
        applies_to="q_catalog__<family>",
        demands="Every physical column of a q_* relation has a complete row in the catalogue.",
        remedy="Describe the column in its model's contract, with the model's version, grain, "
        "owner and provenance policy; drop relations that no contract describes.",
        own_call=calls.catalog_contract_coverage,
        about_columns=True,
    ),
    Gate(
        gate_id="referential_integrity",
        applies_to="q_* models that carry keys of other models",
        demands="Every key that is not null is a key of its owner model.",
        remedy="Build the owner's missing rows, correct the key, or leave it null until it is "
        "resolved; an owner that does not exist yet is declared `deferred: true`.",
        own_call=calls.referential_integrity,
    ),
    Gate(
        gate_id="provenance_coverage",
        applies_to="q_* models whose provenance policy asks for receipts",
        demands="Every required row and fact has a complete receipt in the family's provenance, "
        "which names the overlay behind whatever a curator changed.",
        remedy="Build the receipts that q_provenance__<family> lacks, with artefact, content hash, "
        "version, locator and, of what a curator changed, curation_overlay_key.",
        own_call=calls.provenance_coverage,
    ),
    *EVIDENCE,
    *SEMANTIC,
    *PUBLICATION,
    *LAYERS,
)

GATES: Mapping[str, Gate] = MappingProxyType({gate.gate_id: gate for gate in _ALL})
"""Every gate by its id, in the order of the acceptance matrix, then by layer."""


def id_of(gate: str, arguments: Mapping[str, Any]) -> str:
    """The id of one check of a gate: `llm_cost_cap` for the task x is `llm_cost_cap_x`."""
    parameter = GATES[gate].parameter
    return f"{gate}_{arguments[parameter]}" if parameter and arguments.get(parameter) else gate


def gate_of(gate_id: str) -> Gate | None:
    """The gate that a result's id means: `llm_cost_cap_x` is `llm_cost_cap` for the task x."""
    if gate_id in GATES:
        return GATES[gate_id]
    for gate in GATES.values():
        if gate.parameter and gate_id.startswith(f"{gate.gate_id}_"):
            return gate
    return None


def position(gate_id: str) -> int:
    """Where a gate stands in the acceptance matrix; whatever is no gate of ours comes last."""
    gate = gate_of(gate_id)
    return list(GATES).index(gate.gate_id) if gate else len(GATES)

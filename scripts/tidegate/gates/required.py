"""The gates that a contract makes necessary (contracts seed, "Acceptance Criteria Matrix").

They are asked for twice, by the same function: of contracts alone, while somebody writes them, and
of what dbt has made of them, before anything is published.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from tidegate.contracts.keys import ModelKeys, ProvenancePolicy
from tidegate.errors import Problem
from tidegate.names import catalog_model


class Contracted(Protocol):
    """A model's contract, as dbt or as the harness has read it."""

    @property
    def name(self) -> str:
        """The model."""

    @property
    def path(self) -> str:
        """Its file, relative to the project."""

    @property
    def keys(self) -> ModelKeys:
        """What stands under `config.meta.tidegate`."""


def required_gates(model: Contracted) -> tuple[str, ...]:
    """The gates that a contract makes necessary."""
    required = ["schema_contract"]
    if model.name == catalog_model(model.keys.family):
        required.append("catalog_contract_coverage")
    if model.keys.references:
        required.append("referential_integrity")
    if model.keys.provenance.policy in (
        ProvenancePolicy.ROW_REQUIRED,
        ProvenancePolicy.FACT_REQUIRED,
    ):
        required.append("provenance_coverage")
    return tuple(required)


def problems_without(
    model: Contracted, present: Collection[str], *, prefix: str, line: int = 0
) -> list[Problem]:
    """One problem for each necessary gate that is not among those that the model has.

    `prefix` stands before a gate's name in the project, `line` is where the model's contract is.
    """
    return [
        Problem(
            model.path,
            line,
            f"models[{model.name}].data_tests",
            f"{model.name} has no gate `{gate_id}`, which its contract makes necessary.",
            f"Add `- {prefix}{gate_id}`.",
        )
        for gate_id in required_gates(model)
        if gate_id not in present
    ]

"""What the registry knows of a gate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tidegate.gates.calls import Call
from tidegate.gates.calls_semantics import semantic
from tidegate.gates.model import GateSpec, Severity
from tidegate.gates.relations import Relations


@dataclass(frozen=True)
class Gate:
    """One entry of the acceptance matrix; it blocks where it does not say otherwise.

    `own_call` is how its macro is called where that takes more than rows, see `call`;
    `about_columns` says that its row keys are names of columns, which may always be shown;
    `parameter` names an argument that is the end of the gate's id, as in `llm_cost_cap_<task>`;
    `taxonomy_id` is its entry in the seed's "Publication Quality Failure Taxonomy";
    `static` says that it reads code and no relation, so that it has no macro and no dbt test.
    """

    gate_id: str
    applies_to: str
    demands: str
    remedy: str
    severity: Severity = Severity.BLOCKING
    own_call: Callable[[GateSpec, Relations], Call] | None = None
    about_columns: bool = False
    parameter: str | None = None
    taxonomy_id: str | None = None
    static: bool = False

    def call(self, spec: GateSpec, relations: Relations) -> Call:
        """The gate for one spec; it judges rows by the macro of its name, unless it says how."""
        if self.own_call:
            return self.own_call(spec, relations)
        return semantic(self.gate_id, spec, relations)

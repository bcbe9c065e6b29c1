"""Every gate with where it applies, its severity, and what it said last of each model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from tidegate.connection import Connection
from tidegate.gates.model import Severity, Status
from tidegate.gates.registry import GATES, gate_of
from tidegate.publishing.node_results import Check

_LAST = """
select distinct on (results.gate_id, results.asset)
    results.gate_id,
    results.asset,
    results.family,
    results.generation,
    results.severity,
    results.status,
    results.rows_checked,
    results.rows_failing,
    results.evaluated_at
from governance.gate_results as results
order by results.gate_id, results.asset, results.evaluated_at desc, results.result_id desc
"""


@dataclass(frozen=True)
class LastResult:
    """The newest verdict of one gate on one model; family and generation where it was a
    candidate's."""

    gate_id: str
    asset: str
    family: str | None
    generation: int | None
    severity: Severity
    status: Status
    rows_checked: int | None
    rows_failing: int | None
    evaluated_at: datetime


@dataclass(frozen=True)
class NeverRan:
    """A gate on an asset that the project declares and no run has evaluated."""

    asset: str
    severity: Severity


@dataclass(frozen=True)
class GateOverview:
    """One gate: what it demands, of what, and its newest results by model.

    `applies_to`, `demands` and `remedy` are empty for a dbt test that is no gate of Tidegate's;
    `never_ran` are those that the project declares and no run has evaluated, None where it could
    not be read.
    """

    gate_id: str
    severity: Severity
    applies_to: str
    demands: str
    remedy: str
    results: tuple[LastResult, ...]
    never_ran: tuple[NeverRan, ...] | None = ()

    def document(self) -> dict[str, Any]:
        """The same as one JSON document."""
        return asdict(self)


def gate_overview(
    conn: Connection, declared: Sequence[Check] | None = ()
) -> tuple[GateOverview, ...]:
    """All gates in the order of the acceptance matrix, then other checks that are declared or ran.

    `declared` are the checks of the project, None where it cannot be read.
    """
    last = [
        LastResult(gate, asset, family, generation, Severity(severity), Status(status), *rest)
        for gate, asset, family, generation, severity, status, *rest in conn.execute(_LAST)
    ]
    ran = {(result.gate_id, result.asset) for result in last}
    ever = {result.gate_id for result in last}
    silent = [
        check
        for check in declared or ()
        # A test of no single model is recorded for one of those that it reads.
        if (check.gate_id, check.asset) not in ran and (check.attached or check.gate_id not in ever)
    ]
    others = sorted((ever | {check.gate_id for check in silent}) - set(GATES))

    def overview(gate_id: str) -> GateOverview:
        results = tuple(result for result in last if result.gate_id == gate_id)
        never = tuple(
            NeverRan(check.asset, Severity(check.severity))
            for check in silent
            if check.gate_id == gate_id
        )
        gate = gate_of(gate_id)  # or one check of a gate that has a parameter, llm_cost_cap_x
        return GateOverview(
            gate_id,
            gate.severity if gate_id in GATES and gate else _severity((*results, *never)),
            gate.applies_to if gate else "",
            gate.demands if gate else "",
            gate.remedy if gate else "",
            results,
            None if declared is None else never,
        )

    return tuple(overview(gate_id) for gate_id in (*GATES, *others))


def _severity(checks: Sequence[LastResult | NeverRan]) -> Severity:
    blocking = any(check.severity is Severity.BLOCKING for check in checks)
    return Severity.BLOCKING if blocking else Severity.WARNING

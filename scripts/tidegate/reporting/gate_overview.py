"""Every gate with where it applies, its severity, and what it said last of each model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from tidegate.connection import Connection
from tidegate.gates.model import Severity, Status
from tidegate.gates.registry import GATES, gate_of

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
class GateOverview:
    """One gate: what it demands, of what, and its newest results by model.

    `applies_to`, `demands` and `remedy` are empty for a dbt test that is no gate of Tidegate's.
    """

    gate_id: str
    severity: Severity
    applies_to: str
    demands: str
    remedy: str
    results: tuple[LastResult, ...]

    def document(self) -> dict[str, Any]:
        """The same as one JSON document."""
        return asdict(self)


def gate_overview(conn: Connection) -> tuple[GateOverview, ...]:
    """All gates in the order of the acceptance matrix, then other checks that ever ran."""
    last = [
        LastResult(gate, asset, family, generation, Severity(severity), Status(status), *rest)
        for gate, asset, family, generation, severity, status, *rest in conn.execute(_LAST)
    ]
    known = [
        GateOverview(
            gate.gate_id,
            gate.severity,
            gate.applies_to,
            gate.demands,
            gate.remedy,
            _of(last, gate.gate_id),
        )
        for gate in GATES.values()
    ]
    others = sorted({result.gate_id for result in last} - set(GATES))
    return (*known, *(_other(gate_id, _of(last, gate_id)) for gate_id in others))


def _of(last: Sequence[LastResult], gate_id: str) -> tuple[LastResult, ...]:
    return tuple(result for result in last if result.gate_id == gate_id)


def _other(gate_id: str, results: tuple[LastResult, ...]) -> GateOverview:
    blocking = any(result.severity is Severity.BLOCKING for result in results)
    severity = Severity.BLOCKING if blocking else Severity.WARNING
    gate = gate_of(gate_id)  # one check of a gate that has a parameter, such as llm_cost_cap_x
    if gate is None:
        return GateOverview(gate_id, severity, "", "", "", results)
    return GateOverview(gate_id, severity, gate.applies_to, gate.demands, gate.remedy, results)

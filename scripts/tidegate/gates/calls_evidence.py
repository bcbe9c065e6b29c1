"""The gates of claims, artefacts and inference records, for any model or source."""

from __future__ import annotations

from tidegate.gates.calls_semantics import semantic
from tidegate.gates.gate import Gate
from tidegate.gates.model import Severity


def _gate(
    gate_id: str,
    applies_to: str,
    demands: str,
    remedy: str,
    severity: Severity = Severity.BLOCKING,
    parameter: str | None = None,
) -> Gate:
    call = semantic(gate_id)
    return Gate(gate_id, applies_to, severity, demands, remedy, call, parameter=parameter)


EVIDENCE = (
    _gate(
        "source_locator",
        "evidence claims",
        "Every claim that facts may stand on names its artefact and the place in it, in a shape "
        "that its source family allows.",
        "Keep artefact, shape and place where the claim is read; a claim without them stays "
        "`canonical_bound: false`.",
    ),
)
"""In the order of the acceptance matrix."""

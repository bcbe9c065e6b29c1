"""Results of dbt's tests on the layers below the families, in the form of gate results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tidegate.publishing.dbt import NodeResult

_STATUS = {"pass": "pass", "warn": "warn", "fail": "fail", "error": "error"}


def lower_documents(results: Sequence[NodeResult]) -> list[dict[str, Any]]:
    """One document for each test; a test that dbt skipped was not evaluated."""
    return [
        {
            "gate_id": node.gate_id,
            "asset": node.asset,
            "severity": node.severity,
            "status": _STATUS.get(node.status, "not_evaluated"),
            "rows_checked": None,
            "rows_failing": node.failures,
            "publication_protected": False,
            "unique_id": node.unique_id,
            "said": node.said,
        }
        for node in results
        if node.kind == "test"
    ]

"""Results of dbt's tests on the layers below the families, in the form of gate results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from tidegate.ledger import review
from tidegate.publishing.node_results import NodeResult

Connection = psycopg.Connection[tuple[Any, ...]]

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


def open_lower_reviews(conn: Connection, results: Sequence[NodeResult], source: str) -> int:
    """Open a review item for each test below that warned: a warning is never lost.

    `source` names the build; the same warning of the same build is one sighting.
    """
    warned = [node for node in results if node.kind == "test" and node.status == "warn"]
    with conn.transaction():
        for node in warned:
            review.open_item(
                conn,
                review.ReviewKind.GATE,
                node.asset,
                node.gate_id,
                source,
                {"rows_warning": node.failures, "severity": node.severity},
            )
    return len(warned)

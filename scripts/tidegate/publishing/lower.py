"""Results of dbt's tests on the layers below the families, in the form of gate results.

dbt says how many rows a gate rejects. How many it looked at is counted behind it, and of the gates
that did not pass is asked which they reject and why, as of those of families.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import psycopg

from tidegate.connection import Connection
from tidegate.gates.evaluate import violations_of
from tidegate.gates.manifest import contract_path, public_columns
from tidegate.gates.registry import gate_of
from tidegate.gates.result import keys_of
from tidegate.ledger import review
from tidegate.publishing.lower_counts import rows_checked
from tidegate.publishing.node_results import NodeResult

_STATUS = {"pass": "pass", "warn": "warn", "fail": "fail", "error": "error"}


def lower_documents(
    conn: Connection, manifest: Any, results: Sequence[NodeResult]
) -> list[dict[str, Any]]:
    """One document for each test; a test that dbt skipped was not evaluated.

    `manifest` is dbt's own. Of a gate that did not pass the document has reasons and samples, of
    every gate what its contract and the catalogue of gates say of it.
    """

    @cache
    def judged(unique_id: str) -> Mapping[str, Any]:
        # Many gates are on one node, and dbt makes a dictionary of it slowly.
        node = manifest.nodes.get(unique_id) or manifest.sources.get(unique_id)
        return node.to_dict(omit_none=True) if node else {}

    counted = rows_checked(conn, manifest, results)
    return [
        {
            "gate_id": node.gate_id,
            "asset": node.asset,
            "severity": node.severity,
            "status": _STATUS.get(node.status, "not_evaluated"),
            "rows_checked": counted.get(node.unique_id),
            "rows_failing": node.failures,
            "publication_protected": False,
            "unique_id": node.unique_id,
            "said": node.said,
            **_of_gate(conn, manifest.nodes.get(node.unique_id), node, judged),
        }
        for node in results
        if node.kind == "test"
    ]


def _of_gate(
    conn: Connection,
    test: Any,
    result: NodeResult,
    judged: Callable[[str], Mapping[str, Any]],
) -> dict[str, Any]:
    gate = gate_of(result.gate_id)
    if gate is None or test is None:
        return {}
    given: Mapping[str, Any] = test.test_metadata.kwargs if test.test_metadata else {}
    node = judged(str(getattr(test, "attached_node", None) or ""))
    about = {
        "slice": given.get("slice"),
        "owner": given.get("owner"),
        "contract_ref": given.get("contract_ref") or contract_path(node),
        "asset_keys": [result.asset],
        "remediation_hint": gate.remedy,
    }
    if result.status not in ("fail", "warn") or not result.sql:
        return about
    row_key = set(given.get("row_key") or ())
    show_keys = bool(row_key) and row_key <= public_columns(node)
    try:
        with conn.transaction():
            reasons, samples = violations_of(conn, gate, result.sql, show_keys=show_keys)
    except psycopg.Error:
        return about  # what dbt counted stands; who is meant can be asked of the relation
    return {
        **about,
        "reasons": reasons,
        "sample_keys": list(keys_of(samples)),
        "samples": [sample.document() for sample in samples],
    }


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

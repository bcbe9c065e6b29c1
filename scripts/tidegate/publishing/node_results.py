"""What became of dbt's nodes, and what of its messages may be said.

dbt repeats the server's error text, which holds values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

# Server errors that speak of names and syntax, never of values.
_SAFE = re.compile(
    r'(relation|column|function|schema|type|operator|role) "?[\w.":()\[\], ]+"? does not exist'
    r"|syntax error at or near .{1,40}|permission denied for .{1,120}"
    r"|No space left on device|deadlock detected|canceling statement due to [a-z ]{1,40}"
    r"|This model has an enforced contract that failed"
    r"|Compilation Error.*|depends on a node named .{1,120}"
)

_LONGEST = 600
"""Characters of what dbt says about files; a list of hundreds of nodes helps nobody."""


@dataclass(frozen=True)
class NodeResult:
    """What became of one dbt node; `said` is safe to show.

    A test also has the gate it is, the asset it looks at and its severity.
    """

    unique_id: str
    name: str
    kind: str
    status: str
    failures: int
    said: str
    gate_id: str = ""
    asset: str = ""
    severity: str = "blocking"


def node_result(entry: Any) -> NodeResult:
    """What of a dbt result concerns us."""
    status = str(getattr(entry.status, "value", entry.status))
    node = entry.node
    metadata = getattr(node, "test_metadata", None)
    is_test = str(node.resource_type) == "test"
    severity = str(getattr(node.config, "severity", "error")).lower()
    return NodeResult(
        unique_id=node.unique_id,
        name=node.name,
        kind=str(node.resource_type),
        status=status,
        failures=int(entry.failures or 0),
        said=_said(status, is_test, entry),
        gate_id=metadata.name if metadata else node.name,
        asset=_asset(node) if is_test else node.name,
        severity="warning" if severity == "warn" else "blocking",
    )


def _said(status: str, is_test: bool, entry: Any) -> str:
    if status in ("success", "pass"):
        return ""
    if is_test and status in ("fail", "warn"):
        return f"{entry.failures} violations"
    if status == "skipped":
        return "skipped: something it needs failed"
    return safe(entry.message or "")


def _asset(node: Any) -> str:
    """The model or source a test looks at: what it is attached to, else its first parent."""
    attached = getattr(node, "attached_node", None)
    parents = list(node.depends_on.nodes)
    return str(attached or (parents[0] if parents else node.name)).rsplit(".", 1)[-1]


def of_files(message: str) -> str:
    """What dbt says while it parses, on one line: it has read files then, and no relation."""
    return " ".join(message.split())[:_LONGEST]


def safe(message: str) -> str:
    """What of dbt's message speaks of names and syntax only."""
    match = _SAFE.search(message)
    if match:
        return match[0].splitlines()[0].strip()
    return "the server refused it (its text may hold values and is not repeated)"

"""What became of dbt's nodes, and what of dbt's own words may be shown.

dbt repeats the server's text, which holds values; so what is passed on is known to speak of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tidegate.gates.registry import GATES, id_of
from tidegate.warehouse.connect import NAMES_WHAT_IS_MISSING

# Errors that speak of names and syntax, never of values: the server's, dbt's, and those that
# Tidegate's own macros raise.
_SAFE = re.compile(
    NAMES_WHAT_IS_MISSING + r"|syntax error at or near .{1,40}|permission denied for .{1,120}"
    r"|No space left on device|deadlock detected|canceling statement due to [a-z ]{1,40}"
    r"|(?:timeout expired|Connection refused|sorry, too many clients already"
    r"|server closed the connection unexpectedly|terminating connection due to [a-z -]{1,40}"
    r"|the database system is [a-z ]{1,40})"
    r"|The (?:gate|test) \w+ (?:on|is|has|names|finds|reads) .{1,240}"
    r"|'[\w ]+' (?:has no attribute '\w+'|is undefined)"
    r"|depends on a node named .{1,120}|Row security hides rows of .{1,240}"
    r'|query would be affected by row-level security policy for table "[^"]{1,80}"'
)
LOCK_TIMEOUT = "canceling statement due to lock timeout"
"""What is said of a node that waited for a lock in vain."""
_UNKNOWN_TEST = re.compile(r"has no attribute 'test_(\w+)'")
_IN_GENERAL = re.compile(r"Compilation Error.*")
_COLUMN = re.compile(r"^\s*\|([^|]+)\|([^|]*)\|([^|]*)\|([^|]+)\|\s*$", re.MULTILINE)
_COLUMNS_TOLD = 10
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
    sql: str | None = field(default=None, repr=False)
    """Of a test, what dbt compiled it to."""
    held_by: tuple[str, ...] = ()
    """Who held the lock that it waited for in vain, and on what."""

    @property
    def told(self) -> str:
        """The node as a person knows it: a gate and what it is on, else dbt's name."""
        return self.name if self.gate_id in ("", self.name) else f"{self.gate_id} on {self.asset}"


@dataclass(frozen=True)
class Check:
    """What a test of the project is: its gate or name, the asset it looks at, its severity.

    `attached` says that it is written at that asset, and is not a query that only reads it.
    """

    gate_id: str
    asset: str
    severity: str
    attached: bool


def check_of(node: Any) -> Check:
    """What a node of dbt's manifest checks; of one that is no test only the name means anything."""
    metadata = getattr(node, "test_metadata", None)
    name = metadata.name if metadata else node.name
    # Another project may have a test of the same name: a gate is what runs the gate's macro.
    gate = name in GATES and f"macro.tidegate.test_{name}" in node.depends_on.macros
    severity = str(getattr(node.config, "severity", "error")).lower()
    return Check(
        gate_id=id_of(name, metadata.kwargs) if metadata and gate else name,
        asset=looked_at(node).rpartition(".")[2] or node.name,
        severity="warning" if severity == "warn" else "blocking",
        attached=metadata is not None,
    )


def node_result(entry: Any) -> NodeResult:
    """What dbt says of one node, without what may be a value."""
    status = str(getattr(entry.status, "value", entry.status))
    node = entry.node
    is_test = str(node.resource_type) == "test"
    check = check_of(node)
    return NodeResult(
        unique_id=node.unique_id,
        name=node.name,
        kind=str(node.resource_type),
        status=status,
        failures=int(entry.failures or 0),
        said=_said(status, is_test, entry),
        gate_id=check.gate_id,
        asset=check.asset if is_test else node.name,
        severity=check.severity,
        sql=getattr(node, "compiled_code", None) if is_test else None,
    )


def _said(status: str, is_test: bool, entry: Any) -> str:
    if status in ("success", "pass"):
        return ""
    if is_test and status in ("fail", "warn"):
        return f"{entry.failures} violations"
    if status == "skipped":
        return "skipped: something it needs failed"
    return safe(entry.message or "")


def looked_at(test: Any) -> str:
    """Unique id of what a test is written at, else of the first that it reads; "" of none.

    dbt says it of models; a test of a source only reads it.
    """
    parents = list(getattr(test.depends_on, "nodes", ()))
    return str(getattr(test, "attached_node", None) or (parents[0] if parents else ""))


def of_files(message: str) -> str:
    """What dbt says while it parses, on one line: it has read files then, and no relation."""
    return " ".join(message.split())[:_LONGEST]


def safe(message: str) -> str:
    """What of dbt's message speaks of names and syntax only."""
    if "enforced contract that failed" in message:
        return "its columns are not those of its contract: " + "; ".join(_differences(message))
    unknown = _UNKNOWN_TEST.search(message)
    if unknown:
        return f"there is no test {unknown[1]}"
    match = _SAFE.search(message) or _IN_GENERAL.search(message)
    if match:
        return match[0].splitlines()[0].strip()
    return "the server refused it (its text may hold values and is not repeated)"


def _differences(message: str) -> Iterator[str]:
    """Each row of dbt's table of columns in words: name, the model's type, the contract's."""
    rows = [tuple(map(str.strip, row)) for row in _COLUMN.findall(message)]
    columns = [row for row in rows if row[0] != "column_name" and row[0].strip("-")]
    for name, model, contract, why in columns[:_COLUMNS_TOLD]:
        yield (
            f"{name} ({why})" if not (model and contract) else f"{name} is {model}, not {contract}"
        )
    if len(columns) > _COLUMNS_TOLD:
        yield f"and {len(columns) - _COLUMNS_TOLD} more"

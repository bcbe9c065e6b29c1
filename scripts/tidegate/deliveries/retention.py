"""What the retention of the contracts would remove from deliveries, and why something stays.

A dataset keeps for ever what its contract gives no days for, and a dataset without a contract keeps
everything. Never listed, or listed as kept: what a landing view shows (except rows of an `append`
dataset, which go by age alone), what held records or an open run still need, what is under hold.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tidegate.connection import Connection
from tidegate.contracts.model import Project
from tidegate.deliveries import row_retention
from tidegate.deliveries.vocabulary import Pruned

_PRUNABLE = (Path(__file__).parent / "sql" / "prunable.sql").read_bytes()


@dataclass(frozen=True)
class Prunable:
    """Something older than its contract keeps it; `kept_because` is empty where it may go.

    `records` are rows or quarantined values, `bytes` what they or the file take (0: not known).
    """

    kind: Pruned
    datasets: tuple[str, ...]
    delivery_id: int
    run_id: int | None
    sha256: str | None
    records: int
    bytes: int
    kept_because: str

    @property
    def label(self) -> str:
        """Such as `40 rows of orders, delivery 7`."""
        what = {
            Pruned.STAGE: f"the stage of run {self.run_id}",
            Pruned.QUARANTINE: f"{self.records} quarantined values",
            Pruned.ROWS: f"{self.records} rows",
            Pruned.ARTIFACT: f"the artefact {(self.sha256 or '')[:12]} ({self.bytes} bytes)",
        }[self.kind]
        return f"{what} of {', '.join(self.datasets)}, delivery {self.delivery_id}"

    def document(self) -> dict[str, Any]:
        """The item as JSON."""
        return {
            "kind": self.kind.value,
            "datasets": list(self.datasets),
            "delivery_id": self.delivery_id,
            "run_id": self.run_id,
            "artifact_sha256": self.sha256,
            "records": self.records,
            "bytes": self.bytes,
            "prunable": not self.kept_because,
            "kept_because": self.kept_because or None,
        }


def plan(
    conn: Connection,
    project: Project,
    *,
    at: datetime,
    dataset: str | None = None,
    kinds: Collection[Pruned] = tuple(Pruned),
) -> tuple[Prunable, ...]:
    """Everything that is older at `at` than its contract keeps it."""
    contracts = project.datasets
    rows = conn.execute(
        _PRUNABLE,
        {
            "datasets": list(contracts),
            "artifacts_days": [one.keys.retention.artifacts_days for one in contracts.values()],
            "quarantine_days": [one.keys.retention.quarantine_days for one in contracts.values()],
            "only": dataset,
            "at": at,
        },
    ).fetchall()
    found = [Prunable(Pruned(row[0]), tuple(row[1]), *row[2:]) for row in rows]
    pinned = row_retention.pinned(project)
    for contract in contracts.values():
        if Pruned.ROWS in kinds and dataset in (None, contract.name):
            found.extend(
                Prunable(Pruned.ROWS, (contract.name,), delivery, None, None, records, 0, why)
                for delivery, records, why in row_retention.old(conn, contract, pinned, at)
            )
    return tuple(item for item in found if item.kind in kinds)

"""A run with everything it needs, and the two ways in which it goes no further."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.deliveries.runs import Counts, Run
from tidegate.deliveries.vocabulary import HaltedIn, RunStatus
from tidegate.ledger import publications
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse


@dataclass(frozen=True)
class Job:
    """A run and everything it needs; `attempt` where a producer handed the delivery over."""

    warehouse: Warehouse
    conn: Connection
    run: Run
    contract: DatasetContract
    settings: Settings
    attempt: publications.Attempt | None

    @property
    def store(self) -> Path:
        """The artefact store."""
        return self.settings.artifacts_dir


class Halt(Exception):
    """The run goes no further now, for a reason known in advance."""

    def __init__(
        self,
        status: RunStatus,
        reason: str,
        detail: str,
        *,
        halted_in: HaltedIn | None = None,
        counts: Counts | None = None,
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.detail = detail
        self.halted_in = halted_in
        self.counts = counts


class Ended(Exception):
    """The run's end is recorded already."""

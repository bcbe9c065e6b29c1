"""The step that decides about the schema: go on, wait for somebody, or end."""

from __future__ import annotations

from collections.abc import Iterable

from tidegate.deliveries import approvals, drift
from tidegate.deliveries.job import Halt, Job
from tidegate.deliveries.parse_step import Read
from tidegate.deliveries.runs import Counts
from tidegate.deliveries.vocabulary import HaltedIn, RunReason, RunStatus
from tidegate.names import listed, shown


def govern(job: Job, read: Read) -> None:
    """Record the drift; park or end the run where the policy says so."""
    verdict = drift.resolve(job.conn, job.run, job.contract, read.decision)
    if verdict.automatic and not verdict.waits:
        approvals.propose(
            job.conn, job.settings.project_dir, job.settings.home, job.contract, job.run.run_id
        )
    withheld = Counts(read.records, 0, 0, read.records)
    if verdict.unknown:
        raise Halt(
            RunStatus.FAILED,
            RunReason.DRIFT_BLOCKED.value,
            "The delivery could not be compared with its contract: it has none of its columns. "
            "The contract stands unchanged.",
            halted_in=HaltedIn.GOVERNANCE,
            counts=withheld,
        )
    if verdict.refused:
        raise Halt(
            RunStatus.FAILED,
            RunReason.DRIFT_BLOCKED.value,
            f"The drift policy blocks: {_names(verdict.refused)}. The contract stands unchanged.",
            halted_in=HaltedIn.GOVERNANCE,
            counts=withheld,
        )
    if verdict.rejected:
        raise Halt(
            RunStatus.REJECTED,
            RunReason.DRIFT_REJECTED.value,
            f"Rejected: {_names(verdict.rejected)}. The contract stands unchanged.",
            halted_in=HaltedIn.GOVERNANCE,
            counts=withheld,
        )
    if verdict.parked:
        raise Halt(
            RunStatus.PARKED,
            RunReason.DRIFT_PARKED.value,
            f"Waits for an answer about: {_names(verdict.parked)}. "
            f"`tidegate drift show {job.run.run_id}` says what changed.",
            counts=withheld,
        )


def _names(fields: Iterable[str]) -> str:
    return listed([shown(name) for name in sorted(set(fields))])

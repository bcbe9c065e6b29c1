"""People's answers to parked schema changes.

Who may answer is declared in the contract as database roles, and asked of the connected role, not
of a name somebody gives: no flag in a file is ever an approval (policy seed). An approval records
approver, reason and the hash of the contract that results, and writes the change as a patch; the
contract marker moves when a run sees YAML of that hash (design §3).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tidegate.connection import Connection
from tidegate.contracts.keys import ChangeKind
from tidegate.contracts.model import DatasetContract, Project
from tidegate.deliveries.contract_patch import Wanted, patch
from tidegate.deliveries.drift import POLICY
from tidegate.deliveries.drift_rows import DriftRow, of_run
from tidegate.deliveries.vocabulary import Resolution
from tidegate.errors import ContractError, UsageError
from tidegate.ledger import approvals, audit


@dataclass(frozen=True)
class Answer:
    """Who answers, and why; `keeps_contract` lets this delivery pass under the contract as it is.

    What the contract lacks is then left out, and what the delivery lacks is null.
    """

    by: str
    reason: str
    keeps_contract: bool = False


@dataclass(frozen=True)
class Approved:
    """What an approval leads to; `patch_path` is None where the contract stays as it is."""

    run_id: int
    dataset: str
    changes: int
    contract_sha256: str
    patch_path: Path | None
    expires_at: datetime | None


def approve(
    conn: Connection, project_dir: Path, home: Path, project: Project, run_id: int, answer: Answer
) -> Approved:
    """Approve every parked change of a run.

    Raises UsageError where nothing waits or nobody answers, PrivilegeMissing where the connected
    role may not, ContractError where the contract that results would not be valid.
    """
    with conn.transaction():
        rows, contract = _waiting(conn, project, run_id, answer)
        resulting, place = contract.sha256, None
        wanted = [_wanted(row) for row in rows if not _needs_no_contract(row)]
        if wanted and not answer.keeps_contract:
            patched = patch(project_dir, contract, wanted)
            resulting = patched.sha256
            place = _write_patch(home, contract.name, run_id, patched.patch)
        keeps = place is None
        valid = contract.keys.drift.approval_valid_days
        expires = approvals.expiry(conn, valid)
        conn.execute(
            "update governance.drift_changes set resolution = %s, resolved_by = %s,"
            " resolved_reason = %s, resolved_at = clock_timestamp(), expires_at = %s,"
            " resulting_contract_sha256 = %s, keeps_contract = %s, patch_path = %s"
            " where run_id = %s and resolution = 'parked'",
            [
                Resolution.APPROVED.value,
                answer.by,
                answer.reason,
                expires,
                resulting,
                keeps,
                str(place) if place else None,
                run_id,
            ],
        )
        if place is not None:
            conn.execute(
                "insert into governance.contract_approvals"
                " (dataset, contract_sha256, run_id, approved_by, reason, expires_at)"
                " values (%s, %s, %s, %s, %s, %s)",
                [contract.name, resulting, run_id, answer.by, answer.reason, expires],
            )
        facts = {"run_id": run_id, "changes": len(rows), "contract_sha256": resulting}
        audit.record(
            conn, "drift.approved", contract.name, answer.by, {**facts, "reason": answer.reason}
        )
    return Approved(run_id, contract.name, len(rows), resulting, place, expires)


def propose(
    conn: Connection, project_dir: Path, home: Path, contract: DatasetContract, run_id: int
) -> Path | None:
    """Write what was applied automatically as a patch, and allow the contract that results.

    The run goes on under the contract as it is; what the contract cannot take yet is held, and
    comes in when the YAML has the change. None where no contract has to change.
    """
    rows = [
        row
        for row in of_run(conn, run_id)
        if row.resolution == Resolution.APPLIED_AUTOMATICALLY.value and not _needs_no_contract(row)
    ]
    if not rows:
        return None
    try:
        patched = patch(project_dir, contract, [_wanted(row) for row in rows])
    except ContractError:
        # Something else in the file stands against it: that is for whoever edits it.
        return None
    place = _write_patch(home, contract.name, run_id, patched.patch)
    with conn.transaction():
        conn.execute(
            "update governance.drift_changes set resulting_contract_sha256 = %s, patch_path = %s"
            " where run_id = %s and resolution = 'applied_automatically'",
            [patched.sha256, str(place), run_id],
        )
        conn.execute(
            "insert into governance.contract_approvals"
            " (dataset, contract_sha256, run_id, approved_by, reason) values (%s, %s, %s, %s, %s)",
            [contract.name, patched.sha256, run_id, POLICY, "applied automatically"],
        )
    return place


def reject(conn: Connection, project: Project, run_id: int, answer: Answer) -> int:
    """Reject every parked change of a run; return how many. The run ends when it is resumed."""
    with conn.transaction():
        rows, contract = _waiting(conn, project, run_id, answer)
        conn.execute(
            "update governance.drift_changes set resolution = %s, resolved_by = %s,"
            " resolved_reason = %s, resolved_at = clock_timestamp()"
            " where run_id = %s and resolution = 'parked'",
            [Resolution.REJECTED.value, answer.by, answer.reason, run_id],
        )
        audit.record(
            conn,
            "drift.rejected",
            contract.name,
            answer.by,
            {"run_id": run_id, "changes": len(rows), "reason": answer.reason},
        )
    return len(rows)


def _waiting(
    conn: Connection, project: Project, run_id: int, answer: Answer
) -> tuple[list[DriftRow], DatasetContract]:
    if not answer.by.strip() or not answer.reason.strip():
        raise UsageError("An answer needs who and why.", remedy="Give --by and --reason.")
    rows = of_run(conn, run_id, lock=True)
    waiting = [row for row in rows if row.resolution == Resolution.PARKED.value]
    if not waiting:
        raise UsageError(
            f"Run {run_id} has no schema change that waits for an answer.",
            remedy=f"See `tidegate drift show {run_id}`.",
        )
    contract = project.datasets.get(rows[0].dataset)
    if contract is None:
        raise UsageError(
            f"No contract declares the dataset {rows[0].dataset} any more.",
            remedy="Restore its contract first.",
        )
    approvals.require_authority(
        conn, contract.keys.drift.approvers, to=f"answer for {contract.name}"
    )
    return waiting, contract


def _needs_no_contract(row: DriftRow) -> bool:
    """Columns are matched by name: another order is accepted, not adopted."""
    return row.kind == ChangeKind.FIELD_ORDER_CHANGED.value


def _wanted(row: DriftRow) -> Wanted:
    new = str(row.details.get("new") or "")
    return Wanted(ChangeKind(row.kind), row.field, new.partition(" ")[0])


def _write_patch(home: Path, dataset: str, run_id: int, text: str) -> Path:
    folder = home / "patches"
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{dataset}-run{run_id}.patch"
    place.write_text(text, encoding="utf-8")
    return place

"""How a run ended, as the ledger has it."""

from __future__ import annotations

from pathlib import Path

from tidegate.connection import Connection
from tidegate.deliveries.report import Change, FileOutcome
from tidegate.deliveries.vocabulary import HaltedIn, RunStatus
from tidegate.names import SAMPLE_CAP

_OUTCOME = (Path(__file__).parent / "outcome.sql").read_text(encoding="utf-8")
_FINE = (RunStatus.ACCEPTED, RunStatus.DUPLICATE)


def _warnings(rules: list[str]) -> tuple[str, ...]:
    if not rules:
        return ()
    told = ", ".join(rules[:SAMPLE_CAP])
    return (f"rules that warn: {told} (`tidegate review list`)",)


def outcome_of(conn: Connection, run_id: int) -> FileOutcome:
    """The outcome of one run."""
    row = conn.execute(_OUTCOME.encode(), [run_id]).fetchone()
    assert row is not None  # noqa: S101 (the run was just written)
    status = RunStatus(row[2])
    changes = conn.execute(
        "select kind, field, reason_code, classification, disposition, resolution, drift_id"
        " from governance.drift_changes where run_id = %s order by drift_id",
        [run_id],
    ).fetchall()
    return FileOutcome(
        file=row[0],
        dataset=row[1],
        status=status,
        halted_in=HaltedIn(row[3]) if row[3] else None,
        reason=row[4],
        detail=row[5] or "",
        delivery_id=row[6],
        run_id=run_id,
        read=row[7],
        accepted=row[8],
        quarantined=row[9],
        quarantine_reasons=row[10] or {},
        reference=row[11],
        superseded_by=row[12],
        warnings=_warnings(row[13]),
        drift=tuple(Change(*change) for change in changes),
        exit_code=0 if status in _FINE else 1,
    )

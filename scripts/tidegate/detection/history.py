"""Reading histories from the ledger: one statement a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tidegate.connection import Connection
from tidegate.contracts.detection_keys import Detection
from tidegate.detection.detectors import NEWEST
from tidegate.detection.model import ColumnFacts, History, RunFacts
from tidegate.detection.vocabulary import Detector

_HISTORY = (Path(__file__).parent / "history.sql").read_text(encoding="utf-8")


def read_history(
    conn: Connection, dataset: str, run_id: int, keys: Detection
) -> tuple[History, RunFacts]:
    """The run and what it is compared with; the run exists."""
    rows = conn.execute(
        _HISTORY.encode(),
        {"dataset": dataset, "run_id": run_id, "reach": NEWEST, "dimension": keys.dimension},
    ).fetchall()
    runs = [_facts(row) for row in rows]
    return History(runs[:-1], keys), runs[-1]


def _facts(row: tuple[Any, ...]) -> RunFacts:
    return RunFacts(
        run_id=row[0],
        received_at=row[1],
        read=row[2],
        quarantined=row[3],
        columns=tuple(
            ColumnFacts(one["name"], one["type"], one["confidence"], one["values"], one["nulls"])
            for one in row[4] or ()
        ),
        repeated=row[5],
        compared=row[6],
        members=row[7],
        expected=frozenset((Detector(detector), subject) for detector, subject in row[8] or ()),
    )

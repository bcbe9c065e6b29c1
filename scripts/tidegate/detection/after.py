"""The last stage of a delivery: measure, compare, record. It never stops, changes or fails a run.

Days that passed without an expected delivery are raised here too, when the next one comes.
A run that ended before it was judged (its process died) is judged by `catch_up`.
"""

from __future__ import annotations

import psycopg

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.detection.detectors import detect
from tidegate.detection.history import read_history
from tidegate.detection.missing import raise_missing
from tidegate.detection.model import Finding
from tidegate.detection.profile import profile
from tidegate.detection.record import JudgedRun, errors, record
from tidegate.warehouse import server_message

_TO_JUDGE = """
select run_id, delivery_id, dataset, schema_version_id, rows_read, rows_accepted, rows_quarantined
from governance.runs as r
where origin = 'delivery'
    and (status = 'accepted' or (status in ('rejected', 'failed') and rows_read > 0))
    and not exists (select from governance.detections as d where d.run_id = r.run_id)
"""


def after_run(conn: Connection, run_id: int, contract: DatasetContract) -> tuple[Finding, ...]:
    """Judge a run that is over, and record what was found; advisory.

    Runs that were judged before, and runs whose records were never counted, are left alone. Nothing
    is ever raised: what fails is recorded as the detectors' error if the server can be reached.
    """
    try:
        row = conn.execute(_TO_JUDGE + " and run_id = %s", [run_id]).fetchone()
        findings = _judge(conn, JudgedRun(*row), contract) if row else ()
        raise_missing(conn, contract)
    except Exception:  # the run is over already, whatever happens here
        return ()
    return findings


def _judge(conn: Connection, run: JudgedRun, contract: DatasetContract) -> tuple[Finding, ...]:
    try:
        with conn.transaction():
            _measure(conn, run, contract)
        with conn.transaction():
            history, facts = read_history(conn, run.dataset, run.run_id, contract.keys.detection)
            findings = detect(history, facts)
            record(conn, run, findings)
    except Exception as error:  # a detector's failure is an outcome, not a failure of the run
        findings = tuple(errors(_told(error)))
        with conn.transaction():
            record(conn, run, findings)
    return findings


def _measure(conn: Connection, run: JudgedRun, contract: DatasetContract) -> None:
    conn.execute("set local statement_timeout = '5min'")
    profile(conn, run.run_id, contract)


def _told(error: Exception) -> str:
    """What may be repeated of an error: never what it says about values."""
    if isinstance(error, psycopg.Error):
        return f"The server refused: {server_message(error)}."
    return f"{type(error).__name__}."


def catch_up(conn: Connection, contract: DatasetContract) -> int:
    """Judge the runs of a dataset that nobody judged, oldest first; return how many."""
    rows = conn.execute(_TO_JUDGE + " and dataset = %s order by run_id", [contract.name]).fetchall()
    return sum(bool(after_run(conn, row[0], contract)) for row in rows)

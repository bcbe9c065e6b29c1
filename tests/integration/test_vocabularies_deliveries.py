"""The closed vocabularies of deliveries are the same in Python and in the database."""

from __future__ import annotations

import threading
from enum import Enum

import psycopg
import pytest

from landing_project import refused
from listed_words import listed_words
from tidegate.connection import Connection
from tidegate.contracts.keys import ChangeKind, Classification, Disposition
from tidegate.contracts.reasons import ReasonCode
from tidegate.deliveries.reasons import Reason, ReasonKind, ReasonScope
from tidegate.deliveries.vocabulary import (
    HaltedIn,
    Origin,
    Pruned,
    QuarantineEvent,
    QuarantineState,
    Resolution,
    RunReason,
    RunStatus,
)
from tidegate.warehouse import Warehouse


@pytest.mark.parametrize(
    ("table", "column", "words"),
    [
        ("runs", "status", RunStatus),
        ("runs", "halted_in", HaltedIn),
        ("runs", "origin", Origin),
        ("materializations", "origin", Origin),
        ("drift_changes", "kind", ChangeKind),
        ("drift_changes", "classification", Classification),
        ("drift_changes", "disposition", Disposition),
        ("drift_changes", "resolution", Resolution),
        ("quarantine", "state", QuarantineState),
        ("quarantine_events", "event", QuarantineEvent),
        ("quarantine_reasons", "category", ReasonKind),
        ("delivery_prunings", "kind", Pruned),
    ],
)
def test_the_check_constraint_lists_the_enum(
    conn: Connection, table: str, column: str, words: type[Enum]
) -> None:
    """A word added on one side only fails here."""
    assert listed_words(conn, f"governance.{table}", column) == {word.value for word in words}


def test_the_tables_of_reasons_hold_the_enums_word_for_word(conn: Connection) -> None:
    """Foreign keys point at them: an unknown reason cannot be stored."""
    quarantine = conn.execute(
        "select reason, category, description from governance.quarantine_reasons"
    ).fetchall()
    assert set(quarantine) == {(one.value, one.kind.value, one.meaning) for one in Reason}
    of_runs = {row[0] for row in conn.execute("select reason from governance.run_reasons")}
    whole = {one.value for one in Reason if one.scope is ReasonScope.DELIVERY}
    assert of_runs == whole | {one.value for one in RunReason}
    drift = {row[0] for row in conn.execute("select reason from governance.drift_reasons")}
    assert drift == {one.value for one in ReasonCode}


def delivery(conn: Connection) -> int:
    """A delivery of a dataset that nobody declares."""
    sha256 = "0" * 64
    conn.execute(
        "insert into governance.artifacts (sha256, bytes, compression, stored_path)"
        " values (%s, 0, 'none', '00/0') on conflict do nothing",
        [sha256],
    )
    row = conn.execute(
        "insert into governance.deliveries (dataset, artifact_sha256, source_name)"
        " values ('d', %s, 'f') returning delivery_id",
        [sha256],
    ).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize(
    ("columns", "values", "allowed"),
    [
        ("status", "'received'", True),
        ("status, halted_in", "'received', 'receipt'", False),
        ("status, finished_at", "'received', now()", False),
        ("status, finished_at", "'accepted', now()", False),
        (
            "status, finished_at, rows_read, rows_accepted, rows_quarantined, rows_withheld",
            "'accepted', now(), 3, 2, 1, 0",
            True,
        ),
        (
            "status, finished_at, rows_read, rows_accepted, rows_quarantined, rows_withheld",
            "'accepted', now(), 3, 2, 0, 0",
            False,
        ),
        (
            "status, finished_at, rows_read, rows_accepted, rows_quarantined, rows_withheld",
            "'accepted', now(), 3, 2, 0, 1",
            False,
        ),
        ("status, finished_at, reason", "'failed', now(), 'policy_failed'", False),
        (
            "status, finished_at, reason, halted_in",
            "'failed', now(), 'policy_failed', 'governance'",
            True,
        ),
        ("status, finished_at, halted_in", "'rejected', now(), 'parsing'", False),
        (
            "status, finished_at, halted_in, reason",
            "'rejected', now(), 'parsing', 'because'",
            False,
        ),
        ("status, reason", "'parked', 'drift_parked'", True),
        ("status", "'parked'", False),
        ("status", "'lost'", False),
    ],
)
def test_a_run_is_what_the_constraints_allow(
    conn: Connection, columns: str, values: str, allowed: bool
) -> None:
    """Only rejected and failed runs halted somewhere; counts add up; terminal runs are over."""
    number = delivery(conn)
    state = refused(
        conn,
        f"insert into governance.runs (delivery_id, dataset, source_name, {columns})"
        f" values ({number}, 'd', 'f', {values})",
    )
    assert (state == "") is allowed
    assert allowed or state in ("23514", "23503")


def test_a_run_that_is_over_never_changes(conn: Connection) -> None:
    """Neither updated nor deleted."""
    number = delivery(conn)
    conn.execute(
        "insert into governance.runs (delivery_id, dataset, source_name, status, finished_at)"
        " values (%s, 'd', 'f', 'duplicate', now())",
        [number],
    )
    assert refused(conn, "update governance.runs set source_name = 'g'") == "23001"
    assert refused(conn, "delete from governance.runs") == "23001"


def test_schema_versions_are_append_only_and_each_marker_is_one(conn: Connection) -> None:
    """What was observed or promoted stays as recorded; only the markers move."""
    insert = (
        "insert into governance.schema_versions"
        " (dataset, origin, shape, shape_sha256, is_current) values ('d', 'observed', '[]',"
        " repeat('0', 64), true)"
    )
    assert refused(conn, insert) == ""
    assert refused(conn, insert) == "23505"
    assert refused(conn, "update governance.schema_versions set shape = '[1]'") == "23001"
    assert refused(conn, "delete from governance.schema_versions") == "23001"
    assert refused(conn, "update governance.schema_versions set is_current = false") == ""


def test_racing_for_a_marker_never_leaves_two(warehouse: Warehouse) -> None:
    """Eight writers move `current` at once, without the lock that the code takes."""
    errors: list[str] = []

    def move(number: int) -> None:
        with warehouse.connect() as conn:
            for _ in range(5):
                try:
                    with conn.transaction():
                        conn.execute(
                            "update governance.schema_versions set is_current = false"
                            " where dataset = 'd' and is_current"
                        )
                        conn.execute(
                            "insert into governance.schema_versions (dataset, origin, shape,"
                            " shape_sha256, is_current) values ('d', 'observed', '[]', %s, true)",
                            [f"{number:064x}"],
                        )
                except psycopg.Error as error:
                    errors.append(error.sqlstate or "")

    threads = [threading.Thread(target=move, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with warehouse.connect() as conn:
        row = conn.execute(
            "select count(*) from governance.schema_versions where is_current"
        ).fetchone()
    assert row == (1,)
    assert set(errors) <= {"23505"}

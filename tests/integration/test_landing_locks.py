"""Somebody else's lock on what landing writes and reads: a bounded wait, one error, and again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from landing_project import ORDERS, LandingProject, make_project
from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.deliveries import waiting
from tidegate.deliveries.rematerialize import rematerialize
from tidegate.deliveries.reprocess import reprocess
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.errors import LandingBlocked
from tidegate.warehouse import Warehouse, locks

GOOD = "id,item,qty\n1,tea,2\n"
MORE = "id,item,qty\n2,jam,1\n3,oil,many\n"
AGAIN = (
    "No delivery was accepted in part: landing the same files again goes on where this ended."
    f" {locks.REMEDY}"
)
RUNS = "select status, reason from governance.runs order by run_id"
DELIVERIES = "select count(*) from governance.deliveries where dataset = 'orders'"
SHOWN = "select id from landing.orders order by id"


@pytest.fixture
def project(
    tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> LandingProject:
    """Orders with one delivery; whoever waits for a lock gives up soon."""
    project = make_project(tmp_path, warehouse)
    project.land("orders/a.csv", GOOD)
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 0.2)
    monkeypatch.setitem(locks.retried.__kwdefaults__, "patience", 0.2)
    return project


def held(conn: Connection, relation: str, mode: str = "access exclusive") -> int:
    """Lock a relation until the transaction ends; the process that does."""
    conn.execute(f"lock table {relation} in {mode} mode")  # type: ignore[call-overload]
    return conn.info.backend_pid


def told(error: BaseException) -> str:
    """The message without how long the transaction has been open."""
    return re.sub(r"open for \d+ s", "open for N s", str(error))


def in_vain(pid: int, relation: str) -> str:
    """What is said of a process that holds a lock."""
    return (
        f"A lock was waited for in vain, for 0.2 s (held by process {pid} (somebody, transaction"
        f" open for N s) on {relation}). {AGAIN}"
    )


def blocks(
    warehouse: Warehouse,
    project: LandingProject,
    relation: str,
    content: str,
    mode: str = "access exclusive",
) -> None:
    """Land while somebody else holds the relation: it ends, and says who does."""
    with warehouse.connect(autocommit=False, application_name="somebody") as other:
        pid = held(other, relation, mode)
        with pytest.raises(LandingBlocked) as blocked:
            project.land("orders/b.csv", content)
        assert told(blocked.value) == in_vain(pid, relation)


@pytest.mark.parametrize(
    ("content", "left"), [(GOOD.replace("1", "2"), "landed"), (MORE, "staged")]
)
def test_a_locked_table_of_rows_ends_the_landing_and_the_next_goes_on(
    project: LandingProject, warehouse: Warehouse, content: str, left: str
) -> None:
    """Its run stays open, and the same file takes the same delivery on; nothing is there twice."""
    blocks(warehouse, project, "landing_rows.orders__l1", content)
    assert project.query(RUNS) == [("accepted", None), (left, None)]
    assert project.query(SHOWN) == [(1,)]
    assert project.land("orders/b.csv", content).status is RunStatus.ACCEPTED
    assert project.query(RUNS) == [
        ("accepted", None),
        ("failed", "interrupted"),
        ("accepted", None),
    ]
    assert project.query(DELIVERIES) == [(2,)]
    assert project.query(SHOWN) == [(1,), (2,)]


@pytest.mark.parametrize("mode", ["share", "share row exclusive", "exclusive"])
def test_every_lock_that_keeps_writers_out_is_waited_for_in_bounded_time(
    project: LandingProject, warehouse: Warehouse, mode: str
) -> None:
    """Not only the strongest: whoever makes an index on the rows holds one too."""
    blocks(warehouse, project, "landing_rows.orders__l1", MORE, mode)
    assert project.land("orders/b.csv", MORE).status is RunStatus.ACCEPTED


def test_a_locked_table_of_the_ledger_is_named(
    project: LandingProject, warehouse: Warehouse
) -> None:
    """Before anything of the file is recorded, so it is a new delivery the next time."""
    blocks(warehouse, project, "governance.runs", MORE)
    assert project.land("orders/b.csv", MORE).status is RunStatus.ACCEPTED


def test_locked_rows_of_the_ledger_are_told_by_who_writes_there(
    project: LandingProject, warehouse: Warehouse
) -> None:
    """Nobody holds a whole table then; a marker that somebody moves is enough to wait for."""
    with warehouse.connect(autocommit=False, application_name="somebody") as other:
        other.execute("update governance.schema_versions set is_current = is_current")
        with pytest.raises(LandingBlocked) as blocked:
            project.land("orders/b.csv", "id,item,qty,colour\n2,jam,1,red\n")
        assert told(blocked.value) == in_vain(other.info.backend_pid, "governance.schema_versions")


def test_a_view_that_somebody_reads_is_not_queued_for(
    project: LandingProject, warehouse: Warehouse
) -> None:
    """A new column makes a new view: in short waits, or whoever reads it next would wait too."""
    text = ORDERS.replace("KIND", "append").replace('version: "1"', 'version: "2"')
    text += (
        "          - name: note\n            data_type: text\n            description: A note.\n"
    )
    project.contract("shop", text)
    with warehouse.connect(autocommit=False, application_name="somebody") as other:
        other.execute(SHOWN)
        with pytest.raises(LandingBlocked) as blocked:
            project.promote()
        assert told(blocked.value) == (
            "The view landing.orders could not be locked within 0.2 s (blocked by process"
            f" {other.info.backend_pid} (somebody, transaction open for N s)). {AGAIN}"
        )
    project.promote()
    assert project.land("orders/b.csv", "id,item,qty,note\n2,jam,1,x\n").status is (
        RunStatus.ACCEPTED
    )


def test_a_view_that_is_counted_at_the_end_is_waited_for_in_bounded_time(
    tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest row of each key is counted in the view; the file is accepted by then."""
    project = make_project(tmp_path, warehouse, "upsert")
    project.land("orders/a.csv", GOOD)
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 0.2)
    with warehouse.connect(autocommit=False, application_name="somebody") as other:
        pid = held(other, "landing.orders")
        with pytest.raises(LandingBlocked) as blocked:
            project.land("orders/b.csv", MORE)
        # Whoever locks a view locks the tables that it reads.
        assert told(blocked.value) == in_vain(pid, "governance.deliveries")
    assert project.land("orders/b.csv", MORE).status is RunStatus.ACCEPTED


def test_reading_held_records_again_waits_in_bounded_time(
    project: LandingProject, warehouse: Warehouse
) -> None:
    """Quarantine as well as rows of older contracts."""
    project.land("orders/b.csv", MORE)
    project.contract("shop", ORDERS.replace("KIND", "append").replace("integer", "text"))
    project.promote()
    contracts = load_project(project.folder)
    for locked, again in (
        (
            "landing_rows.orders__l2",
            lambda: reprocess(warehouse, contracts, "orders", by="olga"),
        ),
        (
            "governance.landing_layouts",
            lambda: rematerialize(project.settings, warehouse, contracts, "orders", by="olga"),
        ),
    ):
        with warehouse.connect(autocommit=False, application_name="somebody") as other:
            pid = held(other, locked)
            with pytest.raises(LandingBlocked) as blocked:
                again()
            assert told(blocked.value) == in_vain(pid, locked)
    (done,) = reprocess(warehouse, contracts, "orders", by="olga")
    assert (done.accepted, done.held) == (1, 0)

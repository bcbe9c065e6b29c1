"""Retention of deliveries: by contract, only when somebody says so, and never what is needed."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import psycopg
import pytest

import tidegate
from landing_project import ORDERS, LandingProject, make_old, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import holds, looking, quarantine, retention
from tidegate.deliveries.landing import resume
from tidegate.deliveries.pruning import Pruner
from tidegate.deliveries.reprocess import reprocess
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.errors import UsageError
from tidegate.warehouse import Warehouse

DAYS = "retention: {artifacts_days: 30, rows_days: 20, quarantine_days: 10}"
HEADER = "id,item,qty\n"


def contract(kind: str, keeps: str = DAYS) -> str:
    """Orders with a retention."""
    return ORDERS.replace("KIND", kind).replace(
        "owner: shop\n", f"owner: shop\n              {keeps}\n"
    )


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """Orders are appended, and kept for 30 (files), 20 (rows) and 10 (quarantine) days."""
    project = make_project(tmp_path, warehouse)
    project.contract("shop", contract("append"))
    return project


def later(days: int) -> datetime:
    """So many days from now."""
    return datetime.now(timezone.utc) + timedelta(days=days)


def planned(project: LandingProject, days: int, dataset: str | None = None) -> list[str]:
    """What would go, and what is old but stays, in so many days."""
    with project.warehouse.connect() as conn:
        items = retention.plan(conn, load_project(project.folder), at=later(days), dataset=dataset)
    return [
        f"{item.label.replace(item.sha256[:12], 'X') if item.sha256 else item.label}"
        + (f": {item.kept_because}" if item.kept_because else "")
        for item in items
    ]


def pruned(project: LandingProject, days: int, dataset: str | None = None) -> list[str]:
    """The kinds of what is removed in so many days."""
    pruner = Pruner(
        load_project(project.folder),
        project.settings.artifacts_dir,
        by="ann",
        reason="retention",
        at=later(days),
    )
    return [item.kind.value for item in pruner.apply(project.warehouse, dataset)]


def stored(project: LandingProject) -> int:
    """Files in the artefact store."""
    store = project.settings.artifacts_dir
    return sum(path.is_file() for path in store.rglob("*"))


def test_nothing_goes_before_its_days_or_without_a_contract_that_says_so(
    project: LandingProject,
) -> None:
    """What is younger is not even listed; notes give no days and are kept for ever."""
    project.land("orders/1.csv", HEADER + "1,a,1\n2,b,x\n")
    project.land("notes/1.json", '{"head": {"id": "n"}}')
    assert planned(project, 9) == []
    assert planned(project, 11) == ["1 quarantined values of orders, delivery 1"]
    assert planned(project, 21) == [
        "1 quarantined values of orders, delivery 1",
        "1 rows of orders, delivery 1",
    ]
    assert planned(project, 3650) == [
        "the artefact X (24 bytes) of orders, delivery 1: 1 held records may need it",
        "1 quarantined values of orders, delivery 1",
        "1 rows of orders, delivery 1",
    ]
    assert planned(project, 3650, "notes") == []


def test_pruning_removes_says_so_in_the_ledger_and_keeps_the_evidence(
    project: LandingProject,
) -> None:
    """Bytes and rows go; run, counts, reasons, hashes and events stay, and the file a duplicate."""
    text = HEADER + "1,a,1\n2,b,x\n"
    project.land("orders/1.csv", text)
    assert pruned(project, 40) == ["quarantine", "rows", "artifact"]
    assert planned(project, 40) == []
    assert pruned(project, 40) == []
    assert stored(project) == 0
    assert project.query("select count(*) from landing.orders") == [(0,)]
    assert project.query("select pruned_at is not null from governance.artifacts") == [(True,)]
    assert project.query(
        "select raw, state, reason, pruned_at is not null from governance.quarantine"
    ) == [(b"", "discarded", "invalid_integer", True)]
    assert project.query(
        "select event, actor, note from governance.quarantine_events where event <> 'held'"
        " order by quarantine_event_id"
    ) == [("discarded", "ann", "retention"), ("pruned", "ann", "retention")]
    assert project.query(
        "select kind, dataset, delivery_id, records, pruned_by, reason"
        " from governance.delivery_prunings order by pruning_id"
    ) == [
        ("quarantine", "orders", 1, 1, "ann", "retention"),
        ("rows", "orders", 1, 1, "ann", "retention"),
        ("artifact", "orders", 1, 0, "ann", "retention"),
    ]
    assert project.query(
        "select subject, actor, details ->> 'kind', details -> 'deliveries' from"
        " governance.audit_events where event = 'delivery.pruned' order by audit_id"
    ) == [
        ("orders", "ann", "quarantine", [1]),
        ("orders", "ann", "rows", [1]),
        ("orders", "ann", "artifact", [1]),
    ]
    assert project.query(
        "select rows_read, rows_accepted, rows_quarantined from governance.runs"
    ) == [(2, 1, 1)]
    with project.warehouse.connect() as conn, pytest.raises(UsageError) as error:
        looking.raw(conn, 1)
    assert "The bytes of record 1 were pruned on " in str(error.value)
    again = project.land("orders/again.csv", text)
    assert (again.status, again.delivery_id) == (RunStatus.DUPLICATE, 1)
    assert project.query("select pruned_at from governance.artifacts") == [(None,)]
    assert stored(project) == 1


def test_a_snapshot_keeps_what_its_view_shows(tmp_path: Path, warehouse: Warehouse) -> None:
    """The newest delivery stays however old it is, with the records that came in late."""
    project = make_project(tmp_path, warehouse)
    project.contract("shop", contract("snapshot"))
    project.land("orders/1.csv", HEADER + "1,a,1\n2,b,2\n")
    project.land("orders/2.csv", HEADER + "3,c,3\n4,d,x\n")
    project.contract("shop", contract("snapshot").replace("data_type: integer", "data_type: text"))
    project.promote()
    resume(project.settings, warehouse)
    reprocess(warehouse, load_project(project.folder), "orders", by="ann")
    shown = project.query("select id, qty from landing.orders order by id")
    assert shown == [(3, "3"), (4, "x")]
    assert planned(project, 25)[-1] == "2 rows of orders, delivery 1"
    assert pruned(project, 25) == ["quarantine", "rows"]
    assert project.query("select id, qty from landing.orders order by id") == shown
    assert project.query("select count(*) from landing_rows.orders__l1") == [(1,)]


def test_an_upsert_keeps_the_newest_row_of_each_key(tmp_path: Path, warehouse: Warehouse) -> None:
    """Rows that a newer one replaced go, in the same delivery and in older ones."""
    project = make_project(tmp_path, warehouse)
    project.contract("shop", contract("upsert"))
    project.land("orders/1.csv", HEADER + "1,a,1\n2,b,2\n2,b,3\n")
    project.land("orders/2.csv", HEADER + "1,a,9\n3,c,3\n")
    shown = project.query("select * from landing.orders order by id")
    assert planned(project, 25) == ["2 rows of orders, delivery 1"]
    assert pruned(project, 25) == ["rows"]
    assert project.query("select * from landing.orders order by id") == shown
    assert project.query("select count(*) from landing_rows.orders__l1") == [(3,)]


def test_an_upsert_compares_keys_across_types_and_keeps_what_it_cannot_show(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """A key that was widened is the same key; rows of a narrowed contract stay unseen, and stay."""
    project = make_project(tmp_path, warehouse)
    text = contract("upsert")
    project.contract("shop", text.replace("data_type: bigint", "data_type: integer"))
    project.land("orders/1.csv", HEADER + "1,a,1\n2,b,2\n")
    for changed in (text, text.replace("data_type: bigint", "data_type: smallint")):
        project.contract("shop", changed)
        project.promote()
        if changed is text:
            project.land("orders/2.csv", HEADER + "1,a,5\n")
            assert planned(project, 25) == ["1 rows of orders, delivery 1"]
    resume(project.settings, warehouse)
    assert planned(project, 25) == []
    project.land("orders/3.csv", HEADER + "1,a,7\n")
    assert planned(project, 25) == []


def test_nothing_under_hold_goes(project: LandingProject) -> None:
    """A hold on a delivery, then on all of the dataset; released, it goes."""
    project.land("orders/1.csv", HEADER + "1,a,1\n2,b,x\n")
    project.land("orders/2.csv", HEADER + "3,a,1\n")
    with project.warehouse.connect() as conn:
        one = holds.place(conn, "orders", 1, by="ann", reason="case 12")
    assert [line for line in planned(project, 40) if "hold" in line] == [
        f"the artefact X (24 bytes) of orders, delivery 1: hold {one}",
        f"1 quarantined values of orders, delivery 1: hold {one}",
        f"1 rows of orders, delivery 1: hold {one}",
    ]
    with project.warehouse.connect() as conn:
        everything = holds.place(conn, "orders", None, by="ann", reason="case 13")
        holds.release(conn, "orders", one, by="ann", reason="closed")
    assert pruned(project, 40) == []
    with project.warehouse.connect() as conn:
        holds.release(conn, "orders", everything, by="ann", reason="closed")
    assert pruned(project, 40) == ["quarantine", "rows", "rows", "artifact", "artifact"]
    assert project.query(
        "select event, details ->> 'reason' from governance.audit_events"
        " where event like 'delivery.hold.%%' order by audit_id"
    ) == [
        ("delivery.hold.placed", "case 12"),
        ("delivery.hold.placed", "case 13"),
        ("delivery.hold.released", "closed"),
        ("delivery.hold.released", "closed"),
    ]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda conn: holds.place(conn, "orders", 7, by="a", reason="r"), "no delivery 7 to hold"),
        (lambda conn: holds.place(conn, "pets", None, by="a", reason="r"), "no delivery to hold"),
        (lambda conn: holds.place(conn, "orders", 1, by=" ", reason="r"), "needs who and why"),
        (lambda conn: holds.release(conn, "orders", 3, by="a", reason="r"), "no open hold 3"),
        (lambda conn: holds.release(conn, "orders", 3, by="a", reason=""), "needs who and why"),
    ],
)
def test_a_hold_that_means_nothing_is_refused(
    project: LandingProject, conn: psycopg.Connection[Any], call: Any, said: str
) -> None:
    """No such delivery, no such hold, nobody who answers for it."""
    project.land("orders/1.csv", HEADER + "1,a,1\n")
    with pytest.raises(UsageError, match=said):
        call(conn)


def test_pruning_needs_who_and_why(project: LandingProject) -> None:
    """Blank is not somebody."""
    for by, reason in (("", "why"), ("ann", " ")):
        with pytest.raises(UsageError, match="Pruning needs who and why"):
            Pruner(
                load_project(project.folder),
                project.settings.artifacts_dir,
                by=by,
                reason=reason,
                at=later(1),
            )


def test_a_parked_run_and_held_records_keep_their_artefact(project: LandingProject) -> None:
    """They need its bytes; discarded records do not."""
    parked = project.land("orders/1.csv", "id,item,qty,extra\n1,a,1,2\n")
    assert parked.status is RunStatus.PARKED
    held = project.land("orders/2.csv", HEADER + "1,a,x\n2,b,3\n")
    artefacts = [line for line in planned(project, 40) if "artefact" in line]
    assert artefacts == [
        f"the artefact X (26 bytes) of orders, delivery 1: run {parked.run_id} is not over",
        "the artefact X (24 bytes) of orders, delivery 2: 1 held records may need it",
    ]
    assert held.quarantined == 1
    with project.warehouse.connect() as conn:
        quarantine.discard(conn, [1], by="ann", reason="test records")
    assert pruned(project, 40) == ["quarantine", "rows", "artifact"]
    assert stored(project) == 1


def test_an_artefact_of_two_datasets_goes_when_both_let_it(project: LandingProject) -> None:
    """The notes keep theirs for ever, so the same bytes stay."""
    project.contract(
        "notes",
        contract("append", "retention: {artifacts_days: 90}")
        .replace("shop", "notes")
        .replace("orders", "notes"),
    )
    text = HEADER + "1,a,1\n"
    project.land("orders/1.csv", text)
    project.land("notes/1.csv", text, dataset="notes")
    assert [line for line in planned(project, 60) if "artefact" in line] == []
    assert planned(project, 100)[0] == "the artefact X (18 bytes) of notes, orders, delivery 2"
    assert planned(project, 100, "notes") == planned(project, 100)[:1]


def test_the_stage_of_a_failed_run_goes(tmp_path: Path, warehouse: Warehouse) -> None:
    """It holds values that were not accepted: it is kept as long as the quarantine is."""
    project = make_project(tmp_path, warehouse)
    rules = "{version: p1, rules: [{id: enough, type: row_count, minimum: 5}]}"
    project.contract("shop", contract("append", f"{DAYS}\n              quality_policy: {rules}"))
    failed = project.land("orders/1.csv", HEADER + "1,a,1\n")
    assert failed.status is RunStatus.FAILED
    assert planned(project, 11) == [f"the stage of run {failed.run_id} of orders, delivery 1"]
    assert pruned(project, 11) == ["stage"]
    assert project.query(
        "select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where n.nspname = 'landing_stage'"
    ) == [(0,)]
    assert project.query("select run_id from governance.delivery_prunings") == [(failed.run_id,)]


def test_values_outside_enums_go_with_the_quarantine(tmp_path: Path, warehouse: Warehouse) -> None:
    """The row and the fact stay, the value does not."""
    project = make_project(tmp_path, warehouse)
    enum = "description: What was ordered.\n            config: {meta: {tidegate: {enum: [a]}}}"
    project.contract("shop", contract("append").replace("description: What was ordered.", enum))
    project.land("orders/1.csv", HEADER + "1,zzz,1\n")
    assert pruned(project, 11) == ["quarantine"]
    assert project.query(
        "select field, source_value, pruned_at is not null from governance.enum_quarantine"
    ) == [("item", None, True)]
    assert project.query("select id, item from landing.orders") == [(1, None)]


def test_landing_and_resuming_remove_nothing(project: LandingProject) -> None:
    """However old everything is: only prune does; `refresh` lands, resumes and publishes."""
    project.land("orders/1.csv", HEADER + "1,a,1\n2,b,x\n")
    make_old(project.warehouse)
    assert len(planned(project, 0)) == 3
    project.land("orders/2.csv", HEADER + "5,a,1\n")
    resume(project.settings, project.warehouse)
    assert project.query("select count(*) from landing.orders") == [(2,)]
    assert stored(project) == 2
    assert project.query("select count(*) from governance.delivery_prunings") == [(0,)]


def test_bytes_that_come_again_while_they_are_pruned_are_stored(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The receipt waits for the prune and stores the file again: the ledger and the disk agree."""
    text = HEADER + "1,a,1\n"
    project.land("orders/1.csv", text)
    again = project.write("orders/again.csv", text)
    with ThreadPoolExecutor(1) as pool:
        landed = []

        def meanwhile(_point: str) -> None:
            if not stored(project) and not landed:
                landed.append(pool.submit(project.land_paths, [again]))

        monkeypatch.setattr("tidegate.deliveries.pruning.hit", meanwhile)
        assert pruned(project, 40)[-1] == "artifact"
        (outcome,) = landed[0].result(timeout=60).files
    assert (outcome.error, outcome.status) == (None, RunStatus.DUPLICATE)
    assert stored(project) == 1
    assert project.query("select pruned_at from governance.artifacts") == [(None,)]


def test_only_the_command_prune_removes_anything() -> None:
    """Nothing else, `refresh` least of all, can reach what removes deliveries."""
    package = Path(tidegate.__file__).parent
    reaching = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(
            r"deliveries\.pruning|deliveries import .*\bpruning|row_retention\.remove",
            path.read_text(encoding="utf-8"),
        )
    }
    assert reaching == {"cli/commands/prune.py", "deliveries/pruning.py"}

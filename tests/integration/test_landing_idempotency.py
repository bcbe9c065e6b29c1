"""The same thing delivered twice, raced, cut off and retried (cases of area E)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from landing_project import LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import approvals
from tidegate.deliveries.landing import resume
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.warehouse import Warehouse

GOOD = "id,item,qty\n1,tea,2\n2,jam,3\n3,oil,4\n"
ROWS = "select id, item, qty from landing.orders order by id, qty"


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an append dataset `orders`."""
    return make_project(tmp_path, warehouse)


@pytest.fixture
def upserts(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an upsert dataset `orders`."""
    return make_project(tmp_path, warehouse, "upsert")


@pytest.fixture
def snapshots(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with a snapshot dataset `orders`."""
    return make_project(tmp_path, warehouse, "snapshot")


def test_e01_the_same_file_three_times_is_one_delivery(project: LandingProject) -> None:
    """The second and third are duplicates of the first, exit code 0, no new row."""
    outcomes = [project.land("orders/f1.csv", GOOD) for _ in range(3)]
    assert [one.status for one in outcomes] == ["accepted", "duplicate", "duplicate"]
    assert {one.delivery_id for one in outcomes} == {outcomes[0].delivery_id}
    assert {one.exit_code for one in outcomes} == {0}
    assert project.query("select count(*) from landing.orders") == [(3,)]


def test_e02_the_same_name_and_size_with_new_content_is_a_new_delivery(
    project: LandingProject,
) -> None:
    """Bytes count, names do not."""
    first = project.land("orders/f1.csv", "id,item,qty\n1,a,5\n")
    second = project.land("orders/f1.csv", "id,item,qty\n1,a,6\n")
    assert second.status is RunStatus.ACCEPTED
    assert first.delivery_id != second.delivery_id
    assert project.query(ROWS) == [(1, "a", 5), (1, "a", 6)]


def test_e03_the_same_bytes_under_another_name_are_a_duplicate_and_recorded(
    project: LandingProject,
) -> None:
    """The decision is a run of its own, with the name that was used."""
    first = project.land("orders/a.csv", GOOD)
    second = project.land("orders/b.csv", GOOD)
    assert second.status is RunStatus.DUPLICATE
    assert project.query(
        "select source_name, status, delivery_id from governance.runs order by run_id"
    ) == [("a.csv", "accepted", first.delivery_id), ("b.csv", "duplicate", first.delivery_id)]


def test_e06_a_corrected_file_is_landed_whole_and_nothing_is_resumed_by_offset(
    upserts: LandingProject,
) -> None:
    """Record 500 was bad; the corrected file brings every row again, each key once."""
    lines = [f"{n},i,{n}\n" for n in range(1, 1001)]
    broken = [*lines[:499], "500,i,x\n", *lines[500:]]
    first = upserts.land("orders/a.csv", "id,item,qty\n" + "".join(broken))
    assert (first.accepted, first.quarantined) == (999, 1)
    second = upserts.land("orders/a.csv", "id,item,qty\n" + "".join(lines))
    assert (second.accepted, second.quarantined) == (1000, 0)
    assert upserts.query("select count(*), count(distinct id) from landing.orders") == [
        (1000, 1000)
    ]


def test_e07_what_is_counted_is_what_is_stored(project: LandingProject) -> None:
    """Accepted in the ledger, rows of the materialization and rows of the table agree."""
    outcome = project.land("orders/a.csv", "id,item,qty\n1,a,1\n1,a,x\n1,a,1\n")
    assert (outcome.read, outcome.accepted, outcome.quarantined) == (3, 2, 1)
    assert project.query("select rows from governance.materializations") == [(2,)]
    assert project.query("select count(*) from landing.orders") == [(2,)]
    assert project.query("select count(*) from governance.quarantine") == [(1,)]


def test_e08_workers_with_the_same_file_accept_it_once_and_the_others_say_duplicate(
    project: LandingProject,
) -> None:
    """The losers wait, and exit with 0."""
    path = project.write("orders/f.csv", GOOD)
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: project.land_paths([path]), range(4)))
    statuses = sorted(str(report.files[0].status.value) for report in reports)  # type: ignore[union-attr]
    assert statuses == ["accepted", "duplicate", "duplicate", "duplicate"]
    assert {report.exit_code for report in reports} == {0}
    assert project.query("select count(*) from landing.orders") == [(3,)]
    assert project.query("select count(*) from governance.deliveries") == [(1,)]


def test_e08_the_database_itself_refuses_a_second_acceptance(project: LandingProject) -> None:
    """INSERT ... ON CONFLICT decides, should anything get past the lock."""
    project.land("orders/f.csv", GOOD)
    assert project.query(
        "insert into governance.materializations (dataset, delivery_id, run_id, origin,"
        " artifact_sha256, layout, contract_sha256, rows, provenance)"
        " select dataset, delivery_id, run_id, origin, artifact_sha256, layout, contract_sha256,"
        " rows, provenance from governance.materializations"
        " on conflict (dataset, artifact_sha256) where origin = 'delivery' do nothing"
        " returning materialization_id"
    ) == []  # fmt: skip


def test_e08_the_same_idempotency_key_is_one_publication(project: LandingProject) -> None:
    """A retry returns the first publication; another request under the key is refused."""
    keys = {"producer": "shop", "tenant": "eu", "idempotency_key": "monday"}
    path = project.write("orders/f.csv", GOOD)
    with ThreadPoolExecutor(3) as pool:
        reports = list(pool.map(lambda _: project.land_paths([path], **keys), range(3)))
    references = {report.files[0].reference for report in reports}
    assert len(references) == 1
    assert next(iter(references or {""}) or "").startswith("orders@d")  # type: ignore[union-attr]
    other = project.land("orders/g.csv", "id,item,qty\n9,a,1\n", **keys)
    assert other.exit_code == 2
    assert "was already used by producer shop for another request" in (other.error or "")
    assert project.query("select count(*) from governance.publications") == [(1,)]
    assert project.query("select count(*) from landing.orders") == [(3,)]


def test_e10_a_null_in_the_key_is_held_however_often_it_comes(upserts: LandingProject) -> None:
    """No row is added again each day for a key that cannot be compared."""
    for day in range(2):
        outcome = upserts.land(f"orders/{day}.csv", f"id,item,qty\n,onion,{day}\n1,tea,{day}\n")
        assert (outcome.accepted, outcome.quarantined) == (1, 1)
    assert upserts.query(ROWS) == [(1, "tea", 1)]
    assert upserts.query("select distinct reason, field from governance.quarantine") == [
        ("missing_required", "id")
    ]


def test_e11_a_row_that_is_late_by_its_own_time_is_there_all_the_same(
    project: LandingProject,
) -> None:
    """Deliveries are what is counted, never a watermark over a column."""
    project.land("orders/2.csv", "id,item,qty\n230,b,1\n")
    project.land("orders/1.csv", "id,item,qty\n229,a,1\n")
    assert project.query("select id from landing.orders order by id") == [(229,), (230,)]


def test_e12_the_first_delivery_into_nothing_brings_every_row(project: LandingProject) -> None:
    """There is no watermark to be null."""
    assert project.land("orders/f.csv", GOOD).accepted == 3
    assert project.query("select count(*) from landing.orders") == [(3,)]


def test_e19_a_snapshot_under_another_file_name_replaces_the_one_before(
    snapshots: LandingProject,
) -> None:
    """The latest accepted delivery is what is read, whatever its files are called."""
    snapshots.land("orders/part-aa.csv", GOOD)
    snapshots.land("orders/part-bb.csv", "id,item,qty\n1,tea,9\n")
    assert snapshots.query(ROWS) == [(1, "tea", 9)]
    again = snapshots.land("orders/part-cc.csv", GOOD)
    assert again.status is RunStatus.DUPLICATE
    assert again.superseded_by is not None
    assert snapshots.query(ROWS) == [(1, "tea", 9)]


def test_an_empty_snapshot_never_replaces_rows_by_nothing(snapshots: LandingProject) -> None:
    """Unless a row_count rule allows it (A21)."""
    snapshots.land("orders/1.csv", GOOD)
    empty = snapshots.land("orders/2.csv", "id,item,qty\n")
    assert (empty.status, empty.reason) == (RunStatus.FAILED, "empty_snapshot")
    assert snapshots.query("select count(*) from landing.orders") == [(3,)]


WIDE = "id,item,qty,colour\n7,hat,1,red\n"
KEY = {"producer": "shop", "tenant": "eu"}


def parked(project: LandingProject, key: str) -> int:
    """A producer's delivery that was parked; its run."""
    text = WIDE.replace("hat", f"hat of {key}")
    outcome = project.land(f"orders/{key}.csv", text, **KEY, idempotency_key=key)
    assert outcome.status is RunStatus.PARKED
    assert outcome.run_id is not None
    return outcome.run_id


def approve(project: LandingProject, run_id: int) -> None:
    """It may go on, this once."""
    answer = approvals.Answer("olga", "once", keeps_contract=True)
    with project.warehouse.connect() as conn:
        contracts = load_project(project.folder)
        home = project.settings.home
        approvals.approve(conn, project.folder, home, contracts, run_id, answer)


def test_a_parked_delivery_is_published_under_its_producers_key(project: LandingProject) -> None:
    """Once, whoever takes it on; a retry of the producer returns the same publication."""
    project.land("orders/0.csv", GOOD)
    approve(project, parked(project, "monday"))
    (outcome,) = resume(project.settings, project.warehouse).files
    assert outcome.status is RunStatus.ACCEPTED
    text = WIDE.replace("hat", "hat of monday")
    again = project.land("orders/again.csv", text, **KEY, idempotency_key="monday")
    assert (again.status, again.reference) == (RunStatus.DUPLICATE, outcome.reference)
    assert project.query("select idempotency_key from governance.publications") == [("monday",)]


def test_a_parked_delivery_whose_key_was_used_meanwhile_is_rejected(
    project: LandingProject,
) -> None:
    """Another request was published under it: the run ends and says which; nothing is accepted."""
    project.land("orders/0.csv", GOOD)
    run_id = parked(project, "monday")
    other = project.land("orders/1.csv", "id,item,qty\n8,cup,1\n", **KEY, idempotency_key="monday")
    assert other.status is RunStatus.ACCEPTED
    approve(project, run_id)
    (outcome,) = resume(project.settings, project.warehouse).files
    assert (outcome.run_id, outcome.status, outcome.reason) == (
        run_id,
        RunStatus.REJECTED,
        "key_used",
    )
    assert outcome.detail == (
        "The idempotency key was already used by producer shop for another request, published as"
        f" {other.reference}. Use a new key for a new request."
    )
    assert project.query("select id from landing.orders order by id") == [(1,), (2,), (3,), (8,)]
    assert resume(project.settings, project.warehouse).files == ()


def test_resuming_and_publishing_under_one_key_race_to_one_publication(
    project: LandingProject,
) -> None:
    """Whoever comes first has the key, the other is refused in words; never by a unique index."""
    project.land("orders/0.csv", GOOD)
    keys = [f"k{number}" for number in range(5)]
    waiting = [parked(project, key) for key in keys]
    paths = [
        project.write(f"orders/other_{key}.csv", f"id,item,qty\n{100 + n},cup,1\n")
        for n, key in enumerate(keys)
    ]

    def go_on(run_id: int) -> None:
        approve(project, run_id)
        resume(project.settings, project.warehouse)

    def publish(path: Path, key: str) -> FileOutcome:
        return project.land_paths([path], **KEY, idempotency_key=key).files[-1]

    with ThreadPoolExecutor(4) as pool:
        resuming = [pool.submit(go_on, run_id) for run_id in waiting[:3]]
        published = list(pool.map(publish, paths, keys))
        for one in resuming:
            one.result(timeout=120)
    for run_id in waiting[3:]:
        approve(project, run_id)
    resume(project.settings, project.warehouse)
    found = project.query(
        "select idempotency_key, count(*) from governance.publications group by 1 order by 1"
    )
    assert found == [(key, 1) for key in keys]
    ended = project.query(
        "select status, reason, count(*) from governance.runs r where exists (select from"
        " governance.drift_changes c where c.run_id = r.run_id) group by 1, 2"
    )
    others = sum(one.status is RunStatus.ACCEPTED for one in published)
    assert {(status, reason) for status, reason, _ in ended} <= {
        ("accepted", None),
        ("rejected", "key_used"),
    }
    assert sum(n for status, _, n in ended if status == "rejected") == others
    assert all(
        "was already used by producer shop" in (one.error or "")
        for one in published
        if one.status is not RunStatus.ACCEPTED
    )
    assert project.query("select count(*) from landing.orders") == [(3 + len(keys),)]

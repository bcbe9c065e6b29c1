"""Landing end to end: from files to the views that dbt reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from landing_project import LandingProject, make_project
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.warehouse import Warehouse


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an append dataset `orders` and a JSON dataset `notes`."""
    return make_project(tmp_path, warehouse)


def test_rows_of_a_csv_file_are_typed_and_say_where_they_came_from(
    project: LandingProject,
) -> None:
    """The view has the contract's columns in its order, then the technical ones."""
    outcome = project.land("orders/a.csv", "id,item,qty\n1,tea,2\n2,,3\n")
    assert outcome.status is RunStatus.ACCEPTED, outcome
    assert (outcome.read, outcome.accepted, outcome.quarantined) == (2, 2, 0)
    rows = project.query("select * from landing.orders order by id")
    assert [row[:5] for row in rows] == [
        (1, "tea", 2, outcome.delivery_id, 1),
        (2, None, 3, outcome.delivery_id, 2),
    ]
    names = project.query(
        "select column_name from information_schema.columns where table_schema = 'landing'"
        " and table_name = 'orders' order by ordinal_position"
    )
    assert [name for (name,) in names] == [
        "id", "item", "qty", "_delivery_id", "_record_number", "_artifact_sha256", "_received_at",
        "_accepted_at",
    ]  # fmt: skip


def test_a_json_document_is_one_record_taken_apart_by_paths(project: LandingProject) -> None:
    """Members by pointer, and the whole document verbatim."""
    outcome = project.land("notes/a.json", '{"head": {"id": "n1"}, "tags": ["x"]}')
    assert outcome.status is RunStatus.ACCEPTED, outcome
    rows = project.query("select note_id, tags, document -> 'head' ->> 'id' from landing.notes")
    assert rows == [("n1", ["x"], "n1")]


def test_a_record_that_does_not_conform_is_held_and_the_others_land(
    project: LandingProject,
) -> None:
    """Read is accepted plus quarantined, in the report and in the ledger."""
    outcome = project.land("orders/a.csv", "id,item,qty\n1,tea,2\n,x,1\n3,y,many\n4,z\n")
    assert outcome.status is RunStatus.ACCEPTED, outcome
    assert (outcome.read, outcome.accepted, outcome.quarantined) == (4, 1, 3)
    held = project.query(
        "select record_number, reason, field from governance.quarantine order by 1"
    )
    assert held == [
        (2, "missing_required", "id"),
        (3, "invalid_integer", "qty"),
        (4, "too_few_fields", None),
    ]


def test_a_folder_lands_file_by_file_and_an_unrouted_file_keeps_no_other_back(
    project: LandingProject,
) -> None:
    """Exit code 2 says that one file could not be landed; the other one was."""
    project.write("orders/b.csv", "id,item,qty\n1,tea,2\n")
    project.write("stray.csv", "id\n1\n")
    report = project.land_paths([project.folder / "in"])
    assert [outcome.file for outcome in report.files] == ["orders/b.csv", "stray.csv"]
    assert report.files[0].status is RunStatus.ACCEPTED
    assert report.files[1].error == (
        "stray.csv: matches no dataset's delivery.match. "
        "Name its dataset with --dataset, or add a pattern to its contract."
    )
    assert report.exit_code == 2

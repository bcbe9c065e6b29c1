"""Landing end to end: from files to the views that dbt reads."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from landing_project import ORDERS, LandingProject, make_project
from tidegate.deliveries.vocabulary import HaltedIn, RunStatus
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


def test_a04_a15_a20_a42_a_file_that_is_no_table_is_rejected_with_one_reason(
    project: LandingProject,
) -> None:
    """Nothing of it is accepted; where it has records they are held under that reason."""
    whole = gzip.compress(b"id,item,qty\n1,tea,2\n" * 50)
    cases: dict[str, tuple[bytes, str, int]] = {
        "orders/zip.csv": (whole, "compressed_unexpectedly", 0),
        "orders/cut.csv.gz": (whole[:-20], "truncated_archive", 0),
        "orders/empty.csv": (b"", "empty_file", 0),
        "orders/twice.csv": (b"id,id,qty\n1,2,3\n4,5,6\n", "duplicate_header", 2),
        "orders/utf16.csv": (b"\xff\xfei\0d\0\n\0001\0\n\0", "encoding_mismatch", 0),
        "orders/other.csv": (b"10,20\nx,x\n", "header_mismatch", 1),
    }
    for name, (content, reason, held) in cases.items():
        outcome = project.land(name, content)
        assert (outcome.status, outcome.reason) == (RunStatus.REJECTED, reason), outcome
        assert outcome.halted_in is HaltedIn.PARSING
        assert (outcome.read, outcome.accepted, outcome.quarantined) == (held, 0, held)
        assert outcome.exit_code == 1
    assert project.query("select count(*) from landing.orders") == [(0,)]


def test_the_raw_bytes_of_every_held_record_are_kept_as_delivered(project: LandingProject) -> None:
    """Unreadable and readable ones, records over several lines and CRLF included (A07)."""
    project.land("orders/a.csv", b'id,item,qty\r\n1,"a\r\nb",x\r\n2,y\r\n,"z",3\r\n')
    held = project.query(
        "select record_number, line_from, line_to, raw from governance.quarantine order by 1"
    )
    assert held == [
        (1, 2, 3, b'1,"a\r\nb",x'),
        (2, 4, 4, b"2,y"),
        (3, 5, 5, b',"z",3'),
    ]


def test_a21_a_file_with_only_a_header_is_accepted_with_no_rows(project: LandingProject) -> None:
    """Structure is valid; whether no rows are enough is the quality policy's to say."""
    outcome = project.land("orders/a.csv", "id,item,qty\n")
    assert (outcome.status, outcome.read) == (RunStatus.ACCEPTED, 0)


def test_b17_a_new_column_parks_the_run_and_changes_nothing(project: LandingProject) -> None:
    """The default policy is review: parked, visible, the marker untouched, nothing accepted."""
    outcome = project.land("orders/a.csv", "id,item,qty,colour\n1,tea,2,red\n")
    assert (outcome.status, outcome.reason) == (RunStatus.PARKED, "drift_parked")
    assert [(change.kind, change.field, change.resolution) for change in outcome.drift] == [
        ("field_added_required", "colour", "parked")
    ]
    assert outcome.exit_code == 1
    assert project.query("select count(*) from landing.orders") == [(0,)]


def test_b24_a_partner_who_reverts_is_where_the_contract_is(project: LandingProject) -> None:
    """The comparison is with the contract, never with the last run."""
    first = project.land("orders/1.csv", "id,item,qty\n1,a,1\n")
    second = project.land("orders/2.csv", "id,item\n2,b\n")
    third = project.land("orders/3.csv", "id,item,qty\n3,c,3\n")
    assert [one.status for one in (first, second, third)] == [
        RunStatus.ACCEPTED,
        RunStatus.PARKED,
        RunStatus.ACCEPTED,
    ]
    assert [change.kind for change in second.drift] == ["field_removed"]
    assert third.drift == ()


ISSN = (
    "description: What was ordered.\n"
    '            config: {meta: {tidegate: {parse: {pattern: "%s"}}}}'
)


def test_a36_what_a_spreadsheet_made_of_codes_is_held_with_a_hint(
    project: LandingProject,
) -> None:
    """A declared pattern finds dates and exponents among codes; nothing is repaired."""
    pattern = ISSN % "[0-9]{4}-[0-9]{3}[0-9X]"
    text = ORDERS.replace("KIND", "append").replace("description: What was ordered.", pattern)
    project.contract("shop", text)
    # From the second delivery on, rows may be copied straight into their table.
    first = project.land("orders/0.csv", "id,item,qty\n9,Feb-68,1\n")
    assert first.quarantine_reasons == {"excel_date": 1}
    outcome = project.land(
        "orders/1.csv",
        "id,item,qty\n1,0001-6268,1\n2,Jan-68,1\n3,1.23E+17,1\n4,1-Mar,1\n5,12345678,1\n6,,1\n",
    )
    assert (outcome.accepted, outcome.quarantine_reasons) == (
        2,
        {"excel_date": 2, "excel_exponent": 1, "pattern_mismatch": 1},
    )
    assert project.query("select id, item from landing.orders order by id") == [
        (1, "0001-6268"),
        (6, None),
    ]
    assert project.query("select raw from governance.quarantine where record_number = 2") == [
        (b"2,Jan-68,1",)
    ]
    bad = project.land("orders/2.csv", "id,item,qty\n12,Mar-68,1\n13,Apr-68,1\n")
    assert (bad.accepted, bad.quarantine_reasons) == (0, {"excel_date": 2})


def test_a37_invisible_characters_are_held_under_their_own_reason(
    project: LandingProject,
) -> None:
    """A value that only looks like another is told apart; its bytes stay as they came."""
    text = ORDERS.replace("KIND", "append").replace(
        "description: What was ordered.", ISSN % "ok|[a-z]{4}"
    )
    project.contract("shop", text)
    outcome = project.land(
        "orders/1.csv", "id,item,qty\n1,ok,1\n2,ok ,1\n3,ok\u00a0,1\n4,ok\u200b,1\n5,no,1\n"
    )
    assert outcome.quarantine_reasons == {"invisible_character": 3, "pattern_mismatch": 1}
    assert project.query("select raw from governance.quarantine where record_number = 4") == [
        ("4,ok\u200b,1".encode(),)
    ]
    events = project.query(
        "select distinct field, reason from governance.quarantine_events order by reason"
    )
    assert events == [("item", "invisible_character"), ("item", "pattern_mismatch")]

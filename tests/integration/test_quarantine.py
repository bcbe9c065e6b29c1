"""Quarantined records: kept with every reason, read again exactly once, never lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from landing_project import ORDERS, LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import looking, quarantine, versions
from tidegate.deliveries import reprocess as reprocessing
from tidegate.deliveries.reprocess import HeldRecord, Reprocessed, reprocess
from tidegate.errors import UsageError
from tidegate.warehouse import Warehouse

STATES = "select record_number, state, attempts from governance.quarantine order by 1"


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an upsert dataset `orders`."""
    return make_project(tmp_path, warehouse, "upsert")


def again(project: LandingProject) -> tuple[Reprocessed, ...]:
    """Reprocess everything held of orders."""
    return reprocess(project.warehouse, load_project(project.folder), "orders", by="olga")


def correct(project: LandingProject, old: str, new: str) -> None:
    """Change the contract and promote it."""
    path = project.folder / "contracts" / "datasets" / "shop.yml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    contract = load_project(project.folder).datasets["orders"]
    with project.warehouse.connect() as conn:
        versions.promote_contract(conn, contract, "olga", "corrected")


def test_e16_a_record_that_fails_again_has_one_entry_with_attempts_and_all_reasons(
    project: LandingProject,
) -> None:
    """Delivery and record number stay those of the first time."""
    project.land("orders/a.csv", "id,item,qty\n1,a,1\n2,b,x\n")
    again(project)
    assert again(project)[0].held == 1
    rows = project.query(
        "select delivery_id, record_number, reason, field, attempts, state"
        " from governance.quarantine"
    )
    assert rows == [(1, 2, "invalid_integer", "qty", 3, "held")]
    events = project.query("select event, reason from governance.quarantine_events order by 1")
    assert events == [
        ("held", "invalid_integer"),
        ("held_again", "invalid_integer"),
        ("held_again", "invalid_integer"),
    ]


def test_e17_a_corrected_contract_accepts_each_held_record_exactly_once(
    project: LandingProject,
) -> None:
    """As a new materialization; other rows are untouched; the sum of all is what was read."""
    lines = "".join(f"{n},item,{'x' if n == 7 else n}\n" for n in range(1, 11))
    first = project.land("orders/a.csv", "id,item,qty\n" + lines)
    assert (first.accepted, first.quarantined) == (9, 1)
    before = project.query("select id, qty, _record_number from landing.orders where id <> 7")
    correct(project, "data_type: integer", "data_type: text")
    assert [(one.accepted, one.held) for one in again(project)] == [(1, 0)]
    assert again(project) == ()
    assert project.query("select qty, _delivery_id, _record_number from landing.orders"
                         " where id = 7") == [("x", first.delivery_id, 7)]  # fmt: skip
    assert project.query("select origin, rows from governance.materializations order by 1") == [
        ("delivery", 9),
        ("reprocess", 1),
    ]
    assert project.query(STATES) == [(7, "reprocessed", 2)]
    after = project.query("select id, qty, _record_number from landing.orders where id <> 7")
    assert sorted(after) == sorted((key, str(qty), number) for key, qty, number in before)


def test_two_who_reprocess_at_once_accept_each_record_once(project: LandingProject) -> None:
    """The delivery's lock lets one in; the other finds nothing held."""
    bad = "".join(f"{n},i,1.5\n" for n in range(1, 31))
    good = "".join(f"{n},i,1\n" for n in range(99, 140))
    project.land("orders/a.csv", "id,item,qty\n" + bad + good)
    correct(project, "data_type: integer", "data_type: numeric")
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: again(project), range(4)))
    assert sum(one.accepted for results in done for one in results) == 30
    assert project.query("select count(*), count(distinct id) from landing.orders") == [(71, 71)]


def test_what_is_held_is_read_again_in_bounded_portions(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole file may be held: neither many records nor large ones are in memory together."""
    names = ["i" * 900 if number % 7 == 0 else "i" for number in range(40)]
    lines = [f"{number},{name},1.5" for number, name in enumerate(names)]
    good = [f"{number},i,1" for number in range(100, 150)]
    project.land("orders/a.csv", "\n".join(["id,item,qty", *lines, *good]) + "\n")
    correct(project, "data_type: integer", "data_type: numeric")
    monkeypatch.setattr(reprocessing, "_AT_ONCE", 6)
    monkeypatch.setattr(reprocessing, "_BYTES_AT_ONCE", 500)
    portions: list[int] = []
    held = reprocessing._held

    def watched(*what: Any) -> Iterator[Sequence[HeldRecord]]:
        for records in held(*what):
            portions.append(len(records))
            assert sum(len(record.raw) for record in records[:-1]) <= 500
            yield records

    monkeypatch.setattr(reprocessing, "_held", watched)
    assert [(one.accepted, one.held) for one in again(project)] == [(40, 0)]
    assert (sum(portions), max(portions)) == (40, 6)
    assert project.query("select count(*), count(distinct id) from landing.orders") == [(90, 90)]


def test_a_large_record_is_kept_whole_and_one_beyond_the_limits_says_so(
    project: LandingProject,
) -> None:
    """What is kept in part cannot be read again: whoever waits for it is told."""
    large, beyond = "i" * (2 << 20), "i" * (17 << 20)
    project.land("orders/a.csv", f"id,item,qty\n1,{large},2,3\n2,{beyond},2\n3,c,1\n")
    rows = project.query(
        "select reason, raw_truncated, octet_length(raw) from governance.quarantine"
    )
    assert rows == [
        ("too_many_fields", False, len(large) + 6),
        ("field_too_large", True, 16 << 20),
    ]
    (done,) = again(project)
    assert (done.accepted, done.held) == (0, 2)
    assert done.detail == "Of 1 only the beginning is kept: land the file again."


def test_a_record_that_is_not_there_is_not_passed_over(project: LandingProject) -> None:
    """A number of another dataset, or of none, is a mistake; one that came in before is not."""
    project.land("orders/a.csv", "id,item,qty\n1,a,1\n2,b,1.5\n")
    contracts = load_project(project.folder)
    for dataset, ids in (("orders", [1, 7]), ("notes", [7, 1])):
        with pytest.raises(UsageError) as refused:
            reprocess(project.warehouse, contracts, dataset, by="olga", ids=ids)
        unknown = "7" if dataset == "orders" else "1, 7"
        assert str(refused.value) == (
            f"No quarantined record of {dataset}: {unknown}. Nothing was done."
            " See `tidegate quarantine list`."
        )
    correct(project, "data_type: integer", "data_type: numeric")
    for accepted in ([1], []):
        done = reprocess(project.warehouse, load_project(project.folder), "orders", by="o", ids=[1])
        assert [one.accepted for one in done] == accepted


def test_a_reprocessed_record_never_wins_over_a_newer_row_of_its_key(
    project: LandingProject,
) -> None:
    """Newer is the later delivery, then the later record, not the later acceptance."""
    project.land("orders/1.csv", "id,item,qty\n1,old,1.5\n2,b,1\n3,c,2\n")
    project.land("orders/2.csv", "id,item,qty\n1,new,2\n")
    correct(project, "data_type: integer", "data_type: numeric")
    assert [one.accepted for one in again(project)] == [1]
    assert project.query("select item from landing.orders where id = 1") == [("new",)]


def test_records_of_a_refused_file_come_in_under_a_corrected_contract(
    project: LandingProject,
) -> None:
    """Each was held under the one reason; the file is then a delivery that was accepted."""
    content = "id,id,qty\n1,a,2\n2,b,3\n"
    project.land("orders/a.csv", content)
    assert [one.held for one in again(project)] == [2]
    correct(project, "format: {type: csv}", "format: {type: csv, header: false}")
    assert [(one.accepted, one.held) for one in again(project)] == [(2, 0)]
    assert project.query("select id, item, qty from landing.orders order by id") == [
        (1, "a", 2),
        (2, "b", 3),
    ]
    assert project.land("orders/a.csv", content).status == "duplicate"


def test_discarding_needs_who_and_why_and_keeps_the_evidence(project: LandingProject) -> None:
    """All or none of the records that are named."""
    project.land("orders/a.csv", "id,item,qty\n1,a,1\n2,b,x\n")
    with project.warehouse.connect() as conn:
        with pytest.raises(UsageError, match="Discarding needs who and why"):
            quarantine.discard(conn, [1], by="olga", reason=" ")
        with pytest.raises(UsageError, match=r"Not held: 99\. Nothing was discarded"):
            quarantine.discard(conn, [1, 99], by="olga", reason="test rows")
        assert looking.entry(conn, 1).state == "held"
        quarantine.discard(conn, [1], by="olga", reason="test rows")
        assert looking.entry(conn, 1).state == "discarded"
        assert [event["event"] for event in looking.events(conn, 1)] == ["held", "discarded"]
        assert looking.raw(conn, 1) == b"2,b,x"
        with pytest.raises(psycopg.errors.RestrictViolation):
            conn.execute("delete from governance.quarantine")
    assert again(project) == ()


def test_a_value_outside_a_closed_enum_is_null_and_its_row_stays(project: LandingProject) -> None:
    """The value and its place are in the enum quarantine."""
    project.contract(
        "shop",
        ORDERS.replace("KIND", "append").replace(
            "description: What was ordered.",
            "description: What was ordered.\n"
            "            config: {meta: {tidegate: {enum: [tea, jam]}}}",
        ),
    )
    outcome = project.land("orders/a.csv", "id,item,qty\n1,tea,1\n2,milk,2\n3,,3\n")
    assert (outcome.accepted, outcome.quarantined) == (3, 0)
    assert project.query("select id, item from landing.orders order by id") == [
        (1, "tea"),
        (2, None),
        (3, None),
    ]
    assert project.query(
        "select delivery_id, record_number, field, reason, source_value"
        " from governance.enum_quarantine"
    ) == [(outcome.delivery_id, 2, "item", "not_in_enum", "milk")]


def test_the_quarantine_rate_is_a_property_of_every_run(project: LandingProject) -> None:
    """Queryable, and null where nothing was read."""
    project.land("orders/a.csv", "id,item,qty\n1,a,1\n2,b,2\n3,c,3\n4,d,x\n")
    project.land("orders/b.csv", "id,item,qty\n")
    with project.warehouse.connect() as conn:
        rates = looking.rates(conn, "orders")
    found = [(rate["rows_read"], rate["quarantine_rate"]) for rate in rates]
    assert [(read, None if rate is None else float(rate)) for read, rate in found] == [
        (0, None),
        (4, 0.25),
    ]


def test_a_json_record_over_several_lines_is_read_again_as_it_stands(
    project: LandingProject,
) -> None:
    """An element of a pretty-printed array is one record, then and now."""
    content = '[\n  {\n    "head": {"id": null},\n    "tags": [\n      1.10\n    ]\n  }\n]\n'
    assert project.land("notes/a.json", content).quarantined == 1
    path = project.folder / "contracts" / "datasets" / "notes.yml"
    text = path.read_text("utf-8").replace("required: true, ", "").replace("key: [note_id], ", "")
    path.write_text(text, "utf-8")
    contracts = load_project(project.folder)
    with project.warehouse.connect() as conn:
        versions.promote_contract(conn, contracts.datasets["notes"], "olga", "ids may be missing")
    done = reprocess(project.warehouse, contracts, "notes", by="olga")
    assert [(one.accepted, one.held) for one in done] == [(1, 0)]
    assert project.query("select note_id, tags::text from landing.notes") == [(None, "[1.10]")]

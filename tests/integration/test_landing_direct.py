"""Rows that observation proved are copied straight into their table; nothing else may differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from landing_project import ORDERS, LandingProject, make_project
from tidegate.deliveries import loading, materializations
from tidegate.deliveries.parsing import Batch, Limits, columns, opening
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.warehouse import Warehouse

TYPES = {
    "id": "bigint",
    "item": "varchar(6)",
    "qty": "integer",
    "price": "numeric(6,2)",
    "day": "date",
    "seen": "timestamptz",
    "flag": "boolean",
    "token": "uuid",
    "size": "text",
}
HEADER = ",".join(TYPES)
TOKEN = "0b1c2d3e-0000-4000-8000-0123456789ab"  # a UUID, nothing secret
GOOD = f"{{0}},tea,1,1.50,2024-02-29,2024-01-01T10:00:00Z,true,{TOKEN},small"
ODD = {
    "nothing odd": "{0},,,,,,,,",
    "quotes, tabs and backslashes": '{0},"a,""\t",2,0.10,2024-01-31,,false,,"small"',
    "regular quotes": '{0},"a,b",2,"0.10",2024-01-31,,false,,"small"',
    "empty text": '{0},"",2,0.10,2024-01-31,,false,,small',
    "a backslash in quotes": '{0},"\\N",2,0.10,2024-01-31,,false,,small',
    "another alphabet": "{0},\u4e16\u754c,2,0.10,2024-01-31,,false,,small",
    "a backslash": "{0},a\\nb,2,0.10,2024-01-31,,false,,small",
    "two more digits": "{0},tea,1,1.505,2024-02-29,,true,,small",
    "trailing zeros": "{0},tea,1,1.5000,2024-02-29,,true,,small",
    "a local time": "{0},tea,1,1.50,2024-02-29,2024-07-01T10:00:00,true,,small",
    "another zone": "{0},tea,1,1.50,2024-02-29,2024-07-01T10:00:00+02:00,true,,small",
    "outside the closed set": "{0},tea,1,1.50,2024-02-29,,true,,huge",
    "too long": "{0},teapots,1,1.50,2024-02-29,,true,,small",
    "no day": "{0},tea,1,1.50,2023-02-29,,true,,small",
    "no uuid": f"{{0}},tea,1,1.50,2023-02-28,,true,{TOKEN[:-1]}g,small",
    "a field less": "{0},tea",
    "a required null": ",tea,1,1.50,2024-02-29,,true,,small",
}


def contract(name: str, declared: str = "{type: csv}") -> str:
    """A dataset with a column of each usual type."""
    options = {
        "id": "config: {meta: {tidegate: {required: true}}}",
        "seen": "config: {meta: {tidegate: {parse: {timezone: Europe/Berlin}}}}",
        "size": "config: {meta: {tidegate: {enum: [small, large]}}}",
    }
    columns = [
        f'          - {{name: {name}, data_type: "{type_}", description: {name}.'
        f"{', ' + options[name] if name in options else ''}}}\n"
        for name, type_ in TYPES.items()
    ]
    text = ORDERS.replace("KIND", "append").replace("name: orders", f"name: {name}")
    text = text.replace("name: shop", f"name: {name}_source").replace("orders/*", f"{name}/*")
    text = text.replace("format: {type: csv}", f"format: {declared}")
    return text.split("          - name: id", 1)[0] + "".join(columns)


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with the datasets `orders` and `others`, alike, of many types."""
    project = make_project(tmp_path, warehouse)
    project.contract("shop", contract("orders"))
    project.contract("others", contract("others"))
    return project


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each batch had that was copied straight into its table."""
    counts: list[int] = []
    write = loading.Loading.write

    def counted(self: loading.Loading, batch: Batch) -> None:
        counts.append(batch.rows)
        write(self, batch)

    monkeypatch.setattr(loading.Loading, "write", counted)
    return counts


def everything(project: LandingProject, dataset: str) -> list[list[tuple[Any, ...]]]:
    """Rows, quarantine and values outside closed sets, without what differs by run."""
    return [
        project.query(
            "select id, item, qty, price, day, seen, flag, token, size, _record_number"
            f" from landing.{dataset} order by _record_number"
        ),
        *(
            project.query(statement, dataset)
            for statement in (
                "select record_number, line_from, line_to, reason, field, raw"
                " from governance.quarantine where dataset = %s order by record_number",
                "select record_number, field, source_value from governance.enum_quarantine"
                " where dataset = %s",
                "select rows_read, rows_accepted, rows_quarantined, observed -> 'columns'"
                " from governance.runs where dataset = %s",
                "select rows from governance.materializations where dataset = %s",
            )
        ),
    ]


def land(project: LandingProject, content: str, dataset: str = "orders") -> FileOutcome:
    """Land in blocks of a few records, so that a file has batches of both kinds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "Limits", lambda: Limits(chunk_bytes=500))
        return project.land("orders/1.csv", content, dataset=dataset)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("large", [0, 1 << 17])
def test_rows_are_the_same_whichever_way_they_take(
    project: LandingProject, taken: list[int], monkeypatch: pytest.MonkeyPatch, odd: str, large: int
) -> None:
    """Copied by batches or staged and converted: equal values, quarantine and counts.

    `large`: from so many bytes on, plain lines are copied as they stand.
    """
    monkeypatch.setattr(columns, "_LARGE", large)
    rows = [GOOD.format(number) for number in range(1, 40)]
    content = "\n".join([HEADER, *rows, ODD[odd].format(77), *rows[:3]]) + "\n"
    assert land(project, content).status is RunStatus.ACCEPTED
    assert 20 < sum(taken) <= 43
    monkeypatch.setattr(loading.Loading, "takes", lambda self, batch: False)
    monkeypatch.setattr(columns, "_LARGE", 1 << 17)
    taken.clear()
    assert land(project, content, "others").status is RunStatus.ACCEPTED
    assert taken == []
    assert everything(project, "orders") == everything(project, "others")


DIALECTS: list[tuple[str, str, dict[str, str | None]]] = [
    ("{type: csv}", ",", {"": None, '""': "", '"a,b"': "a,b", "\\N": "\\N", '"\\N"': "\\N"}),
    ("{type: csv, null_tokens: []}", ",", {"": "", '""': "", '"a,b"': "a,b", "tea": "tea"}),
    (
        "{type: csv, delimiter: ';', quote: \"'\", null_tokens: [NA]}",
        ";",
        {"NA": None, "'NA'": "NA", "": "", "'a;b'": "a;b", '"a"': '"a"'},
    ),
    ('{type: csv, delimiter: "|", quote: null}', "|", {"": None, '"a"': '"a"', "a\tb": "a\tb"}),
    (
        '{type: csv, delimiter: "%", null_tokens: ["\\\\N"]}',
        "%",
        {"\\N": None, '"\\N"': "\\N", '"%d"': "%d", "\\.": "\\.", "": ""},
    ),
]


@pytest.mark.parametrize(("declared", "mark", "items"), DIALECTS)
@pytest.mark.parametrize("direct", [True, False])
def test_lines_as_they_stand_mean_the_same_in_any_dialect(
    project: LandingProject,
    taken: list[int],
    monkeypatch: pytest.MonkeyPatch,
    declared: str,
    mark: str,
    items: dict[str, str | None],
    direct: bool,
) -> None:
    """Null, empty and quoted texts, into the typed table and into the stage."""
    for name in ("orders", "others"):
        project.contract("shop" if name == "orders" else name, contract(name, declared))
    rows = [
        mark.join([str(number), list(items)[number % len(items)], *GOOD.split(",")[2:]])
        for number in range(1, 40)
    ]
    content = "\n".join([mark.join(TYPES), *rows]) + "\n"
    if not direct:
        monkeypatch.setattr(loading.Loading, "takes", lambda self, batch: False)
    monkeypatch.setattr(columns, "_LARGE", 0)
    assert land(project, content).status is RunStatus.ACCEPTED
    assert sum(taken) == (39 if direct else 0)
    monkeypatch.setattr(columns, "_LARGE", 1 << 17)
    monkeypatch.setattr(loading.Loading, "takes", lambda self, batch: False)
    assert land(project, content, "others").status is RunStatus.ACCEPTED
    assert everything(project, "orders") == everything(project, "others")
    assert {row[1] for row in everything(project, "orders")[0]} == set(items.values())


def test_a_file_with_other_columns_is_staged_whole(
    project: LandingProject, taken: list[int]
) -> None:
    """Somebody may have to answer first, and rows that nobody wants yet are not written."""
    land(project, "\n".join([f"{HEADER},more", GOOD.format(1) + ",x"]) + "\n")
    assert taken == []


def test_a_policy_that_fails_takes_copied_rows_back_and_leaves_all_of_them_staged(
    project: LandingProject, taken: list[int]
) -> None:
    """The stage is made again from the artefact; what could not be read is held once."""
    policy = (
        "quality_policy: {version: p1, rules: [{id: few, type: row_count, maximum: 5}]}\n"
        "              format:"
    )
    project.contract("shop", contract("orders").replace("format:", policy, 1))
    rows = [GOOD.format(number) for number in range(1, 30)]
    outcome = land(project, "\n".join([HEADER, *rows, ODD["a field less"].format(77)]) + "\n")
    assert (outcome.status, outcome.reason) == (RunStatus.FAILED, "policy_failed")
    assert sum(taken) > 10
    assert project.query("select count(*) from landing_rows.orders__l1") == [(0,)]
    run = outcome.run_id
    assert project.query(f"select count(*) from landing_stage.r{run}") == [(29,)]
    assert project.query("select count(*) from governance.materializations") == [(0,)]
    assert project.query("select record_number, reason from governance.quarantine") == [
        (30, "too_few_fields")
    ]


def test_a_proof_that_says_too_much_costs_time_and_no_data(
    project: LandingProject, taken: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server refuses a value that was said to be proved: everything is staged and judged."""
    monkeypatch.setattr(loading, "_conforms", lambda *_: True)
    rows = [GOOD.format(number) for number in range(1, 30)]
    outcome = land(project, "\n".join([HEADER, *rows, ODD["no day"].format(77)]) + "\n")
    assert outcome.status is RunStatus.ACCEPTED
    assert (outcome.read, outcome.accepted, outcome.quarantined) == (30, 29, 1)
    assert taken
    assert project.query("select count(*) from landing.orders") == [(29,)]
    assert project.query("select reason from governance.quarantine") == [("invalid_date",)]


def test_bytes_that_another_run_accepted_meanwhile_are_a_duplicate(
    project: LandingProject, taken: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that are in the table already are taken back; the first run's stay."""
    monkeypatch.setattr(materializations, "record", lambda *_: None)
    outcome = land(project, "\n".join([HEADER, GOOD.format(1)]) + "\n")
    assert outcome.status is RunStatus.DUPLICATE
    assert taken == [1]
    assert project.query("select count(*) from landing_rows.orders__l1") == [(0,)]

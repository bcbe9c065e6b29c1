"""Records and names that the server or a screen could not hold: one of them never costs a file."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from landing_project import LandingProject, make_project
from tidegate.deliveries.report import LandingReport
from tidegate.deliveries.text import as_text
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.warehouse import Warehouse

HEADER = "id,item,qty\n"
WIDE = """
version: 2
sources:
  - name: wide
    schema: landing
    tables:
      - name: wide
        description: A row for each sample.
        config:
          meta:
            tidegate:
              version: "1"
              owner: lab
              delivery: {kind: append, key: [id], match: ["wide/*"]}
              format: {type: FORMAT}
        columns:
          - name: id
            data_type: bigint
            description: Number of the sample.
            config: {meta: {tidegate: {required: true}}}
"""
CELLS = 1500


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an upsert dataset `orders`."""
    return make_project(tmp_path, warehouse, "upsert")


def change(project: LandingProject, source: str, old: str, new: str) -> None:
    """Change a contract before anything was landed under it."""
    path = project.folder / "contracts" / "datasets" / f"{source}.yml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def wide_csv(texts: list[str]) -> str:
    """Each text in every cell of its record."""
    head = ",".join(["id", *(f"c{number}" for number in range(CELLS))])
    lines = [",".join([str(number), *[text] * CELLS]) for number, text in enumerate(texts)]
    return "\n".join([head, *lines]) + "\n"


def wide_jsonl(texts: list[str]) -> str:
    """The same records as JSON Lines."""
    cells = [",".join(f'"c{cell}":"{text}"' for cell in range(CELLS)) for text in texts]
    return "".join(f'{{"id":{number},{cell}}}\n' for number, cell in enumerate(cells))


@pytest.mark.parametrize("format_", ["csv", "jsonl"])
def test_a24_a_record_that_is_no_row_of_postgresql_is_held_and_the_others_land(
    project: LandingProject, format_: str
) -> None:
    """A24: 1,500 cells of ten characters do not fit into a page; shorter ones do."""
    cells = "".join(
        f"          - {{name: c{number}, data_type: text, description: A cell.}}\n"
        for number in range(CELLS)
    )
    project.contract("wide", WIDE.replace("FORMAT", format_) + cells)
    texts = ["x", "x" * 10, "", "xyz"]
    content = wide_csv(texts) if format_ == "csv" else wide_jsonl(texts)
    outcome = project.land(f"wide/a.{format_}", content)
    assert (outcome.status, outcome.accepted, outcome.quarantine_reasons) == (
        RunStatus.ACCEPTED,
        3,
        {"field_too_large": 1},
    )
    held = project.query("select record_number, octet_length(raw) from governance.quarantine")
    assert held == [(2, len(content.splitlines()[2 if format_ == "csv" else 1]))]
    assert project.query("select id from landing.wide order by 1") == [(0,), (2,), (3,)]


def test_a_key_that_no_index_holds_is_held_and_the_others_land(project: LandingProject) -> None:
    """The whole key stands in an index, whose entries end at 2,704 bytes."""
    change(project, "shop", "data_type: bigint", "data_type: text")
    keys = ["a", "k" * 2600, "k" * 2601, "\u00e4" * 1300, "\u00e4" * 1301]
    rows = "".join(f"{key},tea,1\n" for key in keys)
    outcome = project.land("orders/1.csv", HEADER + rows)
    assert (outcome.accepted, outcome.quarantine_reasons) == (3, {"too_long": 2})
    again = project.land("orders/2.csv", HEADER + rows + "b,tea,1\n")
    assert (again.accepted, again.quarantine_reasons) == (4, {"too_long": 2})
    held = project.query("select distinct record_number, reason, field from governance.quarantine")
    assert sorted(held) == [(3, "too_long", "id"), (5, "too_long", "id")]
    assert project.query("select count(*) from landing.orders") == [(4,)]


def test_names_of_a_partner_s_columns_are_shown_on_one_line_and_cut(
    project: LandingProject,
) -> None:
    """A terminal obeys what it is sent, and a header may hold a page of text."""
    long = "h" * 300
    outcome = project.land("orders/1.csv", f"id,item,qty,\x1b[2J,{long}\n1,tea,1,x,y\n")
    cut = f"{'h' * 100}\u2026 (300 characters)"
    assert as_text(LandingReport((outcome,), ())).splitlines()[:5] == [
        "parked      1.csv -> orders  1 read, 0 accepted, 0 quarantined",
        "            drift_parked",
        f"            Waits for an answer about: \\x1b[2J, {cut}. "
        "`tidegate drift show 1` says what changed.",
        "            drift: field_added_required \\x1b[2J (required_added, warning): parked",
        f"            drift: field_added_required {cut} (required_added, warning): parked",
    ]


@pytest.mark.parametrize(
    ("header", "detail"),
    [
        ("id,item,qty," + "n" * 501, "more than 500 characters at position 4"),
        ("id,item,qty,\x1b[m,\x1b[m", r"'\x1b[m' at 4, 5"),
        (
            "id," * 100 + "id",
            f"'id' at {', '.join(str(number) for number in range(1, 26))} and 76 more",
        ),
    ],
    ids=["long", "controls", "many"],
)
def test_a_header_that_is_refused_is_told_in_one_line(
    project: LandingProject, header: str, detail: str
) -> None:
    """Names of any length and number, and a bounded message."""
    outcome = project.land("orders/1.csv", header + "\n" + "1" + "," * header.count(",") + "\n")
    assert (outcome.status, outcome.detail) == (RunStatus.REJECTED, detail)


def test_names_of_members_are_bounded_record_by_record(project: LandingProject) -> None:
    """A map's keys may be anything; one that the ledger cannot index holds its record alone."""
    change(project, "notes", "path: /head/id", "path: /note_id")
    change(project, "notes", "type: json}", "type: jsonl}")
    change(project, "notes", '{path: ""}', "{path: /document}")
    lines = [
        '{"note_id": "a", "tags": 1, "document": 1}',
        '{"note_id": "b", "tags": 1, "document": 1, "' + "n" * 501 + '": 1}',
    ]
    outcome = project.land("notes/1.json", "\n".join(lines))
    assert (outcome.accepted, outcome.quarantine_reasons) == (1, {"field_too_large": 1})


def test_lines_that_are_no_records_are_held_and_no_column_is_said_to_be_gone(
    project: LandingProject,
) -> None:
    """Nothing was read that could lack a column: every line is in quarantine under its reason."""
    change(project, "notes", "type: json}", "type: jsonl}")
    outcome = project.land("notes/1.json", "<html>\n503\n[]\n")
    assert (outcome.status, outcome.read, outcome.quarantine_reasons, outcome.drift) == (
        RunStatus.ACCEPTED,
        3,
        {"invalid_json": 1, "not_an_object": 2},
        (),
    )


def test_rules_that_warn_are_told_where_the_delivery_is(project: LandingProject) -> None:
    """The delivery is accepted, a review item is open, and whoever landed it reads so."""
    policy = (
        "quality_policy: {version: p1, rules: [{id: few, type: row_count, maximum: 1,"
        " severity: warning}, {id: positive, type: range, field: qty, minimum: 1,"
        " severity: warning}]}\n              format:"
    )
    change(project, "shop", "format:", policy)
    outcome = project.land("orders/1.csv", HEADER + "1,tea,0\n2,jam,1\n")
    assert outcome.warnings == ("rules that warn: few, positive (`tidegate review list`)",)
    assert as_text(LandingReport((outcome,), ())).splitlines()[:2] == [
        "accepted    1.csv -> orders  2 read, 2 accepted, 0 quarantined",
        "            rules that warn: few, positive (`tidegate review list`)",
    ]
    nothing = project.land("orders/2.csv", HEADER)
    assert nothing.warnings == ("rules that warn: positive (`tidegate review list`)",)


def test_a_file_that_cannot_be_read_to_its_end_is_told_as_that(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A share that fails while it is read is no full disk of ours; the next file lands."""

    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    paths = [
        project.write(f"orders/{number}.csv", f"{HEADER}{number},tea,1\n") for number in (1, 2)
    ]
    opens = Path.open
    monkeypatch.setattr(
        Path,
        "open",
        lambda path, *how, **more: Failing() if path == paths[0] else opens(path, *how, **more),
    )
    first, second = project.land_paths(paths).files
    assert (first.exit_code, first.error) == (
        2,
        f"{paths[0]} cannot be read to its end: Input/output error. Nothing of it was landed."
        " Look at the disk or share that it lies on.",
    )
    assert second.status is RunStatus.ACCEPTED
    assert not list(project.settings.artifacts_dir.glob("*.part"))


def test_nothing_supersedes_what_an_append_dataset_has(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """All of its deliveries are shown: that another came later says nothing of a duplicate."""
    project = make_project(tmp_path, warehouse, "append")
    project.land("orders/1.csv", HEADER + "1,tea,1\n")
    project.land("orders/2.csv", HEADER + "2,tea,1\n")
    again = project.land("orders/3.csv", HEADER + "1,tea,1\n")
    assert (again.status, again.superseded_by) == (RunStatus.DUPLICATE, None)


PER_CENT = """
version: 2
sources:
  - name: rates
    schema: landing
    tables:
      - name: rates
        description: What stands in a contract with a per cent sign.
        loaded_at_field: _received_at
        config:
          meta:
            tidegate:
              version: "1"
              owner: shop
              delivery: {kind: append, match: ["rates/*.csv"]}
              format: {type: csv, null_tokens: ["", "n%s"]}
        columns:
          - name: rate
            data_type: text
            description: A closed set.
            config: {meta: {tidegate: {enum: ["5%", "50 %s", "%(x)s"]}}}
          - name: grade
            data_type: text
            description: Another, needed.
            config: {meta: {tidegate: {required: true, enum: ["100%", "%%"]}}}
          - name: whole
            data_type: boolean
            description: Tokens.
            config: {meta: {tidegate: {parse: {true_tokens: ["100%"], false_tokens: ["0%"]}}}}
          - name: code
            data_type: text
            description: A pattern.
            config: {meta: {tidegate: {parse: {pattern: "[0-9]+%"}}}}
          - name: at
            data_type: timestamp
            description: Twelve hours.
            config: {meta: {tidegate: {parse: {timestamp_format: "%d%%%m%%%Y %I:%M %p"}}}}
"""


def test_per_cent_signs_of_a_contract_are_what_they_say(project: LandingProject) -> None:
    """Tokens, closed sets, patterns and formats with % are text, and no places of a statement."""
    project.contract("rates", PER_CENT)
    outcome = project.land(
        "rates/1.csv",
        "rate,grade,whole,code,at\n"
        "5%,100%,100%,12%,24%12%2026 01:05 PM\n"
        "7%,%%,0%,n%s,24%12%2026 12:05 AM\n"
        "%(x)s,90%,0%,12%,24%12%2026 01:05 PM\n"
        "50 %s,%%,5%,12%,24%12%2026 01:05 PM\n"
        "50 %s,%%,0%,12,24%12%2026 01:05 PM\n",
    )
    assert (outcome.status, outcome.read, outcome.accepted) == (RunStatus.ACCEPTED, 5, 2)
    assert outcome.quarantine_reasons == {
        "not_in_enum": 1,
        "invalid_boolean": 1,
        "pattern_mismatch": 1,
    }
    assert project.query(
        "select rate, grade, whole, code, at::text from landing.rates order by _record_number"
    ) == [
        ("5%", "100%", True, "12%", "2026-12-24 13:05:00"),
        (None, "%%", False, None, "2026-12-24 00:05:00"),
    ]
    assert project.query("select field, source_value from governance.enum_quarantine") == [
        ("rate", "7%")
    ]

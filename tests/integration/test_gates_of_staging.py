"""The gates of what was staged: identifiers, closed enums, dates, where each row was read."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import (
    Connection,
    about,
    alone,
    by_row,
    judge,
    rejected,
    survivors,
    table,
)
from tidegate.gates.model import Severity, Status
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult

COLUMNS = (
    "nct_id text, org_id text, status text, source_status text, started date, started_text text,"
    " source_artifact_key text, content_sha256 text, immutable_uri text,"
    " phases text[], source_phases text[]"
)
RECEIPT = ("artifact:1", "0" * 64, "artifact:sha256/0")
QUARANTINE = "k text, relation_name text, row_key text, column_name text"
PHASES = ["PHASE1", "PHASE2"]
GOOD = ("NCT01642004", "CA209-017", "COMPLETED", "COMPLETED", "2012-10-16", "2012-10-16", *RECEIPT,
        PHASES, PHASES)  # fmt: skip
ARGUMENTS: dict[str, dict[str, Any]] = {
    "identifier_presence": {"identifiers": ["nct_id", "org_id"]},
    "enum_mapping": {
        "enums": {"status": "source_status"}, "arrays": ["phases"],
        "closed": {"status": ["COMPLETED", "RECRUITING"], "phases": ["PHASE1", "PHASE2"]},
        "quarantined_as": "q_trials", "relations": {"quarantine": "held"},
    },
    "date_validity": {
        "dates": {"started": "started_text"}, "quarantined_as": "q_trials",
        "relations": {"quarantine": "held"},
    },
    "provenance_retention": {},
}  # fmt: skip


def changed(**values: Any) -> tuple[Any, ...]:
    """The good row with other values."""
    names = [column.split()[0] for column in COLUMNS.split(",")]
    return tuple(values.get(name, value) for name, value in zip(names, GOOD, strict=True))


def judged(conn: Connection, gate_id: str, *rows: Any, **options: Any) -> GateResult:
    """The verdict on these rows beside a quarantine that has the words of NCT2."""
    trials = table(conn, "trials", COLUMNS, rows, row_key=["nct_id"])
    held = table(
        conn,
        "held",
        QUARANTINE,
        [
            ("1", "q_trials", "NCT2", "status"),
            ("2", "q_trials", "NCT2", "started"),
            ("2", "q_trials", "NCT2", "phases"),
            ("3", "q_sites", "NCT3", "status"),
            ("3", "q_sites", "NCT3", "phases"),
            ("4", "q_sites", "NCT3", "started"),
        ],
    )
    arguments = {**ARGUMENTS[gate_id], **options.pop("arguments", {})}
    return judge(conn, gate_id, trials, held, arguments=arguments, **options)


@pytest.mark.parametrize("gate_id", ARGUMENTS)
def test_a_row_as_it_has_to_be_passes(conn: Connection, gate_id: str) -> None:
    """Identifiers, a mapped word, a day, a receipt; no row at all is no verdict."""
    assert judged(conn, gate_id, GOOD).status is Status.PASS
    assert judged(conn, gate_id).status is Status.NOT_EVALUATED


FAILING = [
    ("identifier_presence", {"org_id": None}, "identifier_missing", {"missing": ["org_id"]}),
    ("identifier_presence", {"org_id": " "}, "identifier_missing", {"missing": ["org_id"]}),
    ("enum_mapping", {"status": None, "source_status": "PAUSED"}, "value_unmapped",
     {"column": "status", "closed": ["COMPLETED", "RECRUITING"]}),
    ("enum_mapping", {"status": "PAUSED"}, "value_outside_enum",
     {"column": "status", "closed": ["COMPLETED", "RECRUITING"]}),
    ("enum_mapping", {"phases": ["PHASE1"], "source_phases": ["PHASE1", "PHASE9"]},
     "value_unmapped", {"column": "phases", "closed": ["PHASE1", "PHASE2"]}),
    ("enum_mapping", {"phases": None}, "value_unmapped",
     {"column": "phases", "closed": ["PHASE1", "PHASE2"]}),
    ("enum_mapping", {"phases": ["PHASE1", "PHASE2", "PHASE9"]}, "value_outside_enum",
     {"column": "phases", "closed": ["PHASE1", "PHASE2"]}),
    ("date_validity", {"started": None, "started_text": "soon"}, "date_unreadable",
     {"column": "started"}),
    ("date_validity", {"started": "2101-01-01"}, "date_out_of_range", {"column": "started"}),
    ("date_validity", {"started": "1899-12-31"}, "date_out_of_range", {"column": "started"}),
    ("provenance_retention", {"source_artifact_key": None}, "provenance_lost",
     {"missing": ["source_artifact_key"]}),
    ("provenance_retention", {"content_sha256": "", "immutable_uri": None}, "provenance_lost",
     {"missing": ["content_sha256", "immutable_uri"]}),
]  # fmt: skip


@pytest.mark.parametrize(("gate_id", "values", "reason", "metadata"), FAILING)
def test_each_way_to_be_staged_wrongly_blocks(
    conn: Connection, gate_id: str, values: dict[str, Any], reason: str, metadata: Any
) -> None:
    """With the column, and never a value."""
    result = judged(conn, gate_id, changed(nct_id="NCT1"), changed(nct_id="NCT3", **values))
    assert (result.status, result.rows_checked, result.rows_failing) == (Status.FAIL, 2, 1)
    assert by_row(result) == {"NCT3": {reason}}
    assert about(result, "NCT3") == (metadata, {})
    assert result.remediation_hint == GATES[gate_id].remedy
    warned = judged(conn, gate_id, changed(**values), severity=Severity.WARNING)
    assert (warned.status, warned.blocks) == (Status.WARN, False)


def test_what_no_list_or_calendar_has_may_stand_in_the_quarantine(conn: Connection) -> None:
    """There under the relation, the row and the column; of another relation it is lost."""
    lost = changed(
        nct_id="NCT2", status=None, source_status="PAUSED", started=None,
        started_text="2023-02-30", phases=[], source_phases=["PHASE9"],
    )  # fmt: skip
    for gate_id in ("enum_mapping", "date_validity"):
        assert judged(conn, gate_id, lost).status is Status.PASS
        other = judged(conn, gate_id, lost, arguments={"quarantined_as": "q_sites"})
        assert by_row(other).keys() == {"NCT2"}
        gone = judged(conn, gate_id, lost, missing=["held"])
        assert gone.reasons["not_evaluated"] == 1


def test_what_the_source_left_out_is_no_violation(conn: Connection) -> None:
    """Neither a word nor a date; only identifiers and receipts are always due."""
    silent = changed(**NOTHING)
    assert judged(conn, "enum_mapping", silent).status is Status.PASS
    assert judged(conn, "date_validity", silent).status is Status.PASS


def test_a_date_without_a_text_beside_it_is_judged_by_its_range(conn: Connection) -> None:
    """The quarantine is needed only where the words of the source are known."""
    alone = {"dates": {"started": None}, "relations": {"quarantine": None}}
    result = judged(conn, "date_validity", changed(started=None), arguments=alone)
    assert result.status is Status.PASS
    early = judged(conn, "date_validity", GOOD, arguments={**alone, "earliest": "2020-01-01"})
    assert by_row(early) == {"NCT01642004": {"date_out_of_range"}}


@pytest.mark.parametrize(
    ("gate_id", "option", "nothing"),
    [
        ("identifier_presence", "identifiers", []),
        ("date_validity", "dates", {}),
        ("provenance_retention", "needed", []),
    ],
)
def test_a_test_that_names_no_column_has_not_passed(
    conn: Connection, gate_id: str, option: str, nothing: Any
) -> None:
    """It would pass whatever the rows are; a column that is not there is an error."""
    result = judged(conn, gate_id, GOOD, arguments={option: nothing})
    assert (result.status, result.reasons) == (Status.FAIL, {"columns_undeclared": 1})
    wrong = ["no_such"] if isinstance(nothing, list) else {"no_such": "no_such"}
    assert judged(conn, gate_id, GOOD, arguments={option: wrong}).error == (
        "UndefinedColumn [42703]: column checked.no_such does not exist"
    )


def test_a_mapping_needs_a_column_of_either_kind(conn: Connection) -> None:
    """One value a cell or several; neither is no check."""
    nothing = {"enums": {}, "arrays": {}}
    assert judged(conn, "enum_mapping", GOOD, arguments=nothing).reasons == {
        "columns_undeclared": 1
    }
    several = {"enums": {}, "arrays": {"phases": "source_phases"}}
    assert judged(conn, "enum_mapping", GOOD, arguments=several).status is Status.PASS
    for kind in ("enums", "arrays"):
        wrong = judged(conn, "enum_mapping", GOOD, arguments={kind: {"no_such": "no_such"}})
        assert wrong.error == "UndefinedColumn [42703]: column checked.no_such does not exist"


NOTHING = {"status": None, "source_status": None, "started": None, "started_text": None,
           "phases": None, "source_phases": None}  # fmt: skip
BRANCHES: dict[str, list[tuple[tuple[Any, ...], set[str]]]] = {
    "identifier_presence": [(changed(nct_id=""), {"identifier_missing"})],
    "enum_mapping": [
        (changed(nct_id="open", status="RECRUITING"), set()),
        (changed(nct_id="silent", **NOTHING), set()),
        (changed(nct_id="none", phases=None, source_phases=[]), set()),
        (changed(nct_id="blank", source_phases=["PHASE1", None]), set()),
    ],
    "date_validity": [
        (changed(nct_id="silent", **NOTHING), set()),
        (changed(nct_id="first", started="1900-01-01"), set()),
        (changed(nct_id="last", started="2100-12-31"), set()),
    ],
    "provenance_retention": [
        (changed(nct_id="hashless", content_sha256=None), {"provenance_lost"}),
        (changed(nct_id="homeless", immutable_uri=" "), {"provenance_lost"}),
    ],
}


@pytest.mark.parametrize("gate_id", ARGUMENTS)
def test_each_branch_of_a_condition_counts(conn: Connection, gate_id: str) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    branches = BRANCHES[gate_id]
    assert by_row(judged(conn, gate_id, *alone(branches))) == rejected(branches)


@pytest.mark.parametrize("gate_id", ARGUMENTS)
def test_each_condition_counts(conn: Connection, gate_id: str) -> None:
    """No condition of these gates can be emptied or negated unnoticed."""
    rows = [changed(nct_id=f"N{n}", **values) for n, (_, values, *_) in enumerate(FAILING)]
    kept = changed(nct_id="NCT2", status=None, source_status="X", started=None, started_text="X",
                   phases=[], source_phases=["X"])  # fmt: skip
    trials = table(
        conn, "trials", COLUMNS, [GOOD, kept, *rows, *alone(BRANCHES[gate_id])], row_key=["nct_id"]
    )
    unkept = [row[0] for row in rows]
    held = table(
        conn,
        "held",
        QUARANTINE,
        [
            ("1", "q_trials", "NCT2", "status"),
            ("2", "q_trials", "NCT2", "started"),
            ("2", "q_trials", "NCT2", "phases"),
            *[
                ("3", "q_sites", key, column)
                for key in unkept
                for column in ("status", "started", "phases")
            ],
            *[("4", "q_trials", key, "elsewhere") for key in unkept],
        ],
    )
    # The list of cells begins with an empty one, of which nothing can be wrong.
    empty = ["lifted: WHERE cell.column_name IS NOT NULL"]
    checked = spec(gate_id, trials, held, arguments=ARGUMENTS[gate_id])
    assert survivors(conn, checked, equal=empty) == []

"""source_locator: where in which artefact a claim was read, in the shape of its source family.

Claims of NCT02210780, PMID 29768149 and the AACT snapshot of 2024-10-13.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import (
    Branches,
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
from tidegate.gates.result import GateResult
from tidegate.macros import render

COLUMNS = (
    "claim_id text!, source_family text, source_artifact_key text, locator_shape text,"
    " locator jsonb, source_text_coverage text, canonical_bound boolean, fact_path text,"
    " subject_key text"
)
TAIL = ("exact_span", True, "value_num", "s1")
PAPER = "pubmed:29768149.1"
ROW = ("row", "aact_snapshot", "aact:2024-10-13", "api_row",
       '{"table": "outcome_measurements", "id": 3261317}', *TAIL)  # fmt: skip
SPAN = ("span", "ema_epar", "ema:EPAR", "pdf_page_span", '{"page": 12, "start": 40, "end": 95}',
        *TAIL)  # fmt: skip
QUOTE = ("quote", "pubmed", PAPER, "text_quote", '{"exact": "the rate ratio was 0.36"}', *TAIL)
MISSING = ("missing", "pubmed", PAPER, None, None, "none", True, "value_num", "s4")
UNBOUND = ("unbound", "pubmed", PAPER, None, None, "none", False, "value_num", "s4")
PARTIAL = ("partial", "pubmed", PAPER, "text_quote", '{"exact": "0.83"}', "partial_span", True)
FAILING = [
    (("c", "ctgov_v2", "a", "text_quote", '{"exact": "83.7"}', *TAIL),
     "locator_shape_differs", None),
    (("c", "unheard_of", "a", "text_quote", '{"exact": "83.7"}', *TAIL),
     "locator_shape_differs", None),
    (("c", None, "a", "text_quote", '{"exact": "83.7"}', *TAIL), "locator_shape_differs", None),
    (("c", "aact_snapshot", None, "api_row", '{"table": "x", "id": 1}', *TAIL),
     "artifact_missing", None),
    (("c", "aact_snapshot", " ", "api_row", '{"table": "x", "id": 1}', *TAIL),
     "artifact_missing", None),
    (("c", "aact_snapshot", "a", "api_row", '{"table": "x"}', *TAIL),
     "locator_incomplete", ["id"]),
    (("c", "pubmed", "a", "text_quote", '{"exact": " "}', *TAIL),
     "locator_incomplete", ["exact"]),
    (("c", "pubmed", "a", "text_quote", '"page 3"', *TAIL), "locator_incomplete", ["exact"]),
    (("c", "pubmed", "a", "text_quote", "null", *TAIL), "locator_missing", ["exact"]),
    (("c", "pubmed", "a", None, '{"exact": "0.83"}', *TAIL), "locator_missing", None),
    (("c", "pubmed", "a", "text_quote", None, None, None), "locator_missing", ["exact"]),
]  # fmt: skip

# Each column of a locator's place: a pointer that is there and empty, a shape that nobody states.
BRANCHES = [
    (("whole", "ctgov_v2", "a", "json_pointer", '{"pointer": ""}', *TAIL), set()),
    (("pointless", "ctgov_v2", "a", "json_pointer", '{"record": 1}', *TAIL),
     {"locator_incomplete"}),
    (("wordy", "pubmed", "a", None, '"page 3"', *TAIL),
     {"locator_missing", "locator_incomplete"}),
]  # fmt: skip

OPTIONS = json.loads(render("source_locator_arguments"))["options"]


def lacking() -> Branches:
    """For each member of each shape a claim that has all the others."""
    return [
        (
            (f"{shape}_{absent}", family, "a", shape,
             json.dumps({member: "1" for member in members if member != absent}), *TAIL),
            {"locator_incomplete"},
        )
        for shape, members in OPTIONS["members"].items()
        for family in [next(name for name in OPTIONS["shapes"] if shape in OPTIONS["shapes"][name])]
        for absent in members
    ]  # fmt: skip


def judged(conn: Connection, *rows: Any, public: bool = True, **options: Any) -> GateResult:
    claims = table(conn, "claims", COLUMNS, rows, row_key=["claim_id"], public=public)
    return judge(conn, "source_locator", claims, **options)


def test_a_claim_with_api_row_locator_passes(conn: Connection) -> None:
    """Table and id of a snapshot say which row."""
    assert judged(conn, ROW).status is Status.PASS


def test_a_claim_with_document_span_locator_passes(conn: Connection) -> None:
    """A page and a span of characters, or the exact words."""
    assert judged(conn, SPAN, QUOTE).status is Status.PASS


def test_a_claim_with_missing_locator_blocks(conn: Connection) -> None:
    """With everything somebody needs to find it: fact, artefact, the shapes that were expected."""
    result = judged(conn, ROW, SPAN, QUOTE, MISSING)
    assert (result.status, result.rows_checked, result.rows_failing) == (Status.FAIL, 4, 1)
    assert result.blocks
    assert by_row(result) == {"missing": {"locator_missing"}}
    assert about(result, "missing") == (
        {"expected_shapes": ["table_cell", "text_quote"], "missing": None, "withheld": []},
        {"fact_path": "value_num", "source_artifact_key": PAPER, "source_family": "pubmed",
         "locator_shape": None, "subject_key": "s4"},
    )  # fmt: skip
    assert result.remediation_hint == (
        "Keep artefact, shape and place where the claim is read; a claim without them stays "
        "`canonical_bound: false`."
    )


@pytest.mark.parametrize(("row", "reason", "missing"), FAILING)
def test_each_way_to_have_no_place_blocks(
    conn: Connection, row: Any, reason: str, missing: list[str] | None
) -> None:
    """Another family's shape, no artefact, an unfinished locator; unknown binding is binding."""
    result = judged(conn, row)
    assert by_row(result) == {"c": {reason}}
    assert about(result, "c")[0]["missing"] == missing


def test_partial_text_coverage_warns(conn: Connection) -> None:
    """A locator whose text is only partly covered is told, and blocks nothing."""
    result = judged(conn, PARTIAL)
    assert (result.status, result.blocks) == (Status.WARN, False)
    assert by_row(result) == {"partial": {"~text_coverage_partial"}}


def test_a_claim_that_no_fact_may_stand_on_needs_no_place(conn: Connection) -> None:
    """Not canonical-bound: tolerated; where the contract has no such column, every claim counts."""
    assert judged(conn, UNBOUND).status is Status.PASS
    result = judged(conn, UNBOUND, arguments={"columns": {"canonical_bound": None}})
    assert by_row(result) == {"unbound": {"locator_missing"}}


def test_shapes_and_members_are_the_projects_own(conn: Connection) -> None:
    """Another domain says which shapes its sources have and what a locator holds."""
    row = ("c", "till", "a", "receipt_line", '{"receipt": 7}', *TAIL)
    own = {"shapes": {"till": ["receipt_line"]}, "members": {"receipt_line": ["receipt", "line"]}}
    result = judged(conn, row, arguments=own)
    assert by_row(result) == {"c": {"locator_incomplete"}}
    assert about(result, "c")[0]["missing"] == ["line"]


def test_the_empty_pointer_is_the_whole_record(conn: Connection) -> None:
    """RFC 6901; a pointer that is not there is none."""
    whole = ("whole", "ctgov_v2", "a", "json_pointer", '{"pointer": ""}', *TAIL)
    none = ("none", "ctgov_v2", "a", "json_pointer", '{"record": 1}', *TAIL)
    assert by_row(judged(conn, whole, none)) == {"none": {"locator_incomplete"}}


def test_a_receipt_has_the_family_of_its_artefact(conn: Connection) -> None:
    """Rows without a source family of their own; an artefact that is not there has none."""
    columns = COLUMNS.replace(" source_family text,", "")
    rows = [(row[0], *row[2:]) for row in (QUOTE, ROW)]
    receipts = table(conn, "receipts", columns, rows, row_key=["claim_id"])
    kept = table(conn, "source_artifacts", "source_artifact_key text!, source_family text",
                 [(PAPER, "pubmed")], row_key=["source_artifact_key"])  # fmt: skip
    result = judge(conn, "source_locator", receipts, kept,
                   arguments={"relations": {"artifacts": "source_artifacts"}})  # fmt: skip
    assert by_row(result) == {"row": {"locator_shape_differs"}}
    assert about(result, "row")[1]["artifacts.source_family"] is None


def test_values_are_kept_only_of_public_columns(conn: Connection) -> None:
    """Without leave neither the key nor a value is kept, only what was withheld."""
    result = judged(conn, MISSING, public=False)
    assert about(result, None) == (  # type: ignore[arg-type]
        {"expected_shapes": ["table_cell", "text_quote"], "missing": None,
         "withheld": ["fact_path", "source_artifact_key", "source_family", "locator_shape",
                      "subject_key"]},
        {},
    )  # fmt: skip


def test_severity_warning_records_and_does_not_block(conn: Connection) -> None:
    """The contract alone decides whether the gate withholds."""
    result = judged(conn, MISSING, severity=Severity.WARNING)
    assert (result.status, result.blocks, result.rows_failing) == (Status.WARN, False, 1)


def test_no_claim_no_verdict(conn: Connection) -> None:
    """An empty relation has not passed, unless the test gives leave."""
    assert judged(conn).status is Status.NOT_EVALUATED
    assert judged(conn, arguments={"may_be_empty": True}).status is Status.PASS


def test_a_column_that_is_not_there_is_an_error(conn: Connection) -> None:
    """A column is never silently left out."""
    result = judged(conn, ROW, arguments={"columns": {"fact_path": "no_such_column"}})
    assert (result.status, result.error) == (
        Status.ERROR,
        "UndefinedColumn [42703]: column checked.no_such_column does not exist",
    )


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(judged(conn, *alone(BRANCHES))) == rejected(BRANCHES)
    assert by_row(judged(conn, *alone(lacking()))) == rejected(lacking())


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    rows = [(f"c{n}", *row[1:]) for n, (row, _, _) in enumerate(FAILING)]
    claims = table(conn, "claims", COLUMNS, [ROW, SPAN, QUOTE, MISSING, UNBOUND, PARTIAL, *rows,
                                             *alone(BRANCHES), *alone(lacking())],
                   row_key=["claim_id"])  # fmt: skip
    assert survivors(conn, spec("source_locator", claims)) == []

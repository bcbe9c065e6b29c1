"""subgroup_endpoint_completeness (pub_subgroup_extraction_completeness): the whole cross table."""

from __future__ import annotations

from typing import Any

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Status
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult

EXPECTED = (
    "k text!, publication_key text, publication_population_key text, canonical_endpoint_key text,"
    " is_target_slice boolean, task_revision text, source_locator text"
)
FOUND = "publication_key text, publication_population_key text, canonical_endpoint_key text"
OUTCOMES = [("P1", "pdl1_high", "endpoint:ORR"), ("P1", "pdl1_high", "endpoint:OS"),
            ("P1", "pdl1_low", "endpoint:ORR"), ("P2", "egfr_wild", "endpoint:ORR"),
            ("P3", "pdl1_unknown", "endpoint:ORR"), ("P9", "pdl1_low", "endpoint:OS")]  # fmt: skip
COMPLETE = [
    ("high_orr", "P1", "pdl1_high", "endpoint:ORR", True, "outcomes@7", "table 3, row 2"),
    ("high_os", "P1", "pdl1_high", "endpoint:OS", True),
    ("wild", "P2", "egfr_wild", "endpoint:ORR", False),
]
LACKING = [
    ("unknown", "P1", "pdl1_unknown", "endpoint:ORR", True, "outcomes@7", "table 3, row 4"),
    ("mutant", "P2", "egfr_mutant", "endpoint:ORR", False),
    ("unsaid", "P2", "egfr_other", "endpoint:ORR", None),
    ("low_os", "P1", "pdl1_low", "endpoint:OS", True),
    ("wild_os", "P2", "egfr_wild", "endpoint:OS", False),
    ("unknown_os", "P1", "pdl1_unknown", "endpoint:OS", True),
]


def world(conn: Connection, rows: list[Any]) -> tuple[Model, Model]:
    outcomes = table(conn, "q_publication_outcomes", FOUND, OUTCOMES, row_key=["publication_key"])
    return table(conn, "expected_axes", EXPECTED, rows), outcomes


def verdict(conn: Connection, rows: list[Any]) -> GateResult:
    return judge(conn, "subgroup_endpoint_completeness", *world(conn, rows))


def test_pub_subgroup_extraction_completeness_a_whole_table_passes(conn: Connection) -> None:
    """Every expected pair was extracted."""
    assert verdict(conn, COMPLETE).status is Status.PASS


def test_pub_subgroup_extraction_completeness_warns_by_default(conn: Connection) -> None:
    """Outside the target slices, or where nobody said, a missing axis is recorded only."""
    result = verdict(conn, [*COMPLETE, *LACKING[1:3]])
    assert (result.status, result.blocks) == (Status.WARN, False)
    assert by_row(result) == {"mutant": {"~subgroup_missing"}, "unsaid": {"~subgroup_missing"}}


def test_pub_subgroup_extraction_completeness_blocks_in_a_target_slice(conn: Connection) -> None:
    """The metadata has the axis, the revision of prompt and schema, and the place."""
    result = verdict(conn, [*COMPLETE, LACKING[0]])
    assert (result.status, by_row(result)) == (Status.FAIL, {"unknown": {"subgroup_missing"}})
    assert about(result, "unknown") == (
        {"taxonomy_id": "pub_subgroup_extraction_completeness", "missing_axis": "subgroup",
         "withheld": []},
        {"publication_key": "P1", "publication_population_key": "pdl1_unknown",
         "canonical_endpoint_key": "endpoint:ORR", "task_revision": "outcomes@7",
         "source_locator": "table 3, row 4"},
    )  # fmt: skip
    gate = GATES["subgroup_endpoint_completeness"]
    assert gate.taxonomy_id == "pub_subgroup_extraction_completeness"


def test_a_sibling_endpoint_that_is_missing_is_told_apart(conn: Connection) -> None:
    """The subgroup is there, one of its endpoints is not; another paper's subgroup is not it."""
    result = verdict(conn, LACKING[3:])
    assert by_row(result) == {
        "low_os": {"endpoint_missing"},
        "wild_os": {"~endpoint_missing"},
        "unknown_os": {"subgroup_missing"},
    }
    assert about(result, "low_os")[0]["missing_axis"] == "endpoint"


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, outcomes = world(conn, [*COMPLETE, *LACKING])
    assert survivors(conn, spec("subgroup_endpoint_completeness", judged, outcomes)) == []

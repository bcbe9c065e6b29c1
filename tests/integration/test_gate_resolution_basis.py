"""resolution_basis: which links may be published. Links of NCT01642004 and NCT02210780."""

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
from tidegate.gates.model import Model, Severity, Status
from tidegate.gates.result import GateResult

COLUMNS = (
    "k text!, candidate_id text, subject_kind text, source_term text, target_key text, basis text,"
    " verdict text, overlay_state text, link_state text, publishable boolean, confidence numeric,"
    " valid_until timestamptz"
)
ARM, PAPER = "trial_arm_link", "publication_trial_link"
ALLOWED = {
    ARM: ["exact_normalized_label", "verified", "reviewed_curation"],
    PAPER: ["exact_identifier", "cross_reference", "verified", "reviewed_curation"],
}
ALL_RULES = {
    "allowed": {**ALLOWED, "org_alias": ["reviewed_curation"], "*": ["exact_identifier"]},
    "reviewed": {"*": ["human_approved"], "org_alias": ["auto_reviewed"]},
}
PASSING = [
    ("exact", "c1", ARM, "Dupilumab 300 mg qw", "arm:1", "exact_normalized_label", None, None,
     "accepted", True, 1.0),
    ("id", "c2", PAPER, "NCT02149199", "trial:NCT02149199", "exact_identifier", None, None,
     "accepted", True, 1.0, "2999-01-01"),
    ("xref", "c3", PAPER, "26028407", "trial:NCT01642004", "cross_reference", None, None,
     "accepted", True, 1.0),
    ("reviewed", "c4", ARM, "Nivolumab", "arm:2", "reviewed_curation", None, "human_approved",
     "accepted", True, 1.0),
    ("verified", "c5", ARM, "Nivolumab", "arm:2", "verified", "pass", None, "accepted", True, 0.7),
    ("provisional", "c6", PAPER, "A title", "trial:NCT01642004", "title_inference", None, None,
     "provisional", False, 0.4),
]  # fmt: skip
FAILING = [
    ("absent", "d1", ARM, "Nivolumab", "arm:2", None, None, None, "accepted", True, 1.0),
    ("fuzzy", "d2", ARM, "Nivolumab", "arm:2", "verified", None, None, "accepted", True, 0.9),
    ("failed", "d3", ARM, "Nivolumab", "arm:2", "verified", "fail", None, "accepted", True, 0.9),
    ("title", "d4", PAPER, "A title", "trial:NCT01642004", "title_inference", None, None,
     "accepted", True, 0.8),
    ("other_kind", "d5", ARM, "x", "arm:2", "exact_identifier", None, None, "accepted", True, 1.0),
    ("pending", "d6", ARM, "Nivolumab", "arm:2", "reviewed_curation", None, "pending", "accepted",
     True, 1.0),
    ("stale", "d7", PAPER, "x", "trial:x", "exact_identifier", None, None, "stale", True, 1.0),
    ("expired", "d8", PAPER, "x", "trial:x", "exact_identifier", None, None, "accepted", True,
     1.0, "2020-01-01"),
    ("unsaid", "d9", PAPER, "A title", "trial:x", "title_inference", None, None, "accepted"),
    ("unsure", "e1", PAPER, "x", "trial:x", "verified", "pass", None, "accepted", True, 0.55),
]  # fmt: skip
BRANCHES = [
    (("unheard", "f1", "other_link", "x", "y", "exact_identifier", None, None, None, True), set()),
    (("crossed", "f2", "other_link", "x", "y", "cross_reference", None, None, None, True),
     {"basis_unsupported"}),
    (("paper", "f3", PAPER, "x", "y", "reviewed_curation", None, "human_approved", None, True),
     set()),
    (("unstated", "f4", ARM, "x", "y", "reviewed_curation", None, None, None, True),
     {"basis_unreviewed"}),
    (("alias", "f5", "org_alias", "x", "y", "reviewed_curation", None, "auto_reviewed", None, True),
     set()),
    (("arm", "f6", ARM, "x", "y", "reviewed_curation", None, "auto_reviewed", None, True),
     {"basis_unreviewed"}),
]  # fmt: skip


BY_NAME = {row[0]: row for row in (*PASSING, *FAILING)}


def links(conn: Connection, rows: list[Any], **keys: Any) -> Model:
    return table(conn, "q_links", COLUMNS, rows, **keys)


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    options.setdefault("arguments", {"allowed": ALLOWED})
    return judge(conn, "resolution_basis", links(conn, rows), **options)


@pytest.mark.parametrize("row", PASSING, ids=lambda row: row[0])
def test_exact_id_cross_reference_and_reviewed_override_pass(conn: Connection, row: Any) -> None:
    """Each allowed basis passes, and so does a provisional link nobody publishes."""
    result = verdict(conn, [row])
    assert (result.status, result.rows_checked) == (Status.PASS, 1)


def test_a_fuzzy_ambiguous_link_blocks_until_verified(conn: Connection) -> None:
    """`verified` without a verdict of the verifier; the metadata says what is missing."""
    result = verdict(conn, [FAILING[1], *PASSING])
    assert (result.status, by_row(result)) == (Status.FAIL, {"fuzzy": {"basis_unverified"}})
    metadata, values = about(result, "fuzzy")
    assert metadata == {"required_basis": ALLOWED[ARM], "reviewed_overlay": None, "withheld": []}
    assert values == {
        "candidate_id": "d2", "subject_kind": ARM, "source_term": "Nivolumab",
        "target_key": "arm:2", "basis": "verified", "verdict": None, "overlay_state": None,
    }  # fmt: skip


def test_every_basis_that_does_not_hold_is_named(conn: Connection) -> None:
    """Absent, unsupported for the kind, failed, unreviewed, stale, expired; unsure only warns."""
    assert by_row(verdict(conn, FAILING)) == {
        "absent": {"basis_absent"},
        "fuzzy": {"basis_unverified"},
        "failed": {"basis_unverified"},
        "title": {"basis_unsupported"},
        "other_kind": {"basis_unsupported"},
        "pending": {"basis_unreviewed"},
        "stale": {"basis_stale"},
        "expired": {"basis_stale"},
        "unsaid": {"basis_unsupported"},
        "unsure": {"~confidence_low"},
    }


def test_a_reviewed_override_says_so(conn: Connection) -> None:
    """The metadata tells whether a reviewed overlay exists."""
    result = verdict(conn, [FAILING[5]])
    assert about(result, "pending")[0]["reviewed_overlay"] is False


def test_a_kind_of_low_risk_may_be_reviewed_by_an_agent(conn: Connection) -> None:
    """Where its contract says so for that kind; any other kind needs a person."""
    rows = [
        (key, "c9", kind, "x", "org:1", "reviewed_curation", None, "auto_reviewed", "accepted",
         True, 1.0)
        for key, kind in (("alias", "org_alias"), ("arm", ARM))
    ]  # fmt: skip
    reviewed = {"*": ["human_approved"], "org_alias": ["human_approved", "auto_reviewed"]}
    result = verdict(conn, rows, arguments={"reviewed": reviewed})
    assert by_row(result) == {"arm": {"basis_unreviewed"}}
    assert set(by_row(verdict(conn, rows, arguments={}))) == {"alias", "arm"}
    named = verdict(conn, rows, arguments={"reviewed": {"org_alias": ["auto_reviewed"]}})
    assert by_row(named) == {"arm": {"basis_unreviewed"}}


def test_values_of_columns_that_are_not_public_are_never_kept(conn: Connection) -> None:
    """Key and locator only: the columns are named, their values are nowhere."""
    judged = links(conn, FAILING, public=False)
    result = judge(conn, "resolution_basis", judged)
    assert {sample.row_key for sample in result.samples} == {None}
    assert all(not sample.values for sample in result.samples)
    assert result.samples[0].metadata["withheld"] == [
        "candidate_id", "subject_kind", "source_term", "target_key", "basis", "verdict",
        "overlay_state",
    ]  # fmt: skip
    assert "Nivolumab" not in repr(result.document())


def test_kept_values_are_no_part_of_the_evidence(conn: Connection) -> None:
    """Even public values stay out of the document that everybody reads."""
    result = verdict(conn, [FAILING[1]])
    assert result.samples[0].values
    assert "Nivolumab" not in repr(result.document())


def test_without_own_rules_the_usual_bases_hold_for_every_kind(conn: Connection) -> None:
    """The default list is that of the reference domain; a threshold can be set."""
    result = verdict(conn, [*PASSING, FAILING[3]], arguments={"low_confidence": 1})
    assert by_row(result) == {"title": {"basis_unsupported", "~confidence_low"},
                              "verified": {"~confidence_low"}}  # fmt: skip


def test_other_names_of_columns(conn: Connection) -> None:
    """A foreign table says which of its columns mean what, and which it lacks."""
    judged = table(conn, "matches", "id text!, how text", [("m1", "guess"), ("m2", "verified")],
                   row_key=["id"])  # fmt: skip
    lacking = [
        "candidate_id",
        "subject_kind",
        "source_term",
        "target_key",
        "verdict",
        "overlay_state",
        "link_state",
        "publishable",
        "confidence",
        "valid_until",
    ]
    columns = {"basis": "how", **dict.fromkeys(lacking)}
    result = judge(conn, "resolution_basis", judged, arguments={"columns": columns})
    assert by_row(result) == {"m1": {"basis_unsupported"}, "m2": {"basis_unverified"}}
    assert about(result, "m1")[1] == {"basis": "guess"}


def test_a_column_that_is_the_same_in_every_row(conn: Connection) -> None:
    """What the contract itself says is no field value: it is always shown."""
    columns = {"subject_kind": {"value": PAPER}, "confidence": None}
    rows = [BY_NAME["fuzzy"], BY_NAME["id"], BY_NAME["unsure"]]
    result = judge(conn, "resolution_basis", links(conn, rows, public=False),
                   arguments={"allowed": ALLOWED, "columns": columns})  # fmt: skip
    assert [sample.reason for sample in result.samples] == ["basis_unverified"]
    assert result.samples[0].values == {"subject_kind": PAPER}
    assert "subject_kind" not in result.samples[0].metadata["withheld"]


def test_as_a_warning_it_records_and_does_not_withhold(conn: Connection) -> None:
    """The contract's severity is all it takes."""
    result = verdict(conn, FAILING, severity=Severity.WARNING)
    assert (result.status, result.blocks, result.rows_failing) == (Status.WARN, False, 9)


def test_no_link_at_all_is_no_verdict(conn: Connection) -> None:
    """An empty relation has not passed."""
    assert verdict(conn, []).status is Status.NOT_EVALUATED


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES), arguments=ALL_RULES)) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged = links(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    checked = spec("resolution_basis", judged, arguments=ALL_RULES)
    # Look and finding are one text that stands twice: both would have to be wrong.
    twice = ["only judged.basis = 'reviewed_curation':", "bound: judged.confidence <"]
    assert survivors(conn, checked, equal=twice) == []


def test_an_argument_nobody_knows_is_no_silent_default(conn: Connection) -> None:
    """A misspelt option withholds, and the message names those that exist."""
    judged = links(conn, PASSING)
    result = judge(conn, "resolution_basis", judged, arguments={"alowed": {}})
    assert (result.status, result.error) == (
        Status.ERROR,
        "resolution_basis has no argument alowed; it has allowed, columns, low_confidence, "
        "may_be_empty, relations, reviewed, row_key",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": "how"}, "`columns` of resolution_basis is no mapping"),
        ({"relations": ["x"]}, "`relations` of resolution_basis is no mapping"),
        ({"allowed": "verified"}, "an argument of resolution_basis has a shape it cannot use"),
        ({"low_confidence": "0.7) or (true"}, "InvalidTextRepresentation [22P02]"),
    ],
)
def test_an_argument_of_the_wrong_shape_withholds(
    conn: Connection, arguments: Any, message: str
) -> None:
    """It is an error of the check, told without its value; it is never pasted into SQL."""
    result = judge(conn, "resolution_basis", links(conn, PASSING), arguments=arguments)
    assert (result.status, result.error, result.blocks) == (Status.ERROR, message, True)

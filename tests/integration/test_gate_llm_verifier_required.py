"""llm_verifier_required: which links of high impact may stand, "Nivolumab" to its arm."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Severity, Status
from tidegate.gates.result import GateResult

LINKS = (
    "link_key text!, candidate_id text, subject_kind text, basis text, link_state text,"
    " publishable boolean"
)
CANDIDATES = (
    "candidate_id text!, source_term text, target_key text, match_method text, high_impact boolean"
)
VERIFICATIONS = (
    "verification_id text!, candidate_id text, verdict text, confidence numeric,"
    " verified_at timestamptz"
)
ARM = "trial_arm_link"
TERM = ("Nivolumab", "arm:A")
EXACT = ["exact_identifier", "exact_normalized_label", "cross_reference", "curated_table"]
FAILED = [("fail", 0.9, 1)]
CASES = [
    # link, method, high impact, basis, state, publishable; verdicts with confidence and day
    ("exact", "exact_identifier", True, "exact_identifier", "accepted", True, []),
    ("passed", "llm", True, "verified", "accepted", True, [("pass", 0.96, 1)]),
    ("again", "llm", True, "verified", "accepted", True, [("fail", 0.9, 1), ("pass", 0.9, 2)]),
    ("low_impact", "llm", False, "verified", "accepted", True, []),
    ("reviewed", "title_inference", True, "reviewed_curation", "accepted", True, []),
    ("withdrawn", "llm", True, "verified", "rejected", False, []),
    ("waiting", "fuzzy_string", True, None, "provisional", False, [("pass", 0.7, 1)]),
    ("failed", "llm", True, "verified", "accepted", True, [("fail", 0.91, 1)]),
    ("abstained", "llm", True, "verified", "accepted", True, [("abstain", 0.5, 1)]),
    ("unlucky", "llm", True, "verified", "accepted", True, [("pass", 0.9, 1), ("fail", 0.9, 2)]),
    ("tied", "llm", True, "verified", "accepted", True, [("pass", 0.9, 1), ("fail", 0.9, 1)]),
    ("fuzzy", "fuzzy_string", True, "verified", "accepted", True, []),
    ("no_method", None, None, None, None, None, []),
    ("leaked", "llm", True, None, "provisional", True, []),
    ("unsure", "llm", True, None, "provisional", False, [("pass", 0.55, 1)]),
    ("quiet", "llm", True, "verified", "accepted", False, []),
    ("quiet_failed", "llm", True, "verified", "accepted", False, FAILED),
    ("leaked_failed", "llm", True, None, "provisional", True, FAILED),
    ("verdictless", "llm", True, "verified", "accepted", True, [(None, 0.9, 1)]),
    ("low_failed", "llm", False, "verified", "accepted", True, FAILED),
    ("reviewed_failed", "llm", True, "reviewed_curation", "accepted", True, FAILED),
    ("withdrawn_failed", "llm", True, "verified", "rejected", False, FAILED),
    *[(f"{method}_{number}", method, True, "verified", "accepted", True, verdicts)
      for method in EXACT for number, verdicts in enumerate(([], FAILED))],
]  # fmt: skip
EXPECTED = {
    "failed": {"verifier_failed"}, "abstained": {"verifier_failed"},
    "unlucky": {"verifier_failed"}, "tied": {"verifier_failed"}, "fuzzy": {"verifier_missing"},
    "no_method": {"verifier_missing"}, "leaked": {"verifier_missing"},
    "unsure": {"~verifier_confidence_low"}, "gone": {"candidate_missing"},
    "gone_failed": {"candidate_missing"}, "quiet": {"verifier_missing"},
    "quiet_failed": {"verifier_failed"}, "leaked_failed": {"verifier_failed"},
    "verdictless": {"verifier_failed"},
}  # fmt: skip


def tables(conn: Connection, *names: str, public: bool = True) -> tuple[Model, ...]:
    cases = [case for case in CASES if case[0] in names or not names]
    links = [(c[0], f"c-{c[0]}", ARM, *c[3:6]) for c in cases]
    if not names:
        links += [(key, f"c-{key}", ARM, "verified", "accepted", True)
                  for key in ("gone", "gone_failed")]  # fmt: skip
    verdicts = [
        (f"{c[0]}{number}", f"c-{c[0]}", verdict, confidence, f"2024-01-0{day}")
        for c in cases for number, (verdict, confidence, day) in enumerate(c[6])
    ] + [("lost", "c-gone_failed", "fail", 0.9, "2024-01-01")]  # fmt: skip
    return (
        table(conn, "links", LINKS, links, row_key=["link_key"], public=public),
        table(conn, "candidates", CANDIDATES,
              [(f"c-{c[0]}", *TERM, c[1], c[2]) for c in cases],
              row_key=["candidate_id"], public=public),
        table(conn, "verifications", VERIFICATIONS, verdicts,
              row_key=["verification_id"], public=public),
    )  # fmt: skip


def judged(conn: Connection, *names: str, public: bool = True, **options: Any) -> GateResult:
    return judge(conn, "llm_verifier_required", *tables(conn, *names, public=public), **options)


def test_an_exact_link_passes(conn: Connection) -> None:
    """An identifier needs no verifier."""
    assert judged(conn, "exact").status is Status.PASS


def test_a_verifier_pass_passes(conn: Connection) -> None:
    """The newest verdict counts, so a later pass heals an earlier fail."""
    assert judged(conn, "passed", "again").status is Status.PASS


def test_a_verifier_fail_blocks(conn: Connection) -> None:
    """A fail, an abstention, a fail after a pass, and a pass and a fail at the same moment."""
    names = ("failed", "abstained", "unlucky", "tied")
    result = judged(conn, "passed", *names)
    assert by_row(result) == {name: {"verifier_failed"} for name in names}


def test_an_unverified_fuzzy_candidate_blocks(conn: Connection) -> None:
    """With all that somebody needs to decide about it."""
    result = judged(conn, "exact", "fuzzy")
    assert (result.status, result.rows_failing) == (Status.FAIL, 1)
    assert by_row(result) == {"fuzzy": {"verifier_missing"}}
    assert about(result, "fuzzy") == (
        {"required_basis": ["exact_identifier", "exact_normalized_label", "cross_reference",
                            "curated_table", "verified"],
         "reviewed_overlay": False, "withheld": []},
        {"candidate_id": "c-fuzzy", "subject_kind": ARM, "basis": "verified",
         "candidates.match_method": "fuzzy_string", "candidates.source_term": "Nivolumab",
         "candidates.target_key": "arm:A", "verifications.verdict": None},
    )  # fmt: skip
    assert result.remediation_hint == (
        "Verify the candidate, have it reviewed, or keep the link provisional and unpublished."
    )


def test_a_provisional_link_of_low_confidence_warns(conn: Connection) -> None:
    """It can be searched for; it is told, and blocks nothing. At 0.7 it is no longer low."""
    result = judged(conn, "unsure", "waiting")
    assert (result.status, by_row(result)) == (
        Status.WARN, {"unsure": {"~verifier_confidence_low"}},
    )  # fmt: skip


def test_every_link_has_its_verdict(conn: Connection) -> None:
    """All links at once; unknown impact, method and state count as high, inexact and accepted."""
    result = judged(conn)
    assert by_row(result) == EXPECTED
    assert (result.rows_checked, result.rows_failing, result.rows_warning) == (32, 13, 1)


def test_exact_methods_are_the_projects_own(conn: Connection) -> None:
    """What counts as exact is said in the contract."""
    result = judged(conn, "exact", "fuzzy", arguments={"exact_methods": ["fuzzy_string"]})
    assert by_row(result) == {"exact": {"verifier_missing"}}


@pytest.mark.parametrize("severity", [Severity.BLOCKING, Severity.WARNING])
def test_severity_decides_whether_it_withholds(conn: Connection, severity: Severity) -> None:
    """The contract alone promotes a warning."""
    assert judged(conn, "fuzzy", severity=severity).blocks is (severity is Severity.BLOCKING)


def test_values_are_kept_only_of_public_columns(conn: Connection) -> None:
    """Terms and targets of another relation obey that relation's contract."""
    (sample,) = judged(conn, "fuzzy", public=False).samples
    assert (sample.row_key, sample.values) == (None, {})
    assert "candidates.source_term" in sample.metadata["withheld"]


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    links, *others = tables(conn)
    assert survivors(conn, spec("llm_verifier_required", links, *others)) == []

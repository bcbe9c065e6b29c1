"""curation_effective_state: the reviewed overlay of the highest precedence is active, no other."""

from __future__ import annotations

from typing import Any

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
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

COLUMNS = (
    "overlay_key text!, subject_key text, fact_path text, impact text, review_state text,"
    " precedence integer, is_active boolean, superseded_by_key text"
)
PASSING = [
    ("approved", "trial:A", "phase", "high", "human_approved", 10, True),
    ("proposal", "trial:B", "phase", "high", "pending", 10, False),
    ("old", "trial:C", "phase", "high", "human_approved", 10, False, "new"),
    ("new", "trial:C", "phase", "high", "human_approved", 10, True),
    ("refused", "trial:D", "phase", "high", "rejected", 30, False),
    ("winner", "trial:D", "phase", "high", "human_approved", 20, True),
    ("lower", "trial:D", "phase", "high", "human_approved", 10, False),
    ("auto", "trial:E", "label", "low", "auto_reviewed", 10, True),
    ("other_fact", "trial:A", "label", "high", "human_approved", 5, True),
]
FAILING = [
    ("unreviewed", "trial:F", "phase", "high", "pending", 10, True),
    ("unsaid", "trial:G", "phase", None, "auto_reviewed", 10, True),
    ("rejected", "trial:H", "phase", "high", "rejected", 10, True),
    ("superseded", "trial:I", "phase", "high", "human_approved", 10, True, "heir"),
    ("heir", "trial:I", "phase", "high", "human_approved", 20, False),
    ("unused", "trial:J", "phase", "high", "human_approved", 10, False),
    ("outranked", "trial:K", "phase", "high", "human_approved", 10, True),
    ("outranking", "trial:K", "phase", "high", "human_approved", 20, True),
    ("twin_a", "trial:L", "phase", "high", "human_approved", 10, True),
    ("twin_b", "trial:L", "phase", "high", "human_approved", 10, True),
    ("low_open", "trial:M", "label", "low", "pending", 10, False),
    ("low_idle", "trial:N", "label", "low", "not_required", 10, None),
]
BRANCHES = [
    (("beside", "trial:A", "dose", "high", "human_approved", 10, True), set()),
    (("approved", "trial:A", "phase", "high", "human_approved", 10, True), set()),
    (("twin_a", "trial:L", "phase", "high", "human_approved", 10, True), {"overlay_tied_active"}),
    (("twin_b", "trial:L", "phase", "high", "human_approved", 10, True), {"overlay_tied_active"}),
    (("idle_twin", "trial:L", "phase", "high", "human_approved", 10, False), set()),
    (("refused_twin", "trial:P", "phase", "high", "rejected", 10, True),
     {"overlay_rejected_active"}),
    (("approved_twin", "trial:P", "phase", "high", "human_approved", 10, True),
     {"overlay_tied_active"}),
    (("idle_winner", "trial:Q", "phase", "high", "human_approved", 10, False),
     {"overlay_winner_inactive"}),
    (("idle_proposal", "trial:Q", "phase", "high", "pending", 10, False), set()),
    (("high_auto", "trial:R", "phase", "high", "auto_reviewed", 10, False), set()),
    (("low_auto", "trial:S", "label", "low", "auto_reviewed", 10, False),
     {"overlay_winner_inactive"}),
]  # fmt: skip


def overlays(conn: Connection, rows: list[Any]) -> Model:
    return table(conn, "overlays", COLUMNS, rows, row_key=["overlay_key"])


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    return judge(conn, "curation_effective_state", overlays(conn, rows), **options)


def test_proposal_approval_supersession_and_rejection_in_their_right_states(
    conn: Connection,
) -> None:
    """What is approved and in force is active; proposals, refusals, predecessors are not."""
    result = verdict(conn, PASSING)
    assert (result.status, result.rows_checked) == (Status.PASS, 9)


def test_a_superseded_overlay_that_stays_active_reports_its_winner_too(conn: Connection) -> None:
    """Both are wrong: flipping both is the remedy."""
    result = verdict(conn, [FAILING[3], FAILING[4]])
    assert by_row(result) == {
        "superseded": {"overlay_superseded_active"},
        "heir": {"overlay_winner_inactive"},
    }
    assert about(result, "superseded") == (
        {"withheld": []},
        {"overlay_key": "superseded", "subject_key": "trial:I", "fact_path": "phase",
         "impact": "high", "review_state": "human_approved", "precedence": 10,
         "superseded_by_key": "heir"},
    )  # fmt: skip


def test_every_wrong_state_is_named(conn: Connection) -> None:
    """Unreviewed, rejected, outranked, tied, idle; an open conflict of low impact only warns."""
    assert by_row(verdict(conn, [*PASSING, *FAILING])) == {
        "unreviewed": {"overlay_unreviewed_active"},
        "unsaid": {"overlay_unreviewed_active"},
        "rejected": {"overlay_rejected_active"},
        "superseded": {"overlay_superseded_active"},
        "heir": {"overlay_winner_inactive"},
        "unused": {"overlay_winner_inactive"},
        "outranked": {"overlay_outranked_active"},
        "twin_a": {"overlay_tied_active"},
        "twin_b": {"overlay_tied_active"},
        "low_open": {"~conflict_unresolved"},
        "low_idle": {"overlay_winner_inactive"},
    }


def test_low_impact_may_be_asked_to_have_human_review(conn: Connection) -> None:
    """The contract says which states count where the impact is low."""
    result = verdict(conn, [FAILING[-1]], arguments={"reviewed": []})
    assert result.status is Status.PASS


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged = overlays(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    assert survivors(conn, spec("curation_effective_state", judged)) == []

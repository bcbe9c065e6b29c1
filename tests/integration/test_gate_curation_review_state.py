"""curation_review_state: decisions are complete, those of high impact approved by a person."""

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
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

COLUMNS = (
    "k text!, overlay_kind text, event_kind text, impact text, review_state text, actor text,"
    " actor_kind text, occurred_at timestamptz, rationale text, rejection_reason text,"
    " supersedes_event_key text, audit_due boolean"
)
WHEN = "2026-07-01"
WHO = ("m.okafor", "human", WHEN, "label typo, see page 4")
AGENT = ("agent-2", "curation_agent", WHEN, "synonym in capitals")
PASSING = [
    ("approved", "override", "human_approved", "high", "human_approved", *WHO),
    ("low_auto", "override", "auto_reviewed", "low", "auto_reviewed", *AGENT, None, None, False),
    ("low_waived", "marker", "proposed", "low", "not_required", *AGENT),
    ("refused", "override", "rejected", "high", "rejected", *WHO, "no source says so"),
    ("replaced", "marker", "superseded", "low", "human_approved", *WHO, None, "approved"),
]
FAILING = [
    ("pending", "override", "proposed", "high", "pending", *WHO),
    ("automatic", "suppression", "auto_reviewed", "high", "auto_reviewed", *AGENT),
    ("impact_unsaid", "override", "proposed", None, None, *WHO),
    ("waived", "marker", "proposed", "high", "not_required", *AGENT),
    ("kind_unsaid", None, "proposed", "high", "not_required", *AGENT),
    ("no_actor", "override", "human_approved", "high", "human_approved", " ", *WHO[1:]),
    ("no_time", "override", "human_approved", "high", "human_approved", "m.okafor", "human", None,
     "x"),
    ("no_rationale", "override", "human_approved", "high", "human_approved", *WHO[:3], ""),
    ("no_reason", "override", "rejected", "low", "rejected", *WHO, " "),
    ("no_link", "override", "superseded", "low", "human_approved", *WHO),
    ("verifier", "override", "proposed", "low", "not_required", "verifier", "pipeline", WHEN, "x"),
    ("nobody", "override", "proposed", "low", "not_required", "x", None, WHEN, "x"),
    ("by_agent", "override", "human_approved", "high", "human_approved", *AGENT),
    ("due", "override", "auto_reviewed", "low", "auto_reviewed", *AGENT, None, None, True),
]  # fmt: skip
BRANCHES = [
    (("marker_pending", "marker", "proposed", "high", "pending", *WHO), set()),
    (("override_waived", "override", "proposed", "high", "not_required", *WHO),
     {"review_missing"}),
    (("suppression_waived", "suppression", "proposed", "high", "not_required", *WHO),
     {"review_missing"}),
    (("impact_unsaid_waived", "marker", "proposed", None, "not_required", *WHO),
     {"review_waived"}),
    (("approved_by_nobody", "override", "human_approved", "high", "human_approved", "x", None,
      WHEN, "x"), {"actor_not_curator", "approval_not_human"}),
    (("low_seen", "override", "human_approved", "low", "human_approved", *WHO, None, None, True),
     set()),
    (("high_marker", "marker", "auto_reviewed", "high", "auto_reviewed", *AGENT, None, None, True),
     set()),
]  # fmt: skip


def events(conn: Connection, rows: list[Any]) -> Model:
    return table(conn, "decision_events", COLUMNS, rows)


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    return judge(conn, "curation_review_state", events(conn, rows), **options)


def test_a_pending_proposal_of_high_impact_blocks(conn: Connection) -> None:
    """So does one that only an agent looked at, or whose impact nobody stated."""
    result = verdict(conn, FAILING[:3])
    assert by_row(result) == {
        row: {"review_missing"} for row in ("pending", "automatic", "impact_unsaid")
    }
    assert about(result, "pending") == (
        {"missing": [], "withheld": []},
        {"overlay_kind": "override", "event_kind": "proposed", "impact": "high",
         "review_state": "pending", "actor_kind": "human"},
    )  # fmt: skip


def test_an_approved_override_passes(conn: Connection) -> None:
    """Approved by a person, with actor, time and rationale."""
    assert verdict(conn, [PASSING[0]]).status is Status.PASS


def test_a_low_risk_auto_reviewed_overlay_passes_until_its_audit_is_due(conn: Connection) -> None:
    """Then it warns and does not withhold."""
    assert verdict(conn, [PASSING[1]]).status is Status.PASS
    result = verdict(conn, [FAILING[-1]])
    assert (result.status, by_row(result)) == (Status.WARN, {"due": {"~audit_due"}})


def test_refusals_and_supersessions_with_their_reasons_pass(conn: Connection) -> None:
    """A rejection of high impact needs no approval; nothing of it takes effect."""
    assert verdict(conn, PASSING[2:]).status is Status.PASS


@pytest.mark.parametrize(
    ("row", "missing"),
    [("no_actor", ["actor"]), ("no_time", ["occurred_at"]), ("no_rationale", ["rationale"])],
)
def test_actor_time_and_rationale_are_needed(
    conn: Connection, row: str, missing: list[str]
) -> None:
    """Blank text is none; the metadata names what is missing."""
    result = verdict(conn, [given for given in FAILING if given[0] == row])
    assert by_row(result) == {row: {"decision_unattributed"}}
    assert about(result, row)[0]["missing"] == missing


def test_every_other_incomplete_decision_is_named(conn: Connection) -> None:
    """Waived review, rejection, supersession, pipelines, agents that approve."""
    assert by_row(verdict(conn, [FAILING[3], FAILING[4], *FAILING[8:13]])) == {
        "waived": {"review_waived"},
        "kind_unsaid": {"review_waived"},
        "no_reason": {"rejection_unexplained"},
        "no_link": {"supersession_unlinked"},
        "verifier": {"actor_not_curator"},
        "nobody": {"actor_not_curator"},
        "by_agent": {"approval_not_human"},
    }


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


NAMED = {"arguments": {"columns": {"self_approved": "audit_due"}}}
"""A column of the test's own says who approved: any boolean will do."""


def test_an_approval_by_the_proposer_is_told_where_the_contract_says_who_that_is(
    conn: Connection,
) -> None:
    """It warns and withholds nothing; without the column nobody knows who proposed."""
    rows = [
        ("own", "override", "human_approved", "high", "human_approved", *WHO, None, None, True),
        ("of_another", *PASSING[0][1:], None, None, False),
        ("unknown", *PASSING[0][1:]),
    ]
    result = verdict(conn, rows, **NAMED)
    assert (result.status, result.blocks) == (Status.WARN, False)
    assert by_row(result) == {"own": {"~approval_by_proposer"}}
    assert about(result, "own") == (
        {"missing": [], "withheld": []},
        {"overlay_kind": "override", "event_kind": "human_approved", "impact": "high",
         "review_state": "human_approved", "actor_kind": "human"},
    )  # fmt: skip
    assert verdict(conn, rows).status is Status.PASS


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged = events(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    assert survivors(conn, spec("curation_review_state", judged)) == []
    assert survivors(conn, spec("curation_review_state", judged, **NAMED)) == []

"""conflict_routing: a term that may mean two things is queued, and nothing decides it alone."""

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
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult

COLUMNS = (
    "candidate_id text!, subject_kind text, subject_key text, source_term text, target_key text,"
    " match_method text, match_score numeric, overlay_key text"
)
KIND = "trial_arm_link"


def candidate(key: str, subject: str, target: str | None, score: float | None = 0.95,
              method: str = "fuzzy_string", overlay: str | None = None) -> Any:  # fmt: skip
    return (key, KIND, subject, "Placebo", target, method, score, overlay)


PASSING = [
    candidate("one", "group:1", "arm:a"),
    candidate("near", "group:2", "arm:a", 0.95),
    candidate("far", "group:2", "arm:b", 0.89),
    candidate("queued_a", "group:3", "arm:a"),
    candidate("queued_b", "group:3", "arm:b", 0.92),
    candidate("same_a", "group:4", "arm:a"),
    candidate("same_b", "group:4", "arm:a", 1, "cross_reference"),
    candidate("verified_a", "group:5", "arm:a"),
    candidate("verified_b", "group:5", "arm:b"),
    candidate("set_a", "group:6", "arm:a"),
    candidate("set_b", "group:6", "arm:b"),
    candidate("curators", "group:6", "arm:c", 1, "curated_table", "ov:1"),
    candidate("nowhere", "group:7", None, 1, "exact_identifier"),
    candidate("somewhere", "group:7", "arm:a", 1, "exact_identifier"),
]
FAILING = [
    candidate("lost_a", "group:8", "arm:a", 0.95),
    candidate("lost_b", "group:8", "arm:b", 0.90),
    candidate("picked_a", "group:9", "arm:a", 1, "exact_normalized_label"),
    candidate("picked_b", "group:9", "arm:b", 1, "curated_table"),
    candidate("unscored_a", "group:10", "arm:a", None),
    candidate("unscored_b", "group:10", "arm:b", None),
]
BRANCHES = [
    (candidate("arm", "group:1", "arm:a"), set()),
    (("alias", "org_alias", "group:1", "Placebo", "org:x", "fuzzy_string", 0.95), set()),
    (candidate("found", "group:11", "arm:a"), set()),
    (candidate("set_by_curator", "group:11", "arm:b", 1, "curated_table", "ov:2"), set()),
    (candidate("leads_nowhere", "group:12", None, 1), set()),
    (candidate("rival_a", "group:12", "arm:a", 0.9), {"conflict_unqueued"}),
    (candidate("rival_b", "group:12", "arm:b", 0.91), {"conflict_unqueued"}),
    (candidate("accepted_a", "group:13", "arm:a"), {"ambiguity_accepted"}),
    (candidate("accepted_b", "group:13", "arm:b"), {"ambiguity_accepted"}),
    (candidate("apart_a", "group:14", "arm:a", 0.95), {"conflict_unqueued"}),
    (candidate("apart_b", "group:14", "arm:b", 0.9), {"conflict_unqueued"}),
    (("better", "org_alias", "group:14", "Placebo", "org:x", "fuzzy_string", 1), set()),
]  # fmt: skip
CONFLICTS = [(KIND, "group:13"), (KIND, "group:3"), (KIND, "group:9"), ("org_alias", "group:8")]
LINKS = [
    (KIND, "group:1", "exact_normalized_label", True),
    (KIND, "group:3", "title_inference", False),
    (KIND, "group:5", "verified", True),
    (KIND, "group:6", "reviewed_curation", True),
    (KIND, "group:9", "exact_normalized_label", True),
    ("org_alias", "group:8", "verified", True),
    (KIND, "group:13", "exact_normalized_label", True),
    ("org_alias", "group:13", "verified", True),
]


def tables(conn: Connection, rows: list[Any]) -> tuple[Model, ...]:
    return (
        table(conn, "candidates", COLUMNS, rows, row_key=["candidate_id"]),
        table(conn, "conflict_queue", "subject_kind text!, subject_key text!", CONFLICTS,
              row_key=["subject_kind", "subject_key"]),
        table(conn, "links",
              "subject_kind text!, subject_key text!, basis text, publishable boolean", LINKS,
              row_key=["subject_kind", "subject_key"]),
    )  # fmt: skip


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    candidates, *others = tables(conn, rows)
    return judge(conn, "conflict_routing", candidates, *others, **options)


def test_terms_that_mean_one_thing_are_queued_or_told_pass(conn: Connection) -> None:
    """One target however often it is found; a rival far behind; a verifier's or curator's word."""
    result = verdict(conn, PASSING)
    assert (result.status, result.rows_checked) == (Status.PASS, len(PASSING))


def test_an_ambiguous_term_outside_the_queue_and_a_link_that_decides_it_block(
    conn: Connection,
) -> None:
    """Both candidates of a term are told; a queue entry of another kind is none."""
    result = verdict(conn, [*PASSING, *FAILING])
    assert (result.status, result.rows_failing) == (Status.FAIL, 6)
    assert by_row(result) == {
        "lost_a": {"conflict_unqueued"}, "lost_b": {"conflict_unqueued"},
        "picked_a": {"ambiguity_accepted"}, "picked_b": {"ambiguity_accepted"},
        "unscored_a": {"conflict_unqueued"}, "unscored_b": {"conflict_unqueued"},
    }  # fmt: skip
    assert about(result, "lost_b")[1] == {
        "candidate_id": "lost_b", "subject_kind": KIND, "source_term": "Placebo",
        "target_key": "arm:b", "match_method": "fuzzy_string",
    }  # fmt: skip
    assert result.remediation_hint == GATES["conflict_routing"].remedy


def test_how_close_rivals_are_and_what_tells_are_options(conn: Connection) -> None:
    """A narrower margin finds fewer; a basis that is not listed tells nothing."""
    assert verdict(conn, FAILING[:2], arguments={"within": 0.04}).status is Status.PASS
    result = verdict(conn, PASSING, arguments={"told_by": ["reviewed_curation"]})
    assert by_row(result)["verified_a"] == {"conflict_unqueued", "ambiguity_accepted"}


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Another kind of subject, a curator's own candidate and one without target are no rivals."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    candidates, *others = tables(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    assert survivors(conn, spec("conflict_routing", candidates, *others)) == []

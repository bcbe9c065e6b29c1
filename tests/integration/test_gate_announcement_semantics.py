"""announcement_semantics: nivolumab in squamous lung cancer, from acceptance to publication."""

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

COLUMNS = "k text!, source_family text, source_status_text text, event_status text, truth_mode text"
ACCEPTED = "FDA has accepted for filing"
PASSING = [
    ("accepted", "press_release", ACCEPTED, "accepted_for_review", "announced"),
    ("approved", "drugs_at_fda", " ap ", "approved", "confirmed"),
    ("published", "pubmed", "epublish", "published", "confirmed"),
]
FAILING = [
    ("collapsed", "press_release", ACCEPTED, "approved", "announced"),
    ("promoted", "press_release", ACCEPTED, "accepted_for_review", "confirmed"),
    ("paper", "pubmed", "epublish", "approved", "confirmed"),
    ("unmapped", "news", "filing is imminent", "submitted", "announced"),
    ("no_status", "drugs_at_fda", "AP", None, "confirmed"),
    ("no_truth", "drugs_at_fda", "AP", "approved", None),
    ("other_family", "news", "AP", "approved", "confirmed"),
    ("wordless", "news", None, None, "announced"),
    ("generic", "news", "filing is imminent", "mentioned", "announced"),
    ("generic_truth", "news", "it is said", "mentioned", "confirmed"),
]
BRANCHES = [
    (("demoted", "press_release", ACCEPTED, "mentioned", "announced"), {"status_collapsed"}),
    (("generic_announced", "news", "it is said", "announced", "announced"), {"~status_generic"}),
]


def events(conn: Connection, rows: list[Any]) -> Model:
    return table(conn, "event_claims", COLUMNS, rows)


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    return judge(conn, "announcement_semantics", events(conn, rows), **options)


def test_news_announcement_approval_and_publication_each_keep_their_status(
    conn: Connection,
) -> None:
    """Accepted is announced, AP is approved and confirmed, a paper is published."""
    assert verdict(conn, PASSING).status is Status.PASS


def test_a_news_announcement_is_no_approval(conn: Connection) -> None:
    """Acceptance that became approval; the metadata says what the words mean."""
    result = verdict(conn, [FAILING[0]])
    assert by_row(result) == {"collapsed": {"status_collapsed"}}
    assert about(result, "collapsed") == (
        {"expected_status": "accepted_for_review", "expected_truth": "announced", "withheld": []},
        {"source_family": "press_release", "source_status_text": ACCEPTED,
         "event_status": "approved", "truth_mode": "announced"},
    )  # fmt: skip


def test_a_publication_is_no_approval(conn: Connection) -> None:
    """A paper about a drug confirms that it was published."""
    assert by_row(verdict(conn, [FAILING[2]])) == {"paper": {"status_collapsed"}}


def test_every_collapse_is_named(conn: Connection) -> None:
    """Promoted truth, unmapped words, missing status; generic words only warn."""
    assert by_row(verdict(conn, [*PASSING, *FAILING])) == {
        "collapsed": {"status_collapsed"},
        "promoted": {"truth_promoted"},
        "paper": {"status_collapsed"},
        "unmapped": {"status_unmapped"},
        "no_status": {"status_collapsed"},
        "no_truth": {"truth_promoted"},
        "other_family": {"status_unmapped", "truth_promoted"},
        "wordless": {"status_unmapped"},
        "generic": {"~status_generic"},
        "generic_truth": {"truth_promoted", "~status_generic"},
    }


def test_a_contract_brings_its_own_vocabulary(conn: Connection) -> None:
    """It takes the place of the default, whole."""
    own = {"news": {"filing is imminent": ["planned", "announced"]}}
    rows = [("mapped", "news", "Filing is imminent", "planned", "announced"), PASSING[1]]
    result = verdict(conn, rows, arguments={"vocabulary": own, "generic": []})
    assert by_row(result) == {"approved": {"status_unmapped", "truth_promoted"}}


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged = events(conn, [*PASSING, *FAILING, *alone(BRANCHES)])
    assert survivors(conn, spec("announcement_semantics", judged)) == []

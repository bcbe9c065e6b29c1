"""A warning opens one item, and somebody closes it with a reason."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import review
from tidegate.ledger.review import ReviewKind, ReviewState
from tidegate.warehouse import Warehouse

FIRST = "clinical_trials@g000001#ab"
SECOND = "clinical_trials@g000002#cd"


def opened(conn: Connection, source: str = FIRST, check: str = "fresh") -> int:
    return review.open_item(conn, "gate", "q_trials", check, source, {"rows": 3})


def test_the_same_warning_while_open_is_one_item_with_two_sightings(conn: Connection) -> None:
    """The second run adds to the first run's item; the item shows the newest run."""
    first = opened(conn)
    assert opened(conn, SECOND) == first
    (item,) = review.items(conn)
    assert (item.review_id, item.sightings, item.last_source) == (first, 2, SECOND)
    assert (item.kind, item.subject, item.check_id) == ("gate", "q_trials", "fresh")
    assert (item.severity, item.state, item.details) == ("warning", "open", {"rows": 3})


def test_a_retry_of_an_acknowledged_run_opens_nothing_and_the_next_run_does(
    conn: Connection,
) -> None:
    """Acknowledging covers the runs that were seen, not those to come."""
    first = opened(conn)
    review.acknowledge(conn, first, by="ada", reason="known outage")
    assert opened(conn) == first
    assert review.open_count(conn) == 0
    assert opened(conn, SECOND) != first
    assert review.open_count(conn) == 1


def test_different_checks_and_subjects_are_different_items(conn: Connection) -> None:
    """The natural key is kind, subject and check."""
    numbers = {
        opened(conn),
        opened(conn, check="complete"),
        review.open_item(conn, "rule", "q_trials", "fresh", FIRST),
        review.open_item(conn, ReviewKind.GATE, "q_drugs", "fresh", FIRST),
    }
    assert len(numbers) == 4
    assert [item.subject for item in review.items(conn, subject="q_drugs")] == ["q_drugs"]
    assert review.open_count(conn, "q_trials") == 3


def test_runs_that_warn_at_once_share_one_item(warehouse: Warehouse) -> None:
    """Four transactions open at the same moment; each sighting is kept."""
    start = threading.Barrier(4)

    def warn(number: int) -> int:
        with warehouse.transaction() as conn:
            start.wait(30)
            return opened(conn, f"delivery:{number}")

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(warn, range(4)))) == 1
    with warehouse.connect() as conn:
        assert [item.sightings for item in review.items(conn)] == [4]


def test_acknowledging_keeps_who_why_and_when_and_is_audited(conn: Connection) -> None:
    """The item and the audit event say the same."""
    number = opened(conn)
    review.acknowledge(conn, number, by=" ada ", reason=" known outage ")
    (item,) = review.items(conn, None)
    assert (item.state, item.acknowledged_by, item.acknowledged_reason) == (
        ReviewState.ACKNOWLEDGED.value,
        "ada",
        "known outage",
    )
    assert item.acknowledged_at is not None
    row = conn.execute("select event, subject, actor, details from governance.audit_events")
    assert row.fetchall() == [
        (
            "review.item.acknowledged",
            "q_trials",
            "ada",
            {"review_id": number, "kind": "gate", "check_id": "fresh", "reason": "known outage"},
        )
    ]


def test_acknowledging_what_is_not_there_is_refused(conn: Connection) -> None:
    """The message names the item and where to look."""
    with pytest.raises(UsageError) as refused:
        review.acknowledge(conn, 9, by="ada", reason="x")
    assert str(refused.value) == "There is no review item 9. See `tidegate review list`."


def test_acknowledging_twice_is_refused(conn: Connection) -> None:
    """The first reason stands."""
    number = opened(conn)
    review.acknowledge(conn, number, by="ada", reason="x")
    with pytest.raises(UsageError) as refused:
        review.acknowledge(conn, number, by="bob", reason="y")
    assert str(refused.value) == (
        f"Review item {number} was already acknowledged by ada. See `tidegate review list --all`."
    )


@pytest.mark.parametrize(("by", "reason"), [("", "x"), ("ada", "  ")])
def test_acknowledging_needs_who_and_why(conn: Connection, by: str, reason: str) -> None:
    """Blank is not a reason."""
    number = opened(conn)
    with pytest.raises(UsageError) as refused:
        review.acknowledge(conn, number, by=by, reason=reason)
    assert str(refused.value) == (
        "An acknowledgement needs who and why. Give --by and --reason, not empty."
    )
    assert review.open_count(conn) == 1

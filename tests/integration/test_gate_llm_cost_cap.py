"""llm_cost_cap: what a task's completed attempts cost in a window, against its reviewed cap."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.inference_records import records
from integration.semantic_gating import Connection, about, by_row, judge, survivors
from tidegate.gates.model import Model, Severity, Status
from tidegate.gates.result import GateResult

CAP = {"task": "pub_outcome", "cap_usd": 10, "window_days": 30, "warn_ratio": 0.8}
SUBJECT = "inference_attempts"


def tables(conn: Connection, *costs: Any, public: bool = True) -> tuple[Model, ...]:
    """Attempts by cost, and those that never count: old ones, unfinished ones, other tasks'."""
    day = conn.execute("select now() - interval '1 day', now() - interval '45 days'").fetchone()
    assert day is not None
    attempts = [
        (f"a{number}", "k1", "p", 1, "r", 1, True, None, cost, day[0])
        for number, cost in enumerate(costs)
    ]
    attempts += [
        ("old", "k1", "p", 1, "r", 1, True, None, 99, day[1]),
        ("running", "k1", "p", 1, "r", 1, None, None, 99, None),
        ("other", "k2", "p", 1, "r", 1, True, None, 99, day[0]),
    ]
    requests = [("k1", "pub_outcome", 4, "in"), ("k2", "news_event", 1, "in")]
    found = records(conn, {"inference_requests": requests, "inference_attempts": attempts}, public)
    return found.pop(SUBJECT), *found.values()


def judged(
    conn: Connection, *costs: Any, public: bool = True, cap: Any = CAP, **options: Any
) -> GateResult:
    options.setdefault("severity", Severity.WARNING)
    return judge(
        conn, "llm_cost_cap_pub_outcome", *tables(conn, *costs, public=public),
        arguments=cap, **options,
    )  # fmt: skip


def test_an_under_cap_batch_passes(conn: Connection) -> None:
    """Old, unfinished and other tasks' attempts do not count."""
    result = judged(conn, 4, 3.9)
    assert (result.gate_id, result.status) == ("llm_cost_cap_pub_outcome", Status.PASS)


@pytest.mark.parametrize("costs", [(4, 4), (8.2,), (10,)])
def test_a_near_cap_batch_warns(conn: Connection, costs: Any) -> None:
    """From four fifths of the cap up to the cap itself, even where the gate blocks."""
    result = judged(conn, *costs, severity=Severity.BLOCKING)
    assert (result.status, result.blocks) == (Status.WARN, False)
    assert by_row(result) == {SUBJECT: {"~cost_near_cap"}}


def test_an_over_cap_batch_warns_by_default_and_blocks_where_configured(conn: Connection) -> None:
    """Severity is the contract's; the finding is the same."""
    result = judged(conn, 6, 5.5)
    assert (result.status, result.blocks) == (Status.WARN, False)
    assert by_row(result) == {SUBJECT: {"cost_over_cap"}}
    assert about(result, SUBJECT) == (
        {"task": "pub_outcome", "cap_usd": 10, "window_days": 30, "attempts": 2, "unpriced": 0,
         "withheld": []},
        {"spent_usd": 11.5},
    )  # fmt: skip
    blocking = judged(conn, 6, 5.5, severity=Severity.BLOCKING)
    assert (blocking.status, blocking.blocks) == (Status.FAIL, True)
    assert blocking.remediation_hint.startswith("Find what asks so often")


def test_a_cost_that_nobody_knows_is_no_saving(conn: Connection) -> None:
    """An attempt without cost is told, never counted as free."""
    result = judged(conn, 1, None, severity=Severity.BLOCKING)
    assert by_row(result) == {SUBJECT: {"cost_unknown"}}
    assert about(result, SUBJECT)[0]["unpriced"] == 1


@pytest.mark.parametrize("left_out", ["task", "cap_usd"])
def test_a_cap_that_is_not_declared_blocks(conn: Connection, left_out: str) -> None:
    """Without task or cap nothing was judged."""
    cap = {name: value for name, value in CAP.items() if name != left_out}
    result = judged(conn, 1, cap=cap, severity=Severity.BLOCKING)
    assert (result.status, by_row(result)) == (Status.FAIL, {SUBJECT: {"cap_undeclared"}})


def test_what_was_spent_is_kept_only_where_costs_are_public(conn: Connection) -> None:
    """The cap is the contract's own; the sum is made of values."""
    result = judged(conn, 11, public=False)
    assert about(result, SUBJECT)[1] == {}
    assert about(result, SUBJECT)[0]["withheld"] == ["spent_usd"]


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    left: list[set[str]] = []
    for costs in ((7,), (8,), (9,), (10,), (11,), (1, None)):
        attempts, *others = tables(conn, *costs)
        checked = spec("llm_cost_cap", attempts, *others, arguments=CAP)
        left.append(set(survivors(conn, checked)))
    attempts, *others = tables(conn, 1)
    capless = spec("llm_cost_cap", attempts, *others, arguments={"task": CAP["task"]})
    left.append(set(survivors(conn, capless)))
    # That the task itself is declared is another statement of the gate, and another test above.
    (declared,) = set.intersection(*left)
    assert declared.startswith("only cap.usd IS NULL: ")

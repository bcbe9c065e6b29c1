"""The gates of deliveries: reached, readable, as many rows as before, no key twice, fresh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from integration.gating import model, spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from ledger_records import DATASET, anomaly, delivered
from tidegate.gates.model import Severity, Status
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult

COLUMNS = "id text, day date, _delivery_id bigint, _received_at timestamptz"
DAY = {"count": 1, "period": "day"}
WEEK = {"count": 7, "period": "day"}


def judged(
    conn: Connection,
    gate_id: str,
    rows: Sequence[Sequence[Any]] = (("a", None, 1),),
    **options: Any,
) -> GateResult:
    orders = table(conn, DATASET, COLUMNS, rows, row_key=["id"])
    return judge(conn, gate_id, orders, **options)


@pytest.mark.parametrize(
    ("gate_id", "stage", "reason"),
    [
        ("source_reachability", "receipt", "source_unreachable"),
        ("source_reachability", "landing", "source_unreachable"),
        ("source_parseability", "parsing", "source_unparseable"),
    ],
)
def test_the_newest_delivery_that_failed_blocks(
    conn: Connection, gate_id: str, stage: str, reason: str
) -> None:
    """Until another one is accepted; then it warns, until the same file is."""
    delivered(conn, 1)
    failed = delivered(conn, 2, file="bad.csv", status="failed", halted_in=stage)
    result = judged(conn, gate_id)
    assert (result.status, result.rows_checked, result.rows_failing) == (Status.FAIL, 2, 1)
    assert by_row(result) == {str(failed): {reason}}
    assert about(result, str(failed)) == (
        {"dataset": DATASET, "delivery_id": 2, "halted_in": stage, "run_reason": "storage_error"},
        {},
    )
    assert result.remediation_hint == GATES[gate_id].remedy
    delivered(conn, 3)
    assert by_row(judged(conn, gate_id)) == {str(failed): {f"~{reason}"}}
    delivered(conn, 4, file="bad.csv")
    assert judged(conn, gate_id).status is Status.PASS


@pytest.mark.parametrize("gate_id", ["source_reachability", "source_parseability"])
def test_a_run_that_failed_elsewhere_or_is_not_over_says_nothing(
    conn: Connection, gate_id: str
) -> None:
    """Refused by a policy, waiting for somebody, still going on: the bytes were there and read."""
    delivered(conn, 1, status="rejected", halted_in="governance")
    assert judged(conn, gate_id).status is Status.PASS
    delivered(conn, 2, status="parked")
    assert judged(conn, gate_id).status is Status.PASS
    delivered(conn, 3, status="landed")
    assert judged(conn, gate_id).rows_checked == 2


@pytest.mark.parametrize(
    "gate_id", ["source_reachability", "source_parseability", "source_count_delta"]
)
def test_what_was_never_delivered_is_not_evaluated(conn: Connection, gate_id: str) -> None:
    """Runs of another dataset are no answer; leave to be empty is the contract's."""
    delivered(conn, 1, dataset="others")
    assert judged(conn, gate_id).status is Status.NOT_EVALUATED
    assert judged(conn, gate_id, arguments={"may_be_empty": True}).status is Status.PASS
    other = judged(conn, gate_id, arguments={"dataset": "others"})
    assert (other.status, other.rows_checked) == (Status.PASS, 1)


@pytest.mark.parametrize(
    "gate_id",
    ["source_reachability", "source_parseability", "source_count_delta", "source_freshness"],
)
def test_without_a_ledger_nothing_of_it_has_passed(conn: Connection, gate_id: str) -> None:
    """A database that Tidegate does not keep: not evaluated, and no error."""
    conn.execute("drop schema governance cascade")
    rows = [] if gate_id == "source_freshness" else [("a",)]
    result = judged(conn, gate_id, rows, arguments={"warn_after": DAY} if not rows else {})
    assert (result.status, result.error) == (Status.NOT_EVALUATED, None)


def test_an_old_failure_is_remembered_for_a_while(conn: Connection) -> None:
    """A file that nobody sent again warns for thirty days, or as long as the contract says."""
    delivered(conn, 1, status="failed", halted_in="receipt", days_ago=31)
    delivered(conn, 2)
    assert judged(conn, "source_reachability").status is Status.PASS
    longer = judged(conn, "source_reachability", arguments={"remember_days": 60})
    assert longer.status is Status.WARN


def test_records_that_are_no_records_block_by_their_share(conn: Connection) -> None:
    """Six of 106 in the newest file block at five percent; fewer, or those of older files, warn."""
    run = delivered(conn, 1, rows=100, held=6)
    result = judged(conn, "source_parseability")
    assert by_row(result) == {str(run): {"records_unparseable"}}
    assert about(result, str(run))[0] == {
        "dataset": DATASET, "delivery_id": 1, "records_read": 106, "records_held": 6,
    }  # fmt: skip
    loose = judged(conn, "source_parseability", arguments={"held_pct": 10})
    assert by_row(loose) == {str(run): {"~records_unparseable"}}
    delivered(conn, 2)
    assert by_row(judged(conn, "source_parseability")) == {str(run): {"~records_unparseable"}}
    conn.execute("update governance.quarantine set state = 'discarded'")
    assert judged(conn, "source_parseability").status is Status.PASS


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (100, 100, None), (100, 120, None), (100, 121, "~count_delta_high"),
        (100, 79, "~count_delta_high"), (100, 150, "~count_delta_high"),
        (100, 151, "count_delta_out_of_bounds"), (100, 49, "count_delta_out_of_bounds"),
        (100, 0, "count_delta_out_of_bounds"), (0, 40, None),
    ],
)  # fmt: skip
def test_a_delivery_has_about_as_many_rows_as_the_one_before(
    conn: Connection, before: int, now: int, found: str | None
) -> None:
    """More than half blocks, more than a fifth warns; the bounds are the contract's."""
    delivered(conn, 1, rows=1)
    delivered(conn, 2, rows=before)
    run = delivered(conn, 3, rows=now)
    result = judged(conn, "source_count_delta")
    assert by_row(result) == ({str(run): {found}} if found else {})
    assert result.rows_checked == 1
    if found and not found.startswith("~"):
        assert about(result, str(run))[0] == {
            "dataset": DATASET, "delivery_id": 3, "rows": now, "rows_before": before,
            "bound_pct": 50,
        }  # fmt: skip
        wide = judged(conn, "source_count_delta", arguments={"bound_pct": 500, "warn_pct": 500})
        assert wide.status is Status.PASS


def test_the_first_delivery_has_nothing_to_be_compared_with(conn: Connection) -> None:
    """Looked at, and nothing found."""
    delivered(conn, 1)
    result = judged(conn, "source_count_delta")
    assert (result.status, result.rows_checked) == (Status.PASS, 1)


def test_somebody_who_expected_the_volume_has_the_last_word(conn: Connection) -> None:
    """An open anomaly warns; assessed as expected, neither it nor the change says anything."""
    delivered(conn, 1, rows=100)
    run = delivered(conn, 2, rows=10)
    anomaly(conn, run)
    both = {"~volume_anomalous", "count_delta_out_of_bounds"}
    assert by_row(judged(conn, "source_count_delta")) == {str(run): both}
    conn.execute(
        "insert into governance.anomaly_assessments (anomaly_id, assessment, assessed_by, reason)"
        " select anomaly_id, 'expected', 'ada', 'half of the shops closed'"
        " from governance.anomalies"
    )
    assert judged(conn, "source_count_delta").status is Status.PASS


def test_a_key_stands_once_in_a_delivery(conn: Connection) -> None:
    """The same key of another delivery is a correction; a row without key is no row of a source."""
    rows = [("a", None, 1), ("a", None, 2), ("b", None, 1)]
    assert judged(conn, "source_key_uniqueness", rows).status is Status.PASS
    rows += [("b", None, 1), (None, None, 2)]
    result = judged(conn, "source_key_uniqueness", rows)
    assert (result.rows_checked, result.rows_failing) == (5, 2)
    assert by_row(result) == {"b": {"source_key_duplicated"}, "": {"source_key_missing"}}
    assert about(result, "b")[0] == {"delivery_id": 1, "copies": 2}
    one = judged(
        conn, "source_key_uniqueness", rows[:3], arguments={"columns": {"_delivery_id": None}}
    )
    assert by_row(one) == {"a": {"source_key_duplicated"}}


def test_the_key_of_a_source_may_have_several_columns(conn: Connection) -> None:
    """Two columns that only look the same when joined are two keys."""
    rows = [("a", "2024-01-01", 1), ("a", "2024-01-02", 1), ("a", "2024-01-02", 1)]
    result = judged(conn, "source_key_uniqueness", rows, arguments={"row_key": ["id", "day"]})
    assert by_row(result) == {"a|2024-01-02": {"source_key_duplicated"}}


def aged(conn: Connection, hours: int | None, **arguments: Any) -> dict[str | None, set[str]]:
    """The verdict on one row of this age."""
    orders = table(conn, DATASET, COLUMNS, [("a",)], row_key=["id"])
    if hours is not None:
        conn.execute(
            f"update clinical_trials__g000007.{DATASET}"
            " set _received_at = now() - make_interval(hours => %s)".encode(),
            [hours],
        )
    return by_row(judge(conn, "source_freshness", orders, arguments=arguments))


def test_age_warns_inside_the_tolerance_and_blocks_beyond(conn: Connection) -> None:
    """A day warns and a week blocks; without a second bound it only warns."""
    bounds = {"warn_after": DAY, "error_after": WEEK}
    assert aged(conn, 23, **bounds) == {}
    assert aged(conn, 25, **bounds) == {DATASET: {"~source_ageing"}}
    assert aged(conn, 7 * 24 + 1, **bounds) == {DATASET: {"source_stale"}}
    assert aged(conn, 1000, warn_after=DAY) == {DATASET: {"~source_ageing"}}
    assert aged(conn, 1000, error_after=DAY) == {DATASET: {"source_stale"}}
    minutes = {"count": 61, "period": "minute"}
    assert aged(conn, 1, warn_after=minutes, error_after={"count": 2, "period": "hour"}) == {}


def test_freshness_needs_a_bound_and_a_time(conn: Connection) -> None:
    """Nothing declared, or rows that say no time: nothing has passed."""
    assert aged(conn, 1) == {DATASET: {"freshness_undeclared"}}
    assert aged(conn, None, warn_after=DAY) == {DATASET: {"loaded_at_missing"}}
    assert judged(conn, "source_freshness", [], arguments={"warn_after": DAY}).status is (
        Status.NOT_EVALUATED
    )
    wrong = judged(conn, "source_freshness", arguments={"warn_after": {"count": 1, "period": "x"}})
    assert wrong.error == "an argument of source_freshness has a shape it cannot use"


def test_the_same_bytes_once_more_are_a_sign_of_life(conn: Connection) -> None:
    """A list that did not change is not stale, where its age is that of its receipt."""
    assert aged(conn, 100, error_after=DAY) == {DATASET: {"source_stale"}}
    delivered(conn, 1, status="duplicate")
    assert aged(conn, 100, error_after=DAY) == {}
    assert aged(conn, 100, error_after=DAY, loaded_at="day") == {DATASET: {"loaded_at_missing"}}


def test_severity_warning_records_and_does_not_block(conn: Connection) -> None:
    """The contract alone decides whether a late or odd source withholds."""
    delivered(conn, 1, status="failed", halted_in="receipt")
    result = judged(conn, "source_reachability", severity=Severity.WARNING)
    assert (result.status, result.blocks, result.rows_failing) == (Status.WARN, False, 1)


def test_each_condition_of_keys_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    rows = [("a", None, 1), ("a", None, 1), (None, None, 1), (None, None, 1), ("b", None, 1)]
    orders = table(conn, DATASET, COLUMNS, rows, row_key=["id"])
    assert survivors(conn, spec("source_key_uniqueness", orders)) == []


def otherwise(conn: Connection) -> None:
    """What is no delivery of this dataset: another one's, reprocessing, records decided upon."""
    for number, stage in enumerate(["receipt", "parsing"], start=90):
        delivered(conn, number, dataset="others", status="failed", halted_in=stage)
    delivered(conn, 92, dataset="others", rows=3, held=3)
    for number, stage in enumerate(["receipt", "parsing"], start=93):
        delivered(conn, number, status="failed", halted_in=stage, origin="reprocess")
    delivered(conn, 95, rows=7, origin="reprocess")
    run = delivered(conn, 96, rows=100, held=2)
    conn.execute("update governance.quarantine set state = 'discarded' where run_id = %s", [run])
    run = delivered(conn, 97, rows=100, held=2)
    conn.execute(
        "update governance.quarantine set reason = (select min(reason) from"
        " governance.quarantine_reasons where category <> 'structural') where run_id = %s", [run]
    )  # fmt: skip


def test_each_condition_on_the_ledger_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed at all of these moments."""
    orders = table(conn, DATASET, COLUMNS, [("a", None, 1)], row_key=["id"])
    gates = ("source_reachability", "source_parseability", "source_count_delta")
    left: dict[str, list[set[str]]] = {gate_id: [] for gate_id in gates}

    def look(*only: str) -> None:
        for gate_id in only or gates:
            left[gate_id].append(set(survivors(conn, spec(gate_id, orders))))

    for number, stage in enumerate(["receipt", "landing", "parsing", "governance"], start=1):
        delivered(conn, number, status="failed", halted_in=stage)
    delivered(conn, 5, rows=100)
    delivered(conn, 6, held=1)
    delivered(conn, 7, status="failed", halted_in="receipt", days_ago=31)
    delivered(conn, 8, status="failed", halted_in="parsing", days_ago=31)
    otherwise(conn)
    look()
    for number, stage in enumerate(["parsing", "landing", "receipt"], start=10):
        delivered(conn, number, status="failed", halted_in=stage)
        look(*gates[:2])
    delivered(conn, 14, status="landed")
    look(*gates[:2])
    delivered(conn, 15, status="parked")
    look(*gates[:2])
    delivered(conn, 16, status="failed", halted_in="governance", held=2)
    look("source_parseability")
    delivered(conn, 17, status="failed", halted_in="parsing")
    for number, status in ((18, "landed"), (19, "parked")):
        delivered(conn, number, status=status)
        look("source_parseability")
    for number, (rows, held) in enumerate(
        [(100, 40), (150, 0), (120, 0), (60, 3), (100, 0), (95, 5), (100, 0), (50, 0)], start=20
    ):
        run = delivered(conn, number, rows=rows, held=held)
        look()
    anomaly(conn, run)
    look("source_count_delta")
    anomaly(conn, delivered(conn, 40, rows=500), assessment="expected")
    look("source_count_delta")
    anomaly(conn, delivered(conn, 41, rows=650), assessment="expected")
    look("source_count_delta")
    anomaly(conn, delivered(conn, 42, rows=650), detector="completeness")
    delivered(conn, 50, rows=1, dataset="others")
    look("source_count_delta")
    delivered(conn, 51, rows=1, origin="reprocess")
    look("source_count_delta")
    alive = {gate_id: set.intersection(*found) for gate_id, found in left.items()}
    # Records of other datasets are of other runs: the name of the dataset only spares a look.
    (spared,) = alive.pop("source_parseability")
    assert spared.startswith("only quarantine.category = 'structural': quarantine.dataset")
    assert alive == {"source_reachability": set(), "source_count_delta": set()}


def test_each_condition_of_freshness_counts(conn: Connection) -> None:
    """Young, ageing, stale and of unknown age."""
    bounds = {"warn_after": DAY, "error_after": WEEK}
    alive = []
    # Neither is a sign of life: other bytes that were accepted, and a repeat of another dataset.
    delivered(conn, 1)
    delivered(conn, 2, status="duplicate", dataset="others")
    for hours in (1, 25, 1000, None):
        aged(conn, hours, **bounds)
        orders = model(DATASET, COLUMNS, row_key=["id"])
        alive.append(set(survivors(conn, spec("source_freshness", orders, arguments=bounds))))
    orders = table(conn, DATASET, COLUMNS, [], row_key=["id"])
    alive.append(set(survivors(conn, spec("source_freshness", orders, arguments=bounds))))
    # Where both bounds are known, whether one of them is unknown makes no difference.
    (known,) = set.intersection(*alive)
    assert known.startswith("unknown passes: ")
    aged(conn, 25, **bounds)
    orders = model(DATASET, COLUMNS, row_key=["id"])
    one = spec("source_freshness", orders, arguments={"warn_after": DAY})
    assert survivors(conn, one, only=["unknown passes"]) == []

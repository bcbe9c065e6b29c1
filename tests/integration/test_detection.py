"""Detection as the last stage of a delivery: what the ledger has of it, and what it never does."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import psycopg
import pytest

from landing_project import ORDERS, LandingProject, make_project, refused
from listed_words import listed_words
from shop_deliveries import deliver, history
from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.detection import after, detectors, profile
from tidegate.detection.after import catch_up
from tidegate.detection.vocabulary import OF_A_RUN, Assessment, Detector, Outcome, Severity
from tidegate.warehouse import Warehouse


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """Orders of a shop, appended."""
    return make_project(tmp_path, warehouse)


def raised(project: LandingProject) -> list[tuple[Any, ...]]:
    return project.query(
        "select detector, subject, severity, run_id, rows_read, rows_quarantined,"
        " schema_version_id is not null from governance.anomaly_index order by anomaly_id"
    )


def outcomes(project: LandingProject, run_id: int | None) -> dict[str, str]:
    return dict(
        project.query(
            "select detector, outcome from governance.detections where run_id = %s", run_id
        )
    )


def test_every_run_is_judged_by_five_detectors(project: LandingProject) -> None:
    """First there is too little history, which is said; then there is enough, and all is normal."""
    first = deliver(project, 10)
    assert outcomes(project, first.run_id) == {
        one.value: "insufficient_history" for one in OF_A_RUN
    }
    history(project)
    last = deliver(project, 9)
    assert outcomes(project, last.run_id) == {one.value: "normal" for one in OF_A_RUN}
    assert raised(project) == []


@pytest.mark.parametrize(
    ("rows", "faults", "detector", "subject"),
    [
        (80, {}, "volume", ""),
        (200, {"nulls": 60}, "completeness", "qty"),
        (200, {"bad": 40}, "quarantine", ""),
        (200, {"bad": 40}, "confidence", "qty"),
        (200, {"again": 50}, "repetition", ""),
    ],
)
def test_f14_an_injected_fault_is_found_and_attributed_to_its_run(
    project: LandingProject, rows: int, faults: Mapping[str, int], detector: str, subject: str
) -> None:
    """With the run's counts, quarantine and schema version, and a review item; the run goes on."""
    history(project)
    run = deliver(project, 9, rows, **faults)
    assert run.status is RunStatus.ACCEPTED
    held = faults.get("bad", 0)
    found = {(row[0], row[1]): row[2:] for row in raised(project)}
    assert found[detector, subject][1:] == (run.run_id, rows, held, True)
    check = f"anomaly.{detector}.{subject}".rstrip(".")
    assert project.query(
        "select kind, subject, state from governance.review_items where check_id = %s", check
    ) == [("anomaly", "orders", "open")]


def test_an_anomaly_blocks_and_quarantines_nothing(project: LandingProject) -> None:
    """Every detector finds something, and every record that conforms is accepted."""
    history(project)
    run = deliver(project, 9, 1000, nulls=300, bad=200, again=100)
    assert {row[0] for row in raised(project)} == {one.value for one in OF_A_RUN}
    assert (run.status, run.read, run.accepted, run.quarantined) == (
        RunStatus.ACCEPTED,
        1000,
        800,
        200,
    )
    assert run.exit_code == 0
    assert run.warnings[0] == "anomaly in volume: 1000 records, normal is 172 to 234"
    held = project.query("select count(*) from governance.quarantine_index where reason <> %s", "x")
    assert held == [(200,)]


@pytest.mark.parametrize("detector", OF_A_RUN)
def test_a_detector_that_raises_fails_no_run(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch, detector: Detector
) -> None:
    """Its error is an outcome; the others still speak, and no text of the error is kept."""

    def broken(*_: object) -> None:
        raise ValueError("secret 4711")

    monkeypatch.setattr(
        after,
        "detect",
        lambda history, run: detectors.detect(
            history,
            run,
            {**detectors.JUDGES, detector: broken},  # type: ignore[dict-item]
        ),
    )
    run = deliver(project, 1)
    assert (run.status, run.accepted) == (RunStatus.ACCEPTED, 200)
    said = outcomes(project, run.run_id)
    assert said.pop(detector.value) == "error"
    assert set(said.values()) == {"insufficient_history"}
    assert project.query("select detail from governance.detections where outcome = 'error'") == [
        ("ValueError.",)
    ]


@pytest.mark.parametrize("step", ["profile", "read_history", "detect", "record"])
def test_detection_that_fails_as_a_whole_fails_no_run(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Whichever step breaks, the server's refusal included, the delivery is accepted."""

    def broken(conn: Any, *_: object) -> None:
        if step == "detect":
            raise ZeroDivisionError
        conn.execute("select 1 / 0")

    monkeypatch.setattr(after, step, broken)
    run = deliver(project, 1)
    assert (run.status, run.accepted) == (RunStatus.ACCEPTED, 200)
    monkeypatch.undo()
    said = outcomes(project, run.run_id)
    assert said == ({} if step == "record" else {one.value: "error" for one in OF_A_RUN})


def test_a_run_that_nobody_judged_is_judged_later(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process died after acceptance; judging again, or twice, adds nothing."""
    history(project)
    monkeypatch.setattr(after, "_judge", broken_connection)
    run = deliver(project, 9, 80)
    monkeypatch.undo()
    assert outcomes(project, run.run_id) == {}
    contract = load_project(project.folder).datasets["orders"]
    with project.warehouse.connect() as conn:
        assert catch_up(conn, contract) == 1
        assert catch_up(conn, contract) == 0
        assert after.after_run(conn, run.run_id or 0, contract) == ()
    assert [row[:2] for row in raised(project)] == [("volume", "")]


def broken_connection(*_: object) -> None:
    raise psycopg.OperationalError


def test_rejected_failed_and_duplicate_runs_are_in_no_baseline(project: LandingProject) -> None:
    """Only accepted deliveries are compared with; a duplicate is not judged."""
    history(project)
    refused_run = project.land("orders/bad.csv", "id,id\n1,2\n")
    assert refused_run.status is RunStatus.REJECTED
    again = deliver(project, 7, 201)
    assert again.status is RunStatus.DUPLICATE
    assert outcomes(project, again.run_id) == {}
    deliver(project, 9)
    assert project.query("select max(baseline) from governance.detections") == [(7,)]


def test_the_same_anomaly_again_is_another_sighting_of_its_item(project: LandingProject) -> None:
    """Two deliveries of half the size: two events, one item that waits."""
    history(project)
    deliver(project, 9, 80)
    deliver(project, 10, 81)
    assert [row[0] for row in raised(project)] == ["volume", "volume"]
    assert project.query(
        "select count(distinct review_id), count(*) from governance.review_sightings"
    ) == [(1, 2)]


def test_repetition_counts_whole_records_of_any_type(project: LandingProject) -> None:
    """Columns without a hash of their own are compared by their text; null equals null."""
    source = '[{"head": {"id": "a"}}, {"head": {"id": "a"}}, {"head": {"id": "b"}}]'
    run = project.land("notes/n.json", source)
    assert run.accepted == 3
    assert project.query("select compared, repeated from governance.delivery_profiles") == [(3, 1)]
    for kind in (
        "json",
        "xml",
        "point",
        "integer[]",
        "numeric(10,2)",
        "timestamp(3) with time zone",
    ):
        cast = profile._comparable("c", kind).as_string().endswith("::text")
        assert cast == (kind in ("json", "xml", "point", "integer[]"))


@pytest.mark.parametrize(
    ("records", "repeated"),
    [("1,a,1\n2,a,1\n", 0), ("1,a,1\n1,b,1\n2,a,1\n", 0), ("1,a,1\n1,b,1\n1,a,1\n", 1)],
)
def test_a_repeated_key_is_no_repetition_unless_the_whole_record_is(
    project: LandingProject, records: str, repeated: int
) -> None:
    """Different keys prove different records; equal ones prove nothing."""
    assert project.land("orders/o.csv", f"id,item,qty\n{records}").accepted
    rows = len(records.splitlines())
    assert project.query("select compared, repeated from governance.delivery_profiles") == [
        (rows, repeated)
    ]


@pytest.mark.parametrize(
    ("rule", "compares"),
    [
        ("type: unique, field: qty", False),
        ("type: unique, field: qty, severity: warning", False),
        ("type: unique, field: qty, ignore_nulls: any", True),
        ("type: unique, field: item, severity: warning", True),
        ("type: not_null, field: qty", True),
    ],
)
def test_records_that_the_policy_found_different_are_not_compared_again(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch, rule: str, compares: bool
) -> None:
    """A rule that passed on all rows proves that none repeats; one that left rows out does not."""
    policy = f"quality_policy: {{version: p1, rules: [{{id: one, {rule}}}]}}\n"
    text = ORDERS.replace("KIND", "append")
    project.contract("shop", text.replace("format:", f"{policy}              format:", 1))
    compared: list[int] = []
    distinct = profile._distinct

    def counted(*arguments: Any) -> tuple[int, int]:
        compared.append(1)
        return distinct(*arguments)

    monkeypatch.setattr(profile, "_distinct", counted)
    assert project.land("orders/o.csv", "id,item,qty\n1,a,1\n2,a,2\n").accepted == 2
    assert bool(compared) == compares
    assert project.query("select compared, repeated from governance.delivery_profiles") == [(2, 0)]


def test_detections_and_anomalies_are_never_changed(
    project: LandingProject, conn: Connection
) -> None:
    """What was said stays said."""
    history(project)
    deliver(project, 9, 80)
    for relation in ("detections", "anomalies", "delivery_profiles", "anomaly_assessments"):
        assert refused(conn, f"delete from governance.{relation}") == "23001"
        assert refused(conn, f"truncate governance.{relation} cascade") == "23001"
    assert refused(conn, "update governance.anomalies set severity = 'low'") == "23001"


@pytest.mark.parametrize(
    ("relation", "column", "words"),
    [
        ("detections", "detector", OF_A_RUN),
        ("detections", "outcome", Outcome),
        ("anomalies", "detector", Detector),
        ("anomaly_assessments", "assessment", Assessment),
    ],
)
def test_the_check_constraint_lists_the_enum(
    conn: Connection, relation: str, column: str, words: Any
) -> None:
    """A word added on one side only fails here."""
    members: list[Enum] = list(words)
    listed = listed_words(conn, f"governance.{relation}", column)
    assert listed == {word.value for word in members}


def test_severities_have_the_same_order_in_the_database(conn: Connection) -> None:
    """An operator sorts the backlog by rank, on either side."""
    rows = conn.execute("select severity, rank from governance.anomaly_severities").fetchall()
    assert dict(rows) == {one.value: one.rank for one in Severity}
    assert Severity.LOW.rank < Severity.MEDIUM.rank < Severity.HIGH.rank < Severity.CRITICAL.rank

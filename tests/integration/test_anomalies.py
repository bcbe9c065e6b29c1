"""What an operator sees of anomalies and answers, and deliveries that did not come."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from command_line import CommandLine
from landing_project import ORDERS, LandingProject, make_project
from shop_deliveries import deliver, history
from tidegate.contracts.load import load_project
from tidegate.detection.missing import raise_missing
from tidegate.warehouse import Warehouse

DECLARED = """
              detection:
                expected_on: [monday, tuesday, wednesday, thursday, friday]
                holidays: ["2026-03-05"]
                timezone: Europe/Zurich
              format: {type: csv}"""


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """Orders of a shop, appended."""
    return make_project(tmp_path, warehouse)


@pytest.fixture
def command(project: LandingProject) -> CommandLine:
    return CommandLine(project.folder, project.warehouse)


def test_an_operator_lists_and_explains_anomalies(
    project: LandingProject, command: CommandLine
) -> None:
    """The most severe first, with what is normal; `show` has the run's context."""
    assert command.run("anomalies", "list").out == "No open anomalies.\n"
    history(project)
    deliver(project, 9, 80, bad=40)
    answer = command.run("anomalies", "list")
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "     3  critical  orders delivery 8: confidence of qty: 50.0% do not fit the type, "
        "normal is at most 1.0%",
        "     2  critical  orders delivery 8: quarantine: 50.0% are quarantined, "
        "normal is at most 1.0%",
        "     1  high      orders delivery 8: volume: 80 records, normal is 172 to 234",
    ]
    shown = command.run("anomalies", "show", "1").out
    assert "rows_read: 80\n" in shown
    assert "  quarantine: anomalous, 7 compared.\n" in shown
    assert "  quarantined: 40 invalid_integer qty\n" in shown
    found = json.loads(command.run("anomalies", "show", "1", "--json").out)
    assert (found["detector"], found["run_id"], found["severity"]) == ("volume", 8, "high")
    assert command.run("anomalies", "show", "99").err == (
        "Error [usage]: There is no anomaly 99.\n"
        "See `tidegate anomalies list --all`.\n"
        "Serving views unchanged.\n"
    )


def test_an_incident_is_left_out_of_later_baselines(
    project: LandingProject, command: CommandLine
) -> None:
    """Acknowledged as an incident: its review item is closed, and no run is compared with it."""
    history(project)
    deliver(project, 9, 80)
    answer = command.run(
        "anomalies", "acknowledge", "1", "--as", "incident", "--by", "ann", "--reason", "half sent"
    )
    assert (answer.code, answer.out) == (0, "Acknowledged 1 as incident, 0 open.\n")
    assert project.query("select state, acknowledged_by from governance.review_items") == [
        ("acknowledged", "ann")
    ]
    assert project.query(
        "select actor, details ->> 'assessment' from governance.audit_events"
        " where event = 'anomaly.assessed'"
    ) == [("ann", "incident")]
    deliver(project, 10)
    assert project.query(
        "select baseline from governance.detections where run_id = 9 and detector = 'volume'"
    ) == [(7,)]
    assert "(incident)" in command.run("anomalies", "list", "--all").out


def test_what_is_expected_is_not_raised_again(
    project: LandingProject, command: CommandLine
) -> None:
    """Acknowledged as expected: the like of it is normal from now on."""
    history(project)
    deliver(project, 9, 80)
    command.run(
        "anomalies", "acknowledge", "1", "--as", "expected", "--by", "ann", "--reason", "August"
    )
    deliver(project, 10, 82)
    assert project.query("select count(*) from governance.anomalies") == [(1,)]
    deliver(project, 11, 20)
    assert project.query("select count(*) from governance.anomalies") == [(2,)]


def test_an_acknowledgement_needs_who_and_why(
    project: LandingProject, command: CommandLine
) -> None:
    """All or none, and nothing without a name and a reason."""
    history(project)
    deliver(project, 9, 80)
    said = ("anomalies", "acknowledge", "1", "99", "--as", "incident", "--by", "ann", "--reason")
    assert command.run(*said, "x").code == 2
    assert command.run(*said, " ").code == 2
    assert project.query("select count(*) from governance.anomaly_assessments") == [(0,)]


def test_the_self_test_shows_what_would_go_unseen(
    project: LandingProject, command: CommandLine
) -> None:
    """On simulated histories all is found; a dataset's own may be too short."""
    assert command.run("anomalies", "self-test").code == 0
    deliver(project, 1)
    short = command.run("anomalies", "self-test", "--dataset", "orders")
    assert "half the records NOT found by volume. 0 comparable runs, 7 are needed." in short.out
    history(project, 9)
    long = command.run("anomalies", "self-test", "--dataset", "orders")
    assert long.code == 0
    assert "NOT found" not in long.out
    assert project.query("select count(*) from governance.anomalies") == [(0,)]
    assert command.run("anomalies", "self-test", "--dataset", "nothing").code == 2


def at(day: int, hour: int = 12) -> datetime:
    """A time in March 2026; the 2nd is a Monday."""
    return datetime(2026, 3, day, hour, tzinfo=timezone.utc)


def test_f08_a_delivery_that_did_not_come_is_raised_once(project: LandingProject) -> None:
    """Expected on weekdays in Zurich; the 5th is a holiday, and the weekend is nobody's day."""
    text = ORDERS.replace("KIND", "append")
    project.contract("shop", text.replace("\n              format: {type: csv}", DECLARED))
    contract = load_project(project.folder).datasets["orders"]
    run = deliver(project, 1)
    with project.warehouse.connect() as conn:
        conn.execute("alter table governance.runs disable trigger user")
        conn.execute("update governance.runs set started_at = %s", [at(2)])
        assert raise_missing(conn, contract, at(3)) == ()
        assert raise_missing(conn, contract, at(3, 22)) == ()
        assert raise_missing(conn, contract, at(3, 23)) == (date(2026, 3, 3),)
        assert raise_missing(conn, contract, at(9)) == (date(2026, 3, 4), date(2026, 3, 6))
        assert raise_missing(conn, contract, at(9)) == ()
    assert project.query(
        "select expected_day::text, severity, run_id, observed from governance.anomalies order by 1"
    ) == [
        ("2026-03-03", "high", None, None),
        ("2026-03-04", "critical", None, None),
        ("2026-03-06", "critical", None, None),
    ]
    assert project.query("select count(*) from governance.review_items") == [(1,)]
    assert run.run_id == 1


def test_a_check_raises_what_is_missing_and_blocks_nothing(
    project: LandingProject, command: CommandLine
) -> None:
    """For a scheduler: exit code 0, and the missing days by name."""
    text = ORDERS.replace("KIND", "append")
    every = DECLARED.replace("friday]", "friday, saturday, sunday]")
    project.contract("shop", text.replace("\n              format: {type: csv}", every))
    deliver(project, 1)
    with project.warehouse.connect() as conn:
        conn.execute("alter table governance.runs disable trigger user")
        conn.execute("update governance.runs set started_at = started_at - interval '2 days'")
    # As the contract's calendar has it: late in the evening of UTC it is a day further.
    yesterday = datetime.now(ZoneInfo("Europe/Zurich")).date() - timedelta(days=1)
    answer = command.run("anomalies", "check")
    assert answer.code == 0
    assert answer.out.splitlines()[-1] == "Judged 0 run(s), 1 deliveries missing."
    assert f"orders: a delivery was expected on {yesterday}; none came that day." in answer.out
    assert command.run("anomalies", "check", "--json").out.startswith('{\n  "judged": 0')
    listed = command.run("anomalies", "list", "--severity", "high").out
    assert f"high      orders: A delivery was expected on {yesterday:%A}, {yesterday};" in listed

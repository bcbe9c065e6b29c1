"""The quality policy of a dataset, judged before anybody sees a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from landing_project import ORDERS, LandingProject, make_project
from tidegate.deliveries import policy
from tidegate.deliveries.vocabulary import HaltedIn, RunStatus
from tidegate.warehouse import Warehouse

RULES = (
    "{id: unique-id, type: unique, fields: [id]}, "
    "{id: small, type: range, field: qty, maximum: 5, severity: warning}, "
    "{id: enough, type: row_count, minimum: 1}"
)


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project whose orders have a policy with errors and a warning."""
    project = make_project(tmp_path, warehouse)
    policy = f"quality_policy: {{version: p1, rules: [{RULES}]}}\n              "
    text = ORDERS.replace("KIND", "append")
    project.contract("shop", text.replace("format: {type: csv}", f"{policy}format: {{type: csv}}"))
    return project


@pytest.mark.parametrize(("many", "cost"), [(2, "0"), (3, "1000")])
def test_many_rows_are_judged_by_several_processes_of_the_server(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch, many: int, cost: str
) -> None:
    """Only while they are judged, and with the same verdict."""
    seen: list[str] = []
    evaluate = policy.evaluate

    def noted(conn: Any, *given: Any, **named: Any) -> Any:
        seen.append(conn.execute("show parallel_setup_cost").fetchone()[0])
        return evaluate(conn, *given, **named)

    monkeypatch.setattr(policy, "_MANY", many)
    monkeypatch.setattr(policy, "evaluate", noted)
    outcome = project.land("orders/1.csv", "id,item,qty\n1,a,1\n2,b,9\n")
    assert (outcome.status, outcome.accepted) == (RunStatus.ACCEPTED, 2)
    assert seen == [cost]
    assert project.query("select check_id from governance.review_items") == [("small",)]


def test_a_failed_policy_accepts_nothing_and_leaves_stage_and_evidence(
    project: LandingProject,
) -> None:
    """Halted in governance; the row numbers are the record numbers of the file."""
    outcome = project.land("orders/1.csv", "id,item,qty\n1,a,1\n2,b,x\n1,c,3\n")
    assert (outcome.status, outcome.halted_in) == (RunStatus.FAILED, HaltedIn.GOVERNANCE)
    assert outcome.reason == "policy_failed"
    assert outcome.detail == (
        f"Rules that block: unique-id. The staged rows are in landing_stage.r{outcome.run_id}."
    )
    assert project.query("select count(*) from landing.orders") == [(0,)]
    assert project.query(f"select count(*) from landing_stage.r{outcome.run_id}") == [(3,)]
    counts = project.query(
        "select rows_read, rows_accepted, rows_quarantined, rows_withheld from governance.runs"
    )
    assert counts == [(3, 0, 1, 2)]
    rules = project.query(
        "select r ->> 'id', r ->> 'status', r -> 'row_numbers' from governance.runs,"
        " jsonb_array_elements(validation -> 'rules') r"
    )
    assert rules == [
        ("unique-id", "failed", [1, 3]),
        ("small", "passed", None),
        ("enough", "passed", None),
    ]
    assert project.query("select version from governance.quality_policies") == [("p1",)]


def test_a_corrected_file_is_a_new_delivery(project: LandingProject) -> None:
    """The failed one stays as it was recorded."""
    first = project.land("orders/1.csv", "id,item,qty\n1,a,1\n1,b,2\n")
    second = project.land("orders/1.csv", "id,item,qty\n1,a,1\n2,b,2\n")
    assert second.status is RunStatus.ACCEPTED
    assert second.delivery_id != first.delivery_id
    again = project.land("orders/1.csv", "id,item,qty\n1,a,1\n1,b,2\n")
    assert again.status is RunStatus.FAILED
    assert project.query("select count(*) from landing.orders") == [(2,)]


def test_a_warning_is_accepted_and_waits_for_somebody(project: LandingProject) -> None:
    """The stage is ready; a review item is open until it is acknowledged."""
    outcome = project.land("orders/1.csv", "id,item,qty\n1,a,9\n2,b,2\n")
    assert outcome.status is RunStatus.ACCEPTED
    assert project.query(
        "select kind, subject, check_id, state, details -> 'row_numbers'"
        " from governance.review_items"
    ) == [("rule", "orders", "small", "open", [1])]
    evidence = project.query("select validation ->> 'verdict', policy_version from governance.runs")
    assert evidence == [("ready_with_warnings", "p1")]


def test_e15_a_publication_keeps_the_exact_validation_and_tells_the_outbox(
    project: LandingProject,
) -> None:
    """Rows, provenance, publication record, evidence and event are one transaction."""
    outcome = project.land(
        "orders/1.csv", "id,item,qty\n1,a,1\n", producer="shop", idempotency_key="k1"
    )
    sha256 = project.query("select sha256 from governance.artifacts")[0][0]
    assert outcome.reference == f"orders@d{outcome.delivery_id:06d}#{sha256}"
    stored = project.query(
        "select v.relation, v.policy_version, v.validation = p.validation, o.topic"
        " from provenance.publication_validation v"
        " join governance.publications p using (publication_id)"
        " join governance.outbox_events o using (publication_id)"
    )
    assert stored == [("orders", "p1", True, "datasource.publication.published")]
    failed = project.land(
        "orders/2.csv", "id,item,qty\n2,a,1\n2,b,1\n", producer="shop", idempotency_key="k2"
    )
    assert (failed.status, failed.reference) == (RunStatus.FAILED, None)
    assert project.query("select count(*) from governance.publications") == [(1,)]

"""Schema changes of deliveries: parked, answered by those who may, and met by hash."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from landing_project import NOTES, ORDERS, LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import approvals, versions
from tidegate.deliveries.landing import resume
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.errors import PrivilegeMissing, UsageError
from tidegate.ledger.approvals import require_authority
from tidegate.warehouse import Warehouse

ANSWER = approvals.Answer("olga", "agreed with the shop")


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an append dataset `orders`."""
    return make_project(tmp_path, warehouse)


def approve(
    project: LandingProject, outcome: FileOutcome, answer: approvals.Answer = ANSWER
) -> approvals.Approved:
    """Approve what a run waits for."""
    assert outcome.run_id is not None
    with project.warehouse.connect() as conn:
        return approvals.approve(
            conn,
            project.folder,
            project.settings.home,
            load_project(project.folder),
            outcome.run_id,
            answer,
        )


def parked(project: LandingProject) -> FileOutcome:
    """A delivery with a column that the contract does not know."""
    project.land("orders/0.csv", "id,item,qty\n1,tea,1\n")
    outcome = project.land("orders/1.csv", "id,item,qty,colour\n2,tea,2,red\n3,jam,1,\n")
    assert outcome.status is RunStatus.PARKED
    return outcome


def test_an_approved_change_waits_for_the_yaml_and_resumes_when_its_hash_is_seen(
    project: LandingProject,
) -> None:
    """Approval and YAML meet by hash; the marker moves then, with approver and reason."""
    outcome = parked(project)
    done = approve(project, outcome)
    assert resume(project.settings, project.warehouse).files == ()
    assert done.patch_path is not None
    subprocess.run(["git", "init", "-q"], cwd=project.folder, check=True)
    subprocess.run(["git", "apply", done.patch_path], cwd=project.folder, check=True)
    report = resume(project.settings, project.warehouse)
    assert [one.status for one in report.files] == [RunStatus.ACCEPTED]
    rows = project.query("select id, item, qty, colour from landing.orders order by id")
    assert rows == [(1, "tea", 1, None), (2, "tea", 2, "red"), (3, "jam", 1, None)]
    marker = project.query(
        "select promoted_by, promotion_reason, contract_version, contract_sha256"
        " from governance.schema_versions where dataset = 'orders' and is_contract"
    )
    assert marker == [("olga", "agreed with the shop", "2", done.contract_sha256)]
    assert project.query("select distinct resolution from governance.drift_changes") == [
        ("approved",)
    ]


ODD = (
    "Unit Price",
    "SELECT",
    "_delivery_id",
    "\u00fcn\u00ef",
    "\u4ef7\u683c",
    "2nd",
    'x"y',
    "\x1b[2J",
    "a/b~c",
)
PLAIN = ("unit_price", "c_select", "delivery_id", "uni", "field", "c_2nd", "x_y", "c_2j", "a_b_c")


@pytest.mark.parametrize("format_", ["csv", "jsonl"])
def test_a_field_whose_name_is_no_column_s_can_be_approved(
    project: LandingProject, format_: str
) -> None:
    """The patch gives it a plain name, and the partner's own as what it is found by."""
    names = [*ODD, "n" * 70]
    path = project.folder / "contracts" / "datasets" / "shop.yml"
    path.write_text(path.read_text("utf-8").replace("type: csv", f"type: {format_}"), "utf-8")
    values = [1, "tea", 2, *(f"v{number}" for number in range(len(names)))]
    fields = ["id", "item", "qty", *names]
    if format_ == "csv":
        text = io.StringIO()
        csv.writer(text).writerows((fields, values))
        content = text.getvalue()
    else:
        content = json.dumps(dict(zip(fields, values, strict=True)))
    outcome = project.land("orders/odd.csv", content)
    done = approve(project, outcome)
    subprocess.run(["git", "init", "-q"], cwd=project.folder, check=True)
    subprocess.run(["git", "apply", str(done.patch_path)], cwd=project.folder, check=True)
    report = resume(project.settings, project.warehouse)
    assert [(one.status, one.accepted) for one in report.files] == [(RunStatus.ACCEPTED, 1)]
    plain = [*PLAIN, "n" * 50]
    columns = load_project(project.folder).datasets["orders"].columns
    assert [column.name for column in columns[3:]] == plain
    (row,) = project.query(f"select {', '.join(plain)} from landing.orders")
    assert list(row) == values[3:]


def test_yaml_that_nobody_approved_parks_the_delivery_until_it_is_promoted(
    project: LandingProject,
) -> None:
    """Editing the file is not approving it."""
    project.land("orders/0.csv", "id,item,qty\n1,tea,1\n")
    project.contract("shop", ORDERS.replace("KIND", "append").replace("integer", "bigint"))
    outcome = project.land("orders/1.csv", "id,item,qty\n2,tea,5000000000\n")
    assert (outcome.status, outcome.reason) == (RunStatus.PARKED, "contract_unpromoted")
    contract = load_project(project.folder).datasets["orders"]
    with project.warehouse.connect() as conn:
        with pytest.raises(UsageError, match="A promotion needs a name and a reason"):
            versions.promote_contract(conn, contract, "olga", " ")
        versions.promote_contract(conn, contract, "olga", "orders got bigger")
    report = resume(project.settings, project.warehouse)
    assert [one.status for one in report.files] == [RunStatus.ACCEPTED]
    assert project.query("select id, qty from landing.orders order by id") == [
        (1, 1),
        (2, 5000000000),
    ]


def test_keeping_the_contract_lets_one_delivery_pass_and_changes_nothing_else(
    project: LandingProject,
) -> None:
    """The new column is left out; the next delivery like it parks again."""
    outcome = parked(project)
    approve(project, outcome, approvals.Answer("olga", "once", keeps_contract=True))
    report = resume(project.settings, project.warehouse)
    assert [one.status for one in report.files] == [RunStatus.ACCEPTED]
    assert project.query("select count(*) from landing.orders") == [(3,)]
    again = project.land("orders/2.csv", "id,item,qty,colour\n9,tea,2,red\n")
    assert again.status is RunStatus.PARKED


def test_a_rejected_change_ends_the_run_and_leaves_the_contract(project: LandingProject) -> None:
    """The delivery is rejected at governance; its artefact is kept."""
    outcome = parked(project)
    assert outcome.run_id is not None
    with project.warehouse.connect() as conn:
        approvals.reject(conn, load_project(project.folder), outcome.run_id, ANSWER)
    report = resume(project.settings, project.warehouse)
    ended = report.files[0]
    assert (ended.status, ended.reason) == (RunStatus.REJECTED, "drift_rejected")
    assert project.query("select count(*) from landing.orders") == [(1,)]
    stored = project.query(
        "select stored_path from governance.artifacts a join governance.deliveries d"
        " on d.artifact_sha256 = a.sha256 where d.delivery_id = %s",
        ended.delivery_id,
    )
    assert (project.settings.artifacts_dir / stored[0][0]).is_file()


def test_only_members_of_the_declared_roles_may_answer(project: LandingProject) -> None:
    """The connected role counts, not the name that is given."""
    outcome = parked(project)
    assert outcome.run_id is not None
    contracts = load_project(project.folder)
    with project.warehouse.connect() as conn:
        role = sql.Identifier(f"clerk_{conn.info.dbname}")
        conn.execute(sql.SQL("create role {}").format(role))
        try:
            conn.execute(sql.SQL("set session authorization {}").format(role))
            with pytest.raises(PrivilegeMissing, match="To promote the contract of orders takes a"):
                versions.promote_contract(conn, contracts.datasets["orders"], "olga", "why not")
            conn.execute("reset session authorization")
            conn.execute(sql.SQL("grant tidegate_operator to {}").format(role))
            conn.execute(sql.SQL("set session authorization {}").format(role))
            require_authority(conn, contracts.datasets["orders"].keys.drift.approvers, to="answer")
            conn.execute("reset session authorization")
        finally:
            conn.execute("reset session authorization")
            conn.execute(sql.SQL("drop role {}").format(role))


def test_block_ends_the_run_at_governance_with_the_marker_untouched(
    project: LandingProject,
) -> None:
    """Refused by policy: nobody is asked."""
    text = ORDERS.replace("KIND", "append").replace(
        "format: {type: csv}", "format: {type: csv}\n              drift: {default: block}"
    )
    project.contract("shop", text)
    outcome = project.land("orders/1.csv", "id,item,qty,colour\n2,tea,2,red\n")
    assert (outcome.status, outcome.reason) == (RunStatus.FAILED, "drift_blocked")
    assert [change.resolution for change in outcome.drift] == ["rejected"]
    assert project.query(
        "select count(*) from governance.schema_versions where is_contract and dataset = 'orders'"
    ) == [(1,)]


def test_a_delivery_that_cannot_be_compared_is_blocked_though_no_change_is(
    project: LandingProject,
) -> None:
    """No field of the contract is there, so nothing was compared: unknown never passes."""
    project.contract(
        "notes", NOTES.split("          - name: tags", 1)[0].replace("path: /head/id", "path: /id")
    )
    outcome = project.land("notes/1.json", "[{}, {}]")
    assert (outcome.status, outcome.reason) == (RunStatus.FAILED, "drift_blocked")
    assert outcome.detail == (
        "The delivery could not be compared with its contract: it has none of its columns. "
        "The contract stands unchanged."
    )
    assert (outcome.read, outcome.accepted, outcome.quarantined) == (2, 0, 0)
    assert outcome.drift == ()
    assert project.query("select count(*) from landing.notes") == [(0,)]


def test_auto_lets_a_safe_change_pass_and_allows_the_contract_that_results(
    project: LandingProject,
) -> None:
    """A new nullable column: accepted without it now, with it once the patch is applied."""
    text = ORDERS.replace("KIND", "append").replace(
        "format: {type: csv}",
        "format: {type: csv}\n              drift: {by_kind: {field_added_nullable: auto}}",
    )
    project.contract("shop", text)
    outcome = project.land("orders/1.csv", "id,item,qty,colour\n2,tea,2,red\n3,tea,1,\n")
    assert outcome.status is RunStatus.ACCEPTED
    assert [change.resolution for change in outcome.drift] == ["applied_automatically"]
    place = project.query("select patch_path from governance.drift_changes")[0][0]
    subprocess.run(["git", "init", "-q"], cwd=project.folder, check=True)
    subprocess.run(["git", "apply", place], cwd=project.folder, check=True)
    second = project.land("orders/2.csv", "id,item,qty,colour\n4,tea,2,red\n")
    assert second.status is RunStatus.ACCEPTED, second
    assert project.query("select id, colour from landing.orders order by id") == [
        (2, None),
        (3, None),
        (4, "red"),
    ]


def test_a_recorded_classification_never_changes(project: LandingProject) -> None:
    """Whatever the policy says later, and whoever asks."""
    parked(project)
    with project.warehouse.connect() as conn, pytest.raises(psycopg.errors.RestrictViolation):
        conn.execute("update governance.drift_changes set classification = 'breaking'")


def test_an_expired_approval_waits_for_a_new_one(project: LandingProject) -> None:
    """Expiry counts until the approval is used."""
    text = ORDERS.replace("KIND", "append").replace(
        "format: {type: csv}", "format: {type: csv}\n              drift: {approval_valid_days: 1}"
    )
    project.contract("shop", text)
    outcome = parked(project)
    done = approve(project, outcome, approvals.Answer("olga", "once", keeps_contract=True))
    assert done.expires_at is not None
    with project.warehouse.connect() as conn:
        conn.execute(
            "update governance.drift_changes set expires_at = clock_timestamp() - interval '1 s'"
        )
    report = resume(project.settings, project.warehouse)
    assert [one.status for one in report.files] == [RunStatus.PARKED]
    assert project.query("select resolution from governance.drift_changes") == [("parked",)]


def test_b18_a_reordered_header_is_read_by_name_and_waits_for_nobody(
    project: LandingProject,
) -> None:
    """Recorded as a warning, accepted, and no value is in another column; no contract changes."""
    outcome = project.land("orders/1.csv", "qty,item,id\n7,tea,1\n")
    assert outcome.status is RunStatus.ACCEPTED
    assert project.query("select id, item, qty from landing.orders") == [(1, "tea", 7)]
    assert project.query(
        "select distinct kind, classification, disposition, resolution, patch_path"
        " from governance.drift_changes"
    ) == [("field_order_changed", "warning", "auto", "applied_automatically", None)]


def test_b18_a_policy_may_still_ask_about_another_order(project: LandingProject) -> None:
    """`by_kind` names it, so it waits; nothing is accepted meanwhile."""
    text = ORDERS.replace("KIND", "append").replace(
        "owner: shop\n",
        "owner: shop\n              drift: {by_kind: {field_order_changed: review}}\n",
    )
    project.contract("shop", text)
    outcome = project.land("orders/1.csv", "qty,item,id\n7,tea,1\n")
    assert outcome.status is RunStatus.PARKED

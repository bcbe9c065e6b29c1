"""Who may answer is the database's rule too: a pipeline's login approves nothing by hand."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from landing_project import ORDERS, LandingProject, make_project
from ledger_records import delivered
from logins import login
from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.deliveries import approvals, quarantine, versions
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.errors import PrivilegeMissing
from tidegate.inference.running import decide_by_hand
from tidegate.ledger import review
from tidegate.publishing.markers import promote_contracts
from tidegate.warehouse import Warehouse

PIPELINE = ("tidegate_loader", "tidegate_transformer", "tidegate_publisher")
DRIFT = (
    "update governance.drift_changes set resolution = 'approved', resolved_by = 'olga',"
    " resolved_reason = 'mine', resolved_at = now()"
)
PROMOTED = (
    "insert into governance.schema_versions (dataset, origin, shape, shape_sha256,"
    " contract_version, contract_sha256, promoted_by, promoted_at, promotion_reason)"
    " values ('orders', 'contract', '[]', repeat('a', 64), '9', repeat('b', 64), 'olga', now(),"
    " 'x')"
)


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with the dataset `orders`, a delivery of which is parked with a new column."""
    made = make_project(tmp_path, warehouse)
    made.land("orders/0.csv", "id,item,qty\n1,tea,1\n")
    assert made.land("orders/1.csv", "id,item,qty,colour\n2,tea,2,red\n").status is RunStatus.PARKED
    return made


def refused(conn: Connection, statement: str, said: str) -> None:
    """The statement fails for want of rights, in these words."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match=said):
        conn.execute(statement.encode())


def test_a_pipeline_answers_for_no_schema_change(project: LandingProject) -> None:
    """Neither approves nor rejects, nor moves the marker, whatever it may write."""
    with login(project.warehouse, *PIPELINE) as pipeline, pipeline.connect() as conn:
        said = "^answering for a schema change takes a member of tidegate_operator"
        refused(conn, DRIFT, said)
        refused(conn, DRIFT.replace("approved", "rejected"), said)
        refused(conn, PROMOTED, "^promoting a contract takes a member of tidegate_operator")
    assert project.query("select resolution from governance.drift_changes") == [("parked",)]
    with login(project.warehouse, "tidegate_operator") as operator, operator.connect() as conn:
        conn.execute(DRIFT.encode())
        conn.execute(PROMOTED.encode())


def test_the_contract_that_stands_says_who_may_replace_it(project: LandingProject) -> None:
    """A file that names another role gives that role nothing: nobody approved the file yet."""
    with login(project.warehouse, *PIPELINE) as pipeline, pipeline.connect() as conn:
        text = ORDERS.replace("KIND", "append").replace(
            "format: {type: csv}", "format: {type: csv}\n              drift: {approvers: [ROLE]}"
        )
        project.contract("shop", text.replace("ROLE", "tidegate_loader"))
        contract = load_project(project.folder).datasets["orders"]
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match=r"^promoting a contract"):
            versions.promote_contract(conn, contract, "olga", "my own")
        assert versions.authorised(conn, contract) is False
    with project.warehouse.connect() as conn:
        versions.promote_contract(conn, contract, "olga", "loaders answer from now on")
    row = (
        "select approvers from governance.schema_versions where dataset = 'orders' and is_contract"
    )
    assert project.query(row) == [(["tidegate_loader"],)]
    with login(project.warehouse, *PIPELINE) as pipeline, pipeline.connect() as conn:
        conn.execute(DRIFT.encode())


def test_an_approval_is_the_answer_to_a_schema_change(project: LandingProject) -> None:
    """A hash that no answer resulted in is allowed by nobody, an operator included."""
    statement = (
        "insert into governance.contract_approvals (dataset, contract_sha256, run_id, approved_by,"
        " reason) values ('orders', repeat('b', 64), (select max(run_id) from governance.runs),"
        " 'olga', 'mine')"
    )
    with (
        project.warehouse.connect() as conn,
        pytest.raises(psycopg.errors.RestrictViolation, match=r"^a contract is approved by"),
    ):
        conn.execute(statement.encode())


def test_a_pipeline_still_takes_up_what_an_approver_allowed(project: LandingProject) -> None:
    """The marker moves when a run of the loader sees YAML of the approved hash."""
    contracts = load_project(project.folder)
    ((run_id,),) = project.query("select max(run_id) from governance.runs")
    answer = approvals.Answer("olga", "agreed with the shop")
    with project.warehouse.connect() as conn:
        done = approvals.approve(
            conn, project.folder, project.settings.home, contracts, run_id, answer
        )
    statement = PROMOTED.replace("repeat('b', 64)", f"'{done.contract_sha256}'")
    with login(project.warehouse, *PIPELINE) as pipeline, pipeline.connect() as conn:
        conn.execute(statement.encode())


@pytest.mark.parametrize(
    "published",
    [
        "insert into governance.serving_views (family, model, columns, definition)"
        " values ('shop', 'q_orders', '[]', '')",
        "insert into governance.generation_models (family, generation, model, shape, row_count,"
        " content_hash, contract_version, contract_sha256, served)"
        " values ('shop', 1, 'q_orders', 1, 0, 0, '1', repeat('a', 64), '[]')",
    ],
    ids=["view", "part"],
)
def test_a_contract_that_readers_have_is_replaced_by_an_operator(
    conn: Connection, warehouse: Warehouse, published: str
) -> None:
    """The first one of a model, and all before its first publication, is nobody's to allow."""
    marker = (
        "insert into governance.model_contracts (family, model, contract_version, contract_sha256,"
        " document, is_contract, promoted_by, reason)"
        " values ('shop', 'q_orders', '1', repeat('a', 64), '{}', false, 'x', 'y')"
    )
    with login(warehouse, *PIPELINE) as pipeline, pipeline.connect() as own:
        own.execute(marker.encode())
        own.execute(marker.encode())
        conn.execute(
            "set session_replication_role = replica;"
            " insert into governance.serving_heads (family, generation) values ('shop', 1);"
            f" {published}; set session_replication_role = origin".encode()
        )
        refused(own, marker, "^promoting a contract takes a member of tidegate_operator")
        unread = marker.replace("q_orders", "q_returns")
        own.execute(unread.encode())
        own.execute(unread.encode())
    with login(warehouse, "tidegate_operator") as operator, operator.connect() as own:
        own.execute(marker.encode())


def test_a_pipeline_acknowledges_nothing_and_gives_nothing_up(
    conn: Connection, warehouse: Warehouse
) -> None:
    """In the program with the grant that helps, in the database with the role it takes."""
    item = review.open_item(conn, "gate", "q_trials", "fresh", "clinical_trials@g000001#ab")
    delivered(conn, 1, held=1)
    acknowledged = (
        "update governance.review_items set state = 'acknowledged', acknowledged_by = 'ada',"
        " acknowledged_reason = 'known', acknowledged_at = now()"
    )
    discarded = "update governance.quarantine set state = 'discarded'"
    with login(warehouse, *PIPELINE) as pipeline, pipeline.connect() as own:
        with pytest.raises(PrivilegeMissing, match=f"^To acknowledge review item {item} takes a "):
            review.acknowledge(own, item, by="ada", reason="known")
        refused(own, acknowledged, "^acknowledging a warning takes a member of tidegate_operator")
        with pytest.raises(PrivilegeMissing, match=r"^To discard quarantined records takes a mem"):
            quarantine.discard(own, [1], by="ada", reason="test rows")
        refused(own, discarded, "^discarding quarantined records takes a member of tidegate_oper")
        review.open_item(own, "gate", "q_trials", "fresh", "clinical_trials@g000002#cd")
    with login(warehouse, "tidegate_operator") as operator, operator.connect() as own:
        review.acknowledge(own, item, by="ada", reason="known")
        assert quarantine.discard(own, [1], by="ada", reason="test rows") == 1


def test_a_pipeline_decides_for_no_person_and_promotes_no_model(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    """Who asks a model does not say that a person looked at the answer."""
    decision = (
        "insert into provenance.inference_decisions (attempt_id, request_key, policy_hash,"
        " decision, decided_by, actor, reason)"
        " values ('a', 'r', 'p', 'accepted', 'human', 'ada', 'reviewed')"
    )
    with login(warehouse, *PIPELINE) as pipeline, pipeline.connect() as own:
        refused(own, decision, "^deciding for a person about an answer takes a member of tidegate_")
        with pytest.raises(
            PrivilegeMissing, match=r"^To decide about an answer for a person takes"
        ):
            decide_by_hand(own, "a", accept=True, by="ada", reason="reviewed")
        project = make_project(tmp_path, warehouse)
        with pytest.raises(PrivilegeMissing, match=r"^To promote the contract of orders takes"):
            promote_contracts(own, project.folder, ["orders"], by="ada", reason="mine")

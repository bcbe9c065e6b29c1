"""Reference rules of a dataset's policy: frozen rows of another dataset, read with leave."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from landing_project import ORDERS, LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import retention
from tidegate.deliveries.pruning import Pruner
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.warehouse import Warehouse

ITEMS = """
version: 2
sources:
  - name: stock
    schema: landing
    tables:
      - name: items
        description: What can be ordered.
        loaded_at_field: _received_at
        config:
          meta:
            tidegate:
              version: "1"
              owner: stock
              delivery: {kind: snapshot, key: [code], match: ["items/*.csv"]}
              format: {type: csv}
              retention: {rows_days: 5}
        columns:
          - name: code
            data_type: text
            description: The item.
            config: {meta: {tidegate: {required: true}}}
          - name: price
            data_type: integer
            description: What it costs.
"""


def write_orders(project: LandingProject, owner: str, wanted: str = "latest") -> None:
    """Orders whose items must be known."""
    rule = (
        "{id: known, type: reference, field: item, "
        f'references: {{dataset: items, materialization: "{wanted}", fields: [code]}}}}'
    )
    policy = f"quality_policy: {{version: p1, rules: [{rule}]}}"
    project.contract(
        "shop",
        ORDERS.replace("KIND", "append").replace(
            "owner: shop\n", f"owner: {owner}\n              {policy}\n"
        ),
    )
    project.promote()


@pytest.fixture
def owner(warehouse: Warehouse) -> Iterator[str]:
    """A role that owns the policy and may read nothing yet."""
    with warehouse.connect() as conn:
        role = f"shop_owner_{conn.info.dbname}"
        conn.execute(f"create role {role}")  # type: ignore[call-overload]
    yield role
    with warehouse.connect() as conn:
        conn.execute(f"drop owned by {role}; drop role {role}")  # type: ignore[call-overload]


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse, owner: str) -> LandingProject:
    """Orders that refer to items."""
    project = make_project(tmp_path, warehouse)
    project.contract("stock", ITEMS)
    write_orders(project, owner)
    return project


def grant(project: LandingProject, owner: str) -> None:
    """Let the owner read the codes of the items, nothing else."""
    with project.warehouse.connect() as conn:
        conn.execute(f"grant usage on schema landing to {owner}")  # type: ignore[call-overload]
        conn.execute(f"grant select (code) on landing.items to {owner}")  # type: ignore[call-overload]


def judged(project: LandingProject) -> Any:
    """Status, reason, violations and reference of the newest run's rule."""
    return project.query(
        "select r ->> 'status', r ->> 'reason', r -> 'violating_rows', r ->> 'reference'"
        " from governance.runs, jsonb_array_elements(validation -> 'rules') r"
        " where validation is not null order by run_id desc limit 1"
    )[0]


def test_the_newest_accepted_delivery_is_frozen_judged_and_recorded(
    project: LandingProject, owner: str
) -> None:
    """Only rows of the newest snapshot count; the evidence names it by delivery and hash."""
    project.land("items/1.csv", "code,price\ntea,1\nold,1\n")
    project.land("items/2.csv", "code,price\ntea,1\njam,2\n")
    grant(project, owner)
    good = project.land("orders/1.csv", "id,item,qty\n1,tea,1\n2,jam,1\n")
    assert good.status is RunStatus.ACCEPTED
    digest = project.query(
        "select artifact_sha256 from governance.deliveries where delivery_id = 2"
    )[0][0]
    reference = f"items@d000002#{digest}"
    assert judged(project) == ("passed", None, 0, reference)
    bad = project.land("orders/2.csv", "id,item,qty\n3,tea,1\n4,old,1\n")
    assert (bad.status, bad.reason) == (RunStatus.FAILED, "policy_failed")
    assert judged(project) == ("failed", None, 1, reference)


def test_an_immutable_reference_looks_where_it_says(project: LandingProject, owner: str) -> None:
    """A named delivery, however many came since; another hash or dataset is unknown."""
    project.land("items/1.csv", "code,price\nold,1\n")
    project.land("items/2.csv", "code,price\ntea,1\n")
    grant(project, owner)
    digest = project.query(
        "select artifact_sha256 from governance.deliveries where delivery_id = 1"
    )[0][0]
    write_orders(project, owner, f"items@d000001#{digest}")
    assert project.land("orders/1.csv", "id,item,qty\n1,old,1\n").status is RunStatus.ACCEPTED
    for number, wanted in enumerate(
        (
            f"items@d000001#{'0' * 64}",
            f"items@d000009#{digest}",
            f"others@d000001#{digest}",
            "yesterday",
        )
    ):
        write_orders(project, owner, wanted)
        refused = project.land(f"orders/x{number}.csv", f"id,item,qty\n1{number},old,1\n")
        assert refused.status is RunStatus.FAILED
        assert judged(project)[:2] == ("error", "reference_unknown")


def test_the_owner_needs_leave_whatever_the_loader_may_do(
    project: LandingProject, owner: str
) -> None:
    """The connected role may read everything; the owner's own right decides."""
    project.land("items/1.csv", "code,price\ntea,1\n")
    refused = project.land("orders/1.csv", "id,item,qty\n1,tea,1\n")
    assert refused.status is RunStatus.FAILED
    assert judged(project)[:2] == ("error", "reference_unreadable")
    write_orders(project, "nobody_of_that_name")
    project.land("orders/2.csv", "id,item,qty\n2,tea,1\n")
    assert judged(project)[:2] == ("error", "reference_unreadable")
    write_orders(project, owner)
    grant(project, owner)
    assert project.land("orders/3.csv", "id,item,qty\n3,tea,1\n").status is RunStatus.ACCEPTED


def test_without_a_delivery_there_is_nothing_to_look_into(
    project: LandingProject, owner: str
) -> None:
    """Nothing was accepted yet: unknown, which blocks."""
    assert project.land("orders/1.csv", "id,item,qty\n1,tea,1\n").status is RunStatus.FAILED
    assert judged(project)[:2] == ("error", "reference_unknown")


def test_rows_that_a_policy_names_are_kept_and_pruned_ones_prove_nothing(
    project: LandingProject, owner: str
) -> None:
    """A delivery in a policy stays whole; one that lost rows is unknown."""
    project.land("items/1.csv", "code,price\nold,1\n")
    project.land("items/2.csv", "code,price\ntea,1\n")
    grant(project, owner)
    digest = project.query(
        "select artifact_sha256 from governance.deliveries where delivery_id = 1"
    )[0][0]
    reference = f"items@d000001#{digest}"
    at = datetime.now(timezone.utc) + timedelta(days=6)
    write_orders(project, owner, reference)
    with project.warehouse.connect() as conn:
        items = retention.plan(conn, load_project(project.folder), at=at)
    assert [(item.label, item.kept_because) for item in items] == [
        ("1 rows of items, delivery 1", "a quality policy refers to it")
    ]
    write_orders(project, owner)
    pruner = Pruner(
        load_project(project.folder),
        project.settings.artifacts_dir,
        by="ann",
        reason="old",
        at=at,
    )
    assert len(pruner.apply(project.warehouse)) == 1
    write_orders(project, owner, reference)
    project.land("orders/1.csv", "id,item,qty\n1,old,1\n")
    assert judged(project)[:2] == ("error", "reference_unknown")

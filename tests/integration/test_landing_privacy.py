"""Field values stay where they belong: planted secrets are searched for in everything written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from landing_project import ORDERS, LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import looking
from tidegate.deliveries.reprocess import reprocess
from tidegate.deliveries.text import as_text
from tidegate.errors import PrivilegeMissing
from tidegate.ledger.roles import apply_grants
from tidegate.warehouse import Warehouse

SECRET = "hunter2-4711"
MAY_HOLD_VALUES = {
    ("governance", "quarantine"),
    ("governance", "enum_quarantine"),
}


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project whose deliveries have a secret in every kind of bad place."""
    project = make_project(tmp_path, warehouse)
    policy = (
        "quality_policy: {version: p1, rules: ["
        "{id: small, type: range, field: qty, maximum: 5}]}\n              "
    )
    project.contract(
        "shop",
        ORDERS.replace("KIND", "append")
        .replace("format: {type: csv}", f"{policy}format: {{type: csv}}")
        .replace(
            "description: What was ordered.",
            "description: What was ordered.\n            config: {meta: {tidegate: {enum: [tea]}}}",
        ),
    )
    return project


def land_secrets(project: LandingProject) -> str:
    """Everything that landing them says, as text and as JSON."""
    bad = f"id,item,qty\n1,tea,{SECRET}\n{SECRET},tea,1\n2,{SECRET},1\n3,{SECRET}\n"
    files = {
        "orders/1.csv": bad,
        "orders/2.csv": f'id,item,qty\n1,"{SECRET},2\n3,tea,1\n',
        "orders/3.csv": f"id,item,qty,extra\n1,tea,1,{SECRET}\n",
        "orders/4.csv": f"id,item,qty\n7,{SECRET},99\n",
        "orders/5.csv": f"id,id,qty\n1,{SECRET},99\n",
        "notes/1.json": '{"head": {"id": "' + SECRET + '"}, "tags": NaN}',
        "notes/2.json": '{"head": {"id": null}, "tags": "' + SECRET + '"}',
    }
    paths = [project.write(name, content) for name, content in files.items()]
    report = project.land_paths(paths)
    assert {outcome.status.value for outcome in report.files if outcome.status} == {
        "accepted",
        "parked",
        "failed",
        "rejected",
    }
    done = reprocess(project.warehouse, load_project(project.folder), "orders", by="olga")
    return as_text(report) + json.dumps(report.document(), default=str) + str(done)


def test_no_value_leaves_landing_but_into_rows_and_quarantine(
    project: LandingProject, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Not in reports, logs, output, ledger, evidence or patches; only where values belong."""
    said = land_secrets(project)
    printed = capfd.readouterr()
    assert SECRET not in said + printed.out + printed.err + caplog.text
    with project.warehouse.connect() as conn:
        found = {
            (schema, name)
            for schema, name in conn.execute(
                "select n.nspname, c.relname from pg_class c join pg_namespace n"
                " on n.oid = c.relnamespace where c.relkind = 'r'"
                " and n.nspname in ('governance', 'provenance')"
            )
            if _holds_secret(conn, schema, name)
        }
    assert found == MAY_HOLD_VALUES
    assert not any(
        SECRET in path.read_text("utf-8") for path in project.settings.home.glob("patches/*")
    )


def _holds_secret(conn: psycopg.Connection[Any], schema: str, name: str) -> bool:
    row = conn.execute(
        sql.SQL("select exists (select from {} t where t::text like any(%s))").format(
            sql.Identifier(schema, name)
        ),
        [[f"%{SECRET}%", f"%{SECRET.encode().hex()}%"]],
    ).fetchone()
    return bool(row and row[0])


def test_only_the_operator_reads_the_bytes_of_held_records(project: LandingProject) -> None:
    """The loader lands and holds them and cannot read them back; a reader sees nothing at all."""
    land_secrets(project)
    with project.warehouse.connect() as conn:
        apply_grants(conn)
        number = looking.listed(conn, dataset="orders")[0].quarantine_id
        for role, allowed in (
            ("tidegate_operator", True),
            ("tidegate_loader", False),
            ("tidegate_transformer", False),
            ("tidegate_publisher", False),
            ("tidegate_reader", False),
        ):
            conn.execute(sql.SQL("set role {}").format(sql.Identifier(role)))
            if allowed:
                assert SECRET.encode() in looking.raw(conn, number)
            else:
                with pytest.raises(PrivilegeMissing):
                    looking.raw(conn, number)
            conn.execute("reset role")


def test_a_member_of_the_loader_role_can_land(project: LandingProject) -> None:
    """Least privilege is enough for the whole way of a delivery."""
    with project.warehouse.connect() as conn:
        apply_grants(conn)
        login = f"landing_{conn.info.dbname}"
        conn.execute(
            sql.SQL("create role {} login in role tidegate_loader").format(sql.Identifier(login))
        )
    lender = LandingProject(
        project.folder,
        Warehouse(psycopg.conninfo.make_conninfo(project.warehouse.conninfo, user=login), "test"),
    )
    try:
        outcome = lender.land("orders/1.csv", "id,item,qty\n1,tea,1\n2,tea,x\n")
        assert (outcome.status, outcome.accepted, outcome.quarantined) == ("accepted", 1, 1)
    finally:
        with project.warehouse.connect() as conn:
            conn.execute(sql.SQL("drop owned by {}").format(sql.Identifier(login)))
            conn.execute(sql.SQL("drop role {}").format(sql.Identifier(login)))

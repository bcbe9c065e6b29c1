"""Each service works with a login of its own role, and with no right beyond it."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from command_line import CommandLine, project
from landing_project import ORDERS, make_old, make_project
from logins import login
from shop import FAMILY, Shop
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.ledger import outbox, review, roles, upgrade
from tidegate.publishing.prune import DEFAULT_KEEP
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse

GOOD = "id,item,qty\n1,pen,2\n"
MIXED = "id,item,qty\n2,cup,3\n3,ink,many\n"
WIDER = "id,item,qty,colour\n4,hat,1,red\n"


@pytest.mark.parametrize("kind", ["append", "upsert", "snapshot"])
def test_a_loader_lands_and_a_transformer_reads(
    tmp_path: Path, warehouse: Warehouse, kind: str
) -> None:
    """Accept, isolate, recognise, park: all of it without owning the ledger; the view is readable
    to who builds upon it, its rows' tables are not."""
    with login(warehouse, "tidegate_loader") as loader:
        landing = make_project(tmp_path, loader, kind)
        texts = (GOOD, MIXED, MIXED, WIDER)
        outcomes = [landing.land(f"orders/{n}.csv", text) for n, text in enumerate(texts)]
        assert [outcome.status for outcome in outcomes] == [
            RunStatus.ACCEPTED, RunStatus.ACCEPTED, RunStatus.DUPLICATE, RunStatus.PARKED,
        ]  # fmt: skip
        with loader.connect() as conn:
            assert conn.execute("select reason from governance.quarantine").fetchall() == [
                ("invalid_integer",)
            ]
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute("select raw from governance.quarantine")
        with login(warehouse, "tidegate_transformer") as transformer, transformer.connect() as conn:
            rows = conn.execute("select item from landing.orders order by id").fetchall()
            assert rows == ([("cup",)] if kind == "snapshot" else [("pen",), ("cup",)])
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute("select * from landing_rows.orders__l1")
        with login(warehouse, "tidegate_operator") as operator, operator.connect() as conn:
            raw = conn.execute("select raw from governance.quarantine").fetchall()
            assert raw == [(b"3,ink,many",)]


def test_an_operator_looks_after_warnings_and_events(tmp_path: Path, warehouse: Warehouse) -> None:
    """List, acknowledge, deliver, bury, send again."""
    with warehouse.connect() as conn:
        review.open_item(conn, "rule", "prices", "fresh", "delivery:7")
        outbox.enqueue(conn, outbox.PUBLISHED, "prices", "market", {})
    with login(warehouse, "tidegate_operator") as operator:
        tidegate = project(tmp_path, operator)
        (tmp_path / "tidegate.yml").write_text(
            "outbox: {attempts: 1, default: {type: file, path: no/folder/events}}\n",
            encoding="utf-8",
        )
        who = ("--by", "olga", "--reason", "looked at it")
        for args, code in (
            (("review", "list"), 0),
            (("review", "acknowledge", "1", *who), 0),
            (("outbox", "deliver"), 1),
            (("outbox", "dead-letters"), 0),
            (("outbox", "resend", "--all", *who), 0),
        ):
            answer = tidegate.run(*args)
            assert (answer.code, answer.err) == (code, "")
        (tmp_path / "no" / "folder").mkdir(parents=True)
        assert tidegate.run("outbox", "deliver").code == 0
    with warehouse.connect() as conn:
        rows = conn.execute("select distinct session_role ~ '^login_' from governance.audit_events")
        assert rows.fetchall() == [(True,)]


@pytest.mark.parametrize(
    "args",
    [
        ("review", "list"),
        ("review", "acknowledge", "1", "--by", "eve", "--reason", "none"),
        ("outbox", "list"),
        ("outbox", "deliver"),
    ],
)
def test_a_reader_is_refused_with_a_message_of_ours(
    tmp_path: Path, warehouse: Warehouse, args: tuple[str, ...]
) -> None:
    """Not with a trace and not as a bug."""
    with login(warehouse, "tidegate_reader") as reader:
        tidegate: CommandLine = project(tmp_path, reader)
        answer = tidegate.run(*args)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "Error [privilege_missing]: The connected role may not do what this command needs.\n"
        "Run `tidegate doctor`: it prints the grants that are missing.\nServing views unchanged.\n"
    )


def test_a_login_that_may_only_create_in_its_database_makes_the_ledger_and_owns_it(
    tmp_path: Path, empty_database: Warehouse
) -> None:
    """No superuser, no CREATEROLE (the roles are there): upgrade, land, and a doctor that is
    content once an administrator has run what it prints."""
    with login(empty_database) as owner, empty_database.connect() as admin:
        with owner.connect() as conn:
            user, database = conn.info.user, conn.info.dbname
        admin.execute(
            sql.SQL("grant create on database {} to {}").format(
                sql.Identifier(database), sql.Identifier(user)
            )
        )
        assert upgrade(owner) is True
        assert make_project(tmp_path, owner).land("orders/1.csv", GOOD).exit_code == 0
        tidegate = project(tmp_path, owner)
        for check in json.loads(tidegate.run("doctor", "--json").out)["checks"]:
            if check["status"] == "missing":
                assert check["name"] == "grants"
                for statement in check["sql"]:
                    admin.execute(statement)
        answer = tidegate.run("doctor")
        assert (answer.code, answer.err) == (0, "")


def test_an_operator_prunes_what_a_loader_landed(tmp_path: Path, warehouse: Warehouse) -> None:
    """Stage, quarantine, rows and artefact go by the operator's login; the loader's may not.

    The emptied stage is dropped when the loader lands again.
    """
    keys = (
        "owner: shop\n"
        "              retention: {artifacts_days: 1, rows_days: 1, quarantine_days: 1}\n"
        "              quality_policy:"
        " {version: p1, rules: [{id: few, type: row_count, maximum: 1}]}\n"
    )
    text = ORDERS.replace("KIND", "append").replace("owner: shop\n", keys)
    args = ("prune", "--dataset", "orders", "--apply", "--by", "ann", "--reason", "old")
    with login(warehouse, "tidegate_loader") as loader:
        landing = make_project(tmp_path, loader)
        landing.contract("shop", text)
        assert landing.land("orders/1.csv", MIXED).status is RunStatus.ACCEPTED
        failed = landing.land("orders/2.csv", "id,item,qty\n4,a,1\n5,b,1\n")
        assert failed.status is RunStatus.FAILED
        make_old(warehouse)
        answer = CommandLine(tmp_path, loader).run(*args)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("Error [privilege_missing]: ")
        with login(warehouse, "tidegate_operator") as operator:
            answer = CommandLine(tmp_path, operator).run(*args)
        assert (answer.code, answer.err) == (0, ""), answer
        with warehouse.connect() as conn:
            told = conn.execute("select kind from governance.delivery_prunings order by 1")
            assert [row[0] for row in told] == [
                "artifact", "artifact", "quarantine", "rows", "stage",
            ]  # fmt: skip
            stage = sql.Identifier("landing_stage", f"r{failed.run_id}")
            staged = conn.execute(sql.SQL("select count(*) from {}").format(stage))
            assert staged.fetchone() == (0,)
            assert conn.execute("select count(*) from landing.orders").fetchone() == (0,)
            landing.land("orders/3.csv", "id,item,qty\n6,a,1\n")
            left = conn.execute(
                "select count(*) from pg_catalog.pg_class"
                " where relkind = 'r' and relnamespace = 'landing_stage'::regnamespace"
            )
            assert left.fetchone() == (0,)


def test_a_publisher_prunes_generations_and_an_operator_may_not(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """The tables are the publisher's; whoever else is refused in words, and nothing is removed."""
    args = ("prune", "--family", "shop", "--apply", "--by", "ann", "--reason", "old")
    with warehouse.connect() as conn:
        roles.apply_grants(conn)  # a right on the database itself is not copied with it
    with login(warehouse, "tidegate_publisher", "tidegate_transformer") as publisher:
        shop = Shop(publisher)
        for _ in range(DEFAULT_KEEP + 2):
            publish_group(shop, (FAMILY,), Request(force=True))  # type: ignore[arg-type]
        project(tmp_path, publisher)
        with login(warehouse, "tidegate_operator") as operator:
            answer = CommandLine(tmp_path, operator).run(*args)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("Error [privilege_missing]: ")
        answer = CommandLine(tmp_path, publisher).run(*args)
        assert (answer.code, answer.err) == (0, ""), answer
        assert answer.out.startswith("removed shop g000001 (published, 2 tables, ")
        with warehouse.connect() as conn:
            states = conn.execute("select state, count(*) from governance.generations group by 1")
            assert dict(states.fetchall()) == {"pruned": 1, "published": DEFAULT_KEEP + 1}
            assert conn.execute("select count(*) from query.q_orders").fetchone() == (20,)

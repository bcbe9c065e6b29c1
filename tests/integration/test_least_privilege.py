"""Each service works with a login of its own role, and with no right beyond it."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from command_line import CommandLine, project
from landing_project import make_project
from logins import login
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.ledger import outbox, review, upgrade
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

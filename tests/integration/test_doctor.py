"""`tidegate doctor` says what is missing and what puts it right, and changes nothing."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from command_line import CommandLine, project
from logins import login
from tidegate.connection import Connection
from tidegate.ledger import doctor, roles
from tidegate.warehouse import Warehouse


@pytest.fixture
def tidegate(tmp_path: Path, warehouse: Warehouse) -> CommandLine:
    with warehouse.connect() as conn:
        # A copied database has none of the rights on the database itself that its template has.
        roles.apply_grants(conn)
    return project(tmp_path, warehouse)


def checks(tidegate: CommandLine, warehouse: Warehouse | None = None) -> dict[str, Any]:
    """The checks by name, and the exit code under `code`."""
    who = CommandLine(tidegate.project, warehouse or tidegate.warehouse)
    answer = who.run("doctor", "--json")
    assert answer.err == ""
    document = json.loads(answer.out)
    assert document["healthy"] == (answer.code == 0)
    return {"code": answer.code, **{check["name"]: check for check in document["checks"]}}


def told(check: dict[str, Any]) -> tuple[str, str, str, list[str]]:
    return check["status"], check["message"], check["fix"], check["sql"]


def test_a_warehouse_in_order_is_healthy(tidegate: CommandLine) -> None:
    """Every check is there; the text says the same as the JSON."""
    found = checks(tidegate)
    assert found.pop("code") == 0
    assert list(found) == [
        "python", "dbt-core", "dbt-postgres", "profile", "disk", "outbox", "server", "database",
        "roles", "ledger", "grants", "locks", "timeouts", "events",
    ]  # fmt: skip
    assert "missing" not in {check["status"] for check in found.values()}
    text = tidegate.run("doctor")
    assert text.code == 0
    for check in found.values():
        assert check["message"] in text.out


def test_a_server_that_cannot_be_reached_is_told_with_what_was_looked_at_before(
    tidegate: CommandLine,
) -> None:
    """Exit code 2, no trace, no password."""
    away = Warehouse("host=127.0.0.1 port=1 user=x password=hunter2 dbname=y", "test")
    found = checks(tidegate, away)
    assert found["code"] == 2
    assert told(found["server"]) == (
        "missing",
        "No connection to the DATABASE_URL server (127.0.0.1, database y): nothing listens there.",
        "Check that the server runs and takes connections; `tidegate doctor` says what was tried.",
        [],
    )
    assert found["dbt-core"]["status"] == "ok"
    assert "hunter2" not in str(found)


def test_nothing_is_changed_in_an_empty_database(
    tidegate: CommandLine, empty_database: Warehouse
) -> None:
    """The ledger is made by the first command, not by looking."""
    found = checks(tidegate, empty_database)
    assert found["code"] == 0
    assert found["ledger"]["message"].startswith("Not there yet: the first command makes version ")
    with empty_database.connect() as conn:
        row = conn.execute("select to_regnamespace('governance')").fetchone()
    assert row == (None,)


def test_a_login_that_may_not_make_the_ledger_is_told_the_grant(
    tidegate: CommandLine, empty_database: Warehouse
) -> None:
    """The statement works: run by an administrator, the doctor is content."""
    with login(empty_database) as plain:
        found = checks(tidegate, plain)
        assert found["code"] == 2
        status, message, _, (statement,) = told(found["ledger"])
        with plain.connect() as conn:
            user, database = conn.info.user, conn.info.dbname
        assert (status, message) == (
            "missing", f"Not there yet, and {user} may not make its schemas.",
        )  # fmt: skip
        assert statement == f'grant create on database "{database}" to "{user}";'
        with empty_database.connect() as conn:
            conn.execute(statement)
        assert checks(tidegate, plain)["code"] == 0


def test_a_login_that_belongs_to_no_role_is_told_so(
    tidegate: CommandLine, warehouse: Warehouse
) -> None:
    """It may not even look into the ledger; the other checks are made all the same."""
    with login(warehouse) as stranger:
        found = checks(tidegate, stranger)
        with stranger.connect() as conn:
            user = conn.info.user
    assert found["code"] == 2
    assert told(found["ledger"]) == (
        "missing",
        f"{user} may not look into the ledger.",
        "Make it a member of the role it works as, such as:",
        [f'grant "tidegate_operator" to "{user}";'],
    )
    assert told(found["grants"])[:2] == (
        "missing", "The server does not say: InsufficientPrivilege [42501].",
    )  # fmt: skip
    assert found["roles"]["message"] == f"All are there; {user} is a member of none."


def test_an_operators_login_is_healthy_and_told_what_it_may_not_do(
    tidegate: CommandLine, warehouse: Warehouse
) -> None:
    """Least privilege is no illness."""
    with login(warehouse, "tidegate_operator") as operator:
        found = checks(tidegate, operator)
        with operator.connect() as conn:
            user = conn.info.user
    assert found["code"] == 0
    assert found["roles"]["message"] == (
        f"All are there; {user} is a member of tidegate_operator, tidegate_reader."
    )
    assert found["ledger"]["status"] == "warning"
    assert found["ledger"]["sql"] == [f'grant "tidegate_publisher" to "{user}";']


def test_missing_grants_are_told_as_statements_that_put_them_right(
    tidegate: CommandLine, warehouse: Warehouse, conn: Connection
) -> None:
    """To a login that may not give them; run as they stand, nothing is missing any more."""
    conn.execute("create view query.q_new as select 1 as v")
    conn.execute("revoke usage on schema query from tidegate_reader")
    with login(warehouse, "tidegate_operator") as operator:
        found = checks(tidegate, operator)
        assert found["code"] == 2
        statements = found["grants"]["sql"]
        assert statements == [
            "grant select on query.q_new to tidegate_reader;",
            "grant usage on schema query to tidegate_reader;",
        ]
        assert found["grants"]["message"] == "2 declared rights were not given."
        for statement in statements:
            conn.execute(statement)
        assert checks(tidegate, operator)["code"] == 0


def test_missing_grants_are_a_warning_to_the_owner(tidegate: CommandLine, conn: Connection) -> None:
    """The next publication gives them; until then one statement does."""
    conn.execute("create view query.q_new as select 1 as v")
    found = checks(tidegate)
    assert found["code"] == 0
    assert told(found["grants"]) == (
        "warning",
        "1 declared rights were not given.",
        "The next publication gives them, or now:",
        ["select governance.apply_grants();"],
    )
    conn.execute(found["grants"]["sql"][0])
    assert checks(tidegate)["grants"]["status"] == "ok"


def test_an_old_or_newer_ledger_is_told(tidegate: CommandLine, conn: Connection) -> None:
    """A newer one cannot be worked with."""
    conn.execute("update governance.ledger_version set version_num = '0001'")
    old = checks(tidegate)
    assert (old["code"], old["ledger"]["status"]) == (0, "warning")
    assert old["ledger"]["message"].startswith("Version 0001, this Tidegate knows ")
    conn.execute("update governance.ledger_version set version_num = '9999'")
    newer = checks(tidegate)
    assert (newer["code"], newer["ledger"]["status"]) == (2, "missing")
    assert newer["ledger"]["fix"] == "Upgrade Tidegate."


def test_settings_that_cut_a_run_short_are_warnings_with_their_statement(
    tidegate: CommandLine, warehouse: Warehouse
) -> None:
    """For this login, not for the server."""
    with login(warehouse, "tidegate_publisher") as publisher:
        with publisher.connect() as own:
            user = own.info.user
        with warehouse.connect() as conn:
            conn.execute(
                sql.SQL("alter role {} set statement_timeout = '5s'").format(sql.Identifier(user))
            )
        found = checks(tidegate, publisher)
        assert found["code"] == 0
        status, message, _, statements = told(found["timeouts"])
        assert (status, message) == ("warning", "statement_timeout is 5000 ms.")
        assert statements == [f'alter role "{user}" set "statement_timeout" = 0;']
        with warehouse.connect() as conn:
            conn.execute(statements[0])
        assert checks(tidegate, publisher)["timeouts"]["status"] == "ok"


def test_a_login_in_another_isolation_level_is_missing_something(
    tidegate: CommandLine, warehouse: Warehouse
) -> None:
    """Under REPEATABLE READ a retry misses the publication that it waited for."""
    with login(warehouse, "tidegate_publisher") as publisher:
        options = "-c default_transaction_isolation=repeatable\\ read"
        found = checks(
            tidegate, Warehouse(make_conninfo(publisher.conninfo, options=options), "test")
        )
    assert found["code"] == 2
    assert found["database"]["message"].endswith(" works in repeatable read by default.")


def test_a_read_only_database_is_missing_something(
    tidegate: CommandLine, warehouse: Warehouse
) -> None:
    """A standby, or a login that is made to only read."""
    options = "-c default_transaction_read_only=on"
    found = checks(tidegate, Warehouse(make_conninfo(warehouse.conninfo, options=options), "test"))
    assert found["code"] == 2
    assert " is read-only for " in found["database"]["message"]


def test_a_database_in_another_encoding_is_missing_something(
    tidegate: CommandLine, server: str
) -> None:
    """Partners' text does not fit into it."""
    name = f"latin1_{uuid.uuid4().hex[:12]}"
    create = "create database {} template template0 encoding 'LATIN1' locale 'C'"
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(sql.SQL(create).format(sql.Identifier(name)))
        try:
            found = checks(tidegate, Warehouse(make_conninfo(server, dbname=name), "test"))
        finally:
            conn.execute(sql.SQL("drop database {}").format(sql.Identifier(name)))
    assert found["code"] == 2
    assert found["database"]["message"] == f"{name} is encoded in LATIN1."


def test_an_outbox_section_that_is_wrong_is_missing_something(tidegate: CommandLine) -> None:
    """The message is the one of the command that would use it."""
    (tidegate.project / "tidegate.yml").write_text("outbox: {retries: 3}\n", encoding="utf-8")
    found = checks(tidegate)
    assert found["code"] == 2
    assert found["outbox"]["message"] == (
        "tidegate.yml:1: outbox.retries: This key is not known. Remove it."
    )


def test_a_state_folder_that_cannot_be_made_is_missing_something(
    tidegate: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearest folder that exists is looked at."""
    monkeypatch.setattr("os.access", lambda *_: False)
    found = checks(tidegate)
    assert found["code"] == 2
    assert found["disk"]["message"] == f"{tidegate.project} is not writable."


@pytest.mark.parametrize(
    ("version", "status"),
    [("1.11.2", "ok"), ("1.10.9", "missing"), ("1.12.0", "missing"), (None, "missing")],
)
def test_another_dbt_than_the_pinned_one_is_missing_something(
    tidegate: CommandLine, monkeypatch: pytest.MonkeyPatch, version: str | None, status: str
) -> None:
    """With the command that installs the right one."""
    real = doctor.metadata.version

    def found_version(package: str) -> str:
        if package != "dbt-core":
            return real(package)
        if version is None:
            raise doctor.metadata.PackageNotFoundError(package)
        return version

    monkeypatch.setattr(doctor.metadata, "version", found_version)
    check = checks(tidegate)["dbt-core"]
    assert check["status"] == status
    assert check["fix"] == ("" if status == "ok" else "Run: pip install 'dbt-core>=1.11,<1.12'")


def test_pins_are_those_of_the_package() -> None:
    """The doctor and pyproject.toml know the same versions."""
    path = Path(__file__).resolve().parents[2] / "pyproject.toml"
    wanted = path.read_text(encoding="utf-8")
    for package, (first, after) in doctor.PINS.items():
        pin = f"{package}>={first[0]}.{first[1]},<{after[0]}.{after[1]}"
        assert f'"{pin}"' in wanted

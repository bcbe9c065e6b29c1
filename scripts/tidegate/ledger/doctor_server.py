"""The checks of `tidegate doctor` that ask the server; each is one question and reads only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
from psycopg import sql

from tidegate.connection import Connection
from tidegate.ledger.diagnosis import Check, Status
from tidegate.ledger.roles import Role, missing_grants
from tidegate.ledger.upgrade import current_version, newest_version
from tidegate.warehouse import Warehouse, server_message

FEW_LOCKS = 128
"""max_locks_per_transaction below this is told: a publication locks every table of its family."""


def server_checks(conn: Connection, warehouse: Warehouse) -> Iterator[Check]:
    """Every check, in order; one that the server refuses to answer is missing."""
    major, minor = divmod(conn.info.server_version, 10000)
    version = f"PostgreSQL {major}.{minor}, {warehouse.described}"
    yield Check("server", Status.OK, f"{version}, as {_value(conn, 'select session_user::text')}.")
    for name, check in (
        ("database", _database),
        ("roles", _roles),
        ("ledger", _ledger),
        ("grants", _grants),
        ("locks", _locks),
        ("timeouts", _timeouts),
        ("events", _events),
    ):
        try:
            yield check(conn)
        except psycopg.Error as error:
            yield Check(
                name, Status.MISSING, f"The server does not say: {server_message(error)}.",
                "Run it again as the login that Tidegate uses.",
            )  # fmt: skip


def _value(conn: Connection, query: str) -> Any:
    row = conn.execute(query).fetchone()
    return row[0] if row else None


def _setting(conn: Connection, name: str) -> int:
    """A numeric setting in its own unit (milliseconds for timeouts)."""
    row = conn.execute("select setting::bigint from pg_settings where name = %s", [name]).fetchone()
    return int(row[0]) if row else 0


def _statement(template: str, *names: str) -> str:
    return sql.SQL(template).format(*map(sql.Identifier, names)).as_string()


def _database(conn: Connection) -> Check:
    row = conn.execute(
        "select current_database()::text, session_user::text,"
        " pg_encoding_to_char(encoding)::text, pg_is_in_recovery()"
        " or current_setting('default_transaction_read_only')::boolean,"
        " current_setting('default_transaction_isolation')"
        " from pg_catalog.pg_database where datname = current_database()"
    ).fetchone()
    assert row is not None  # noqa: S101 (we are connected to it)
    database, login, encoding, read_only, isolation = row
    if encoding != "UTF8":
        return Check(
            "database", Status.MISSING, f"{database} is encoded in {encoding}.",
            "Use a database in UTF8: other encodings cannot hold what partners deliver.",
        )  # fmt: skip
    if read_only:
        return Check(
            "database", Status.MISSING, f"{database} is read-only for {login}.",
            "Use the primary server, and a login that may write.",
        )  # fmt: skip
    if isolation != "read committed":
        return Check(
            "database", Status.MISSING, f"{login} works in {isolation} by default.",
            "A retry would miss the publication that it waited for.",
            (_statement("alter role {} reset default_transaction_isolation;", login),
             _statement("alter database {} reset default_transaction_isolation;", database)),
        )  # fmt: skip
    return Check("database", Status.OK, f"{database} is in UTF8 and writable.")


def _roles(conn: Connection) -> Check:
    """The roles are there, or this login may make them; and it belongs to those it needs."""
    known = {name for (name,) in conn.execute("select rolname from pg_catalog.pg_roles").fetchall()}
    absent = [role.value for role in Role if role.value not in known]
    row = conn.execute(
        "select session_user::text, rolsuper, rolsuper or rolcreaterole"
        " from pg_catalog.pg_roles where rolname = session_user"
    ).fetchone()
    assert row is not None  # noqa: S101 (we are logged in)
    login, superuser, may_create = row
    if absent and not may_create:
        return Check(
            "roles", Status.MISSING, f"{len(absent)} roles are not there: {', '.join(absent)}.",
            f"{login} may not make them; have an administrator run:",
            tuple(_statement("create role {} nologin;", role) for role in absent),
        )  # fmt: skip
    if absent:
        return Check("roles", Status.OK, f"{login} may make the roles that are not there yet.")
    if superuser:
        return Check(
            "roles", Status.WARNING, f"{login} is a superuser.",
            "Fine for a first try; give a service a login of its own (docs/operations.md).",
        )  # fmt: skip
    member = [
        role.value
        for role in Role
        if _value_of(conn, "select pg_has_role(session_user, %s, 'member')", role.value)
    ]
    return Check(
        "roles", Status.OK, f"All are there; {login} is a member of {', '.join(member) or 'none'}."
    )


def _value_of(conn: Connection, query: str, parameter: str) -> Any:
    row = conn.execute(query, [parameter]).fetchone()
    return row[0] if row else None


def _ledger(conn: Connection) -> Check:
    newest = newest_version()
    database, login = conn.info.dbname, conn.info.user
    exists = _value(
        conn, "select exists (select from pg_catalog.pg_namespace where nspname = 'governance')"
    )
    if not exists:
        if _value(conn, "select has_database_privilege(current_database(), 'create')"):
            return Check(
                "ledger", Status.OK, f"Not there yet: the first command makes version {newest}."
            )
        return Check(
            "ledger", Status.MISSING, f"Not there yet, and {login} may not make its schemas.", "",
            (_statement("grant create on database {} to {};", database, login),),
        )  # fmt: skip
    if not _value(conn, "select has_schema_privilege('governance', 'usage')"):
        return Check(
            "ledger", Status.MISSING, f"{login} may not look into the ledger.",
            "Make it a member of the role it works as, such as:",
            (_statement("grant {} to {};", Role.OPERATOR.value, login),),
        )  # fmt: skip
    found = current_version(conn)
    if found == newest and not _value(
        conn, "select has_database_privilege(current_database(), 'create')"
    ):
        return Check(
            "ledger", Status.WARNING,
            f"Version {found}; {login} may read it and not publish, which makes schemas.",
            "If it is to publish:",
            (_statement("grant {} to {};", Role.PUBLISHER.value, login),),
        )  # fmt: skip
    if found == newest:
        return Check("ledger", Status.OK, f"Version {found}.")
    if found is not None and found > newest:
        return Check(
            "ledger", Status.MISSING, f"Version {found}, this Tidegate knows {newest}.",
            "Upgrade Tidegate.",
        )  # fmt: skip
    return Check(
        "ledger", Status.WARNING, f"Version {found}, this Tidegate knows {newest}.",
        "The next command of its owner upgrades it.",
    )  # fmt: skip


def _grants(conn: Connection) -> Check:
    if _value(conn, "select to_regclass('governance.missing_grants')") is None:
        return Check("grants", Status.OK, "They come with the ledger.")
    missing = missing_grants(conn)
    if not missing:
        return Check("grants", Status.OK, "Every role has the rights that it is declared to have.")
    found = f"{len(missing)} declared rights were not given."
    if all(grant.possible for grant in missing):
        return Check(
            "grants", Status.WARNING, found, "The next publication gives them, or now:",
            ("select governance.apply_grants();",),
        )  # fmt: skip
    return Check(
        "grants", Status.MISSING, found, "Run as the owner of the objects, or as an administrator:",
        tuple(f"{grant.statement};" for grant in missing),
    )  # fmt: skip


def _locks(conn: Connection) -> Check:
    each = _setting(conn, "max_locks_per_transaction")
    room = each * (_setting(conn, "max_connections") + _setting(conn, "max_prepared_transactions"))
    found = f"max_locks_per_transaction is {each}, room for {room} locks."
    if each >= FEW_LOCKS:
        return Check("locks", Status.OK, found)
    return Check(
        "locks", Status.WARNING, found,
        "Enough for a few families; with dozens of models or generations run this and restart:",
        (f"alter system set max_locks_per_transaction = {2 * FEW_LOCKS};",),
    )  # fmt: skip


def _timeouts(conn: Connection) -> Check:
    """Settings that end a publication in the middle; Tidegate sets its own lock_timeout."""
    cutting = [
        (name, value)
        for name in (
            "statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout",
        )
        if (value := _setting(conn, name))
    ]  # fmt: skip
    deadlock = _setting(conn, "deadlock_timeout")
    if cutting:
        return Check(
            "timeouts", Status.WARNING,
            "; ".join(f"{name} is {value} ms" for name, value in cutting) + ".",
            "A build or a publication that takes longer is cut short. For this login:",
            tuple(_statement("alter role {} set {} = 0;", conn.info.user, name)
                  for name, _ in cutting),
        )  # fmt: skip
    if deadlock < 100:
        return Check(
            "timeouts", Status.WARNING, f"deadlock_timeout is {deadlock} ms.",
            "Tidegate waits half of it for a lock, which is too short beside readers:",
            ("alter system reset deadlock_timeout;",),
        )  # fmt: skip
    return Check("timeouts", Status.OK, f"None cuts a run short; deadlock_timeout {deadlock} ms.")


def _events(conn: Connection) -> Check:
    if _value(conn, "select to_regclass('governance.outbox_events')") is None:
        return Check("events", Status.OK, "None yet.")
    row = conn.execute(
        "select count(*) filter (where state = 'waiting'), count(*) filter (where state = 'dead')"
        " from governance.outbox_events"
    ).fetchone()
    waiting, dead = row if row else (0, 0)
    found = f"{waiting} wait to be sent, {dead} dead letters."
    if dead:
        return Check("events", Status.WARNING, found, "See `tidegate outbox dead-letters`.")
    return Check("events", Status.OK, found)

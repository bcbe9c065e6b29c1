"""Connections to the warehouse, and what of a server's error may be repeated.

PostgreSQL puts field values into DETAIL, and sometimes into the message itself ("invalid input
syntax for type integer: ..."), so only the condition's name and number leave this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tidegate.connection import Connection
from tidegate.errors import PrivilegeMissing, ServerUnreachable

OLDEST_SERVER = 150000


_UNKNOWN_NAMES = ("42703", "42P01", "42883", "3F000", "42704")
NAMES_WHAT_IS_MISSING = (
    r'(?:relation|column|function|schema|type|operator|role) "?[\w.":()\[\], ]+"? does not exist'
)
"""Sentences of the server that tell what a statement names, and no value."""


def server_message(error: psycopg.Error) -> str:
    """Say what kind of error the server raised, without anything that may hold a value."""
    state = error.sqlstate or "no SQLSTATE"
    name = type(error).__name__
    diag = error.diag
    place = ".".join(part for part in (diag.schema_name, diag.table_name, diag.column_name) if part)
    constraint = f" (constraint {diag.constraint_name})" if diag.constraint_name else ""
    missing = re.match(NAMES_WHAT_IS_MISSING, diag.message_primary or "")
    named = f": {missing[0]}" if missing and state in _UNKNOWN_NAMES else ""
    return f"{name} [{state}]{f' on {place}' if place else ''}{constraint}{named}"


_FAILURES = (
    ("authentication failed", "the server refuses user or password"),
    ("no password supplied", "the server asks for a password"),
    ("no pg_hba.conf entry", "the server takes no connection from here as this user"),
    ("too many connections for role", "this user has no connection left"),
    ("too many connections for database", "the database has no connection left"),
    ("too many clients", "the server has no connection left"),
    ("remaining connection slots", "the server has no connection left"),
    ("starting up", "the server is starting"),
    ("shutting down", "the server is shutting down"),
    ("failed to resolve", "the name of the host is not known"),
    ("could not translate host name", "the name of the host is not known"),
    ("Connection refused", "nothing listens there"),
    ("No such file or directory", "nothing listens there"),
    ("timeout", "no answer in time"),
    ("certificate", "TLS could not be agreed on"),
    ("SSL", "TLS could not be agreed on"),
    ("does not exist", "there is no such database or user"),
)


def connection_failure(error: psycopg.OperationalError) -> str:
    """Say why there is no connection, in words of our own: libpq gives text only, and no code."""
    text = str(error)
    return next((said for sign, said in _FAILURES if sign in text), type(error).__name__)


@dataclass(frozen=True)
class Warehouse:
    """One database, and how it was chosen.

    `origin` is `embedded`, `DATABASE_URL` or `profile`; `conninfo` holds secrets: never show it.
    `lock_timeout` is how long a statement waits for a lock; the login's own where it is None.
    """

    conninfo: str
    origin: str
    lock_timeout: str | None = None

    def connect(self, *, lock_timeout: str | None = None, **options: Any) -> Connection:
        """Open a connection in UTF-8, UTC and ISO dates: no setting around changes a verdict.

        `lock_timeout` is that of this connection; the warehouse's where it is None.
        """
        lock_timeout = lock_timeout or self.lock_timeout
        options.setdefault("autocommit", True)
        name = options.pop("application_name", "tidegate")
        try:
            conn = psycopg.connect(
                make_conninfo(
                    self.conninfo,
                    application_name=name,
                    connect_timeout="10",
                    client_encoding="utf8",
                ),
                **options,
            )
        except psycopg.OperationalError as error:
            raise ServerUnreachable(
                f"No connection to {self.described}: {connection_failure(error)}.",
                remedy="Check that the server runs and takes connections; "
                "`tidegate doctor` says what was tried.",
            ) from None
        if conn.info.server_version < OLDEST_SERVER:
            version = conn.info.server_version // 10000
            conn.close()
            raise ServerUnreachable(
                f"{self.described} is PostgreSQL {version}.",
                remedy="Tidegate needs PostgreSQL 15 or later.",
            )
        autocommit = conn.autocommit
        conn.autocommit = True
        conn.execute(
            "set timezone to 'UTC'; set datestyle to 'ISO, YMD'; set intervalstyle to 'postgres';"
            "set extra_float_digits to 1; set client_min_messages to warning;"
            "set standard_conforming_strings to on;"
            "set search_path to pg_catalog, pg_temp"
        )
        if lock_timeout is not None:
            conn.execute("select set_config('lock_timeout', %s, false)", [lock_timeout])
        conn.autocommit = autocommit
        return conn

    @contextmanager
    def transaction(self, **options: Any) -> Iterator[Connection]:
        """A connection of its own inside one transaction; committed where the block ends."""
        with self.connect(autocommit=False, **options) as conn:
            yield conn

    @property
    def described(self) -> str:
        """The server in words, without user or password."""
        parts = conninfo_to_dict(self.conninfo)
        host = parts.get("host") or "local socket"
        database = parts.get("dbname") or parts.get("user") or "postgres"
        return f"the {self.origin} server ({host}, database {database})"


@contextmanager
def privileges(needed: str) -> Iterator[None]:
    """Turn a refusal of the server into an error that names what is needed."""
    try:
        yield
    except pg.InsufficientPrivilege:
        raise PrivilegeMissing(
            f"The connected role may not {needed}.",
            remedy="Run `tidegate doctor`: it prints the grants that are missing.",
        ) from None

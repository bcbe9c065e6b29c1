"""Bring the ledger of a database to the version of this code, in one transaction."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict

from tidegate.errors import EnvironmentFailure
from tidegate.warehouse.connect import Warehouse, privileges, server_message

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x7469_6465  # "tide": one number for every Tidegate in this database

_TAKEN = (pg.DuplicateTable, pg.DuplicateObject, pg.DuplicateFunction, pg.DuplicateSchema)
_EXISTS = re.compile(r'(\w+ "[^"]{1,63}")(?: .*)? already exists\Z')


def newest_version() -> str:
    """The highest revision in the migrations folder, such as `0006`."""
    versions = (MIGRATIONS / "versions").glob("[0-9]*.py")
    return max(re.match(r"[0-9]+", path.name)[0] for path in versions)  # type: ignore[index]


def current_version(conn: psycopg.Connection[tuple[object, ...]]) -> str | None:
    """The revision the database is at; None where there is no ledger yet."""
    known = conn.execute("select to_regclass('governance.ledger_version')").fetchone()
    if not known or known[0] is None:
        return None
    row = conn.execute("select version_num from governance.ledger_version").fetchone()
    return str(row[0]) if row else None


def upgrade(warehouse: Warehouse) -> bool:
    """Upgrade the ledger if it is older than this code; True if anything was done.

    Two processes that start at once wait for each other on a transaction-scoped advisory lock; a
    killed upgrade leaves nothing behind. Raises EnvironmentFailure where the ledger is newer.
    """
    newest = newest_version()
    with warehouse.connect() as conn:
        found = current_version(conn)
    if found == newest:
        return False
    if found is not None and found > newest:
        raise EnvironmentFailure(
            f"The ledger is at version {found}, this Tidegate knows {newest}.",
            remedy="Upgrade Tidegate, or use the version that wrote the ledger.",
        )
    try:
        with privileges("create the ledger (schemas, tables, functions and roles)"):
            _run_migrations(warehouse)
    except _TAKEN as error:
        raise EnvironmentFailure(
            f"The database has an object of somebody else's where the ledger wants its own:"
            f" {_named(error)}.",
            remedy="Rename or move it, or give Tidegate another database; docs/architecture.md"
            " lists its schemas.",
        ) from None
    return True


def _named(error: psycopg.Error) -> str:
    """The object in the server's words, which are a kind and a name where something exists."""
    found = _EXISTS.match(error.diag.message_primary or "")
    return found[1] if found else server_message(error)


def _run_migrations(warehouse: Warehouse) -> None:
    # Imported here: only an upgrade pays for SQLAlchemy.
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import NullPool, create_engine, text

    parts = {key: value for key, value in conninfo_to_dict(warehouse.conninfo).items() if value}
    engine = create_engine("postgresql+psycopg://", connect_args=parts, poolclass=NullPool)
    try:
        with engine.begin() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except Exception as error:
        cause = getattr(error, "orig", None)
        if isinstance(cause, psycopg.Error):
            raise cause from None
        raise
    finally:
        engine.dispose()

"""Bring the ledger of a database to the version of this code, in one transaction."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tidegate.errors import EnvironmentFailure
from tidegate.warehouse.connect import Warehouse, privileges

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x7469_6465  # "tide": one number for every Tidegate in this database


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
    with privileges("create the ledger (schemas, tables, functions and roles)"):
        _run_migrations(warehouse)
    return True


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

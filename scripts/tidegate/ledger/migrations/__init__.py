"""Versioned DDL of the ledger: a `.sql` file each, beside the revision that runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def run_sql(name: str) -> None:
    """Run `versions/<name>.sql` as it stands, on the connection of the running upgrade."""
    from alembic import op

    text = (Path(__file__).parent / "versions" / f"{name}.sql").read_text(encoding="utf-8")
    # The driver's own connection: SQLAlchemy would read `:name` and `%` as parameters.
    driver: Any = op.get_bind().connection.driver_connection
    driver.execute(text)

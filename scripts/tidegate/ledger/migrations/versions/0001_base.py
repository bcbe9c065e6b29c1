"""Ledger version 0001: base."""

from tidegate.ledger.migrations import run_sql

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0001_base")

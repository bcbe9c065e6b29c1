"""Ledger version 0010: operations."""

from tidegate.ledger.migrations import run_sql

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0010_operations")

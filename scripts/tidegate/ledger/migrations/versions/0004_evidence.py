"""Ledger version 0004: evidence."""

from tidegate.ledger.migrations import run_sql

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0004_evidence")

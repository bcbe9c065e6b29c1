"""Ledger version 0002: publication."""

from tidegate.ledger.migrations import run_sql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0002_publication")

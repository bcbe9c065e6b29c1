"""Ledger version 0014: a contract that no reader has seen is nobody's to allow."""

from tidegate.ledger.migrations import run_sql

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0014_unread_contracts")

"""Ledger version 0003: deliveries."""

from tidegate.ledger.migrations import run_sql

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0003_deliveries")

"""Ledger version 0005: events."""

from tidegate.ledger.migrations import run_sql

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0005_events")

"""Ledger version 0006: detection."""

from tidegate.ledger.migrations import run_sql

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0006_detection")

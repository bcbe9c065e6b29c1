"""Ledger version 0007: inference."""

from tidegate.ledger.migrations import run_sql

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0007_inference")

"""Ledger version 0008: curation."""

from tidegate.ledger.migrations import run_sql

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0008_curation")

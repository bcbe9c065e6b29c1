"""Ledger version 0015: the subjects of links that the lists of programs and statistics have."""

from tidegate.ledger.migrations import run_sql

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0015_link_subjects")

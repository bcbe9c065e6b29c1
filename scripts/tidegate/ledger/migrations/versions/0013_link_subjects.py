"""Ledger version 0013: further subjects of links that curators decide about."""

from tidegate.ledger.migrations import run_sql

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0013_link_subjects")

"""Ledger version 0012: two people for an overlay, whose approvals count, what overlays found."""

from tidegate.ledger.migrations import run_sql

revision = "0012"
down_revision = "0010"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0012_curation")

"""Ledger version 0009: gate examples."""

from tidegate.ledger.migrations import run_sql

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql("0009_gate_examples")

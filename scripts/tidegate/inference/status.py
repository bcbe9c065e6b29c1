"""What the ledger knows of each task: attempts, decisions, uses, cost; counts only."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files

from psycopg.rows import class_row

from tidegate.connection import Connection

_STATUS = files(__package__).joinpath("sql/status.sql").read_text(encoding="utf-8")


@dataclass(frozen=True)
class TaskStatus:
    """One task; `cost_usd` is that of the last `days` days, `unpriced` calls have none."""

    task_id: str
    newest_revision: int
    owner: str | None
    high_impact: bool
    policy_version: str | None
    active_routes: list[str]
    requests: int
    answered: int
    """Requests with an answer that is accepted under the policy in force."""
    undecided: int
    """Valid answers that wait for a verifier or a human."""
    undecided_attempts: list[str]
    """At most 25 of them."""
    under_way: int
    attempts: int
    succeeded: int
    failed: int
    timed_out: int
    refused: int
    invalid: int
    uses: int
    outdated_uses: int
    """Uses of an answer that is accepted under no policy in force."""
    cost_usd: Decimal
    unpriced: int


def task_statuses(conn: Connection, days: int = 30) -> list[TaskStatus]:
    """Every task that was ever declared, by name."""
    with conn.cursor(row_factory=class_row(TaskStatus)) as cursor:
        return cursor.execute(_STATUS, {"days": days}).fetchall()

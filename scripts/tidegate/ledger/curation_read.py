"""Overlays and their decisions, as curators and operators look at them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import class_row

from tidegate.connection import Connection
from tidegate.errors import UsageError


@dataclass(frozen=True)
class Overlay:
    """One overlay without its value; `state` is its last decision, `proposed` while it waits."""

    overlay_key: str
    subject_kind: str
    subject_key: str
    fact_path: str
    overlay_kind: str
    impact: str
    review_state: str
    precedence: int
    created_at: datetime
    state: str
    in_force: bool
    doubt: str | None = None
    """Why it is not any more what was approved; None while it is."""


@dataclass(frozen=True)
class DecisionEvent:
    """One decision, as it was recorded."""

    decision_event_key: str
    overlay_key: str
    event_kind: str
    actor: str
    actor_kind: str
    occurred_at: datetime
    rationale: str
    rejection_reason: str | None
    supersedes_event_key: str | None
    superseded_by_key: str | None


_OVERLAYS = (
    "select o.overlay_key, o.subject_kind, o.subject_key, o.fact_path, o.overlay_kind, o.impact,"
    " o.review_state, o.precedence, o.created_at, last.event_kind as state,"
    " exists (select from curation.effective_overlays e where e.overlay_key = o.overlay_key)"
    " as in_force, (select d.effect from governance.overlay_doubts d"
    "   where d.overlay_key = o.overlay_key) as doubt"
    " from curation.overlays o cross join lateral ("
    "   select d.event_kind from curation.decision_events d where d.overlay_key = o.overlay_key"
    "   order by d.event_no desc limit 1) last"
)


def overlays(conn: Connection, *, everything: bool = False) -> list[Overlay]:
    """What waits or is in force, oldest first; `everything` also what is closed or outranked."""
    with conn.cursor(row_factory=class_row(Overlay)) as cursor:
        rows = cursor.execute(_OVERLAYS + " order by o.created_at, o.overlay_key").fetchall()
    return [row for row in rows if everything or row.in_force or _waits(row)]


def overlay(conn: Connection, overlay_key: str) -> Overlay:
    """One overlay; raises UsageError where there is none."""
    with conn.cursor(row_factory=class_row(Overlay)) as cursor:
        row = cursor.execute(_OVERLAYS + " where o.overlay_key = %s", [overlay_key]).fetchone()
    if row is None:
        raise UsageError(
            f"There is no overlay {overlay_key}.", remedy="See `tidegate curate list --all`."
        )
    return row


def values_of(conn: Connection, overlay_key: str) -> tuple[Any, Any]:
    """The value of an overlay and the one it replaces, as JSON; for the curator who asks."""
    row = conn.execute(
        "select new_value, previous_value from curation.overlays where overlay_key = %s",
        [overlay_key],
    ).fetchone()
    return (row[0], row[1]) if row else (None, None)


def decisions(conn: Connection, overlay_key: str) -> list[DecisionEvent]:
    """What was decided about an overlay, in order."""
    with conn.cursor(row_factory=class_row(DecisionEvent)) as cursor:
        return cursor.execute(
            "select decision_event_key, overlay_key, event_kind, actor, actor_kind, occurred_at,"
            " rationale, rejection_reason, supersedes_event_key, superseded_by_key"
            " from curation.decision_events where overlay_key = %s order by event_no",
            [overlay_key],
        ).fetchall()


def _waits(row: Overlay) -> bool:
    return row.review_state == "pending" and row.state == "proposed"

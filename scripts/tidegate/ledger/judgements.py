"""What was judged: gate results with their metadata, and why a family was held back.

Every function works inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.ledger.generations import Generation, GenerationState


@dataclass(frozen=True)
class HeldBackEntry:
    """Why a family was held back: model, gate and affected rows (None: not a matter of rows)."""

    model: str
    gate_id: str
    affected_rows: int | None
    reason: str


def is_unsettled(conn: Connection, generation: Generation) -> bool:
    """Whether a generation was held back by something that says nothing about its data.

    A gate that raised an error may pass next time; a gate that found violations will not.
    """
    row = conn.execute(
        "select exists (select from governance.gate_results"
        " where family = %s and generation = %s and status = 'error')",
        [generation.family, generation.generation],
    ).fetchone()
    return generation.state is GenerationState.HELD_BACK and bool(row and row[0])


def held_back_entries(conn: Connection, generation: Generation) -> tuple[HeldBackEntry, ...]:
    """Why a generation was held back, as recorded."""
    rows = conn.execute(
        "select model, gate_id, affected_rows, reason from governance.held_back"
        " where family = %s and blocked_generation = %s order by held_back_id",
        [generation.family, generation.generation],
    ).fetchall()
    return tuple(HeldBackEntry(*row) for row in rows)


def pending_entries(conn: Connection, family: str) -> tuple[HeldBackEntry, ...]:
    """Why the newest attempt made no generation (parked, or not built), while that still holds."""
    rows = conn.execute(
        "select distinct on (model, gate_id, reason) model, gate_id, affected_rows, reason"
        " from governance.held_back"
        " where family = %s and blocked_generation is null and settled_at is null"
        " order by model, gate_id, reason",
        [family],
    ).fetchall()
    return tuple(HeldBackEntry(*row) for row in rows)


def settle_pending(conn: Connection, family: str) -> None:
    """A run got past it: the entries stay, and `status` shows them no more."""
    conn.execute(
        "update governance.held_back set settled_at = clock_timestamp()"
        " where family = %s and blocked_generation is null and settled_at is null",
        [family],
    )


def record_results(
    conn: Connection,
    family: str | None,
    generation: int | None,
    results: Sequence[Mapping[str, Any]],
) -> None:
    """Keep every gate result with its metadata, whatever its status.

    Each mapping is a gate result's document: gate_id, asset, severity, status, rows_checked,
    rows_failing, publication_protected and the rest.
    """
    with conn.cursor() as cursor:
        cursor.executemany(
            "insert into governance.gate_results (family, generation, gate_id, asset, severity,"
            " status, rows_checked, rows_failing, publication_protected, result)"
            " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                (
                    family,
                    generation,
                    result["gate_id"],
                    result["asset"],
                    result["severity"],
                    result["status"],
                    result["rows_checked"],
                    result["rows_failing"],
                    result["publication_protected"],
                    Jsonb(dict(result)),
                )
                for result in results
            ],
        )


def record_held_back(
    conn: Connection,
    family: str,
    blocked_generation: int | None,
    entries: Sequence[HeldBackEntry],
) -> None:
    """Keep prior run, blocked run, model, affected rows and reason (gate seed)."""
    with conn.cursor() as cursor:
        cursor.executemany(
            "insert into governance.held_back (family, prior_generation, blocked_generation,"
            " model, gate_id, affected_rows, reason) values (%s,"
            " (select generation from governance.serving_heads where family = %s),"
            " %s, %s, %s, %s, %s)",
            [
                (
                    family,
                    family,
                    blocked_generation,
                    entry.model,
                    entry.gate_id,
                    entry.affected_rows,
                    entry.reason,
                )
                for entry in entries
            ],
        )

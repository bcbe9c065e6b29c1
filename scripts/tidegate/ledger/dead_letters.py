"""Dead letters: events whose attempts are exhausted, kept, joined to their run, sent on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import class_row

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import audit


@dataclass(frozen=True)
class DeadLetter:
    """One death of an event, with the publication (`reference`) or run (`source`) it tells of."""

    dead_letter_id: int
    event_id: UUID
    topic: str
    subject: str
    owner: str
    source: str | None
    reference: str | None
    attempts: int
    last_error: str
    died_at: datetime
    resent_at: datetime | None
    resent_by: str | None
    resent_reason: str | None


def listed(conn: Connection, *, resent: bool = False) -> list[DeadLetter]:
    """Dead letters in the order they died; with `resent` also those that were sent again."""
    with conn.cursor(row_factory=class_row(DeadLetter)) as cursor:
        return cursor.execute(
            "select dead_letter_id, event_id, topic, subject, owner, source, reference, attempts,"
            " last_error, died_at, resent_at, resent_by, resent_reason"
            " from governance.dead_letter_index where %s or resent_at is null"
            " order by dead_letter_id",
            [resent],
        ).fetchall()


def resend(
    conn: Connection, numbers: Sequence[int] | None, *, by: str, reason: str
) -> list[DeadLetter]:
    """Put dead letters back into the outbox, attempts at zero, ids unchanged; None means all.

    Runs inside the caller's transaction: all of them or none. Raises UsageError where one does not
    exist, was sent again before, or by or reason is empty. An audit event is written for each.
    """
    if not by.strip() or not reason.strip():
        raise UsageError(
            "Sending again needs who and why.", remedy="Give --by and --reason, not empty."
        )
    conn.execute(
        "select from governance.dead_letters where resent_at is null"
        " and (%(all)s or dead_letter_id = any (%(numbers)s)) order by dead_letter_id for update",
        {"all": numbers is None, "numbers": list(numbers or [])},
    )
    waiting = {letter.dead_letter_id: letter for letter in listed(conn)}
    chosen = list(waiting) if numbers is None else list(dict.fromkeys(numbers))
    unknown = [number for number in chosen if number not in waiting]
    if unknown:
        raise UsageError(
            "Not a dead letter that waits: " + ", ".join(map(str, unknown)) + ".",
            remedy="See `tidegate outbox dead-letters`.",
        )
    for number in chosen:
        _resend_one(conn, waiting[number], by.strip(), reason.strip())
    return [waiting[number] for number in chosen]


def _resend_one(conn: Connection, letter: DeadLetter, by: str, reason: str) -> None:
    conn.execute(
        "update governance.dead_letters set resent_at = clock_timestamp(), resent_by = %s,"
        " resent_reason = %s where dead_letter_id = %s",
        [by, reason, letter.dead_letter_id],
    )
    conn.execute(
        "update governance.outbox_events set state = 'waiting', attempts = 0,"
        " next_attempt_at = '-infinity' where event_id = %s",
        [letter.event_id],
    )
    audit.record(
        conn,
        "outbox.event.resent",
        letter.subject,
        by,
        {
            "dead_letter_id": letter.dead_letter_id,
            "event_id": str(letter.event_id),
            "reason": reason,
        },
    )

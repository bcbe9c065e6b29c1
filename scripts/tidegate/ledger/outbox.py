"""The outbox: an event is written in the transaction it tells of, and sent after the commit.

The database numbers the events of a transaction while it commits, one transaction at a time, so
`position` is the order of the commits (case E14). Payloads hold names, numbers and hashes, never a
field value.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tidegate.connection import Connection

PUBLISHED = "datasource.publication.published"
"""The topic of a successful publication (policy seed, "Evidence and Privacy")."""


class OutboxState(str, Enum):
    """Where an event is on its way."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    DEAD = "dead"


def enqueue(
    conn: Connection,
    topic: str,
    subject: str,
    owner: str,
    payload: Mapping[str, Any],
    *,
    publication_id: int | None = None,
    source: str | None = None,
) -> UUID:
    """Write an event inside the caller's transaction; return its de-duplication id.

    `owner` decides where it is sent. `publication_id` and `source` (such as `delivery:42`) join it
    to what it tells of.
    """
    row = conn.execute(
        "insert into governance.outbox_events"
        " (topic, subject, owner, payload, publication_id, source)"
        " values (%s, %s, %s, %s, %s, %s) returning event_id",
        [topic, subject, owner, Jsonb(dict(payload)), publication_id, source],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    return UUID(str(row[0]))


def owner_of(conn: Connection, subject: str) -> str:
    """Who was told when the subject was published last; the subject itself where nobody was."""
    row = conn.execute(
        "select owner from governance.outbox_events where topic = %s and subject = %s"
        " order by created_at desc, position desc limit 1",
        [PUBLISHED, subject],
    ).fetchone()
    return str(row[0]) if row else subject

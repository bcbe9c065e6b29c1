"""The publication record: one row for everything that was published, by whichever producer.

Attempts with the same tenant, producer and idempotency key wait for each other *before* they look
for an earlier publication (policy seed, "Producer publication"), so that concurrent retries
converge on one publication. Callers use READ COMMITTED: under a snapshot taken before the wait the
look-up would miss the publication it waited for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.warehouse.locks import no_limit


@dataclass(frozen=True)
class Attempt:
    """Who publishes, under which key, and a hash of what exactly was asked for."""

    tenant: str
    producer: str
    idempotency_key: str
    request_sha256: str


@dataclass(frozen=True)
class Publication:
    """A publication as recorded; `reference` is immutable and can be handed to others."""

    publication_id: int
    reference: str
    subject: str
    generation: int | None
    delivery_id: int | None


def serialise(conn: Connection, attempt: Attempt) -> Publication | None:
    """Wait for attempts with the same key, then return the publication they made, if any.

    See `serialise_all`; a delivery has one publication under its key.
    """
    return next(iter(serialise_all(conn, attempt)), None)


def serialise_all(conn: Connection, attempt: Attempt) -> tuple[Publication, ...]:
    """Wait for attempts with the same key, then return the publications they made.

    Families that are published together have a publication each under the one key.

    The lock is transaction-scoped: it is released by commit, rollback or the end of the connection.
    Raises UsageError where the key was used for another request.
    """
    with no_limit(conn):
        conn.execute(
            "select pg_advisory_xact_lock(hashtextextended(jsonb_build_array(%s::text, %s::text,"
            " %s::text)::text, 0))",
            [attempt.tenant, attempt.producer, attempt.idempotency_key],
        )
    rows = conn.execute(
        "select publication_id, reference, subject, generation, delivery_id, request_sha256"
        " from governance.publications"
        " where tenant = %s and producer = %s and idempotency_key = %s"
        " order by publication_id",
        [attempt.tenant, attempt.producer, attempt.idempotency_key],
    ).fetchall()
    for row in rows:
        if row[5] != attempt.request_sha256:
            raise UsageError(
                f"The idempotency key was already used by producer {attempt.producer} for another"
                f" request, published as {row[1]}.",
                remedy="Use a new key for a new request.",
            )
    return tuple(Publication(*row[:5]) for row in rows)


def record(
    conn: Connection,
    attempt: Attempt,
    *,
    kind: str,
    subject: str,
    content_sha256: str,
    validation: dict[str, Any],
    generation: int | None = None,
    delivery_id: int | None = None,
) -> Publication:
    """Write the record inside the caller's transaction, after `serialise` found nothing.

    The reference is `family@g000042#<sha256>` or `dataset@d000042#<sha256>`.
    """
    number = f"g{generation:06d}" if generation is not None else f"d{delivery_id:06d}"
    reference = f"{subject}@{number}#{content_sha256}"
    row = conn.execute(
        "insert into governance.publications (kind, subject, generation, delivery_id, tenant,"
        " producer, idempotency_key, request_sha256, content_sha256, reference, validation)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) returning publication_id",
        [
            kind,
            subject,
            generation,
            delivery_id,
            attempt.tenant,
            attempt.producer,
            attempt.idempotency_key,
            attempt.request_sha256,
            content_sha256,
            reference,
            Jsonb(validation),
        ],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    return Publication(row[0], reference, subject, generation, delivery_id)

"""Audit events: who did what to what, when, and under which policy; never changed, never removed.

The table is append-only by trigger, for every role (policy seed, "Evidence and Privacy"). Details
hold counts, hashes and names, never a field value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from psycopg.types.json import Jsonb

from tidegate.connection import Connection


def record(
    conn: Connection,
    event: str,
    subject: str,
    actor: str,
    details: Mapping[str, Any] | None = None,
    *,
    policy_sha256: str | None = None,
) -> int:
    """Write one audit event inside the caller's transaction and return its number.

    `event` is a dotted name such as `datasource.publication.published`, `subject` the dataset or
    family, `actor` whoever was named as responsible. The database adds the connected role and the
    time.
    """
    row = conn.execute(
        "insert into governance.audit_events (event, subject, actor, policy_sha256, details)"
        " values (%s, %s, %s, %s, %s) returning audit_id",
        [event, subject, actor, policy_sha256, Jsonb(dict(details or {}))],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    return int(row[0])

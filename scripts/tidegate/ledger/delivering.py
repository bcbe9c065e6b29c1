"""Sending what waits in the outbox: at least once, in the order of the commits, with backoff.

Each event is claimed, sent and marked in a transaction of its own. A process that dies between
sending and marking loses its row lock with its connection, and the event is sent again with the
same id. Two deliverers never hold the same event. While an event of a subject waits, later ones of
that subject wait behind it. Where an owner has several sinks, the event has arrived when it has
arrived at each; it is tried again only where it has not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from psycopg.rows import class_row
from tenacity import RetryCallState, Retrying, wait_exponential

from tidegate import failpoints
from tidegate.connection import Connection
from tidegate.ledger.outbox_config import OutboxConfig
from tidegate.ledger.sinks import Event, send
from tidegate.warehouse import Warehouse

_CLAIM = """
select event_id, position, topic, subject, owner, source, payload, created_at, attempts
from governance.outbox_events as event
where state = 'waiting'
    and next_attempt_at <= clock_timestamp()
    and (%(everyone)s or owner = any (%(owners)s))
    and not exists (
        select from governance.outbox_events as earlier
        where earlier.subject = event.subject and earlier.state = 'waiting'
            and earlier.position < event.position
    )
order by position
limit 1
for update of event skip locked
"""


@dataclass(frozen=True)
class Delivery:
    """What one run did: events delivered, attempts that failed and are tried again, events that
    became dead letters, and events that wait afterwards."""

    delivered: int
    failed: int
    dead: int
    waiting: int


def deliver(
    warehouse: Warehouse,
    config: OutboxConfig,
    project_dir: Path,
    *,
    limit: int | None = None,
    environ: Mapping[str, str] | None = None,
) -> Delivery:
    """Send every event that is due and has a sink, until none is left or `limit` were tried."""
    counts = {"delivered": 0, "failed": 0, "dead": 0}
    with warehouse.connect() as conn:
        while limit is None or sum(counts.values()) < limit:
            with conn.transaction():
                event = _claim(conn, config)
                if event is None:
                    break
                error = _send_to_each(conn, config, event, project_dir, environ)
                counts[_mark(conn, config, event, error)] += 1
        waiting = waiting_count(conn)
    return Delivery(**counts, waiting=waiting)


def delay_seconds(config: OutboxConfig, failures: int) -> float:
    """How long to wait after this many failures in a row (1 and up)."""
    state = RetryCallState(Retrying(), None, (), {})
    state.attempt_number = failures
    wait = wait_exponential(multiplier=config.first_delay_seconds, max=config.longest_delay_seconds)
    return float(wait(state))


def waiting_count(conn: Connection) -> int:
    """How many events wait, due or not, with a sink or without."""
    row = conn.execute(
        "select count(*) from governance.outbox_events where state = 'waiting'"
    ).fetchone()
    return int(row[0]) if row else 0


def _claim(conn: Connection, config: OutboxConfig) -> Event | None:
    with conn.cursor(row_factory=class_row(Event)) as cursor:
        return cursor.execute(
            _CLAIM, {"everyone": config.default is not None, "owners": list(config.owners)}
        ).fetchone()


def _send_to_each(
    conn: Connection,
    config: OutboxConfig,
    event: Event,
    project_dir: Path,
    environ: Mapping[str, str] | None,
) -> str | None:
    """Send to every sink of the owner at which the event has not arrived; what failed, in words."""
    sinks = config.sinks_of(event.owner)
    assert sinks, "claimed by owners that have one"  # noqa: S101
    rows = conn.execute(
        "select sink from governance.outbox_arrivals where event_id = %s", [event.event_id]
    ).fetchall()
    arrived = {row[0] for row in rows}
    failed = []
    for sink in sinks:
        if sink.key in arrived:
            continue
        error = send(
            sink, event, timeout=config.timeout_seconds, project_dir=project_dir, environ=environ
        )
        failpoints.hit("outbox.sent")
        if error is not None:
            failed.append(error if len(sinks) == 1 else f"{sink.key} {error}")
        elif len(sinks) > 1:
            conn.execute(
                "insert into governance.outbox_arrivals (event_id, sink) values (%s, %s)",
                [event.event_id, sink.key],
            )
    return ", ".join(failed) or None


def _mark(conn: Connection, config: OutboxConfig, event: Event, error: str | None) -> str:
    """Record the outcome of an attempt; return which of the counts it belongs to."""
    if error is None:
        conn.execute(
            "update governance.outbox_events set state = 'delivered',"
            " delivered_at = clock_timestamp(), last_error = null where event_id = %s",
            [event.event_id],
        )
        return "delivered"
    attempts = event.attempts + 1
    if attempts < config.attempts:
        conn.execute(
            "update governance.outbox_events set attempts = %s, last_error = %s,"
            " next_attempt_at = clock_timestamp() + make_interval(secs => %s)"
            " where event_id = %s",
            [attempts, error, delay_seconds(config, attempts), event.event_id],
        )
        return "failed"
    conn.execute(
        "with dead as (update governance.outbox_events set state = 'dead', attempts = %(n)s,"
        " last_error = %(error)s where event_id = %(id)s returning event_id)"
        " insert into governance.dead_letters (event_id, attempts, last_error)"
        " select event_id, %(n)s, %(error)s from dead",
        {"n": attempts, "error": error, "id": event.event_id},
    )
    return "dead"


@dataclass(frozen=True)
class OutboxRow:
    """One event as `tidegate outbox list` shows it."""

    event_id: Any
    position: int
    topic: str
    subject: str
    owner: str
    source: str | None
    state: str
    attempts: int
    last_error: str | None
    next_attempt_at: datetime | None
    created_at: datetime
    delivered_at: datetime | None


def listed(conn: Connection, state: str | None, limit: int) -> list[OutboxRow]:
    """The newest events first; `state` None for all of them."""
    with conn.cursor(row_factory=class_row(OutboxRow)) as cursor:
        return cursor.execute(
            "select event_id, position, topic, subject, owner, source, state, attempts, last_error,"
            " nullif(next_attempt_at, '-infinity') as next_attempt_at, created_at, delivered_at"
            " from governance.outbox_events where (%(state)s::text is null or state = %(state)s)"
            " order by position desc limit %(limit)s",
            {"state": state, "limit": limit},
        ).fetchall()

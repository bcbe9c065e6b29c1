"""Locks: bounded waits, one fixed order, bounded retry, and the blocking processes named.

`lock_timeout` stays below `deadlock_timeout`: a publication gives up first, so that a reader is
never the one whom the server picks as the victim of a deadlock. Where several relations that
readers use are changed, one such wait covers all of them, and giving up gives up all of them: a
reader that queues behind the first must not wait while the last is fought for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from psycopg import errors as pg
from psycopg import sql
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from tidegate.connection import Connection
from tidegate.errors import PublishBlocked, Withheld
from tidegate.warehouse.holders import NOBODY, holders

Result = TypeVar("Result")

BUILD_LOCK = 0x7469_6465_6275
"""One build at a time in a database: "tidebu"."""
PATIENCE_SECONDS = 60.0
REMEDY = (
    "Let it end, or end a process with pg_terminate_backend and a prepared transaction with"
    " rollback prepared, then run the command again."
)
TRANSIENT = (pg.LockNotAvailable, pg.DeadlockDetected)


def use_short_waits(conn: Connection, *, for_session: bool = False) -> None:
    """Set `lock_timeout` to half of `deadlock_timeout`, at most 500 ms.

    For the transaction, or for the session of a connection that commits statement by statement.
    """
    conn.execute(
        "select set_config('lock_timeout', least(500, (extract(epoch from"
        " current_setting('deadlock_timeout')::interval) * 500)::integer)::text || 'ms', %s)",
        [not for_session],
    )


def as_setting(seconds: float) -> str:
    """A `lock_timeout` of so many seconds, as the server reads it."""
    return f"{seconds * 1000:.0f}ms"


@contextmanager
def short_waits_of_session(conn: Connection) -> Iterator[None]:
    """`use_short_waits` for a block on a connection that commits statement by statement."""
    before = conn.execute("select current_setting('lock_timeout')").fetchone()
    use_short_waits(conn, for_session=True)
    try:
        yield
    finally:
        if not conn.closed:
            conn.execute("select set_config('lock_timeout', %s, false)", before)


def stay_open(conn: Connection) -> None:
    """Let the transaction stay open as long as a build takes."""
    conn.execute("set local idle_in_transaction_session_timeout = 0")


@contextmanager
def short_waits(conn: Connection) -> Iterator[None]:
    """`use_short_waits` for a block that is part of a transaction."""
    with _restored(conn):
        use_short_waits(conn)
        yield


@contextmanager
def no_limit(conn: Connection) -> Iterator[None]:
    """Let a block that is part of a transaction wait for an advisory lock of ours for ever."""
    with _restored(conn):
        conn.execute("set local lock_timeout = 0")
        yield


@contextmanager
def _restored(conn: Connection) -> Iterator[None]:
    """Wait for locks as long as before when the block has ended; an error ends the transaction."""
    before = conn.execute("select current_setting('lock_timeout')").fetchone()
    yield
    conn.execute("select set_config('lock_timeout', %s, true)", before)


class OneWait:
    """One short wait for the locks of several relations, taken one after another."""

    def __init__(self, conn: Connection) -> None:
        use_short_waits(conn)
        row = conn.execute("select setting::integer from pg_settings where name = 'lock_timeout'")
        self._conn = conn
        self._ends = time.monotonic() + int((row.fetchone() or [0])[0]) / 1000
        self.relation: tuple[str, str] | None = None

    def goes_on(self, schema: str, name: str) -> None:
        """Let the next statement, which locks this relation, wait for what is left."""
        self.relation = (schema, name)
        left = max(1, int((self._ends - time.monotonic()) * 1000))
        self._conn.execute("select set_config('lock_timeout', %s, true)", [f"{left}ms"])


def retried_together(
    conn: Connection, work: Callable[[OneWait], None], *, kind: str = "The view"
) -> None:
    """Do `work`, which locks several relations, until one wait is enough for all of them.

    `work` calls `goes_on` before each statement that locks what readers use. Raises PublishBlocked
    as `retried` does, naming the relation that could not be had.
    """
    last: list[tuple[str, str]] = []

    def once() -> None:
        wait = OneWait(conn)
        try:
            work(wait)
        except TRANSIENT:
            last[:] = [wait.relation] if wait.relation else []
            raise
        use_short_waits(conn)

    retried(
        conn,
        lambda: " ".join([kind, *(f"{schema}.{name}" for schema, name in last)]),
        once,
        blockers=lambda: holders(conn, last),
    )


def retried(
    conn: Connection,
    what: str | Callable[[], str],
    work: Callable[[], Result],
    *,
    patience: float = PATIENCE_SECONDS,
    blockers: Callable[[], list[str]] = list,
    raised: type[Withheld] = PublishBlocked,
) -> Result:
    """Do `work` under a savepoint until it gets its locks, with growing random pauses.

    Raises an error of the kind `raised`, naming the processes that hold the locks, when `patience`
    is over.
    """
    try:
        for attempt in Retrying(
            retry=retry_if_exception_type(TRANSIENT),
            stop=stop_after_delay(patience),
            wait=wait_random_exponential(multiplier=0.002, max=0.5),
            reraise=True,
        ):
            with attempt, conn.transaction():
                return work()
    except TRANSIENT:
        found = ", ".join(blockers()) or NOBODY
        named = what if isinstance(what, str) else what()
        raise raised(
            f"{named} could not be locked within {patience:g} s (blocked by {found}).",
            remedy=REMEDY,
        ) from None
    raise AssertionError("unreachable")


def take_build_lock(conn: Connection) -> None:
    """Wait until no other build runs in this database; held until the transaction ends.

    However long that takes: a build waits for locks of others in bounded time.
    """
    with no_limit(conn):
        conn.execute("select pg_advisory_xact_lock(%s)", [BUILD_LOCK])


def try_build_lock(conn: Connection) -> bool:
    """The same without waiting; whether it was had."""
    row = conn.execute("select pg_try_advisory_xact_lock(%s)", [BUILD_LOCK]).fetchone()
    return bool(row and row[0])


def lock_share(conn: Connection, tables: list[tuple[str, str]]) -> None:
    """Freeze tables against writes until the transaction ends, in one fixed order."""
    if not tables:
        return
    names = sql.SQL(", ").join(sql.Identifier(schema, name) for schema, name in sorted(tables))
    retried(
        conn,
        "The candidate",
        lambda: conn.execute(sql.SQL("lock table {} in share mode").format(names)),
        blockers=lambda: holders(conn, tables),
    )

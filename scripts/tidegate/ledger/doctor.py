"""What a command needs, looked at without changing anything: `tidegate doctor`.

Every check says what it found, and where something is wrong what puts it right, as a sentence or
as SQL ready to run. A check that cannot be made is missing, not skipped.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from tidegate.errors import TidegateError
from tidegate.ledger.diagnosis import Check, Diagnosis, Status
from tidegate.ledger.doctor_server import server_checks
from tidegate.ledger.outbox_config import CONFIG_FILE, load_outbox
from tidegate.settings import Settings
from tidegate.warehouse import open_warehouse

PINS = {"dbt-core": ((1, 11), (1, 12)), "dbt-postgres": ((1, 10), (1, 12))}
"""First version that is right, first that is not; the same as in pyproject.toml (a test)."""
PYTHONS = ((3, 10), (3, 14))
LOW_DISK = 2 << 30
"""Bytes: less than this free is told."""


def examine(settings: Settings) -> Diagnosis:
    """Look at the installation, the server and the ledger. Changes nothing.

    An embedded server that does not run is started, as any command would.
    """
    return Diagnosis((*_local(settings), *_server(settings)))


def _local(settings: Settings) -> Iterable[Check]:
    yield _python(sys.version_info[:2])
    for package, pins in PINS.items():
        yield _pinned(package, *pins)
    yield _profile(settings)
    yield _home(settings.home)
    yield _outbox(settings)


def _server(settings: Settings) -> Iterable[Check]:
    try:
        warehouse = open_warehouse(settings)
        conn = warehouse.connect(application_name="tidegate doctor")
    except TidegateError as error:
        yield Check("server", Status.MISSING, error.message, error.remedy)
        return
    with conn:
        yield from server_checks(conn, warehouse)


def _python(version: tuple[int, ...]) -> Check:
    shown = ".".join(map(str, version))
    if PYTHONS[0] <= version < PYTHONS[1]:
        return Check("python", Status.OK, f"Python {shown}.")
    return Check(
        "python", Status.MISSING, f"Python {shown}.", "Use Python 3.10, 3.11, 3.12 or 3.13."
    )


def _pinned(package: str, first: tuple[int, int], after: tuple[int, int]) -> Check:
    wanted = f"{package}>={first[0]}.{first[1]},<{after[0]}.{after[1]}"
    try:
        version = metadata.version(package)
    except metadata.PackageNotFoundError:
        return Check(package, Status.MISSING, "Not installed.", f"Run: pip install '{wanted}'")
    found = tuple(int(part) for part in version.split(".")[:2])
    if first <= found < after:
        return Check(package, Status.OK, f"{version}.")
    return Check(
        package, Status.MISSING, f"{version} is not what Tidegate was made for.",
        f"Run: pip install '{wanted}'",
    )  # fmt: skip


def _profile(settings: Settings) -> Check:
    if settings.database_url:
        found = "DATABASE_URL names the warehouse."
    elif settings.profiles_dir:
        found = f"{settings.profiles_dir / 'profiles.yml'} names the warehouse."
    else:
        found = "No DATABASE_URL and no profiles.yml: the embedded server is used."
    return Check("profile", Status.OK, found)


def _home(home: Path) -> Check:
    """The state folder: there or possible, writable, with room left."""
    folder = next(place for place in (home, *home.parents) if place.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        return Check(
            "disk", Status.MISSING, f"{folder} is not writable.",
            "Give this user the right to write there, or set TIDEGATE_HOME.",
        )  # fmt: skip
    free = shutil.disk_usage(folder).free
    found = f"{free / (1 << 30):.1f} GiB free under {home}."
    if free < LOW_DISK:
        return Check("disk", Status.WARNING, found, "Make room: deliveries are stored there.")
    return Check("disk", Status.OK, found)


def _outbox(settings: Settings) -> Check:
    try:
        config = load_outbox(settings.project_dir)
    except TidegateError as error:
        return Check("outbox", Status.MISSING, error.message, error.remedy)
    if config is None:
        return Check(
            "outbox", Status.OK, f"No outbox section in {CONFIG_FILE}: events wait to be sent."
        )
    return Check("outbox", Status.OK, f"{CONFIG_FILE} says where events are sent.")

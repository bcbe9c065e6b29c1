"""The disk fills up at any step of a publication: SQLSTATE 53100, for real.

The database lies on a file system of its own, which is filled to the last byte when the step is
reached. Where nothing may be mounted, a server is started that may not write beyond a size.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from publication_support import counts, publish
from shop import Shop, contract
from tidegate import failpoints
from tidegate.cli.errors import exit_code_of
from tidegate.connection import Connection
from tidegate.ledger import upgrade
from tidegate.publishing.outcome import Verdict
from tidegate.warehouse import Warehouse
from tidegate.warehouse.embedded import wheel

MODELS = tuple(f"q_m{number:02}" for number in range(12))
COLUMNS = (("key", "text", False), *((f"c{number:02}", "text", True) for number in range(30)))
STEPS = (
    "publish.cleared", "publish.candidate", "publish.fingerprinted", "publish.renamed",
    "promote.judged", "promote.recorded",
)  # fmt: skip


TOLD = (
    "Error [environment]: The server has run out of something: DiskFull [53100].\n"
    "Run it again once that is put right: every command can be repeated.\n"
    "Serving views unchanged.\n"
)


@dataclass(frozen=True)
class SmallDisk:
    """A database on a small disk, and how to fill it and to make room again."""

    warehouse: Warehouse
    fill: Callable[[], None]
    free: Callable[[], None]
    is_mounted: bool


@contextlib.contextmanager
def mounted(server: str) -> Iterator[SmallDisk | None]:
    """A tablespace on a tmpfs of 48 MB; None where nothing may be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="tidegate-small-"))
    folder.chmod(0o755)
    command = ["mount", "-t", "tmpfs", "-o", "size=48m,mode=0755", "tmpfs", str(folder)]
    if (
        shutil.which("mount") is None
        or subprocess.run(command, capture_output=True, check=False).returncode
    ):
        folder.rmdir()
        yield None
        return
    name = f"small_{uuid.uuid4().hex[:8]}"
    ballast = folder / "ballast"
    space = folder / "space"
    space.mkdir(mode=0o700)

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            for size in (1 << 20, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while file.write(b"\0" * size) == size:
                        pass

    try:
        with psycopg.connect(server, autocommit=True) as conn:
            data = conn.execute("show data_directory").fetchone()
            assert data is not None
            owner = Path(data[0]).stat()
            os.chown(space, owner.st_uid, owner.st_gid)
            identifier = sql.Identifier(name)
            conn.execute(
                sql.SQL("create tablespace {} location {}").format(
                    identifier, sql.Literal(str(space))
                )
            )
            conn.execute(
                sql.SQL("create database {0} template template0 tablespace {0}").format(identifier)
            )
            try:
                warehouse = Warehouse(make_conninfo(server, dbname=name), "test")
                upgrade(warehouse)
                yield SmallDisk(warehouse, fill, lambda: ballast.unlink(missing_ok=True), True)
            finally:
                ballast.unlink(missing_ok=True)
                conn.execute(sql.SQL("drop database {} (force)").format(identifier))
                conn.execute(sql.SQL("drop tablespace {}").format(identifier))
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


@contextlib.contextmanager
def limited() -> Iterator[SmallDisk]:
    """A server whose files end at 20 MB: a table larger than that is the full disk."""
    folder = Path(tempfile.mkdtemp(prefix="tidegate-limited-"))
    folder.chmod(0o755)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20 << 20, hard))
    try:
        running = wheel().get_server(folder / "postgres", cleanup_mode="stop")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    warehouse = Warehouse(running.get_uri(database="postgres"), "test")
    upgrade(warehouse)
    try:
        yield SmallDisk(warehouse, lambda: None, lambda: None, False)
    finally:
        running.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def disk(server: str) -> Iterator[SmallDisk]:
    """Mounted where that is allowed."""
    with mounted(server) as found:
        if found is not None:
            yield found
            return
    with limited() as found:
        yield found


class Wide(Shop):
    """Twelve models of many columns: every step writes enough of the catalogue to need pages."""

    def __init__(self, warehouse: Warehouse) -> None:
        super().__init__(warehouse, [contract(name, COLUMNS) for name in MODELS])
        self.rows = 20
        self.tables = self._build
        with warehouse.connect() as conn:
            row = conn.execute("select coalesce(max(generation), 0) from governance.generations")
            self.builds = 10 * (row.fetchone() or [0])[0]

    def _build(self, number: int) -> dict[str, str]:
        columns = ", ".join(f"'{'x' * 20}'::text as c{n:02}" for n in range(30))
        return {
            name: f"create table shop__candidate.{name} as select '{number}:' || i as key,"
            f" {columns} from generate_series(1, {self.rows}) as i;"
            f" alter table shop__candidate.{name} alter key set not null"
            for name in MODELS
        }


def seen(conn: Connection) -> set[Any]:
    """Rows and builds that readers see, over all models."""
    return {
        conn.execute(
            f"select count(*)::integer, min(split_part(key, ':', 1)), max(split_part(key, ':', 1))"
            f" from query.{name}"
        ).fetchone()
        for name in MODELS
    }


def expect_whole(conn: Connection) -> int:
    """One build is served in all models; every publication has its evidence and events."""
    found = seen(conn)
    assert len(found) == 1, found
    ((rows, low, high),) = found
    assert rows > 0
    assert low == high
    kept = counts(conn)
    assert kept["records"] == kept["evidence"] == kept["audit"] == kept["outbox"] == kept["moves"]
    return kept["records"]


def refusal_of(shop: Shop) -> psycopg.Error | None:
    """Publish; the server's refusal, None where it was published."""
    try:
        verdict = publish(shop).verdict
    except psycopg.Error as error:
        return error
    assert verdict is Verdict.PUBLISHED
    return None


def test_every_step_leaves_a_whole_generation_and_a_clear_error(
    disk: SmallDisk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Either the step needed no more room, or the old generation is served and nothing recorded."""
    assert publish(Wide(disk.warehouse)).verdict is Verdict.PUBLISHED
    refused = []
    for step in STEPS if disk.is_mounted else ("publish.cleared",):
        shop = Wide(disk.warehouse)
        if not disk.is_mounted:
            shop.rows = 40_000

        def fill_at(name: str, step: str = step) -> None:
            if name == step:
                disk.fill()

        with disk.warehouse.connect() as conn:
            before = expect_whole(conn)
            monkeypatch.setattr(failpoints, "hit", fill_at)
            try:
                error = refusal_of(shop)
            finally:
                monkeypatch.undo()
                disk.free()
            if error is not None:
                refused.append(step)
            if error is not None and disk.is_mounted:
                assert error.sqlstate == "53100"
                assert exit_code_of(error) == 2
                assert capsys.readouterr().err == TOLD
            published = int(error is None)
            assert expect_whole(conn) == before + published
            assert publish(Wide(disk.warehouse)).verdict is Verdict.PUBLISHED
            assert expect_whole(conn) == before + published + 1
            open_states = conn.execute(
                "select count(*)::integer from governance.generations"
                " where state in ('candidate_materialized', 'checks_passing')"
            ).fetchone()
            assert open_states == (0,)
    assert refused[0] == "publish.cleared"
    assert not disk.is_mounted or "publish.renamed" in refused

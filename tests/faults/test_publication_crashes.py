"""Whatever dies at whatever step: the old or the new generation is whole, and the next run works.

The table of steps is every failpoint of a publication, in order. `KILLED_BEFORE` says up to which
step nothing may be visible; from the commit on, the new generation is.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from shop import FAMILY, Shop
from tidegate.ledger import upgrade
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse
from tidegate.warehouse.embedded import running

PUBLISHER = Path(__file__).with_name("publisher.py")
PUBLISHING = Path(__file__).parents[2] / "scripts" / "tidegate" / "publishing"
STEPS = (
    "publish.cleared",
    "publish.candidate",
    "publish.frozen",
    "publish.fingerprinted",
    "publish.renamed",
    "publish.attached",
    "publish.built",
    "promote.frozen",
    "promote.judged",
    "promote.views",
    "promote.head",
    "promote.recorded",
    "promote.before_commit",
    "publish.committed",
)


def test_the_table_of_steps_is_complete() -> None:
    """Every failpoint of a publication stands in the table, and no other."""
    found = set()
    for path in PUBLISHING.glob("*.py"):
        if path.name != "prune.py":
            found |= set(re.findall(r'failpoints\.hit\("([a-z_.]+)"\)', path.read_text()))
    assert found == set(STEPS)


@pytest.mark.parametrize("step", STEPS)
def test_kill_of_the_client(warehouse: Warehouse, step: str) -> None:
    """SIGKILL of the publishing process (C19)."""
    publish_once(warehouse)
    process = start(warehouse.conninfo, {"TIDEGATE_FAILPOINT": step})
    assert process.wait(timeout=180) == -signal.SIGKILL
    expect_whole_family(warehouse, 2 if step == "publish.committed" else 1)
    expect_next_run_succeeds(warehouse)


@pytest.mark.parametrize("step", STEPS[:-1])
def test_kill_of_its_backends(warehouse: Warehouse, tmp_path: Path, step: str) -> None:
    """The server ends every connection of the publisher while it is at the step."""
    publish_once(warehouse)
    flag = tmp_path / "reached"
    process = start(
        warehouse.conninfo,
        {"TIDEGATE_FAILPOINT": f"{step}:pause", "TIDEGATE_FAILPOINT_FILE": str(flag)},
    )
    wait_for(flag)
    with warehouse.connect() as conn:
        conn.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
    flag.unlink()
    assert process.wait(timeout=180) != 0
    expect_whole_family(warehouse, 1)
    expect_next_run_succeeds(warehouse)


@pytest.fixture(scope="module")
def own_server() -> Iterator[Any]:
    """A server that may be stopped the hard way, with fsync on."""
    folder = Path(tempfile.mkdtemp(prefix="tidegate-crash-"))
    folder.chmod(0o755)
    server = running(folder / "postgres", cleanup_mode="stop")
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("step", STEPS)
def test_immediate_stop_of_the_server(own_server: Any, tmp_path: Path, step: str) -> None:
    """A crash of the server: after its recovery one generation is whole."""
    name = f"crash_{STEPS.index(step)}"
    with psycopg.connect(own_server.get_uri(), autocommit=True) as conn:
        conn.execute(f"create database {name}")
    warehouse = Warehouse(make_conninfo(own_server.get_uri(), dbname=name), "test")
    upgrade(warehouse)
    publish_once(warehouse)
    flag = tmp_path / "reached"
    process = start(
        warehouse.conninfo,
        {"TIDEGATE_FAILPOINT": f"{step}:pause", "TIDEGATE_FAILPOINT_FILE": str(flag)},
    )
    wait_for(flag)
    postmaster = psutil.Process(own_server.get_pid())
    postmaster.send_signal(signal.SIGQUIT)
    postmaster.wait(timeout=180)
    running(own_server.pgdata)
    flag.unlink()
    process.wait(timeout=180)
    expect_whole_family(warehouse, 2 if step == "publish.committed" else 1)
    expect_next_run_succeeds(warehouse)


def publish_once(warehouse: Warehouse) -> None:
    """Generation 1, in this process."""
    shop = Shop(warehouse)
    (outcome,) = publish_group(shop, (FAMILY,), Request())  # type: ignore[arg-type]
    assert outcome.generation == 1


def start(conninfo: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a publisher."""
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", str(PUBLISHER), conninfo],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_for(flag: Path) -> None:
    """Wait until the publisher says that it has reached its step."""
    deadline = time.monotonic() + 180
    while not (flag.exists() and flag.read_text()):
        assert time.monotonic() < deadline, "the step was never reached"
        time.sleep(0.01)


def expect_whole_family(warehouse: Warehouse, generation: int) -> None:
    """One generation is served, whole; record, head and evidence agree."""
    with warehouse.connect() as conn:
        head = conn.execute("select generation from governance.serving_heads").fetchone()
        assert head == (generation,)
        counts = conn.execute(
            "select (select count(*) from query.q_orders), (select count(distinct amount) from"
            " query.q_orders), (select count(*) from query.q_customers)"
        ).fetchone()
        assert counts == (20, 1, 5)
        records = conn.execute(
            "select array_agg(generation order by generation) from governance.publications"
        ).fetchone()
        assert records == (list(range(1, generation + 1)),)
        evidence = conn.execute(
            "select count(distinct publication_id) from provenance.publication_validation"
        ).fetchone()
        assert evidence == (generation,)
        events = conn.execute("select count(*) from governance.outbox_events").fetchone()
        assert events == (generation,)


def expect_next_run_succeeds(warehouse: Warehouse) -> None:
    """The next publication works unaided and leaves nothing half done."""
    shop = Shop(warehouse)
    shop.builds = 1000
    (outcome,) = publish_group(shop, (FAMILY,), Request())  # type: ignore[arg-type]
    assert outcome.verdict.value == "published"
    with warehouse.connect() as conn:
        open_states = conn.execute(
            "select count(*) from governance.generations"
            " where state in ('candidate_materialized', 'checks_passing')"
        ).fetchone()
        assert open_states == (0,)
        seen = conn.execute("select distinct amount::integer from query.q_orders").fetchall()
        assert seen == [(1001,)]

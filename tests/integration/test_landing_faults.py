"""Killed at every step, raced, and out of disk: nothing lost, nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from landing_project import LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import versions
from tidegate.deliveries.reprocess import reprocess
from tidegate.warehouse import Warehouse

CONTENT = "id,item,qty\n1,tea,2\n2,jam,x\n3,oil,4\n"
COUNTS = (
    "select (select count(*) from landing.orders), (select count(*) from governance.quarantine),"
    " (select count(*) from governance.materializations),"
    " (select count(*) from governance.runs where finished_at is null)"
)
LAND = """
import resource, sys
from pathlib import Path
from tidegate.deliveries.landing import land
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse
folder, conninfo, limit, *paths = sys.argv[1:]
if int(limit):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
settings = Settings(Path(folder), Path(folder) / ".tidegate")
report = land(settings, Warehouse(conninfo, "test"), [Path(path) for path in paths])
for outcome in report.files:
    print(outcome.file, outcome.status.value if outcome.status else outcome.error)
sys.exit(report.exit_code)
"""
REPROCESS = """
import sys
from pathlib import Path
from tidegate.contracts.load import load_project
from tidegate.deliveries.reprocess import reprocess
from tidegate.warehouse import Warehouse
reprocess(Warehouse(sys.argv[2], "test"), load_project(Path(sys.argv[1])), "orders", by="olga")
"""


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an append dataset `orders`, and one delivery in it."""
    project = make_project(tmp_path, warehouse)
    project.land_paths([project.write("notes/n.json", '{"head": {"id": "n"}}')])
    return project


def python(
    project: LandingProject, program: str, *arguments: str, failpoint: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, which a failpoint may kill."""
    import tidegate

    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(tidegate.__file__).parent.parent),
        "TIDEGATE_FAILPOINT": failpoint,
    }
    return subprocess.run(
        [
            sys.executable,
            "-c",
            program,
            str(project.folder),
            project.warehouse.conninfo,
            *arguments,
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "step",
    [
        "receive.written",
        pytest.param("receive.stored", marks=pytest.mark.long),
        "receive.recorded",
        pytest.param("land.landed", marks=pytest.mark.long),
        pytest.param("land.parsed", marks=pytest.mark.long),
        "land.staged",
        "land.written",
        pytest.param("land.judged", marks=pytest.mark.long),
        "land.accepted",
    ],
)
def test_e04_a_delivery_that_is_killed_lands_exactly_once_on_retry(
    project: LandingProject, step: str
) -> None:
    """At every step; the interrupted run is named as what it was."""
    path = project.write("orders/f.csv", CONTENT)
    killed = python(project, LAND, "0", str(path), failpoint=step)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    outcome = project.land_paths([path]).files[0]
    expected = "duplicate" if step == "land.accepted" else "accepted"
    assert outcome.status == expected, outcome
    assert project.query(COUNTS) == [(2, 1, 2, 0)]
    assert project.query("select state, attempts from governance.quarantine") == [("held", 1)]
    interrupted = project.query(
        "select halted_in from governance.runs where reason = 'interrupted'"
    )
    recorded = step not in ("receive.written", "receive.stored", "land.accepted")
    assert len(interrupted) == (1 if recorded else 0)


@pytest.mark.parametrize("step", ["reprocess.started", "reprocess.written", "reprocess.done"])
def test_a_reprocessing_that_is_killed_accepts_each_record_once_on_retry(
    project: LandingProject, step: str
) -> None:
    """The records' new state, their rows and the materialization are one transaction."""
    project.land("orders/f.csv", CONTENT)
    path = project.folder / "contracts" / "datasets" / "shop.yml"
    path.write_text(path.read_text("utf-8").replace("integer", "text"), "utf-8")
    contracts = load_project(project.folder)
    with project.warehouse.connect() as conn:
        versions.promote_contract(conn, contracts.datasets["orders"], "olga", "codes")
    killed = python(project, REPROCESS, failpoint=step)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with ThreadPoolExecutor(2) as pool:
        list(
            pool.map(
                lambda _: reprocess(project.warehouse, contracts, "orders", by="olga"), range(2)
            )
        )
    assert project.query(COUNTS) == [(3, 1, 3, 0)]
    assert project.query("select state from governance.quarantine") == [("reprocessed",)]


def test_what_a_killed_receipt_left_behind_is_removed_after_an_hour(
    project: LandingProject,
) -> None:
    """Younger ones may still be written by somebody."""
    path = project.write("orders/f.csv", CONTENT)
    python(project, LAND, "0", str(path), failpoint="receive.written")
    left = list(project.settings.artifacts_dir.glob(".receiving-*.part"))
    assert len(left) == 1
    project.land_paths([path])
    assert left[0].exists()
    os.utime(left[0], (0, 0))
    project.land("orders/g.csv", CONTENT + "9,x,1\n")
    assert not left[0].exists()


def test_a_full_disk_lands_nothing_of_the_file_and_all_of_the_next(
    project: LandingProject,
) -> None:
    """The store is as it was; with space again the file lands."""
    big = "id,item,qty\n" + "".join(f"{n},tea,1\n" for n in range(20000))
    first = project.write("orders/big.csv", big)
    second = project.write("orders/small.csv", CONTENT)
    done = python(project, LAND, "65536", str(first), str(second))
    assert done.returncode == 2, done.stderr
    assert "big.csv could not be stored under" in done.stdout
    assert "small.csv accepted" in done.stdout
    assert project.query("select count(*) from landing.orders") == [(2,)]
    assert not list(project.settings.artifacts_dir.glob("*.part"))
    assert project.land_paths([first]).files[0].accepted == 20000

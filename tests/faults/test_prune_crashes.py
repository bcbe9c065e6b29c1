"""Whoever prunes is killed at whatever step: nothing half told, and the next prune ends the work.

The tables of steps are every failpoint of pruning, in order. What is visible never changes.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

import tidegate
from faults.pruner import main
from landing_project import ORDERS, LandingProject, make_old, make_project
from shop import FAMILY, Shop
from tidegate.deliveries.vocabulary import Pruned
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse

PRUNER = Path(__file__).with_name("pruner.py")
PACKAGE = Path(tidegate.__file__).parent
OF_DELIVERIES = tuple(
    f"prune.{kind.value}.{step}" for kind in Pruned for step in ("planned", "removed", "committed")
)
OF_GENERATIONS = ("prune.one_detached", "prune.detached", "prune.dropped", "prune.recorded")
KEPT = "retention: {artifacts_days: 30, rows_days: 20, quarantine_days: 10}"
RULES = "quality_policy: {version: p1, rules: [{id: few, type: row_count, maximum: 3}]}"


def test_the_tables_of_steps_are_complete() -> None:
    """Every failpoint of pruning stands in a table, and no other."""
    found = set()
    for name in ("deliveries/pruning.py", "publishing/prune.py"):
        for point in re.findall(r'hit\(f?"([^"]+)"\)', (PACKAGE / name).read_text()):
            found |= {point.replace("{kind.value}", kind.value) for kind in Pruned}
    assert found == {*OF_DELIVERIES, *OF_GENERATIONS}


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """One old delivery with rows and a held record, and one whose stage was kept."""
    project = make_project(tmp_path, warehouse)
    text = ORDERS.replace("KIND", "append")
    keys = f"owner: shop\n              {KEPT}\n              {RULES}\n"
    project.contract("shop", text.replace("owner: shop\n", keys))
    project.land("orders/1.csv", "id,item,qty\n1,a,1\n2,b,x\n")
    project.land("orders/2.csv", "id,item,qty\n" + "".join(f"{n},c,1\n" for n in range(5)))
    make_old(warehouse)
    return project


@pytest.mark.parametrize("step", OF_DELIVERIES)
def test_a_kill_while_deliveries_are_pruned(project: LandingProject, step: str) -> None:
    """Gone is what the ledger says is gone; of files only may one be gone and not told yet."""
    assert killed("deliveries", project.warehouse, project.folder, step)
    kind, stage = step.split(".")[1:]
    told = [row[0] for row in project.query(TOLD)]
    kinds = [one.value for one in Pruned]
    complete = kinds[: kinds.index(kind) + (stage == "committed")]
    assert list(dict.fromkeys(told)) == complete
    expect_what_was_told_and_nothing_else(project, told, step)
    prune_again("deliveries", project.warehouse, project.folder)
    assert [row[0] for row in project.query(TOLD)] == [
        "stage", "quarantine", "rows", "artifact", "artifact",
    ]  # fmt: skip
    assert files(project) == 0
    assert project.query("select count(*) from landing.orders") == [(0,)]


TOLD = "select kind from governance.delivery_prunings order by pruning_id"


def expect_what_was_told_and_nothing_else(
    project: LandingProject, told: list[str], step: str
) -> None:
    """Rows, values, stages and files against the ledger."""
    (stages,) = project.query(
        "select count(*) from pg_tables where schemaname = 'landing_stage' and tablename !~ '_held'"
    )
    assert (stages == (0,)) == ("stage" in told)
    assert project.query("select bool_and(raw = '') from governance.quarantine") == [
        ("quarantine" in told,)
    ]
    assert (project.query("select count(*) from landing.orders") == [(0,)]) == ("rows" in told)
    assert project.query("select bool_and(pruned_at is not null) from governance.artifacts") == [
        ("artifact" in told,)
    ]
    gone = step in ("prune.artifact.removed", "prune.artifact.committed")
    assert files(project) == (0 if gone else 2)


def files(project: LandingProject) -> int:
    """Files in the artefact store."""
    return sum(path.is_file() for path in project.settings.artifacts_dir.rglob("*"))


@pytest.mark.parametrize("step", OF_GENERATIONS)
def test_a_kill_while_generations_are_pruned(
    tmp_path: Path, warehouse: Warehouse, step: str
) -> None:
    """What is served is served whole; the next prune removes and tells the rest."""
    shop = Shop(warehouse)
    for _ in range(2):
        publish_group(shop, (FAMILY,), Request(force=True))  # type: ignore[arg-type]
    assert killed("generations", warehouse, tmp_path, step)
    with warehouse.connect() as conn:
        assert states(conn)[2] == "published"
        assert (states(conn)[1] == "pruned") == (step == "prune.recorded")
        seen = conn.execute("select count(*), count(distinct amount) from query.q_orders")
        assert seen.fetchone() == (20, 1)
    prune_again("generations", warehouse, tmp_path)
    with warehouse.connect() as conn:
        assert states(conn) == {1: "pruned", 2: "published"}
        assert conn.execute(
            "select count(*) from pg_namespace where nspname = 'shop__g000001'"
        ).fetchone() == (0,)
        events = conn.execute(
            "select count(*) from governance.audit_events where event = 'generation.pruned'"
        )
        assert events.fetchone() == (1,)
    (outcome,) = publish_group(shop, (FAMILY,), Request(force=True))  # type: ignore[arg-type]
    assert outcome.verdict.value == "published"


def states(conn: psycopg.Connection[tuple[int, str]]) -> dict[int, str]:
    """The state of each generation."""
    return dict(conn.execute("select generation, state from governance.generations").fetchall())


def killed(what: str, warehouse: Warehouse, folder: Path, step: str) -> bool:
    """Prune in a process of its own; whether the failpoint killed it."""
    done = subprocess.run(
        [sys.executable, str(PRUNER), what, warehouse.conninfo, str(folder)],
        env={**os.environ, "TIDEGATE_FAILPOINT": step},
        capture_output=True,
        timeout=120,
        check=False,
    )
    return done.returncode == -signal.SIGKILL


def prune_again(what: str, warehouse: Warehouse, folder: Path) -> None:
    """The same in this process, to its end."""
    main(what, warehouse.conninfo, folder)

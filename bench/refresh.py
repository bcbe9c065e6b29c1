"""A refresh against the bare dbt run of the same models, and a refresh that has nothing to do.

Peer: `dbt build`, which tests what it builds but publishes nothing. Limit: `dbt run` alone.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from psycopg import sql

from bench import project
from bench.options import Options
from bench.processes import environment
from bench.report import Cell, Report
from tidegate.names import candidate_schema
from tidegate.publishing.profile import write_profile
from tidegate.publishing.publish import Request
from tidegate.publishing.refresh import refresh
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse


def run(options: Options) -> Report:
    """Overhead by rows in each model, and the no-op as a whole process."""
    report = options.report("refresh", models=len(project.MODELS), gates=33)
    processes: list[list[Cell]] = []
    table = report.table(
        "In one process, seconds, median; each parses the unchanged project first",
        ("rows a model", "refresh", "of it build", "of it promotion", "dbt run (limit)",
         "dbt build (peer)", "refresh / dbt run", "refresh / dbt build"),
        "*build* is dbt's run, the freeze, the fingerprints and the attach; *promotion* the"
        " gates and the transaction.",
    )  # fmt: skip
    for size in (1_000, 20_000) if options.quick else (1_000, 100_000):
        options.say(f"refreshing models of {size:,} rows")
        with tempfile.TemporaryDirectory(prefix="tidegate-bench-project-") as name:
            one = _OneProject(options, Path(name), size)
            table.add(*one.overhead(report, 3 if options.quick else 5))
            if size == 1_000:
                processes = one.processes(report, 3 if options.quick else 7)
            options.server.drop(one.warehouse)
    table = report.table(
        "Whole processes, seconds, median, 1,000 rows a model",
        ("process", "seconds", "ratio to dbt run"),
    )
    for row in processes:
        table.add(*row)
    return report


class _OneProject:
    """A project of one size, its database, and the ways to build it."""

    def __init__(self, options: Options, folder: Path, rows: int) -> None:
        self.options = options
        self.rows = rows
        self.folder = project.make(folder / "project", rows)
        self.settings = Settings(self.folder, folder / "home")
        self.warehouse: Warehouse = options.server.database()
        self.profiles = write_profile(self.settings, self.warehouse)
        self.steps: list[dict[str, float]] = []
        self.refresh()
        self.dbt("run")
        self.steps.clear()

    def overhead(self, report: Report, rounds: int) -> list[Cell]:
        """The three ways in turn, in this process."""
        rivals: dict[str, Callable[[], float | None]] = {
            "refresh": self.refresh,
            "run": lambda: self.dbt("run"),
            "build": lambda: self.dbt("build"),
        }
        found = self.options.in_turn(rivals, rounds)
        ratio = found.ratio("refresh", "run")
        report.aim(f"refresh / dbt run, {self.rows:,} rows a model", ratio, 1.15)
        return [
            f"{self.rows:,}",
            found.median("refresh"),
            _median(self.steps, "build"),
            _median(self.steps, "promote"),
            found.median("run"),
            found.median("build"),
            ratio,
            found.ratio("refresh", "build"),
        ]

    def processes(self, report: Report, rounds: int) -> list[list[Cell]]:
        """Whole processes, from the shell's view."""
        dbt = [sys.executable, "-m", "dbt.cli.main", "--quiet"]
        place = self._place()
        command = [sys.executable, "-m", "tidegate", "refresh"]
        names = {
            "refresh, nothing to do": command,
            "refresh --force": [*command, "--force"],
            "dbt run (limit)": [*dbt, "run", *place],
        }
        found = self.options.in_turn(
            {name: self._process(words) for name, words in names.items()}, rounds
        )
        idle = found.median("refresh, nothing to do")
        report.aim("refresh with nothing to do, whole process, seconds", idle, 2.0)
        return [[name, found.median(name), found.ratio(name, "dbt run (limit)")] for name in names]

    def refresh(self) -> float:
        """Build, judge and publish again."""
        start = time.perf_counter()
        report = refresh(self.settings, self.warehouse, (), Request(force=True))
        taken = time.perf_counter() - start
        (outcome,) = report.outcomes
        assert outcome.verdict.value == "published", outcome
        self.steps.append(dict(outcome.seconds))
        return taken

    def dbt(self, command: str) -> float:
        """Bare dbt with an empty candidate schema, as the refresh finds it."""
        from dbt.cli.main import dbtRunner

        with self.warehouse.connect() as conn:
            conn.execute(
                sql.SQL("drop schema if exists {} cascade").format(
                    sql.Identifier(candidate_schema(project.FAMILY))
                )
            )
        start = time.perf_counter()
        quiet = ["--quiet", "--log-level", "none", "--log-level-file", "none"]
        result: Any = dbtRunner().invoke([*quiet, command, *self._place()])
        taken = time.perf_counter() - start
        assert result.success, result.exception
        return taken

    def _place(self) -> list[str]:
        state = self.folder.parent / "dbt"
        return [
            "--project-dir", str(self.folder), "--profiles-dir", str(self.profiles),
            "--target-path", str(state / "target"), "--log-path", str(state / "logs"),
        ]  # fmt: skip

    def _process(self, words: list[str]) -> Callable[[], None]:
        given = environment(self.options.server, self.warehouse, self.folder)
        given["TIDEGATE_HOME"] = str(self.settings.home)

        def run_process() -> None:
            done = subprocess.run(
                words, cwd=self.folder, env=given, capture_output=True, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr

        return run_process


def _median(steps: list[dict[str, float]], key: str) -> float:
    from statistics import median

    return median(step[key] for step in steps)

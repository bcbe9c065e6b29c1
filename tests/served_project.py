"""A copy of the repository's own project, landed and served on a database of a test."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tidegate.deliveries.landing import LandOptions, land
from tidegate.gates.result import GateResult
from tidegate.publishing.aside import judge
from tidegate.publishing.context import Context
from tidegate.publishing.outcome import FamilyOutcome
from tidegate.publishing.refresh import refresh
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

REPOSITORY = Path(__file__).resolve().parents[1]
PARTS = ("dbt_project.yml", "models", "macros", "contracts", "inference", "tests/dbt")


@dataclass(frozen=True)
class Served:
    """A warehouse, a copy of the project, and the folder that deliveries come from."""

    warehouse: Warehouse
    project: Path
    folder: Path

    def land(self, *paths: Path) -> None:
        """Land files or folders; every delivery has to be accepted."""
        report = land(self._settings(), self.warehouse, paths, LandOptions())
        assert report.exit_code == 0, report

    def refresh(self, *families: str) -> dict[str, FamilyOutcome]:
        """Publish what changed of these families."""
        report = refresh(self._settings(), self.warehouse, families)
        return {outcome.family: outcome for outcome in report.outcomes}

    def served_results(self, family: str) -> tuple[GateResult, ...]:
        """What the gates say of what is served, as `tidegate check --serving` asks."""
        return judge(Context(self._settings(), self.warehouse), [family], serving=True)

    def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a query, as a reader gets them from schema `query`."""
        with self.warehouse.connect() as conn:
            conn.execute("set search_path to query, pg_catalog")
            return conn.execute(statement, values).fetchall()  # type: ignore[arg-type]

    def samples(self, family: str, level: str = "block") -> list[tuple[str, str, str, str]]:
        """Gate, asset, row key and reason of what blocks (or warns) in the newest generation."""
        return self.query(
            "select gate_id, asset, sample ->> 'row_key', sample ->> 'reason'"
            " from governance.gate_results cross join lateral jsonb_array_elements("
            " result -> 'samples') as sample where sample ->> 'level' = %s and family = %s"
            " and generation = (select max(generation) from governance.generations"
            " where family = %s) order by 1, 2, 3, 4",
            level,
            family,
            family,
        )

    def rewrite(
        self, name: str, change: Callable[[dict[str, str]], None], *more: Mapping[str, str]
    ) -> Path:
        """A list of the spines with every record changed and these appended, as a new delivery."""
        source = REPOSITORY / "samples" / "spines" / name
        with source.open(encoding="utf-8", newline="") as file:
            records = list(csv.DictReader(file))
        for record in records:
            change(record)
        return self._write(name, [*filter(None, records), *more])

    def edit(self, path: str, old: str, new: str) -> None:
        """Change a file of the copied project."""
        file = self.project / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def _write(self, name: str, records: Sequence[Mapping[str, str]]) -> Path:
        target = self.folder / "spines" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(records[0]))
            writer.writeheader()
            writer.writerows(records)
        return target

    def _settings(self) -> Settings:
        return Settings(project_dir=self.project, home=self.folder / "home")


def copy_project(folder: Path) -> Path:
    """Copy what dbt and the harness read of the project into `folder`."""
    for part in PARTS:
        source, target = REPOSITORY / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    return folder

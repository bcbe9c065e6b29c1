"""The repository's own dbt project, built in this process on a database of a test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from databases import name_of
from dbt_runs import run_dbt, statuses
from development_records import write_development, write_seamless
from label_records import write_labels
from news_records import write_news
from publication_records import write_publications
from sales_records import write_sales
from statistics_records import write_statistics
from tidegate.deliveries.landing import LandOptions, land
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import GateSpec
from tidegate.gates.result import GateResult
from tidegate.gates.specs import specs_of
from tidegate.inference.running import open_runtime, run_tasks
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse
from trial_records import write_all

REPOSITORY = Path(__file__).resolve().parents[1]
SEARCH_PATH = (
    "set search_path to clinical_trials__candidate, spines__candidate, approvals__candidate,"
    " publications__candidate, epidemiology__candidate, commercial__candidate,"
    " development__candidate, news__candidate, discovery__candidate, support__candidate,"
    " canonical, pg_catalog"
)


@dataclass(frozen=True)
class Built:
    """What dbt said of each node, and the SQL that it made of each.

    `outside_ci` ran one model that reads a landing view which did not exist; `empty` is
    `dbt build --target ci` on the same empty database, `landed` the same with samples landed.
    """

    warehouse: Warehouse
    outside_ci: Mapping[str, str]
    empty: Mapping[str, str]
    landed: Mapping[str, str]
    manifest: Mapping[str, Any] = field(repr=False)
    compiled: Mapping[str, str] = field(repr=False)
    """dbt's compiled SQL by node id, the same in every copy of the database."""

    @property
    def assertions(self) -> dict[str, str]:
        """The SQL of the project's own assertions, by name."""
        named = ((unique_id.rsplit(".", 1)[-1], text) for unique_id, text in self.compiled.items())
        return {name: text for name, text in named if name.startswith("assert_")}

    def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a query on the candidates."""
        with self.warehouse.connect() as conn:
            conn.execute(SEARCH_PATH)
            return conn.execute(statement, values).fetchall()  # type: ignore[arg-type]

    def judged(self, assertion: str, damage: str) -> list[tuple[Any, ...]]:
        """What an assertion finds once the candidates are damaged; nothing stays damaged."""
        return self._judged(self.assertions[assertion], damage)

    def gated(self, gate: str, model: str, damage: str) -> list[tuple[Any, ...]]:
        """What a gate finds once the candidates are damaged; nothing stays damaged."""
        (check,) = (
            self.compiled[unique_id]
            for unique_id, node in self.manifest["nodes"].items()
            if (node.get("test_metadata") or {}).get("name") == gate
            and (node.get("attached_node") or "").endswith(f".{model}")
        )
        return self._judged(check, damage)

    def rebuilt(self, *models: str) -> tuple[str, ...]:
        """Statements that build these models again, as dbt compiled them, in this order."""
        made = []
        for name in models:
            relation = f"{self.manifest['nodes'][f'model.tidegate.{name}']['schema']}.{name}"
            made += [
                f"truncate {relation}",
                f"insert into {relation} {self.compiled[f'model.tidegate.{name}']}",
            ]
        return tuple(made)

    def _judged(self, check: str, damage: str) -> list[tuple[Any, ...]]:
        with self.warehouse.connect(autocommit=False) as conn:
            conn.execute(SEARCH_PATH)
            conn.execute(damage)  # type: ignore[arg-type]
            rows = conn.execute(check).fetchall()  # type: ignore[arg-type]
            conn.rollback()
        return rows

    def below(self, gate: str, damage: str) -> list[tuple[Any, ...]]:
        """What a gate of a lower layer finds, by the start of its dbt name, once it is damaged."""
        (unique_id,) = (name for name in self.compiled if name.startswith(f"test.tidegate.{gate}"))
        return self._judged(self.compiled[unique_id], damage)

    def verdicts(self, family: str, *damage: str) -> dict[tuple[str, str], GateResult]:
        """Every check of a family on its candidate once that is damaged, by model and gate.

        What a family is judged by when it is published; nothing stays damaged. Of several checks
        of one gate on one model the worst is kept.
        """
        return self.judge(specs_of(self.manifest, family, self.compiled), *damage)

    def judge(
        self, specs: Iterable[GateSpec], *damage: str, **others: tuple[str, str]
    ) -> dict[tuple[str, str], GateResult]:
        """The same for these checks; `others` are relations that the damage makes, by name."""
        placed = {**_candidates(self.manifest), **others}
        found: dict[tuple[str, str], GateResult] = {}
        with self.warehouse.connect(autocommit=False) as conn:
            conn.execute(SEARCH_PATH)
            for statement in damage:
                conn.execute(statement)  # type: ignore[arg-type]
            conn.execute("set local search_path to pg_catalog")
            for spec in specs:
                result = evaluate(conn, spec, placed.get)
                key = (spec.model.name, spec.gate_id)
                if key not in found or _gravity(result) > _gravity(found[key]):
                    found[key] = result
            conn.rollback()
        return found


def build(warehouse: Warehouse, folder: Path) -> Built:
    """Build on the empty database, land samples and synthetic records, and build again."""
    manifest = dbt(folder, "parse", "ci").result
    reading = ("--select", "stg_spines__drugs")
    outside_ci = statuses(dbt(folder, "run", "dev", *reading, manifest=manifest).result)
    empty = statuses(dbt(folder, "build", "ci", manifest=manifest).result)
    settings = Settings(project_dir=REPOSITORY, home=folder / "home")
    assert land(settings, warehouse, (REPOSITORY / "samples",), LandOptions()).exit_code == 0
    run_tasks(open_runtime(settings, warehouse, "test"))
    write_all(folder / "synthetic")
    write_labels(folder / "synthetic")
    write_publications(folder / "synthetic")
    write_statistics(folder / "synthetic")
    write_sales(folder / "synthetic")
    write_news(folder / "synthetic")
    write_development(folder / "synthetic")
    write_seamless(folder / "synthetic")
    assert land(settings, warehouse, (folder / "synthetic",), LandOptions()).exit_code == 0
    results = list(dbt(folder, "build", "ci", manifest=manifest).result)
    # Without the name of this database, so that it means the same in a copy of it.
    compiled = {
        item.node.unique_id: item.node.compiled_code.replace(f'"{name_of(warehouse)}".', "")
        for item in results
        if getattr(item.node, "compiled_code", None)
    }
    written = json.loads((folder / "target" / "manifest.json").read_text(encoding="utf-8"))
    return Built(warehouse, outside_ci, empty, statuses(results), written, compiled)


def dbt(folder: Path, command: str, target: str, *arguments: str, manifest: Any = None) -> Any:
    """Run a dbt command on the repository's project, with the profile and target of a folder."""
    return run_dbt(
        "--log-path", str(folder / "logs"), "--log-level", "none",
        "--write-json" if command == "parse" else "--no-write-json", command,
        "--target", target, "--target-path", str(folder / "target"),
        "--project-dir", str(REPOSITORY), "--profiles-dir", str(folder), *arguments,
        manifest=manifest,
    )  # fmt: skip


def _candidates(manifest: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Every model where dbt built it, as in target `ci`."""
    return {
        node["name"]: (node["schema"], node["alias"])
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model"
    }


def _gravity(result: GateResult) -> tuple[bool, int, int]:
    return result.blocks, result.rows_failing, result.rows_warning

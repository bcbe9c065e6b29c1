"""The gates on the records of inference stop what is built on them, in `dbt build` and `refresh`.

The records are written by the runtime; sources and gates are the repository's own file.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from inference_support import (
    GOOD,
    TASK,
    Connection,
    ask_about,
    declared,
    policy,
    provider,
    revised,
    runtime,
)
from integration.dbt_project import Project, contract
from tidegate.inference.run import run_task
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.refresh import refresh
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

REPOSITORY = Path(__file__).resolve().parents[2]
COLUMNS = {"target_key": "text!", "attempt_id": "text!", "decision_id": "text!"}
BELOW = (
    "select target_key, attempt_id, decision_id"
    " from {{ source('provenance', 'inference_projections') }}"
)
GATES = ("llm_schema_contract", "llm_cache_idempotency", "llm_prompt_version_pinned",
         "llm_cost_cap")  # fmt: skip


def project_on_records(folder: Path, warehouse: Warehouse) -> Project:
    """One family on one model on one of the records; the gates read all of them."""
    project = Project(folder / "dbt", warehouse)
    shutil.copy(REPOSITORY / "models/provenance/_inference__sources.yml",
                project.folder / "models")  # fmt: skip
    (project.folder / "models" / "uses.sql").write_text(BELOW)
    project.model(
        contract("q_uses", "uses", COLUMNS, ["schema_contract"], row_key=["target_key"]),
        "select * from {{ ref('uses') }}",
    )
    (project.folder / "contracts" / "uses").mkdir()
    (project.folder / "contracts" / "q_uses.yml").rename(
        project.folder / "contracts" / "uses" / "q_uses.yml"
    )
    return project


def gates_of(project: Project) -> dict[str, str]:
    """What `dbt build` says of each gate and model, the hashes of names left out."""
    found = project.outcomes("build")
    short = {name.removeprefix("source_"): said for name, said in found.items()}
    return {
        next((gate for gate in GATES if name.startswith(gate)), name): said
        for name, said in short.items()
        if not name.startswith("schema_contract")
    }


def test_a_gate_on_the_records_stops_what_is_built_on_them(
    tmp_path: Path, warehouse: Warehouse, conn: Connection
) -> None:
    """Accepted, a new policy, decided again: judged alike by dbt and by refresh."""
    project = project_on_records(tmp_path, warehouse)
    settings = Settings(project_dir=project.folder, home=tmp_path / "home")
    passing = {**dict.fromkeys(GATES, "pass"), "uses": "success", "q_uses": "success"}

    def published(said: dict[str, str]) -> FamilyOutcome:
        assert gates_of(project) == said
        (outcome,) = refresh(settings, warehouse).outcomes
        return outcome

    ask_about(conn, "one")
    world = declared()
    answers = provider({"one": GOOD})
    run_task(runtime(warehouse, world, answers), TASK)
    outcome = published(passing)
    assert (outcome.verdict, outcome.served) == (Verdict.PUBLISHED, 1)

    later = runtime(warehouse, revised(world, policy("B")), answers)
    outdated = {**passing, "llm_schema_contract": "fail", "llm_cache_idempotency": "fail"}
    outcome = published({**outdated, "uses": "skipped", "q_uses": "skipped"})
    assert (outcome.verdict, outcome.served) == (Verdict.HELD_BACK, 1)
    rows = conn.execute("select target_key from query.q_uses").fetchall()
    assert rows == [("t-one",)]

    run_task(later, TASK)
    outcome = published(passing)
    assert (outcome.verdict, outcome.served) == (Verdict.PUBLISHED, 2)
    (again,) = refresh(settings, warehouse).outcomes
    assert again.verdict is Verdict.UNCHANGED

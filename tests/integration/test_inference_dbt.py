"""The gates on the records of inference stop what is built on them, in `dbt build` and `refresh`.

The records are written by the runtime; sources and gates are the repository's own file.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import yaml

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
    task,
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
    # Uses as claims are judged as evidence (below), all others where they are recorded.
    world = declared(run={"target": "resolution.verifications"})
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


PARSED = """
select 'publication_comparison_value' as claim_type, 'one' as subject_key,
    'value_num' as fact_path, 'pubmed' as source_family, 'pmid:1' as source_native_id,
    '1' as source_version_id, 'strong' as version_semantics,
    'artifact:sha256:a' as source_artifact_key, 'artifact:sha256/a' as immutable_uri,
    repeat('a', 64) as content_hash,
    now() as observed_at, now() as fetched_at, 'It was 0.5.' as source_text,
    jsonb_build_object('record', 1, 'pointer', '/0') as locator
"""
READING = {"value": "0.5", "unit": "hazard_ratio", "quote": "was 0.5"}
READ = {"type": "object", "required": ["value"], "properties": {"value": {"type": "string"}}}
CLAIM = "claim:publication_comparison_value:one:value_num:inference"


def two_families(folder: Path, warehouse: Warehouse) -> Project:
    """One family on what models claim, one on what models verified: both of the product's own."""
    project = Project(folder / "dbt", warehouse)
    models = project.folder / "models"
    shutil.copy(REPOSITORY / "models/provenance/_inference__sources.yml", models)
    for name in ("evidence/claims__inference", "resolution/int_accepted_verifications"):
        shutil.copy(REPOSITORY / "models" / f"{name}.sql", models)
    listed = yaml.safe_load((REPOSITORY / "models/evidence/_evidence__models.yml").read_text())
    listed["models"] = [it for it in listed["models"] if it["name"] == "claims__inference"]
    (models / "claims.yml").write_text(yaml.safe_dump(listed))
    (models / "claims__publications.sql").write_text(PARSED)
    for family, body in (
        ("claimed", "select claim_id as k, attempt_id from {{ ref('claims__inference') }}"),
        ("verified", "select 'k' as k, max(attempt_id) as attempt_id"
                     " from {{ ref('int_accepted_verifications') }}"),
    ):  # fmt: skip
        columns = {"k": "text!", "attempt_id": "text"}
        project.model(contract(f"q_{family}", family, columns, ["schema_contract"]), body)
        (project.folder / "contracts" / family).mkdir()
        (project.folder / "contracts" / f"q_{family}.yml").rename(
            project.folder / "contracts" / family / f"q_{family}.yml"
        )
    return project


def test_a_gate_on_claims_of_models_stops_what_rests_on_them_and_no_more(
    tmp_path: Path, warehouse: Warehouse, conn: Connection
) -> None:
    """A new policy: the claims are nobody's decision, the verdicts beside them are; then decided.

    What was rejected meanwhile is no claim, and changes nothing.
    """
    project = two_families(tmp_path, warehouse)
    settings = Settings(project_dir=project.folder, home=tmp_path / "home")

    def published() -> dict[str, tuple[Verdict, int | None]]:
        outcomes = refresh(settings, warehouse).outcomes
        return {one.family: (one.verdict, one.served) for one in outcomes}

    def claims() -> list[tuple[str, ...]]:
        return conn.execute("select k from query.q_claimed").fetchall()

    ask_about(conn, "one")
    conn.execute("alter table raw.questions add artifacts text[] default array[repeat('a', 64)]")
    conn.execute("update raw.questions set target_key = %s", [CLAIM])
    rules = ({"field": "value", "one_of": ("0.5",)},)
    world = declared(
        tasks=[task(output_schema=READ)],
        policies=[policy(rules=rules)],
        run={"artifacts": "artifacts"},
    )
    wrong = {"value": "9"}
    answers = provider({"one": READING, "two": wrong})
    run_task(runtime(warehouse, world, answers), TASK)
    assert published() == {"claimed": (Verdict.PUBLISHED, 1), "verified": (Verdict.PUBLISHED, 1)}
    assert claims() == [(CLAIM,)]
    assert conn.execute(
        "select canonical_bound, verdict from staging.claims__inference"
    ).fetchall() == [(True, "pass")]

    conn.execute("insert into raw.questions values ('claim:x:two:value_num:inference', 'two',"
                 " array[repeat('a', 64)])")  # fmt: skip
    report = run_task(runtime(warehouse, world, answers), TASK)
    assert (report.reused, report.rejected) == (1, 1)
    later = runtime(warehouse, revised(world, policy("B", rules=rules)), answers)
    assert published() == {"claimed": (Verdict.HELD_BACK, 1), "verified": (Verdict.PUBLISHED, 2)}
    assert claims() == [(CLAIM,)]
    failed = conn.execute(
        "select distinct gate_id, asset from governance.gate_results where status = 'fail'"
    ).fetchall()
    assert ("llm_schema_contract", "claims__inference") in failed
    assert not [asset for gate, asset in failed
                if gate == "llm_schema_contract" and asset != "claims__inference"]  # fmt: skip

    run_task(later, TASK)
    assert published()["claimed"] == (Verdict.PUBLISHED, 2)

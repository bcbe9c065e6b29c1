"""`dbt build --target ci` with nothing but the clone: no landing view, no ledger."""

from __future__ import annotations

from pathlib import Path

from dbt_profile import write_profile
from dbt_runs import statuses
from tidegate.warehouse import Warehouse
from trial_project import dbt


def test_gates_of_sources_warn_where_the_database_has_no_ledger(
    tmp_path: Path, empty_database: Warehouse
) -> None:
    """What is not there reads as no rows; where everything has to be evaluated it blocks."""
    write_profile(tmp_path, empty_database)
    sources = ("--select", "source:provenance", "source:news")
    manifest = dbt(tmp_path, "parse", "ci").result
    bare = statuses(dbt(tmp_path, "build", "ci", *sources, manifest=manifest).result)
    assert len(bare) > 6
    assert set(bare.values()) <= {"pass", "warn"}
    strict = ("--vars", "{tidegate_when_empty: block}")
    found = statuses(dbt(tmp_path, "build", "ci", *sources, *strict, manifest=manifest).result)
    (idempotency,) = (name for name in found if name.startswith("source_llm_cache_idempotency"))
    assert found[idempotency] == "fail"

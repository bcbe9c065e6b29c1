"""The gates in a dbt project that installs Tidegate as a package, as docs/gates.md says."""

from __future__ import annotations

import re
from pathlib import Path

from integration.dbt_project import PROJECT, Project, contract
from tidegate.macros import macros_dir
from tidegate.warehouse import Warehouse

DOCS = Path(__file__).resolve().parents[2] / "docs" / "gates.md"


def test_a_foreign_project_uses_the_gates_by_name(tmp_path: Path, warehouse: Warehouse) -> None:
    """With the two overrides of the documentation, models go to candidates and gates judge them.

    A reference with a package and one through an ephemeral model are resolved by family too.
    """
    package = tmp_path / "package"
    package.mkdir()
    (package / "dbt_project.yml").write_text(PROJECT)
    (package / "macros").symlink_to(macros_dir())

    project = Project(tmp_path / "project", warehouse)
    settings = project.folder / "dbt_project.yml"
    settings.write_text(settings.read_text().replace("name: tidegate", "name: foreign"))
    (project.folder / "macros").unlink()
    (project.folder / "macros").mkdir()
    overrides = re.search(r"```sql\n(\{% macro ref.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    assert overrides is not None
    (project.folder / "macros" / "overrides.sql").write_text(overrides[1])
    (project.folder / "packages.yml").write_text('packages: [{local: "../package"}]')
    project.model(
        contract("q_a", "fam", {"k": "text!", "b_key": "text"},
                 ["tidegate.schema_contract", "tidegate.referential_integrity"],
                 references=[{"columns": ["b_key"], "to": "q_b"}]),
        "select 'a' as k, 'none' as b_key",
    )  # fmt: skip
    project.model(
        contract("q_b", "fam", {"k": "text!"}, ["tidegate.schema_contract"]),
        "select 'b' as k from {{ ref('published_c') }} cross join {{ ref('foreign', 'q_a') }}",
    )
    (project.folder / "models" / "published_c.sql").write_text(
        "{{ config(materialized='ephemeral') }} select k from {{ ref('q_c') }}"
    )
    project.model(
        contract("q_c", "other", {"k": "text!"}, ["tidegate.schema_contract"]), "select 'c' as k"
    )
    project.dbt("deps")
    with warehouse.connect() as conn:
        conn.execute("create view query.q_c as select 'published'::text as k")
    assert project.outcomes("build") == {
        "q_a": "success",
        "q_b": "success",
        "q_c": "success",
        "tidegate_schema_contract_q_a_": "pass",
        "tidegate_schema_contract_q_b_": "pass",
        "tidegate_schema_contract_q_c_": "pass",
        "tidegate_referential_integrity_q_a_": "fail",
    }
    compiled = (project.folder / "target/compiled/foreign/models/q_b.sql").read_text()
    assert '"query"."q_c"' in compiled
    assert '"fam__candidate"."q_a"' in compiled

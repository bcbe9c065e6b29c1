"""Hostile names and values that a contract may hold: dbt builds them exactly and runs none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from contract_texts import write
from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.warehouse import Warehouse

NAMES = (
    "user",
    "Käse Order",
    "q'; drop table canary; --",
    "a$$b",
    "x) as y",
    "/* c */",
    "😀",
    "n" * 63,
)
VALUES = ("it's", '"quoted"', "100 %s", "$$; drop table canary; $$", "null", "\\", "é\u0301")
PROJECT = """\
name: tidegate
version: "1.0.0"
profile: tidegate
model-paths: ["models", "contracts"]
flags: {send_anonymous_usage_stats: false, version_check: false, use_colors: false}
"""


def checks(name: str) -> list[dict[str, str]]:
    """A check over the column; a name that looks like a comment can have none."""
    if "--" in name or "/*" in name:
        return []
    return [{"type": "check", "expression": f'"{name}" <> \'$$ %s \' or "{name}" is null'}]


def contract() -> str:
    """A model with a column of each name, each with a closed set of the values."""
    columns = [
        {
            "name": name,
            "quote": True,
            "data_type": "text",
            "description": f"Column {name} of 100 % $$ 'text'.",
            "constraints": checks(name),
            "config": {"meta": {"tidegate": {"enum": list(VALUES)}}},
            "data_tests": ["not_null"],
        }
        for name in NAMES
    ]
    key = {
        "name": "row_key",
        "data_type": "text",
        "description": "Key.",
        "constraints": [{"type": "not_null"}],
    }
    keys = {
        "family": "hostile",
        "version": "1'; drop table canary; --",
        "owner": "$$",
        "grain": '%s "',
        "row_key": ["row_key"],
        "provenance": {"policy": "none"},
    }
    model = {
        "name": "q_hostile",
        "description": "'; drop table canary; --",
        "config": {
            "contract": {"enforced": True},
            "materialized": "table",
            "meta": {"tidegate": keys},
        },
        "columns": [key, *columns],
    }
    return json.dumps({"version": 2, "models": [model]}, ensure_ascii=False)


def test_hostile_names_and_values_are_carried_exactly(
    warehouse: Warehouse,
    conn: Connection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Quotes, percent signs, dollar quotes, reserved words, comments, unicode, 63 bytes."""
    from dbt.cli.main import dbtRunner

    write(tmp_path, {"hostile/q_hostile.yml": contract()})
    model = load_project(tmp_path).models["q_hostile"]
    assert [column.name for column in model.columns[1:]] == list(NAMES)
    assert model.columns[1].keys.enum == VALUES
    server = conninfo_to_dict(warehouse.conninfo)
    output = {
        "type": "postgres",
        "host": server["host"],
        "port": int(server.get("port", 5432)),
        "user": server["user"],
        "password": server.get("password", ""),
        "dbname": server["dbname"],
        "schema": "hostile",
        "threads": 1,
    }
    profile = {"tidegate": {"target": "dev", "outputs": {"dev": output}}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profile), encoding="utf-8")
    (tmp_path / "dbt_project.yml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "models").mkdir()
    chosen = ", ".join(
        f'(array[$v${"$v$, $v$".join(VALUES)}$v$])[i % {len(VALUES)} + 1] as "{name}"'
        for name in NAMES
    )
    (tmp_path / "models/q_hostile.sql").write_text(
        f"select i::text as row_key, {chosen} from generate_series(1, 20) as i", encoding="utf-8"
    )
    conn.execute("create table public.canary ()")
    monkeypatch.chdir(tmp_path)
    result = dbtRunner().invoke(["--quiet", "build", "--no-partial-parse"])
    assert result.success, [row.message for row in getattr(result.result, "results", [])]
    assert len(result.result.results) == 1 + len(NAMES)
    rows = conn.execute(
        "select attname from pg_attribute "
        "where attrelid = 'hostile.q_hostile'::regclass and attnum > 0 order by attnum"
    )
    assert [name for (name,) in rows] == ["row_key", *NAMES]
    canary = conn.execute("select to_regclass('public.canary') is not null").fetchone()
    assert canary == (True,)

"""The ways to run the checks of `src`: Tidegate, hand-written SQL, and dbt's own tests."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from psycopg.conninfo import conninfo_to_dict

from bench.src import NOT_NULL, RANGES, SETS, UNIQUE, filters
from tidegate.connection import Connection
from tidegate.rules.evaluation import evaluate
from tidegate.rules.load import load_policy
from tidegate.rules.relation import Relation
from tidegate.rules.validation import Verdict
from tidegate.warehouse import Warehouse

FUSED = "select count(*), {} from public.src".format(
    ", ".join(f"count(*) filter (where {text})" for text in filters())
)
DISTINCT = "select count(*), {} from public.src".format(
    ", ".join(f"count(distinct hash_record_extended(row({name}), 0))" for name in UNIQUE)
)
SINGLE = [
    "select count(*) from public.src",
    *(f"select count(*) from public.src where {text}" for text in filters()),
    *(
        f"select count(*) from (select 1 from public.src group by {name} having count(*) > 1) as d"
        for name in UNIQUE
    ),
]


def pair(stack: ExitStack, warehouse: Warehouse) -> list[Connection]:
    """Two connections on one snapshot."""
    first, second = (stack.enter_context(warehouse.transaction()) for _ in range(2))
    for conn in (first, second):
        conn.execute("set transaction isolation level repeatable read, read only")
    row = first.execute("select pg_export_snapshot()").fetchone()
    second.execute(f"set transaction snapshot '{row[0] if row else ''}'")
    return [first, second]


def tidegate(warehouse: Warehouse, document: dict[str, Any], connections: int) -> None:
    """A whole policy, as the harness runs it."""
    loaded = load_policy(document)
    with ExitStack() as stack:
        first, second = pair(stack, warehouse)
        workers = [second] if connections == 2 else []
        found = evaluate(first, loaded, Relation("public", "src"), workers=workers)
    assert found.verdict is Verdict.PASSED, found.counts


def by_hand(warehouse: Warehouse, rows: int) -> None:
    """The fused scan and the hash-distinct statement, each on a connection."""
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        first, second = pair(stack, warehouse)
        found = [
            future.result()
            for future in [
                pool.submit(lambda: first.execute(FUSED.encode()).fetchone()),
                pool.submit(lambda: second.execute(DISTINCT.encode()).fetchone()),
            ]
        ]
    assert found == [(rows, *[0] * len(filters())), (rows, rows, rows)]


def one_by_one(warehouse: Warehouse) -> None:
    """Every check as a statement of its own."""
    with warehouse.connect() as conn:
        for query in SINGLE:
            conn.execute(query.encode()).fetchone()


def dbt_project(folder: Path, warehouse: Warehouse) -> None:
    """A dbt project whose only content is the source table and its tests."""
    for part in ("macros", "models"):
        (folder / part).mkdir()
    (folder / "dbt_project.yml").write_text(
        'name: peer\nversion: "1.0"\nprofile: peer\nflags: {send_anonymous_usage_stats: false}\n'
    )
    (folder / "macros" / "within.sql").write_text(
        "{% test within(model, column_name, low, high) %}select * from {{ model }} where"
        " {{ column_name }} < {{ low }} or {{ column_name }} > {{ high }}{% endtest %}\n"
    )
    columns: dict[str, list[Any]] = {}
    for name in NOT_NULL:
        columns.setdefault(name, []).append("not_null")
    for name in UNIQUE:
        columns.setdefault(name, []).append("unique")
    for name, values in SETS.items():
        columns.setdefault(name, []).append({"accepted_values": {"arguments": {"values": values}}})
    for name, (low, high) in RANGES.items():
        bounds = {"low": low, "high": high}
        columns.setdefault(name, []).append({"within": {"arguments": bounds}})
    listed = [{"name": name, "data_tests": tests} for name, tests in columns.items()]
    table = {"name": "src", "columns": listed}
    source = {"name": "public", "schema": "public", "tables": [table]}
    (folder / "models" / "s.yml").write_text(json.dumps({"version": 2, "sources": [source]}))
    parts = conninfo_to_dict(warehouse.conninfo)
    output = {
        "type": "postgres", "host": parts["host"], "port": 5432, "user": parts.get("user"),
        "password": "", "dbname": parts["dbname"], "schema": "public", "threads": 2,
    }  # fmt: skip
    profile = {"peer": {"target": "dev", "outputs": {"dev": output}}}
    (folder / "profiles.yml").write_text(json.dumps(profile))


def dbt_test(folder: Path) -> None:
    """`dbt test` in this process, so that its start-up is not held against it."""
    from dbt.cli.main import dbtRunner

    place = ["--project-dir", str(folder), "--profiles-dir", str(folder)]
    result = dbtRunner().invoke(["--quiet", "test", *place])
    assert result.success, result.exception

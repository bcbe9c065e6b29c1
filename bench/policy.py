"""The quality policy against dbt's own tests and hand-written SQL, on one table in one run.

`python -m bench.policy [rows]` (default 3,000,000) makes a table of 20 mixed columns and runs 24
checks: 11 not null, 4 sets, 6 ranges, 2 unique, 1 row count. Peers: dbt's built-in tests (ranges as
a generic test of one line), every check as a statement of its own, and one fused statement beside
one hash-distinct statement on a shared snapshot, which is the least that SQL can do.

It prints seconds (the best of three, dbt of two) and ratios to Tidegate with two connections.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tidegate.rules import Relation, Verdict, evaluate, load_policy
from tidegate.warehouse import Warehouse
from tidegate.warehouse.embedded import wheel

TABLE = """
create table public.src as
select
    i as id,
    md5(i::text) as code,
    (array['new', 'open', 'closed', 'void'])[1 + i % 4] as status,
    (array['DE', 'FR', 'IT', 'ES', 'PL'])[1 + i % 5] as country,
    (array['a', 'b', 'c'])[1 + i % 3] as kind,
    (array['web', 'shop'])[1 + i % 2] as channel,
    (i % 1000)::numeric(10, 2) as amount,
    (i % 100)::numeric(10, 2) as tax,
    (i % 977)::double precision as score,
    (i % 31)::int as age,
    (i % 12 + 1)::int as month,
    i * 2::bigint as big,
    date '2020-01-01' + (i % 1500)::int as day,
    timestamptz '2020-01-01 00:00Z' + (i % 86400) * interval '1 second' as seen,
    i % 2 = 0 as flag,
    gen_random_uuid() as token,
    'name ' || i % 5000 as name,
    'city ' || i % 700 as city,
    repeat('x', (i % 40)::int) as note,
    case when i % 10 > 0 then i % 7 end as maybe
from generate_series(1, {rows}) as i
"""
NOT_NULL = ["id", "code", "status", "country", "kind", "amount", "tax", "score", "day", "seen",
            "name"]  # fmt: skip
SETS = {
    "status": ["new", "open", "closed", "void"],
    "country": ["DE", "FR", "IT", "ES", "PL"],
    "kind": ["a", "b", "c"],
    "channel": ["web", "shop"],
}
RANGES = {
    "amount": (0, 1000), "tax": (0, 100), "score": (0, 1000), "age": (0, 31), "month": (1, 12),
    "big": (0, 10**12),
}  # fmt: skip
UNIQUE = ["id", "code"]


def policy(rows: int) -> dict[str, Any]:
    """The 24 checks as a policy."""
    rules: list[dict[str, Any]] = [{"type": "row_count", "minimum": rows, "maximum": rows}]
    rules += [{"type": "not_null", "field": name} for name in NOT_NULL]
    rules += [
        {"type": "referential", "field": name, "allowed_values": values, "allow_null": True}
        for name, values in SETS.items()
    ]
    rules += [
        {"type": "range", "field": name, "minimum": low, "maximum": high, "allow_null": True}
        for name, (low, high) in RANGES.items()
    ]
    rules += [{"type": "unique", "field": name} for name in UNIQUE]
    return {"version": "1", "rules": [{"id": f"r{i}", **rule} for i, rule in enumerate(rules)]}


def filters() -> list[str]:
    """The violations that one scan can count, written by hand."""
    found = [f"{name} is null" for name in NOT_NULL]
    found += [
        f"{name} not in ({', '.join(repr(value) for value in values)})"
        for name, values in SETS.items()
    ]
    return found + [f"{name} < {low} or {name} > {high}" for name, (low, high) in RANGES.items()]


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


def pair(stack: ExitStack, warehouse: Warehouse) -> list[psycopg.Connection[tuple[Any, ...]]]:
    """Two connections on one snapshot."""
    first, second = (stack.enter_context(warehouse.transaction()) for _ in range(2))
    for conn in (first, second):
        conn.execute("set transaction isolation level repeatable read, read only")
    row = first.execute("select pg_export_snapshot()").fetchone()
    second.execute(f"set transaction snapshot '{row[0] if row else ''}'")
    return [first, second]


def tidegate(warehouse: Warehouse, rows: int, connections: int) -> None:
    """The whole policy, as the harness runs it."""
    loaded = load_policy(policy(rows))
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
        test = {"accepted_values": {"arguments": {"values": values}}}
        columns.setdefault(name, []).append(test)
    for name, (low, high) in RANGES.items():
        test = {"within": {"arguments": {"low": low, "high": high}}}
        columns.setdefault(name, []).append(test)
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


def best(times: int, run: Callable[[], None]) -> float:
    """The shortest of several runs, in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Measure and print."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = wheel().get_server(folder / "postgres", cleanup_mode="stop")
        try:
            uri = make_conninfo(server.get_uri(database="postgres"))
            warehouse = Warehouse(uri, "bench")
            with warehouse.connect() as conn:
                conn.execute("alter system set work_mem = '64MB'")
                conn.execute("select pg_reload_conf()")
                conn.execute(TABLE.format(rows=rows).encode())
                conn.execute("vacuum analyze public.src")
            project = folder / "dbt"
            project.mkdir()
            dbt_project(project, warehouse)
            report(
                {
                    "tidegate, two connections": best(3, lambda: tidegate(warehouse, rows, 2)),
                    "tidegate, one connection": best(3, lambda: tidegate(warehouse, rows, 1)),
                    "hand-written, two connections": best(3, lambda: by_hand(warehouse, rows)),
                    "statements one by one": best(1, lambda: one_by_one(warehouse)),
                    "dbt test, 2 threads, in process": best(2, lambda: dbt_test(project)),
                },
                rows,
            )
        finally:
            server.cleanup()


def report(seconds: dict[str, float], rows: int) -> None:
    """A table of seconds and of ratios to the first line."""
    first = next(iter(seconds.values()))
    print(f"{rows:,} rows, 20 columns, 24 checks")
    for what, taken in seconds.items():
        print(f"{what:<34} {taken:8.2f} s {taken / first:7.2f} x")


if __name__ == "__main__":
    main()

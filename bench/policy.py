"""The quality policy against dbt's own tests and hand-written SQL, on one table in one run.

Peers: dbt's built-in tests (ranges as a generic test of one line), and every check as a statement
of its own. Limit: one fused statement beside one hash-distinct statement on a shared snapshot.
"""

from __future__ import annotations

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bench.options import Options
from bench.report import Aim, Cell, Report, Table
from bench.src import NOT_NULL, RANGES, SETS, TABLE, UNIQUE, filters, policy
from bench.timing import in_turn
from tidegate.rules import Relation, Verdict, evaluate, load_policy
from tidegate.warehouse import Warehouse

CHEAP = ("amount", "tax", "score", "age", "month", "big")


def run(options: Options) -> Report:
    """The 24 checks, uniqueness alone, 100 cheap rules, and the cost by rules and rows."""
    rows = 300_000 if options.quick else 3_000_000
    report = Report("policy", facts={"rows": f"{rows:,}", "columns": "20"})
    warehouse = _table(options, rows)
    with tempfile.TemporaryDirectory(prefix="tidegate-bench-policy-") as name:
        dbt_project(Path(name), warehouse)
        report.tables.append(_checks(options, report, warehouse, rows, Path(name)))
    report.tables.append(_parts(options, report, warehouse, rows))
    options.server.drop(warehouse)
    report.tables.append(_curve(options))
    return report


def _table(options: Options, rows: int) -> Warehouse:
    options.say(f"making {rows:,} rows")
    warehouse = options.server.database()
    with warehouse.connect() as conn:
        conn.execute("alter system set work_mem = '64MB'")
        conn.execute("select pg_reload_conf()")
        conn.execute(TABLE.format(rows=rows).encode())
        conn.execute("vacuum analyze public.src")
    return warehouse


def _checks(
    options: Options, report: Report, warehouse: Warehouse, rows: int, folder: Path
) -> Table:
    options.say("24 checks")
    rivals = {
        "Tidegate, two connections": lambda: tidegate(warehouse, policy(rows), 2),
        "Tidegate, one connection": lambda: tidegate(warehouse, policy(rows), 1),
        "hand-written, two connections (limit)": lambda: by_hand(warehouse, rows),
        "dbt test, 2 threads, in process (peer)": lambda: dbt_test(folder),
        "a statement each": lambda: one_by_one(warehouse),
    }
    dbt_test(folder)
    found = in_turn(rivals, 3)
    first = next(iter(rivals))
    report.aims += [
        Aim(
            "24 checks: dbt test / Tidegate",
            found.ratio("dbt test, 2 threads, in process (peer)", first),
            3.5,
            at_least=True,
        ),
        Aim(
            "24 checks: Tidegate / hand-written SQL",
            found.ratio(first, "hand-written, two connections (limit)"),
            1.3,
        ),
    ]
    return Table(
        "24 checks, seconds, median of three",
        ("way", "seconds", "ratio to Tidegate"),
        [[name, found.median(name), found.ratio(name, first)] for name in rivals],
    )


def cheap(count: int) -> dict[str, Any]:
    """A policy of so many ranges that all rows keep."""
    rules = [
        {
            "id": f"r{number}",
            "type": "range",
            "field": CHEAP[number % len(CHEAP)],
            "minimum": -number,
            "maximum": 10**12 + number,
            "allow_null": True,
        }
        for number in range(count)
    ]
    return {"version": "1", "rules": rules}


def _cheap_by_hand(count: int) -> bytes:
    counted = ", ".join(
        f"count(*) filter (where {name} < {-number} or {name} > {10**12 + number})"
        for number, name in ((n, CHEAP[n % len(CHEAP)]) for n in range(count))
    )
    return f"select count(*), {counted} from public.src".encode()


def _parts(options: Options, report: Report, warehouse: Warehouse, rows: int) -> Table:
    options.say("uniqueness, and 100 cheap rules")
    unique = {
        "version": "1",
        "rules": [{"id": name, "type": "unique", "field": name} for name in UNIQUE],
    }

    def statement(query: bytes) -> None:
        with warehouse.connect() as conn:
            conn.execute(query).fetchone()

    rivals = {
        "two unique keys": lambda: tidegate(warehouse, unique, 1),
        "two unique keys by hash-distinct (limit)": lambda: statement(DISTINCT.encode()),
        "100 cheap rules": lambda: tidegate(warehouse, cheap(100), 1),
        "100 cheap rules by hand (limit)": lambda: statement(_cheap_by_hand(100)),
    }
    found = in_turn(rivals, 3)
    names = list(rivals)
    table: list[list[Cell]] = []
    for ours, limit, bound in ((names[0], names[1], 1.2), (names[2], names[3], 1.3)):
        ratio = found.ratio(ours, limit)
        report.aims.append(Aim(f"{ours}: Tidegate / hand-written SQL", ratio, bound))
        table.append([ours, found.median(ours), found.median(limit), ratio])
    return Table(
        "On one connection, seconds, median of three",
        ("what", "Tidegate", "hand-written (limit)", "ratio"),
        table,
    )


def _curve(options: Options) -> Table:
    """Cost by rules and rows; hand-written SQL of as many filters beside it."""
    table: list[list[Cell]] = []
    for rows in (30_000, 100_000) if options.quick else (100_000, 1_000_000, 3_000_000):
        warehouse = _table(options, rows)
        for count in (1, 10, 100):
            query = _cheap_by_hand(count)
            with warehouse.connect() as conn:
                rivals = {
                    "ours": lambda count=count, own=warehouse: tidegate(own, cheap(count), 1),
                    "limit": lambda query=query, conn=conn: _discard(conn, query),
                }
                found = in_turn(rivals, 3)
            table.append(
                [f"{rows:,}", count, found.median("ours"), found.median("limit"),
                 found.ratio("ours", "limit")]
            )  # fmt: skip
        options.server.drop(warehouse)
    return Table(
        "Cheap rules by number of rows, seconds, median of three",
        ("rows", "rules", "Tidegate", "hand-written (limit)", "ratio"),
        table,
    )


def _discard(conn: psycopg.Connection[tuple[Any, ...]], query: bytes) -> None:
    conn.execute(query).fetchone()


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

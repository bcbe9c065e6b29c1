"""The quality policy against dbt's own tests and hand-written SQL, on one table in one run.

Peers: dbt's built-in tests (ranges as a generic test of one line), and every check as a statement
of its own. Limit: one fused statement beside one hash-distinct statement on a shared snapshot.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.options import Options
from bench.policy_ways import DISTINCT, by_hand, dbt_project, dbt_test, one_by_one, tidegate
from bench.report import Report
from bench.src import TABLE, UNIQUE, policy
from bench.visitors import Visitors, checks, timed
from tidegate.connection import Connection
from tidegate.warehouse import Warehouse

IN_DATABASE = ("Great Expectations", "Soda Core")
CHEAP = ("amount", "tax", "score", "age", "month", "big")


def run(options: Options) -> Report:
    """The 24 checks, uniqueness alone, 100 cheap rules, and the cost by rules and rows."""
    rows = options.size or (300_000 if options.quick else 3_000_000)
    report = options.report("policy", rows=f"{rows:,}", columns=20)
    warehouse = _table(options, rows)
    with tempfile.TemporaryDirectory(prefix="tidegate-bench-policy-") as name:
        dbt_project(Path(name), warehouse)
        _checks(options, report, warehouse, rows, Path(name))
    _parts(options, report, warehouse)
    options.server.drop(warehouse)
    _curve(options, report)
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
) -> None:
    options.say("24 checks")
    rivals: dict[str, Callable[[], float | None]] = {
        "Tidegate, two connections": lambda: tidegate(warehouse, policy(rows), 2),
        "Tidegate, one connection": lambda: tidegate(warehouse, policy(rows), 1),
        "hand-written, two connections (limit)": lambda: by_hand(warehouse, rows),
        "dbt test, 2 threads, in process (peer)": lambda: dbt_test(folder),
        "a statement each": lambda: one_by_one(warehouse),
    }
    told: dict[str, float] = {}
    rivals |= _visiting(options, warehouse, rows, folder, told)
    dbt_test(folder)
    found = options.in_turn(rivals, 3)
    first = next(iter(rivals))
    table = report.table(
        "24 checks, seconds, median of three", ("way", "seconds", "ratio to Tidegate")
    )
    for name in rivals:
        table.add(name, found.median(name), found.ratio(name, first))
    for name, seconds in told.items():
        table.add(f"({name})", seconds, seconds / found.median(first))
    for name in IN_DATABASE:
        if name in rivals:
            report.aim(f"24 checks: {name} / Tidegate", found.ratio(name, first), 3, at_least=True)
    peer, limit = "dbt test, 2 threads, in process (peer)", "hand-written, two connections (limit)"
    report.aim("24 checks: dbt test / Tidegate", found.ratio(peer, first), 3.5, at_least=True)
    report.aim("24 checks: Tidegate / hand-written SQL", found.ratio(first, limit), 1.3)


def _visiting(
    options: Options, warehouse: Warehouse, rows: int, folder: Path, told: dict[str, float]
) -> dict[str, Callable[[], float | None]]:
    """Peers that are installed for this run; none where they could not be."""
    visitors = Visitors(options)
    if visitors.absent:
        return {}
    file = folder / "src.csv"
    query = b"copy public.src to stdout (format csv, header)"
    with (
        warehouse.connect() as conn,
        file.open("wb") as out,
        conn.cursor().copy(query) as copy,
    ):
        for block in copy:
            out.write(block)
    task = checks(warehouse, rows, file)
    return {name: timed(visitors, name, task, told) for name in (*IN_DATABASE, "pandera, polars")}


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


def _parts(options: Options, report: Report, warehouse: Warehouse) -> None:
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
    found = options.in_turn(rivals, 3)
    table = report.table(
        "On one connection, seconds, median of three",
        ("what", "Tidegate", "hand-written (limit)", "ratio"),
    )
    names = list(rivals)
    for ours, limit, bound in ((names[0], names[1], 1.2), (names[2], names[3], 1.3)):
        ratio = found.ratio(ours, limit)
        table.add(ours, found.median(ours), found.median(limit), ratio)
        report.aim(f"{ours}: Tidegate / hand-written SQL", ratio, bound)


def _curve(options: Options, report: Report) -> None:
    """Cost by rules and rows; hand-written SQL of as many filters beside it."""
    table = report.table(
        "Cheap rules by number of rows, seconds, median of three",
        ("rows", "rules", "Tidegate", "hand-written (limit)", "ratio"),
    )
    for rows in (30_000, 100_000) if options.quick else (100_000, 1_000_000, 10_000_000):
        warehouse = _table(options, rows)
        for count in (1, 10, 100):
            query = _cheap_by_hand(count)
            with warehouse.connect() as conn:
                rivals = {
                    "ours": lambda count=count, own=warehouse: tidegate(own, cheap(count), 1),
                    "limit": lambda query=query, conn=conn: _discard(conn, query),
                }
                found = options.in_turn(rivals, 3)
            ours, limit = found.median("ours"), found.median("limit")
            table.add(f"{rows:,}", count, ours, limit, found.ratio("ours", "limit"))
        options.server.drop(warehouse)


def _discard(conn: Connection, query: bytes) -> None:
    conn.execute(query).fetchone()

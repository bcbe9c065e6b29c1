"""What readers pay for the stable view: the same statements through it and on the table itself."""

from __future__ import annotations

import time
from collections.abc import Callable

from bench.family import Family
from bench.options import Options
from bench.report import Cell, Report
from bench.timing import in_turn
from tidegate.connection import Connection
from tidegate.names import QUERY, generation_schema

GENERATIONS = 40
STATEMENTS = {
    "point look-up": "select * from {schema}.q_m000 where key = %s",
    "point look-up, prepared": "select * from {schema}.q_m000 where key = %s",
    "full scan": "select count(*), sum(amount), max(label) from {schema}.q_m000",
    "ordered limit": "select * from {schema}.q_m000 order by key desc limit 100",
    "join": "select count(*), sum(a.amount + b.amount) from {schema}.q_m000 as a"
    " join {schema}.q_m001 as b using (key)",
}
REPEATS = {"point look-up": 200, "point look-up, prepared": 200, "ordered limit": 50}


def run(options: Options) -> Report:
    """Ratios of the view to the table, with many generations attached."""
    rows = 100_000 if options.quick else 1_000_000
    warehouse = options.server.database()
    family = Family(warehouse, models=2, rows=1000)
    for _ in range(GENERATIONS - 1):
        family.publish()
    family.rows = rows
    family.publish()
    report = options.report("indirection", rows=f"{rows:,}", generations_attached=GENERATIONS)
    table = report.table(
        "Milliseconds a statement, median",
        ("statement", "through the view", "on the table (limit)", "view / table"),
        "Parallel plans as the server chooses them; look-ups are planned each time unless"
        " prepared.",
    )
    with warehouse.connect() as conn:
        # A vacuumed table is what readers meet; both rivals read the same one.
        for model in family.models:
            schema = generation_schema(family.name, GENERATIONS)
            conn.execute(f"vacuum analyze {schema}.{model}".encode())
        for name, text in STATEMENTS.items():
            options.say(name)
            table.add(*_compare(conn, family, name, text, options.quick))
    for what, view, direct, ratio in table.rows:
        if "look-up" in str(what):
            extra = float(view) - float(direct)
            report.aim(f"{what}: milliseconds more through the view", extra, 0.1)
        else:
            report.aim(f"{what}: view / table", float(ratio), 1.1)
    options.server.drop(warehouse)
    return report


def _compare(conn: Connection, family: Family, name: str, text: str, quick: bool) -> list[Cell]:
    direct = generation_schema(family.name, GENERATIONS)
    repeats = REPEATS.get(name, 1)
    prepare = "prepared" in name
    rivals = {
        "view": _timed(conn, text.format(schema=QUERY), repeats, prepare),
        "table": _timed(conn, text.format(schema=direct), repeats, prepare),
    }
    for rival in rivals.values():
        rival()
    found = in_turn(rivals, 5 if quick else 15)
    view, table = found.median("view"), found.median("table")
    return [name, 1000 * view, 1000 * table, found.ratio("view", "table")]


def _timed(conn: Connection, text: str, repeats: int, prepare: bool) -> Callable[[], float]:
    keyed = "%s" in text
    query = text.encode()

    def run_all() -> float:
        start = time.perf_counter()
        for number in range(repeats):
            values = [1 + number] if keyed else None
            conn.execute(query, values, prepare=prepare).fetchall()
        return (time.perf_counter() - start) / repeats

    return run_all

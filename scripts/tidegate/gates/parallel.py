"""Evaluate many checks on one exported snapshot over several connections, longest first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg
from psycopg import sql

from tidegate.connection import Connection
from tidegate.errors import NothingJudged
from tidegate.gates.evaluate import failed, judge
from tidegate.gates.model import GateSpec, Kind
from tidegate.gates.relations import Counts, Relations, Resolve, relation_sql
from tidegate.gates.result import GateResult
from tidegate.warehouse.connect import server_message

Connect = Callable[[], Connection]


def evaluate_all(
    connect: Connect,
    snapshot_id: str,
    specs: Sequence[GateSpec],
    resolve: Resolve,
    *,
    workers: int = 2,
    protected: bool = True,
) -> tuple[GateResult, ...]:
    """Judge every spec, in the order given; all of them see the same snapshot.

    `snapshot_id` is what `pg_export_snapshot()` of the caller's open transaction returned. Raises
    NothingJudged where `specs` is empty or not every one of them has a result: what did not run has
    not passed.
    """
    if not specs:
        raise NothingJudged(
            "There is no check to run.", remedy="docs/gates.md says how to add one."
        )
    waiting = deque(_longest_first(connect, specs, resolve))
    count = max(1, min(workers, len(specs)))
    results: dict[int, GateResult] = {}
    counts = Counts(_counted_together(specs, resolve))

    def work() -> None:
        try:
            with connect() as conn:
                _join_snapshot(conn, snapshot_id)
                conn.execute(_SETTINGS, (count,))
                relations = Relations(conn, resolve, counts)
                while True:
                    try:
                        index = waiting.popleft()
                    except IndexError:
                        break
                    results[index] = judge(relations, specs[index], protected=protected)
                conn.rollback()
        except psycopg.Error as error:
            broken.append(server_message(error))

    broken: list[str] = []
    with ThreadPoolExecutor(count, thread_name_prefix="gates") as pool:
        for future in [pool.submit(work) for _ in range(count)]:
            future.result()
    if broken:  # a connection was lost: whatever it left undone is an error, never a pass
        for index, spec in enumerate(specs):
            results.setdefault(index, failed(spec, broken[0], protected))
    return executed(specs, [results[index] for index in sorted(results)])


def executed(specs: Sequence[GateSpec], results: Sequence[GateResult]) -> tuple[GateResult, ...]:
    """The results, once there is exactly one for each expected check; else NothingJudged."""
    expected = [spec.unique_id for spec in specs]
    ran = [result.spec.unique_id for result in results]
    if not expected or expected != ran:
        lost = sorted(set(expected) - set(ran))
        raise NothingJudged(
            f"{len(ran)} of {len(expected)} checks ran"
            + (f"; without result: {', '.join(lost[:5])}." if lost else "."),
            remedy="What did not run has not passed; run it again, and report it if it stays.",
        )
    return tuple(results)


def _join_snapshot(conn: Connection, snapshot_id: str) -> None:
    conn.autocommit = False
    conn.execute("set transaction isolation level repeatable read, read only")
    conn.execute(sql.SQL("set transaction snapshot {}").format(sql.Literal(snapshot_id)))


# For this transaction alone. Connections that work side by side share the processes that the server
# gives to one statement: more of them would only wait for each other. A gate returns few of the
# rows that it looks at, which the planner cannot know: it would let one process do all, for the
# price of handing over what is never found. Candidates were just written, so that memory holds
# them: a page here and there costs little more than the next one, and an index that picks pages is
# worth its while. Judging is maintenance, and may take the memory that is given to it.
_SETTINGS = """
select
    set_config(
        'max_parallel_workers_per_gather',
        greatest(
            (current_setting('max_parallel_workers_per_gather')::integer + 1) / %s - 1, 0
        )::text,
        true
    ),
    set_config('parallel_tuple_cost', '0', true),
    set_config(
        'random_page_cost',
        least(
            current_setting('random_page_cost')::float8,
            1.1 * current_setting('seq_page_cost')::float8
        )::text,
        true
    ),
    set_config(
        'work_mem',
        greatest(
            pg_size_bytes(current_setting('work_mem')),
            pg_size_bytes(current_setting('maintenance_work_mem'))
        ) / 1024 || 'kB',
        true
    ),
    set_config('jit', 'off', true)
"""
_SIZE = """
select pg_namespace.nspname, pg_class.relname, greatest(pg_class.reltuples, 0)
from pg_catalog.pg_class
inner join pg_catalog.pg_namespace on pg_namespace.oid = pg_class.relnamespace
where pg_namespace.nspname = any(%s)
"""


def _counted_together(
    specs: Sequence[GateSpec], resolve: Resolve
) -> list[tuple[str, tuple[str | None, ...]]]:
    """Relations that are counted under several conditions, and those conditions."""
    found: dict[tuple[str, str], set[str | None]] = {}
    for spec in specs:
        if name := resolve(spec.model.name):
            found.setdefault(name, set()).add(spec.where if spec.kind is Kind.GATE else None)
    return [
        (relation_sql(*name), tuple(sorted(wheres, key=lambda where: where or "")))
        for name, wheres in found.items()
        if len(wheres) > 1
    ]


def _longest_first(connect: Connect, specs: Sequence[GateSpec], resolve: Resolve) -> list[int]:
    """Indexes of the specs, by how many rows they read as far as the planner knows."""
    names = {name: resolve(name) for spec in specs for name in spec.asset_keys}
    schemas = sorted({found[0] for found in names.values() if found})
    with connect() as conn:
        rows = conn.execute(_SIZE, (schemas,)).fetchall()
        conn.rollback()
    sizes = {(schema, relation): float(size) for schema, relation, size in rows}

    def cost(index: int) -> float:
        found = (names[name] for name in specs[index].asset_keys)
        return sum(sizes.get(item, 0.0) for item in found if item)

    return sorted(range(len(specs)), key=lambda index: (-cost(index), index))

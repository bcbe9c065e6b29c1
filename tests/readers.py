"""Readers that race publications, as processes of their own; what they saw comes back as counts.

Every row of a build carries the build's number, so a mix of two generations, an empty family and
a step back in time are all visible to a reader.
"""

from __future__ import annotations

import collections
import multiprocessing as mp
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import IsolationLevel, sql

MODES = ("statement", "prepared", "repeatable_read", "serializable", "cursor")


@dataclass
class Seen:
    """What the readers of a race saw."""

    counts: collections.Counter[str]

    @property
    def anomalies(self) -> dict[str, int]:
        """Everything but clean reads."""
        return {key: count for key, count in self.counts.items() if key != "reads"}


@contextmanager
def racing(conninfo: str, models: Sequence[str], rows: int, modes: Sequence[str]) -> Iterator[Seen]:
    """Run one reader for each mode while the block publishes; fill `Seen` when it ends."""
    context = mp.get_context("spawn")
    stop, queue, ready = context.Event(), context.Queue(), context.Semaphore(0)
    seen = Seen(collections.Counter())
    readers = [
        context.Process(
            target=_read, args=(conninfo, list(models), rows, mode, number, stop, queue, ready)
        )
        for number, mode in enumerate(modes)
    ]
    for reader in readers:
        reader.start()
    for _ in readers:
        assert ready.acquire(timeout=60)
    try:
        yield seen
    finally:
        stop.set()
        for _ in readers:
            seen.counts.update(queue.get(timeout=120))
        for reader in readers:
            reader.join(timeout=60)


def _read(
    conninfo: str,
    models: list[str],
    rows: int,
    mode: str,
    seed: int,
    stop: Any,
    queue: Any,
    ready: Any,
) -> None:
    counts: collections.Counter[str] = collections.Counter()
    order = random.Random(seed)  # noqa: S311 (an order of reading)
    last = 0
    try:
        with psycopg.connect(conninfo, autocommit=mode in ("statement", "prepared")) as conn:
            conn.prepare_threshold = 0 if mode == "prepared" else None
            if mode in ("repeatable_read", "cursor"):
                conn.isolation_level = IsolationLevel.REPEATABLE_READ
            if mode == "serializable":
                conn.isolation_level = IsolationLevel.SERIALIZABLE
            ready.release()
            while not stop.is_set():
                order.shuffle(models)
                try:
                    found = _READ[mode](conn, models)
                    conn.commit()
                except psycopg.Error as error:
                    counts[f"error {type(error).__name__}"] += 1
                    conn.rollback()
                    continue
                counts.update(_judge(found, rows, last))
                last = max((number for _, number, _ in found if number is not None), default=last)
    finally:
        queue.put(dict(counts))


def _judge(found: list[tuple[int, int | None, int | None]], rows: int, last: int) -> dict[str, int]:
    verdict = {"reads": 1}
    if any(count == 0 for count, _, _ in found):
        verdict["empty"] = 1
    elif any(count != rows for count, _, _ in found):
        verdict["partial"] = 1
    numbers = {number for _, low, high in found for number in (low, high) if number is not None}
    if len(numbers) > 1:
        verdict["mixed"] = 1
    if numbers and min(numbers) < last:
        verdict["back in time"] = 1
    return verdict


_SELECT = "select count(*), min(build), max(build) from {}"


def _one(conn: Any, model: str) -> tuple[int, int | None, int | None]:
    return conn.execute(sql.SQL(_SELECT).format(sql.Identifier("query", model))).fetchone()


def _statement(conn: Any, models: list[str]) -> list[Any]:
    """All models in one statement."""
    parts = [sql.SQL(_SELECT).format(sql.Identifier("query", model)) for model in sorted(models)]
    return conn.execute(sql.SQL(" union all ").join(parts)).fetchall()


def _transaction(conn: Any, models: list[str]) -> list[Any]:
    """All models in one transaction, one statement each."""
    return [_one(conn, model) for model in models]


def _cursor(conn: Any, models: list[str]) -> list[Any]:
    """Rows through an open cursor, the other models behind it."""
    with conn.cursor(name="open_cursor") as cursor:
        cursor.itersize = 3
        query = sql.SQL("select build from {}").format(sql.Identifier("query", models[0]))
        cursor.execute(query)
        first = [cursor.fetchone()[0]]
        others = [_one(conn, model) for model in models[1:]]
        first.extend(row[0] for row in cursor)
    return [(len(first), min(first), max(first)), *others]


_READ = {
    "statement": _statement,
    "prepared": _statement,
    "repeatable_read": _transaction,
    "serializable": _transaction,
    "cursor": _cursor,
}

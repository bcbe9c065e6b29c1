"""Readers as processes of their own; each notes how long every read took."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg import sql


@dataclass
class Seen:
    """Seconds of each read, and how many reads ended in an error of the server."""

    seconds: list[float] = field(default_factory=list)
    errors: int = 0


@contextmanager
def reading(
    conninfo: str, schema: str, models: Sequence[str], count: int, *, transactions: bool = False
) -> Iterator[Seen]:
    """Run readers while the block runs; what they saw is complete when it ends.

    A read is a point look-up in a random model or, with `transactions`, a transaction that looks
    into every model in random order and keeps its locks until the end.
    """
    context = multiprocessing.get_context("spawn")
    stop, queue, ready = context.Event(), context.Queue(), context.Semaphore(0)
    arguments = (conninfo, schema, list(models), transactions, stop, queue, ready)
    processes = [context.Process(target=_read, args=(*arguments, seed)) for seed in range(count)]
    for process in processes:
        process.start()
    for _ in processes:
        ready.acquire()
    seen = Seen()
    try:
        yield seen
    finally:
        stop.set()
        for _ in processes:
            part: Seen = queue.get()
            seen.seconds += part.seconds
            seen.errors += part.errors
        for process in processes:
            process.join()


def _read(
    conninfo: str,
    schema: str,
    models: list[str],
    transactions: bool,
    stop: Any,
    queue: Any,
    ready: Any,
    seed: int,
) -> None:
    order = random.Random(seed)  # noqa: S311 (an order of reading)
    statements = {
        model: sql.SQL("select * from {} where key = %s").format(sql.Identifier(schema, model))
        for model in models
    }
    seen = Seen()
    with psycopg.connect(conninfo, autocommit=not transactions) as conn:
        conn.prepare_threshold = None
        ready.release()
        while not stop.is_set():
            chosen = order.sample(models, len(models) if transactions else 1)
            start = time.perf_counter()
            try:
                for model in chosen:
                    conn.execute(statements[model], [order.randint(1, 50)]).fetchall()
                conn.commit()
            except psycopg.Error:
                seen.errors += 1
                conn.rollback()
            seen.seconds.append(time.perf_counter() - start)
    queue.put(seen)

"""What publishing is compared with: the same tables served by views that are replaced."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from psycopg import errors as pg
from psycopg import sql

from bench.family import make_tables
from tidegate.connection import Connection
from tidegate.warehouse import Warehouse

SCHEMA = "peer"
LOST = (pg.LockNotAvailable, pg.DeadlockDetected)


class ReplacedViews:
    """Views in `peer`, replaced all in one transaction; tables of each build in a schema."""

    def __init__(self, warehouse: Warehouse, models: Sequence[str], rows: int) -> None:
        self.warehouse = warehouse
        self.models = tuple(models)
        self.rows = rows
        self.builds = 0
        with warehouse.connect() as conn:
            conn.execute(f"create schema {SCHEMA}")
            conn.execute(f"create table {SCHEMA}.head as select 0 as build")
            self.build(conn)
        self.replace()

    def build(self, conn: Connection) -> None:
        """Make and analyse the tables of the next build."""
        self.builds += 1
        schema = self._schema()
        make_tables(conn, schema, self.models, self.rows, self.builds)
        for model in self.models:
            conn.execute(sql.SQL("analyze {}").format(sql.Identifier(schema, model)))

    def replace(self) -> float:
        """One transaction of `create or replace view`; seconds until the commit is answered."""
        with self.warehouse.connect(autocommit=False) as conn:
            start = time.perf_counter()
            self._replace(conn)
            conn.commit()
            return time.perf_counter() - start

    def replace_patiently(self, patience: float, *, lock_first: bool) -> float | None:
        """The same under readers, retried until `patience` is over (None).

        `lock_first` locks all views at once without waiting and retries after at most 4 ms;
        otherwise each view is waited for, at most 500 ms.
        """
        start = time.perf_counter()
        with self.warehouse.connect(autocommit=False) as conn:
            while time.perf_counter() - start < patience:
                try:
                    if lock_first:
                        names = [sql.Identifier(SCHEMA, model) for model in self.models]
                        lock = sql.SQL("lock table {} in access exclusive mode nowait")
                        conn.execute(lock.format(sql.SQL(", ").join(names)))
                    else:
                        conn.execute("set local lock_timeout = '500ms'")
                    self._replace(conn)
                    conn.commit()
                except LOST:
                    conn.rollback()
                    time.sleep(random.random() * (0.004 if lock_first else 0.05))  # noqa: S311
                else:
                    return time.perf_counter() - start
        return None

    def _replace(self, conn: Connection) -> None:
        for model in self.models:
            conn.execute(
                sql.SQL(
                    "create or replace view {} as select key, build, label, amount from {}"
                ).format(sql.Identifier(SCHEMA, model), sql.Identifier(self._schema(), model))
            )
        conn.execute(f"update {SCHEMA}.head set build = %s", [self.builds])

    def _schema(self) -> str:
        return f"{SCHEMA}_{self.builds:06}"


def bare_update(warehouse: Warehouse) -> float:
    """The least that durable publishing can cost: one row updated and committed."""
    with warehouse.connect(autocommit=False) as conn:
        conn.execute("create table if not exists public.bare as select 0 as n")
        conn.commit()
        start = time.perf_counter()
        conn.execute("update public.bare set n = n + 1")
        conn.commit()
        return time.perf_counter() - start

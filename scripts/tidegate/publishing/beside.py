"""Analysing the tables of a candidate while dbt builds the next ones.

dbt spends much of its time outside the server. A table that is built is read by nobody but the
models behind it, so its statistics can be gathered meanwhile; what is not analysed when dbt has
ended is left to whoever freezes the candidate.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from types import TracebackType

import psycopg
from psycopg import sql

from tidegate.connection import Connection
from tidegate.errors import TidegateError


class AnalysedBeside:
    """Takes the names of built tables of one schema; `done` are those with statistics.

    Nothing is ever raised: a table that cannot be analysed here has an error that the freeze finds.
    """

    def __init__(self, connect: Callable[[], Connection], schema: str) -> None:
        self.done: set[str] = set()
        self._connect = connect
        self._schema = schema
        self._waiting: SimpleQueue[str | None] = SimpleQueue()
        self._stopped = False
        self._thread = Thread(target=self._work, name="statistics", daemon=True)

    def __enter__(self) -> AnalysedBeside:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopped = True
        self._waiting.put(None)
        self._thread.join()

    def built(self, schema: str, name: str) -> None:
        """A table is complete and committed; called from whatever thread built it."""
        if schema == self._schema:
            self._waiting.put(name)

    def _work(self) -> None:
        with contextlib.suppress(psycopg.Error, TidegateError), self._connect() as conn:
            while (name := self._waiting.get()) is not None and not self._stopped:
                with contextlib.suppress(psycopg.Error):
                    conn.execute(sql.SQL("analyze {}").format(sql.Identifier(self._schema, name)))
                    self.done.add(name)

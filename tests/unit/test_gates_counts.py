"""Row counts that checks on one snapshot share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, cast

import pytest

from tidegate.gates.relations import Connection, Counts


class Counting:
    """Answers every statement with the number of statements so far, the first with an error."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.asked: list[bytes] = []

    def execute(self, statement: bytes) -> Any:
        """Note the statement."""
        self.asked.append(statement)
        if self.broken:
            self.broken = False
            raise ConnectionError
        return self

    def fetchone(self) -> tuple[int]:
        """One count."""
        return (len(self.asked),)


def test_the_same_rows_are_counted_once_whoever_asks() -> None:
    """Threads that ask together get one number from one statement."""
    counts, conn, together = Counts(), Counting(), Barrier(4)

    def ask(_: int) -> int:
        together.wait()
        return counts.of(cast("Connection", conn), "select 1")

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(ask, range(4))) == {1}
    assert conn.asked == [b"select 1"]
    assert counts.of(cast("Connection", conn), "select 2") == 2


def test_a_count_that_failed_is_no_count() -> None:
    """The error goes to whoever asked; the next one asks again."""
    counts, conn = Counts(), Counting(broken=True)
    with pytest.raises(ConnectionError):
        counts.of(cast("Connection", conn), "select 1")
    assert counts.of(cast("Connection", conn), "select 1") == 2

"""Row counts that checks on one snapshot share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from threading import Barrier
from typing import Any, cast

import psycopg
import pytest

from tidegate.connection import Connection
from tidegate.gates.relations import Counts
from tidegate.macros import render


class Counting:
    """Answers every statement with the number of statements so far, the first with an error.

    A statement of several counts gets that number for each.
    """

    def __init__(self, *, broken: bool = False, error: Exception | None = None) -> None:
        self.broken, self.error = broken, error or ConnectionError()
        self.asked: list[bytes] = []

    def execute(self, statement: bytes) -> Any:
        """Note the statement."""
        self.asked.append(statement)
        if self.broken:
            self.broken = False
            raise self.error
        return self

    def fetchone(self) -> tuple[int, ...]:
        """As many counts as were asked for."""
        return (len(self.asked),) * self.asked[-1].count(b"count(*)") or (len(self.asked),)

    def transaction(self) -> AbstractContextManager[None]:
        """A savepoint."""
        return nullcontext()


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


ROWS = '"s"."r"'
CONDITIONS = (None, "a > 1", "b")


def scalars() -> list[str]:
    return [render("row_count", ROWS, where) for where in CONDITIONS]


def test_a_relation_is_read_once_for_all_its_counts() -> None:
    """Whichever is asked first; what is counted under no other condition stays alone."""
    counts, conn = Counts([(ROWS, CONDITIONS)]), Counting()
    asked = [*reversed(scalars()), *scalars()]
    assert {counts.of(cast("Connection", conn), scalar) for scalar in asked} == {1}
    assert [" ".join(one.decode().split()) for one in conn.asked] == [
        "select count(*), count(*) filter (where (a > 1)), count(*) filter (where (b))"
        ' from "s"."r" as counted'
    ]
    assert counts.of(cast("Connection", conn), "select 1") == 2


def test_a_condition_that_fails_spoils_no_other_count() -> None:
    """Each is counted alone then: only who asks for the failing one gets its error."""
    counts = Counts([(ROWS, CONDITIONS)])
    conn = Counting(broken=True, error=psycopg.errors.DivisionByZero())
    first, second, _ = scalars()
    assert counts.of(cast("Connection", conn), first) == 2
    conn.broken = True
    with pytest.raises(psycopg.errors.DivisionByZero):
        counts.of(cast("Connection", conn), second)
    assert conn.asked[1:] == [first.encode(), second.encode()]

"""A frozen table is proved unchanged without hashing it again, and hashed where that proves not."""

from __future__ import annotations

from typing import Any

import pytest

from publication_support import wait_until
from tidegate.connection import Connection
from tidegate.publishing import candidate
from tidegate.publishing.candidate import Fingerprint
from tidegate.warehouse import Warehouse

OLDER_THAN_ALL_THAT_RUNS = (
    "select not exists (select from public.t"
    " where age(xmin) <= age(pg_snapshot_xmin(pg_current_snapshot())::text::xid))"
)


@pytest.fixture
def mark(conn: Connection) -> Fingerprint:
    """The fingerprint of a table of ten rows that every running transaction of the server sees.

    Any transaction that began before them, in whatever database of the server, and still runs keeps
    the horizon behind them; then equal contents are proved by hashes, as a test below has it.
    """
    conn.execute("create table public.t as select i, 'v' || i as v from generate_series(1, 10) i")
    wait_until(conn, OLDER_THAN_ALL_THAT_RUNS)
    return candidate.fingerprint(conn, "public", "t")


def again(conn: Connection, mark: Fingerprint) -> Fingerprint:
    """The fingerprint of the table now."""
    return candidate.fingerprint_again(conn, "public", "t", mark)


@pytest.fixture
def never_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing is an error."""

    def refuse(*_: Any) -> Fingerprint:
        raise AssertionError("hashed again")

    monkeypatch.setattr(candidate, "fingerprint", refuse)


def test_an_untouched_table_is_not_hashed_again(
    conn: Connection, mark: Fingerprint, request: pytest.FixtureRequest
) -> None:
    """Every row is older than the first look, and there are as many: one scan, no hashes."""
    request.getfixturevalue("never_hashed")
    assert again(conn, mark) == mark


@pytest.mark.parametrize(
    "change",
    [
        "update public.t set v = 'x' where i = 3",
        "insert into public.t values (11, 'v')",
        "delete from public.t where i = 3",
        "delete from public.t where i = 3; insert into public.t values (3, 'x')",
        "truncate public.t; insert into public.t select i, 'w' from generate_series(1, 10) i",
        "alter table public.t alter i type text",
    ],
)
def test_every_change_is_found(conn: Connection, mark: Fingerprint, change: str) -> None:
    """By number of rows or by the transaction that wrote them; then the hashes decide."""
    conn.execute(change.encode())
    assert again(conn, mark) != mark


def test_a_writer_that_began_before_the_first_look_is_found(
    conn: Connection, warehouse: Warehouse
) -> None:
    """Its rows carry an older number than rows of later transactions; the horizon is older yet."""
    conn.execute("create table public.t as select i, 'v' || i as v from generate_series(1, 10) i")
    with warehouse.connect(autocommit=False) as writer:
        writer.execute("select pg_current_xact_id()")
        conn.execute("create table public.other ()")
        mark = candidate.fingerprint(conn, "public", "t")
        writer.execute("update public.t set v = 'x' where i = 3")
        writer.commit()
    assert again(conn, mark) != mark


def test_rows_younger_than_the_horizon_are_hashed_and_found_equal(
    conn: Connection, warehouse: Warehouse
) -> None:
    """A transaction that runs since before the build proves nothing either way."""
    with warehouse.connect(autocommit=False) as other:
        other.execute("select pg_current_xact_id()")
        conn.execute("create table public.t as select i from generate_series(1, 10) i")
        mark = candidate.fingerprint(conn, "public", "t")
        assert again(conn, mark) == mark


def test_values_that_are_equal_and_read_differently_differ(conn: Connection) -> None:
    """1.0 and 1.00, a day and 24 hours, JSON with other spaces: what readers get is compared."""
    marks = set()
    for number, values in enumerate(
        [
            "1.0, interval '1 day', '{}'::json, array[1.0], 1",
            "1.00, interval '1 day', '{}'::json, array[1.0], 1",
            "1.0, interval '24 hours', '{}'::json, array[1.0], 1",
            "1.0, interval '1 day', '{ }'::json, array[1.0], 1",
            "1.0, interval '1 day', '{}'::json, array[1.00], 1",
            "1.0, interval '1 day', '{}'::json, array[1.0], null",
        ]
    ):
        columns = "n numeric, i interval, j json, a numeric[], k integer"
        conn.execute(f"create table public.v{number} ({columns})".encode())
        conn.execute(f"insert into public.v{number} values ({values})".encode())
        marks.add(candidate.fingerprint(conn, "public", f"v{number}"))
    assert len(marks) == 6


def test_equal_contents_have_equal_fingerprints(conn: Connection) -> None:
    """In any order of rows and columns, in any generation."""
    conn.execute("create table public.one (i integer, v text);"
                 " insert into public.one values (1, 'a'), (2, 'b')")  # fmt: skip
    conn.execute("create table public.two (v text, _generation integer default 7, i integer);"
                 " insert into public.two (i, v) values (2, 'b'), (1, 'a')")  # fmt: skip
    one, two = (candidate.fingerprint(conn, "public", name) for name in ("one", "two"))
    assert one == two

"""A server's refusal is told as what it means; only what nobody foresaw is called a bug."""

from __future__ import annotations

import psycopg
import pytest

from planted_secrets import secret
from tidegate.cli.errors import exit_code_of
from tidegate.connection import Connection
from tidegate.warehouse import Warehouse
from tidegate.warehouse.failures import AGAIN, foreseen


@pytest.mark.parametrize(
    ("before", "statement", "code", "message"),
    [
        ("set role tidegate_reader", "select * from governance.runs", "privilege_missing",
         "The connected role may not do what this command needs."),
        ("set default_transaction_read_only = on", "create table landing.x (v int)", "environment",
         "The server takes no writes: it is a standby, or this login is read-only."),
        ("set statement_timeout = 1", "select pg_sleep(10)", "environment",
         "The server cut a statement short: a timeout of this login, or somebody cancelled it."),
        ("set temp_file_limit = 0; set work_mem = '64kB'; set enable_hashagg = off",
         "select count(*) from (select distinct i from generate_series(1, 100000) i) s",
         "environment",
         "The server has run out of something: ConfigurationLimitExceeded [53400]."),
    ],
)  # fmt: skip
def test_a_condition_of_the_surroundings_is_told_as_one(
    conn: Connection, before: str, statement: str, code: str, message: str
) -> None:
    """By SQLSTATE, in words of our own, with what to do."""
    conn.execute(before)  # type: ignore[call-overload]
    with pytest.raises(psycopg.Error) as raised:
        conn.execute(statement)  # type: ignore[call-overload]
    told = foreseen(raised.value)
    assert told is not None
    assert (told.code, told.message, told.exit_code) == (code, message, 2)
    assert told.remedy


def test_a_connection_that_is_cut_is_told_as_one(warehouse: Warehouse, conn: Connection) -> None:
    """The server ends it, and the next statement finds it gone: both say the same."""
    with warehouse.connect() as other:
        pid = other.info.backend_pid
        conn.execute("select pg_terminate_backend(%s, 30000)", [pid])
        for _ in range(2):
            with pytest.raises(psycopg.OperationalError) as raised:
                other.execute("select 1")
            told = foreseen(raised.value)
            assert told is not None
            assert (told.code, told.message, told.remedy) == (
                "server_unreachable", "The connection to the server was lost.", AGAIN,
            )  # fmt: skip


def test_what_nobody_foresaw_is_a_bug_and_its_text_stays_untold(
    conn: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message of a failed cast holds the value; the kind of error does not."""
    value = secret()
    with pytest.raises(psycopg.Error) as raised:
        conn.execute("select %s::text::integer", [value])
    assert foreseen(raised.value) is None
    assert exit_code_of(raised.value) == 2
    said = capsys.readouterr()
    assert said.err.startswith("Error [unexpected]: InvalidTextRepresentation [22P02].\n")
    assert value not in said.err + said.out

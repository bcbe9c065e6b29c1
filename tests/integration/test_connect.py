"""Why there is no connection is said in words of our own."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tidegate.errors import ServerUnreachable
from tidegate.warehouse import Warehouse
from tidegate.warehouse.connect import connection_failure


def why(warehouse: Warehouse) -> str:
    with pytest.raises(ServerUnreachable) as refused:
        warehouse.connect()
    return refused.value.message.rpartition(": ")[2]


def test_nothing_listens_there(tmp_path: Path) -> None:
    """A port or a socket without a server."""
    assert why(Warehouse("host=127.0.0.1 port=1", "test")) == "nothing listens there."
    assert why(Warehouse(f"host={tmp_path}", "test")) == "nothing listens there."


def test_a_database_or_a_user_that_is_not_there(server: str) -> None:
    """The server runs; the name is wrong."""
    for wrong in ({"dbname": "not_there"}, {"user": "not_there"}):
        assert why(Warehouse(make_conninfo(server, **wrong), "test")) in (
            "there is no such database or user.",
            "the server refuses user or password.",
        )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('FATAL:  password authentication failed for user "x"',
         "the server refuses user or password"),
        ("fe_sendauth: no password supplied", "the server asks for a password"),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "x", database "y", no encryption',
         "the server takes no connection from here as this user"),
        ("FATAL:  sorry, too many clients already", "the server has no connection left"),
        ("connection timeout expired", "no answer in time"),
        ("FATAL:  the database system is starting up", "the server is starting"),
        ("server does not support SSL, but SSL was required", "TLS could not be agreed on"),
        ("something else with a value in it", "OperationalError"),
    ],
)  # fmt: skip
def test_what_libpq_says_is_put_in_our_words(text: str, said: str) -> None:
    """A text that is not known is not repeated."""
    assert connection_failure(psycopg.OperationalError(text)) == said

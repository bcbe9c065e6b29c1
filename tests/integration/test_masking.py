"""Masked columns are masked where readers look, and the key is out of their reach."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import psycopg
import pytest
from psycopg import sql

from logins import login
from tidegate.connection import Connection
from tidegate.contracts.keys import Mask
from tidegate.ledger import roles
from tidegate.ledger.masking import masked_expression
from tidegate.warehouse import Warehouse


@pytest.fixture
def served(conn: Connection) -> Connection:
    """`query.q_people`: name hashed, mail redacted, phone partial, born (a date) hashed."""
    conn.execute(
        "create table canonical.people (id int, name text, mail text, phone text, born timestamptz)"
    )
    conn.execute(
        "insert into canonical.people values"
        " (1, 'Ada', 'ada@example.org', '+44 20 7946 0958', '1815-12-10T12:00:00Z'),"
        " (2, null, null, null, null), (3, 'Bo', 'b@x', '1234567', '1900-01-01T00:00:00Z')"
    )
    masks = {"name": Mask.HASH, "mail": Mask.REDACT, "phone": Mask.PARTIAL, "born": Mask.HASH}
    columns = [
        sql.SQL("{} as {}").format(masked_expression(name, mask), sql.Identifier(name))
        for name, mask in masks.items()
    ]
    conn.execute(
        sql.SQL("create view query.q_people as select id, {} from canonical.people").format(
            sql.SQL(", ").join(columns)
        )
    )
    roles.apply_grants(conn, "query")
    return conn


def people(conn: Connection) -> list[tuple[Any, ...]]:
    return conn.execute("select name, mail, phone, born from query.q_people order by id").fetchall()


def hashed(conn: Connection, value: str) -> str:
    """What the keyed hash of `value` has to be, by Python's own HMAC."""
    row = conn.execute("select inner_pad from masking.keys").fetchone()
    assert row is not None
    key = bytes(byte ^ 0x36 for byte in row[0])
    return hmac.new(key, value.encode(), hashlib.sha256).hexdigest()


def test_a_reader_sees_masks_and_null_stays_null(served: Connection, warehouse: Warehouse) -> None:
    """The hash is HMAC-SHA256; nothing of a short text is shown; no mask turns null into text."""
    with login(warehouse, "tidegate_reader") as reader, reader.connect() as conn:
        assert people(conn) == [
            (
                hashed(served, "Ada"),
                "REDACTED",
                "***0958",
                hashed(served, "1815-12-10 12:00:00+00"),
            ),
            (None, None, None, None),
            (hashed(served, "Bo"), "REDACTED", "***", hashed(served, "1900-01-01 00:00:00+00")),
        ]


def test_a_hash_does_not_depend_on_the_readers_settings(
    served: Connection, warehouse: Warehouse
) -> None:
    """Two readers in different zones and date styles can join on the hash."""
    with login(warehouse, "tidegate_reader") as reader, reader.connect() as conn:
        before = people(conn)
        conn.execute("set timezone = 'Asia/Tokyo'; set datestyle = 'German'")
        assert people(conn) == before


def test_a_member_of_the_unmasking_role_sees_values(
    served: Connection, warehouse: Warehouse
) -> None:
    """In clear, as text, in the reader's own settings."""
    with (
        login(warehouse, "tidegate_reader", "tidegate_unmasked") as reader,
        reader.connect() as conn,
    ):
        assert people(conn)[0] == (
            "Ada", "ada@example.org", "+44 20 7946 0958", "1815-12-10 12:00:00+00",
        )  # fmt: skip


def test_a_role_in_effect_without_the_right_sees_masks(served: Connection) -> None:
    """An owner who sets the reader's role sees what readers see."""
    assert people(served)[0][1] == "ada@example.org"
    served.execute("set role tidegate_reader")
    assert people(served)[0][1] == "REDACTED"


def test_a_function_of_somebody_else_does_not_unmask(
    served: Connection, warehouse: Warehouse
) -> None:
    """A SECURITY DEFINER function of an unmasked owner gives its caller masks."""
    served.execute(
        "create function query.peek() returns text language sql security definer"
        " begin atomic select mail from query.q_people where id = 1; end"
    )
    with login(warehouse, "tidegate_reader") as reader, reader.connect() as conn:
        row = conn.execute("select query.peek()").fetchone()
    assert row == ("REDACTED",)


@pytest.mark.parametrize(
    "statement",
    [
        "select inner_pad from masking.keys",
        "select masking.hashed('Ada')",
        "select masking.partial('+44 20 7946 0958')",
        "copy masking.keys to stdout",
        "select mail from canonical.people",
    ],
)
def test_a_reader_reaches_neither_key_nor_functions_nor_table(
    served: Connection, warehouse: Warehouse, statement: str
) -> None:
    """Without USAGE of the schema nobody can hash guesses and compare them with the view."""
    with (
        login(warehouse, "tidegate_reader") as reader,
        reader.connect() as conn,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        conn.execute(statement)


def test_neither_plan_nor_catalogue_shows_key_or_value(
    served: Connection, warehouse: Warehouse
) -> None:
    """EXPLAIN, the view's text, the functions' bodies and the statistics hold neither."""
    served.execute("analyze canonical.people; analyze masking.keys")
    row = served.execute(
        "select encode(inner_pad, 'hex'), encode(outer_pad, 'hex') from masking.keys"
    ).fetchone()
    assert row is not None
    with login(warehouse, "tidegate_reader") as reader, reader.connect() as conn:
        told = [
            conn.execute("explain (analyze, verbose) select * from query.q_people").fetchall(),
            conn.execute("select pg_get_viewdef('query.q_people'::regclass)").fetchall(),
            conn.execute(
                "select prosrc, pg_get_functiondef(p.oid) from pg_proc p"
                " join pg_namespace n on n.oid = pronamespace where nspname = 'masking'"
            ).fetchall(),
            conn.execute(
                "select most_common_vals::text, histogram_bounds::text from pg_stats"
                " where schemaname in ('masking', 'canonical')"
            ).fetchall(),
        ]
    text = str(told)
    assert "Scan on canonical.people" in text
    for secret in (row[0][:64], row[1][:64], "Ada", "example.org", "0958"):
        assert secret not in text


def test_a_filter_on_a_masked_column_sees_the_mask(
    served: Connection, warehouse: Warehouse
) -> None:
    """Guessing by `where` finds nothing; a join on the hash works."""
    with login(warehouse, "tidegate_reader") as reader, reader.connect() as conn:
        found = conn.execute("select count(*) from query.q_people where name = 'Ada'").fetchone()
        assert found == (0,)
        joined = conn.execute(
            "select count(*) from query.q_people a join query.q_people b using (name)"
        ).fetchone()
        assert joined == (2,)


def test_two_databases_have_two_keys(conn: Connection, empty_database: Warehouse) -> None:
    """A hash says nothing outside its warehouse."""
    from tidegate.ledger import upgrade

    upgrade(empty_database)
    with empty_database.connect() as other:
        assert hashed(conn, "Ada") != hashed(other, "Ada")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", "***"), ("1234567", "***"), ("12345678", "***78"), ("x" * 12 + "abcd", "***abcd"),
     ("x" * 100 + "abcd", "***abcd"), ("äöüßéñçø", "***çø")],
)  # fmt: skip
def test_partial_shows_a_quarter_and_at_most_four(conn: Connection, text: str, shown: str) -> None:
    """Characters, not bytes; the number of stars says nothing about the length."""
    assert conn.execute("select masking.partial(%s)", [text]).fetchone() == (shown,)


@pytest.mark.parametrize("mask", list(Mask))
def test_every_mask_gives_text_for_every_type(conn: Connection, mask: Mask) -> None:
    """A view's column has one type for masked and unmasked readers: text."""
    for kind in ("int", "numeric(9,2)", "boolean", "date", "jsonb", "uuid", "text[]", "bytea"):
        conn.execute(sql.SQL("create temp table t as select null::{} as v").format(sql.SQL(kind)))
        found = conn.execute(
            sql.SQL("select pg_typeof({})::text, {} is null from t").format(
                masked_expression("v", mask), masked_expression("v", mask)
            )
        ).fetchone()
        assert found == ("text", True)
        conn.execute("drop table t")

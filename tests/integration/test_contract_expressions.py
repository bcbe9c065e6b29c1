"""Canonical conditions mean in PostgreSQL what the written ones mean; reserved words are its."""

from __future__ import annotations

from psycopg import sql

from expression_texts import ACCEPTED
from tidegate.connection import Connection
from tidegate.contracts.identifiers import RESERVED, SYSTEM

ROWS = """
create temp table probe (
    a integer, b integer, t text, u timestamptz, d date, j jsonb, list text[], flag boolean,
    "A b" integer
);
insert into probe values
    (1, 2, 'x', '2021-01-01', '2021-01-01', '{"x": "y"}', '{x,y}', true, 2),
    (0, 0, 'it''s', '2019-01-01', '1980-01-01', '[1]', '{}', false, 3),
    (-3, null, '  ', null, null, null, null, null, null),
    (2, 2, 'AB', now(), '1990-06-01', '{}', '{z}', true, 0),
    (null, 1, null, '2020-01-01', '2020-01-01', '{"x": 1}', '{AB}', false, -2);
"""


def test_the_canonical_condition_selects_the_same_rows(conn: Connection) -> None:
    """dbt puts the written text into a constraint, the harness uses the printed one."""
    conn.execute(ROWS)
    statement = sql.SQL("select array_agg(({})::boolean order by ctid) from probe")
    for pair in ACCEPTED:
        results = [
            conn.execute(statement.format(sql.SQL(text))).fetchone()  # type: ignore[arg-type]
            for text in pair
        ]
        assert results[0] == results[1], pair


def test_reserved_words_are_those_of_the_server(conn: Connection) -> None:
    """A column of such a name needs quotes; `system_user` is reserved since 16."""
    rows = conn.execute("select word from pg_get_keywords() where catcode in ('R', 'T')")
    words = {str(word) for (word,) in rows}
    assert words <= RESERVED
    assert RESERVED - words <= {"system_user"}


def test_system_columns_are_those_of_the_server(conn: Connection) -> None:
    """No table can have another column of these names."""
    rows = conn.execute(
        "select attname from pg_attribute where attrelid = 'pg_class'::regclass and attnum < 0"
    )
    assert {str(name) for (name,) in rows} == SYSTEM

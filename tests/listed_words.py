"""The words that a check constraint lists for a column."""

from __future__ import annotations

import re

from tidegate.connection import Connection


def listed_words(conn: Connection, table: str, column: str) -> set[str]:
    """Those of the constraint on this one column; there has to be one."""
    row = conn.execute(
        "select pg_get_constraintdef(c.oid) from pg_constraint c"
        " join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]"
        " where c.conrelid = %s::regclass and c.contype = 'c' and a.attname = %s"
        " and pg_get_constraintdef(c.oid) ~ 'ANY'",
        [table, column],
    ).fetchone()
    assert row is not None
    return set(re.findall(r"'([a-z_]+)'", row[0]))

"""Field values may stand in the data and in quarantine, and nowhere else: look everywhere else.

Put `secret()` into what a test delivers or configures, run the product, and assert that `places`
finds it nowhere::

    value = secret()
    ...
    assert places(conn, [value], folders=[home], texts={"stdout": answer.out}) == []
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from psycopg import sql

from tidegate.connection import Connection

SCHEMAS = ("governance", "provenance", "masking")
ALLOWED = {
    "governance.quarantine.raw",
    "governance.enum_quarantine.source_value",
    "governance.gate_examples",
}
"""Where values of records belong (operator only): a column, or a whole table."""


def secret() -> str:
    """A value that nothing else holds; letters and digits, so that no quoting hides it."""
    return f"planted{uuid.uuid4().hex}"


def places(
    conn: Connection,
    secrets: Sequence[str],
    *,
    folders: Iterable[Path] = (),
    texts: Mapping[str, str] | None = None,
) -> list[str]:
    """Where any of the secrets stands: `schema.table.column`, a file, or the name of a text.

    Looks through every stored column of the ledger, the definitions and comments of every
    object, and every file below `folders` (leave out the stored deliveries themselves).
    """
    found = _columns(conn, secrets) + _definitions(conn, secrets)
    for folder in folders:
        for path in sorted(place for place in folder.rglob("*") if place.is_file()):
            content = path.read_bytes()
            if any(value.encode() in content for value in secrets):
                found.append(str(path.relative_to(folder)))
    for name, text in (texts or {}).items():
        if any(value in text for value in secrets):
            found.append(name)
    return found


def _columns(conn: Connection, secrets: Sequence[str]) -> list[str]:
    # A value can stand as text, inside JSON, or as bytes, which are shown in hexadecimal.
    patterns = [f"%{value}%" for value in secrets]
    patterns += [f"%{value.encode().hex()}%" for value in secrets]
    found = []
    columns = conn.execute(
        "select n.nspname, c.relname, a.attname from pg_attribute a"
        " join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace"
        " where n.nspname = any (%s) and c.relkind in ('r', 'p', 'm')"
        " and a.attnum > 0 and not a.attisdropped order by 1, 2, a.attnum",
        [list(SCHEMAS)],
    ).fetchall()
    for schema, table, column in columns:
        if {f"{schema}.{table}", f"{schema}.{table}.{column}"} & ALLOWED:
            continue
        row = conn.execute(
            sql.SQL("select exists (select from {} where {}::text like any (%s))").format(
                sql.Identifier(schema, table), sql.Identifier(column)
            ),
            [patterns],
        ).fetchone()
        if row and row[0]:
            found.append(f"{schema}.{table}.{column}")
    return found


_DEFINITIONS = """
select 'view ' || c.oid::regclass, pg_get_viewdef(c.oid) from pg_class c
where c.relkind in ('v', 'm')
union all
select 'function ' || p.oid::regprocedure, p.prosrc from pg_proc p where p.prosrc is not null
union all
select 'constraint ' || conname, pg_get_constraintdef(oid) from pg_constraint
union all
select 'default of ' || adrelid::regclass, pg_get_expr(adbin, adrelid) from pg_attrdef
union all
select 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid) from pg_index
union all
select 'comment on ' || pg_describe_object(classoid, objoid, objsubid), description
from pg_description
"""


def _definitions(conn: Connection, secrets: Sequence[str]) -> list[str]:
    rows = conn.execute(_DEFINITIONS).fetchall()
    return [name for name, text in rows if text and any(value in text for value in secrets)]

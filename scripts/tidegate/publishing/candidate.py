"""The candidate: cleared before a build, frozen and fingerprinted after it.

Nobody reads a candidate by name, so its tables may be altered freely until they are attached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from psycopg import errors as pg
from psycopg import sql

from tidegate.connection import Connection
from tidegate.errors import HeldBack
from tidegate.names import candidate_schema, provenance_model


@dataclass(frozen=True)
class Fingerprint:
    """Rows of a table and the sum of their hashes: equal contents, equal fingerprint, any order.

    `horizon` is the oldest transaction that still ran then: whatever is older writes no more.
    """

    row_count: int
    content_hash: int
    horizon: int = field(default=0, compare=False)


def relations(conn: Connection, schema: str) -> dict[str, str]:
    """Names of the relations of a schema and their `relkind` (r, p, v, m, f)."""
    rows = conn.execute(
        "select relname, relkind::text from pg_catalog.pg_class"
        " where relnamespace = to_regnamespace(quote_ident(%s))"
        " and relkind in ('r', 'p', 'v', 'm', 'f')",
        [schema],
    ).fetchall()
    return {row[0]: row[1] for row in rows}


def clear(conn: Connection, family: str) -> None:
    """Drop what an earlier build left in the candidate schema; never anything that depends on it.

    Raises HeldBack where somebody made an object that depends on a candidate table.
    """
    schema = candidate_schema(family)
    found = relations(conn, schema)
    statements = {"r": "drop table {}", "p": "drop table {}", "v": "drop view {}",
                  "m": "drop materialized view {}", "f": "drop foreign table {}"}  # fmt: skip
    for kind, template in statements.items():
        names = [sql.Identifier(schema, name) for name in sorted(found) if found[name] == kind]
        for start in range(0, len(names), 100):
            batch = sql.SQL(", ").join(names[start : start + 100])
            try:
                conn.execute(sql.SQL(template).format(batch))
            except pg.DependentObjectsStillExist:
                raise HeldBack(
                    f"Another object depends on a table in {schema}.",
                    remedy="Point it at the published views in query: candidates are rebuilt.",
                ) from None


def freeze(
    conn: Connection, family: str, generation: int, model: str, analysed: Collection[str] = ()
) -> None:
    """Give a table its generation, a constant column and a validated check, and statistics.

    The constant default rewrites nothing; the check, a statement of its own, lets the later attach
    skip its scan. Autovacuum stays off until the generation serves: a lock timeout below
    `deadlock_timeout` never gets past an autovacuum.
    """
    schema = candidate_schema(family)
    table = sql.Identifier(schema, model)
    number = sql.Literal(generation)
    statistics = "analyze {table} (_generation)" if model in analysed else "analyze {table}"
    with conn.transaction():
        if model == provenance_model(family):
            _index_receipts(conn, schema, model)
        for template in (*_FREEZE, statistics):
            conn.execute(sql.SQL(template).format(table=table, number=number))


def _index_receipts(conn: Connection, schema: str, model: str) -> None:
    """Let each gate read the receipts of its own model only, and of those an overlay has named.

    The receipts of a model stand together: without this each of them would be read for every
    model. It takes one scan and a few pages.
    """
    rows = conn.execute(
        "select attname from pg_catalog.pg_attribute"
        " where attrelid = to_regclass(format('%%I.%%I', %s::text, %s::text))"
        " and attname in ('model_name', 'curation_overlay_key') and atttypid = 'text'::regtype"
        " and attnum > 0 and not attisdropped order by attname desc",
        [schema, model],
    ).fetchall()
    columns = [sql.Identifier(row[0]) for row in rows]
    if columns:
        template = "create index on {} using brin ({}) with (pages_per_range = 32)"
        table = sql.Identifier(schema, model)
        conn.execute(sql.SQL(template).format(table, sql.SQL(", ").join(columns)))


_FREEZE = (
    "alter table {table} set (autovacuum_enabled = false)",
    "alter table {table} add column _generation integer not null default {number}",
    "alter table {table} add constraint _generation_is_constant check (_generation = {number})",
)
_FINGERPRINT = (
    "select count(*), coalesce(sum(hash_record_extended(row({}), 0)), 0),"
    " pg_snapshot_xmin(pg_current_snapshot())::text from {}"
)
# Types whose own hash tells any two values apart that text would; 1.0 and 1.00 are one numeric.
_HASHED_AS_THEY_ARE = frozenset(
    ("smallint", "integer", "bigint", "boolean", "date", "uuid", "timestamp without time zone",
     "timestamp with time zone")
)  # fmt: skip
_HASHED_BY_BYTES = frozenset(("text", "character varying"))


def fingerprint(conn: Connection, schema: str, model: str) -> Fingerprint:
    """Count and hash the rows of one table in one scan, on the connection's snapshot.

    `_generation` is left out: equal contents of two generations have equal fingerprints.
    """
    columns = conn.execute(
        "select attname, format_type(atttypid, null) from pg_catalog.pg_attribute"
        " where attrelid = to_regclass(format('%%I.%%I', %s::text, %s::text))"
        " and attnum > 0 and not attisdropped and attname <> '_generation' order by attname",
        [schema, model],
    ).fetchall()
    hashed = sql.SQL(", ").join(_hashed(sql.Identifier(name), kind) for name, kind in columns)
    row = conn.execute(
        sql.SQL(_FINGERPRINT).format(hashed, sql.Identifier(schema, model))
    ).fetchone()
    assert row is not None  # noqa: S101 (an aggregate returns a row)
    return Fingerprint(int(row[0]), int(row[1]), int(row[2]))


def _hashed(column: sql.Identifier, kind: str) -> sql.Composable:
    if kind in _HASHED_AS_THEY_ARE:
        return column
    if kind in _HASHED_BY_BYTES:
        return sql.SQL('{} collate "C"').format(column)
    return sql.SQL('{}::text collate "C"').format(column)


def fingerprint_again(conn: Connection, schema: str, model: str, mark: Fingerprint) -> Fingerprint:
    """The fingerprint now, given an earlier one: computed only where it could differ.

    If every row was written before the earlier one's horizon, and there are as many, no row can
    have been added, changed or removed since: its writers had ended, and a change leaves a row of
    a later transaction. That costs a scan without hashing; anything else is hashed again.
    """
    row = conn.execute(
        sql.SQL(
            "select count(*), count(*) filter (where age(xmin) <= age(%s::text::xid)) from {}"
        ).format(sql.Identifier(schema, model)),
        [mark.horizon % 2**32],
    ).fetchone()
    if mark.horizon and row == (mark.row_count, 0):
        return mark
    return fingerprint(conn, schema, model)


def content_sha256(parts: Sequence[tuple[str, str, Fingerprint]]) -> str:
    """One hash for a generation from (model, contract hash, fingerprint) of each of its tables."""
    digest = hashlib.sha256()
    for model, contract, mark in sorted(parts, key=lambda part: part[0]):
        line = f"{model}\t{contract}\t{mark.row_count}\t{mark.content_hash}\n"
        digest.update(line.encode())
    return digest.hexdigest()

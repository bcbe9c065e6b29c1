"""The candidate: cleared before a build, frozen and fingerprinted after it.

Nobody reads a candidate by name, so its tables may be altered freely until they are attached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg import sql

from tidegate.errors import HeldBack
from tidegate.names import candidate_schema

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class Fingerprint:
    """Rows of a table and the sum of their hashes: equal contents, equal fingerprint, any order."""

    row_count: int
    content_hash: int


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


def freeze(conn: Connection, family: str, generation: int, models: Iterable[str]) -> None:
    """Give every table its generation: a constant column and a validated check.

    The constant default rewrites nothing; the check, a statement of its own, lets the later attach
    skip its scan. Autovacuum stays off until the generation serves: a lock timeout below
    `deadlock_timeout` never gets past an autovacuum.
    """
    schema = candidate_schema(family)
    for model in models:
        table = sql.Identifier(schema, model)
        number = sql.Literal(generation)
        for template in (
            "alter table {table} set (autovacuum_enabled = false)",
            "alter table {table} add column _generation integer not null default {number}",
            "alter table {table} add constraint _generation_is_constant"
            " check (_generation = {number})",
            "analyze {table}",
        ):
            conn.execute(sql.SQL(template).format(table=table, number=number))


_FINGERPRINT = (
    "select count(*), coalesce(sum(hashtextextended(whole::text, 0)::numeric), 0) from {} as whole"
)


def fingerprint(conn: Connection, schema: str, model: str) -> Fingerprint:
    """Count and hash the rows of one table in one scan, on the connection's snapshot."""
    row = conn.execute(sql.SQL(_FINGERPRINT).format(sql.Identifier(schema, model))).fetchone()
    assert row is not None  # noqa: S101 (an aggregate returns a row)
    return Fingerprint(int(row[0]), int(row[1]))


def content_sha256(parts: Sequence[tuple[str, str, Fingerprint]]) -> str:
    """One hash for a generation from (model, contract hash, fingerprint) of each of its tables."""
    digest = hashlib.sha256()
    for model, contract, mark in sorted(parts, key=lambda part: part[0]):
        line = f"{model}\t{contract}\t{mark.row_count}\t{mark.content_hash}\n"
        digest.update(line.encode())
    return digest.hexdigest()

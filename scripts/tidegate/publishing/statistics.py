"""What the planner knows of serving parents.

A statement on a stable view is planned on the parent with its partitions pruned to one: rows are
counted on that partition, but the number of different values, which joins and groups are estimated
by, is the parent's. Neither a build nor autovacuum ever analyses a partitioned table, and without
statistics every column is taken to have 200 values: a join of a million rows was planned for two
thousand million.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from psycopg import sql

from tidegate.connection import Connection

_COPY = Path(__file__).parent / "sql" / "copy_statistics.sql"
_CAN_COPY = 180000
_UNKNOWN = """
select pg_class.relname
from pg_catalog.pg_class
where
    pg_class.relnamespace = to_regnamespace(quote_ident(%s))
    and pg_class.relname = any(%s)
    and exists (
        select
        from pg_catalog.pg_attribute
        where
            pg_attribute.attrelid = pg_class.oid
            and pg_attribute.attnum > 0
            and not pg_attribute.attisdropped
            and not exists (
                select
                from pg_catalog.pg_stats
                where
                    pg_stats.schemaname = %s
                    and pg_stats.tablename = pg_class.relname
                    and pg_stats.attname = pg_attribute.attname
                    and pg_stats.inherited
            )
    )
order by pg_class.relname
"""


def describe_parents(
    conn: Connection,
    source: str,
    models: Sequence[str],
    target: str,
    parents: Sequence[str],
) -> None:
    """Give the parents the statistics of the analysed tables just attached to them.

    PostgreSQL 18 can copy them. Before, a parent is analysed where it lacks any: with the first
    generation of its shape, which has the right shares, whatever the later ones hold.
    """
    if conn.info.server_version >= _CAN_COPY:
        values = {
            "source": source,
            "models": list(models),
            "target": target,
            "parents": list(parents),
        }
        conn.execute(_COPY.read_text(encoding="utf-8").encode(), values)
        return
    for (name,) in conn.execute(_UNKNOWN, [target, list(parents), target]).fetchall():
        conn.execute(sql.SQL("analyze {}").format(sql.Identifier(target, name)))

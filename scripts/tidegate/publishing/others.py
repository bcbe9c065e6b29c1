"""What belongs to somebody else and has a name that a family needs: found before anything is done.

A warehouse may have had schemas of these names before Tidegate came. Nothing in them is dropped,
replaced or served.
"""

from __future__ import annotations

from collections.abc import Collection

from tidegate.connection import Connection
from tidegate.errors import NOT_OURS, HeldBack
from tidegate.names import QUERY, candidate_schema, serving_schema
from tidegate.publishing.candidate import relations
from tidegate.publishing.promotion_views import UNITED, is_part

_MODEL = "q_"
"""How every model of a family starts, and so everything that dbt builds into its candidate."""


def refuse(conn: Connection, family: str, models: Collection[str]) -> None:
    """Raise HeldBack where a candidate, a serving parent or a view would meet such an object."""
    found = [
        *_in_candidate(conn, candidate_schema(family)),
        *_in_serving(conn, family, models),
        *_in_query(conn, family, models),
    ]
    if found:
        names = ", ".join(found[:10])
        raise HeldBack(
            f"{len(found)} objects with names that {family} needs are not Tidegate's: {names}.",
            remedy=NOT_OURS,
        )


def _in_candidate(conn: Connection, schema: str) -> list[str]:
    there = sorted(relations(conn, schema))
    return [f"{schema}.{name}" for name in there if not name.startswith(_MODEL)]


def _in_serving(conn: Connection, family: str, models: Collection[str]) -> list[str]:
    """A parent is called as its model, with `__s2` and so on where the shape changed."""
    schema = serving_schema(family)
    rows = conn.execute(
        "select relation from governance.serving_parents where family = %s", [family]
    ).fetchall()
    unknown = set(relations(conn, schema)) - {row[0] for row in rows}
    needed = {name for name in unknown if {name, name.rpartition("__s")[0]} & set(models)}
    return [f"{schema}.{name}" for name in sorted(needed)]


def _in_query(conn: Connection, family: str, models: Collection[str]) -> list[str]:
    parts = {name for name in models if is_part(family, name)}
    views = {*models, *(view for view in UNITED if f"{view}__{family}" in parts)} - parts
    rows = conn.execute("select model from governance.serving_views").fetchall()
    unknown = set(relations(conn, QUERY)) & views - {row[0] for row in rows}
    return [f"{QUERY}.{name}" for name in sorted(unknown)]

"""The relations gates read: what `resolve` names, as far as the database has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock

import psycopg

from tidegate.connection import Connection
from tidegate.gates.model import Related
from tidegate.macros import render

Resolve = Callable[[str], "tuple[str, str] | None"]
"""A model's name to the schema and name of the relation to judge; None where there is none."""


_LOOK = """
select
    pg_class.relkind::text,
    coalesce(array_agg(pg_attribute.attname::text), array[]::text[]),
    coalesce(
        array_agg(pg_attribute.attname::text) filter (where pg_type.typcategory = 'A'),
        array[]::text[]
    )
from pg_catalog.pg_namespace
inner join pg_catalog.pg_class on pg_class.relnamespace = pg_namespace.oid
left join pg_catalog.pg_attribute
    on pg_attribute.attrelid = pg_class.oid
    and pg_attribute.attnum > 0
    and not pg_attribute.attisdropped
left join pg_catalog.pg_type on pg_type.oid = pg_attribute.atttypid
where pg_namespace.nspname = %s and pg_class.relname = %s
group by pg_class.relkind
"""


def relation_sql(schema: str, name: str) -> str:
    """Schema and name, both quoted."""
    return f"{render('identifier', schema)}.{render('identifier', name)}"


@dataclass(frozen=True)
class Relation:
    """A relation that exists: its name, its columns, those of them that are arrays."""

    schema: str
    name: str
    kind: str
    columns: frozenset[str]
    arrays: frozenset[str] = frozenset()

    @property
    def sql(self) -> str:
        """Schema and name, both quoted."""
        return relation_sql(self.schema, self.name)

    @property
    def is_view(self) -> bool:
        """Whether PostgreSQL knows nothing of its nullability."""
        return self.kind in ("v", "m")


class Counts:
    """Row counts on one snapshot, by their SQL.

    Many checks look at the same rows: whoever comes first counts them, on whichever connection,
    and the others wait for the number instead of reading the relation again.
    """

    def __init__(self, together: Iterable[tuple[str, Sequence[str | None]]] = ()) -> None:
        """`together` are relations (SQL) and the conditions under which each will be counted.

        One scan counts them all.
        """
        self._known: dict[str, int] = {}
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)
        self._apart: set[str] = set()
        self._shared = {
            render("row_count", relation, where): (relation, tuple(wheres))
            for relation, wheres in together
            for where in wheres
        }

    def of(self, conn: Connection, scalar: str) -> int:
        """The number that `scalar`, a select of one count, gives; raises what the server raises."""
        shared = self._shared.get(scalar)
        with self._locks[shared[0] if shared else scalar]:
            if scalar not in self._known and shared and shared[0] not in self._apart:
                self._count_together(conn, *shared)
            if scalar not in self._known:
                row = conn.execute(scalar.encode()).fetchone()
                self._known[scalar] = int(row[0]) if row else 0
            return self._known[scalar]

    def _count_together(
        self, conn: Connection, relation: str, wheres: tuple[str | None, ...]
    ) -> None:
        """All counts of a relation; where one of its conditions fails, each is its own again."""
        statement = render("row_counts", relation, list(wheres))
        self._apart.add(relation)
        with suppress(psycopg.Error), conn.transaction():
            row = conn.execute(statement.encode()).fetchone()
            for where, count in zip(wheres, row or (), strict=True):
                self._known[render("row_count", relation, where)] = int(count)


@dataclass
class Relations:
    """Look relations up by model name, each once for one connection.

    `counts` may be shared by connections that see the same snapshot, and by no others.
    """

    conn: Connection
    resolve: Resolve
    counts: Counts = field(default_factory=Counts)
    known: dict[str, Relation | None] = field(default_factory=dict)

    def find(self, model: str) -> Relation | None:
        """The relation of a model, None where there is none."""
        if model not in self.known:
            self.known[model] = self._look(model)
        return self.known[model]

    def require(self, model: str) -> Relation:
        """The relation of a model; raise LookupError where there is none."""
        found = self.find(model)
        if found is None:
            raise LookupError(model)
        return found

    def find_named(self, name: str, known: Mapping[str, Related]) -> Relation | None:
        """What a contract names: a relation that dbt knows, or else a model that is judged."""
        return self.find_related(known[name]) if name in known else self.find(name)

    def find_related(self, related: Related) -> Relation | None:
        """A relation that dbt knows: of a family as it is judged, else where dbt built it."""
        if related.in_family:
            return self.find(related.name)
        return self.at(related.schema, related.relation)

    def at(self, schema: str, name: str) -> Relation | None:
        """The relation of this schema and name, None where there is none."""
        row = self.conn.execute(_LOOK, (schema, name)).fetchone()
        if row is None:
            return None
        kind, columns, arrays = row
        return Relation(schema, name, kind, frozenset(columns), frozenset(arrays))

    def count(self, scalar: str) -> int:
        """The number that a select of one count gives, each asked once a snapshot."""
        return self.counts.of(self.conn, scalar)

    def _look(self, model: str) -> Relation | None:
        name = self.resolve(model)
        return self.at(*name) if name else None

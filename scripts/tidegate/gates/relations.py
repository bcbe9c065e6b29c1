"""The relations gates read: what `resolve` names, as far as the database has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tidegate.gates.model import Related
from tidegate.macros import render

Resolve = Callable[[str], "tuple[str, str] | None"]
"""A model's name to the schema and name of the relation to judge; None where there is none."""

Connection = psycopg.Connection[tuple[Any, ...]]

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
        return f"{render('identifier', self.schema)}.{render('identifier', self.name)}"

    @property
    def is_view(self) -> bool:
        """Whether PostgreSQL knows nothing of its nullability."""
        return self.kind in ("v", "m")


@dataclass
class Relations:
    """Look relations up by model name, each once for one connection."""

    conn: Connection
    resolve: Resolve
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

    def _look(self, model: str) -> Relation | None:
        name = self.resolve(model)
        return self.at(*name) if name else None

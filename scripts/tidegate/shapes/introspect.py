"""What a live relation is: its kind and columns, read from `pg_catalog`.

`information_schema` cannot tell arrays, enums, domains and materialized views, and leaves out what
the role may not use; so it is only the counterpart here: a column that `pg_catalog` has and the
role may not read makes the result incomplete, which is never drift. View nullability is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

from psycopg.rows import dict_row

from tidegate.connection import Connection
from tidegate.contracts.types import PgType, parse_type
from tidegate.errors import UsageError
from tidegate.names import MAX_IDENTIFIER_BYTES
from tidegate.shapes.model import Field, Origin, Shape

_NOTHING = Shape((), Origin.LIVE)
_MASKED = PgType("text")


class RelationKind(str, Enum):
    """What a relation is; other kinds (sequences, indexes) hold no rows for readers."""

    TABLE = "table"
    PARTITIONED_TABLE = "partitioned table"
    VIEW = "view"
    MATERIALIZED_VIEW = "materialized view"
    FOREIGN_TABLE = "foreign table"


_KINDS = {
    "r": RelationKind.TABLE,
    "p": RelationKind.PARTITIONED_TABLE,
    "v": RelationKind.VIEW,
    "m": RelationKind.MATERIALIZED_VIEW,
    "f": RelationKind.FOREIGN_TABLE,
}
_ENFORCES_NOT_NULL = (RelationKind.TABLE, RelationKind.PARTITIONED_TABLE)
"""A foreign table only declares it; a view cannot even do that."""


@dataclass(frozen=True)
class LiveRelation:
    """One relation as it is. `kind` is None where there is none; `hidden` are the columns that the
    role may not read, by name; `partition` says that it is a part of a partitioned table."""

    schema: str
    name: str
    kind: RelationKind | None = None
    shape: Shape = _NOTHING
    hidden: tuple[str, ...] = ()
    partition: bool = False

    @property
    def qualified(self) -> str:
        """`schema.name`, for messages."""
        return f"{self.schema}.{self.name}"

    def backed_by(
        self, backing: Sequence[LiveRelation], masked: frozenset[str] = frozenset()
    ) -> LiveRelation:
        """This view with what only the tables behind it know: nullability, column by column.

        A column of `masked` is served as text; it has the type of the tables' column.
        """
        fields = tuple(
            _behind(
                field,
                [table.shape.by_name.get(field.name) for table in backing],
                field.name in masked,
            )
            for field in self.shape.fields
        )
        return replace(self, shape=Shape(fields, Origin.LIVE))


def _behind(field: Field, backing: Sequence[Field | None], masked: bool) -> Field:
    """Unknown unless each table has the column and all of them say the same."""
    known = [found for found in backing if found is not None]
    nullable = {found.nullable for found in known}
    agreed = nullable.pop() if len(nullable) == 1 and len(known) == len(backing) else None
    if masked and known and field.type == _MASKED:
        return replace(field, type=known[0].type, base=known[0].base, nullable=agreed)
    return replace(field, nullable=agreed)


def introspect(conn: Connection, schema: str, relation: str) -> LiveRelation:
    """Read one relation; one that does not exist has no kind. Raise UsageError for a long name."""
    return introspect_all(conn, schema, [relation])[relation]


def introspect_all(
    conn: Connection, schema: str, relations: Iterable[str]
) -> dict[str, LiveRelation]:
    """Read relations of one schema in two statements, by name, those that do not exist included."""
    wanted = list(relations)
    _check_length("schema", schema)
    for name in wanted:
        _check_length("relation", name)
    names = {"schema": schema, "relations": wanted}
    with conn.cursor(row_factory=dict_row) as cursor:
        found = cursor.execute(_statement("introspect_relations.sql"), names).fetchall()
        rows = cursor.execute(_statement("introspect_columns.sql"), names).fetchall()
    columns: dict[str, list[dict[str, Any]]] = {name: [] for name in wanted}
    for row in rows:
        columns[row["relation"]].append(row)
    live = {row["relation"]: _relation(schema, row, columns[row["relation"]]) for row in found}
    return {name: live.get(name, LiveRelation(schema, name)) for name in wanted}


def _relation(
    schema: str, found: dict[str, Any], columns: Sequence[dict[str, Any]]
) -> LiveRelation:
    kind = _KINDS[found["kind"]]
    fields = tuple(_field(row, kind in _ENFORCES_NOT_NULL) for row in columns)
    return LiveRelation(
        schema,
        found["relation"],
        kind,
        Shape(fields, Origin.LIVE),
        hidden=tuple(row["name"] for row in columns if not row["readable"]),
        partition=found["partition"],
    )


def list_relations(conn: Connection, schema: str) -> dict[str, RelationKind]:
    """The relations of a schema that hold rows, by name; of partitioned tables the parent only."""
    _check_length("schema", schema)
    rows = conn.execute(_statement("list_relations.sql"), {"schema": schema}).fetchall()
    return {str(name): _KINDS[kind] for name, kind in rows}


def view_sources(
    conn: Connection, schema: str, views: Iterable[str], source_schema: str
) -> dict[str, tuple[str, ...]]:
    """By view, the relations of `source_schema` that it selects from; other views are left out."""
    names = {"schema": schema, "views": list(views), "source_schema": source_schema}
    found: dict[str, tuple[str, ...]] = {}
    for view, source in conn.execute(_statement("view_sources.sql"), names).fetchall():
        found[view] = (*found.get(view, ()), source)
    return found


def _check_length(what: str, name: str) -> None:
    size = len(name.encode())
    if size > MAX_IDENTIFIER_BYTES:
        raise UsageError(
            f"The {what} name {name} has {size} bytes.",
            remedy=f"PostgreSQL cuts names at {MAX_IDENTIFIER_BYTES} bytes: shorten it.",
        )


def _field(row: dict[str, Any], enforced: bool) -> Field:
    nullable: bool | None = not row["required"]
    if not enforced or row["unchecked"]:
        nullable = None
    return Field(
        name=row["name"],
        type=_type(row),
        nullable=nullable,
        base=_base(row["base_text"]) if row["base_text"] else None,
        note=", ".join(_notes(row)),
    )


def _type(row: dict[str, Any]) -> PgType:
    """PostgreSQL's own types from their text; others from their names, which need no reading."""
    if row["is_builtin"]:
        return parse_type(row["type_text"])
    text = row["type_text"].removesuffix("[]")
    detail = text[text.rindex("(") + 1 : -1].lower() if text.endswith(")") else ""
    return PgType(
        row["type_name"],
        array=row["is_array"],
        schema=row["type_schema"],
        detail=detail,
        builtin=False,
    )


def _base(text: str) -> PgType:
    """The type under a domain; a name that only this session's search path knows stays a name."""
    try:
        return parse_type(text)
    except ValueError:
        return PgType(text, builtin=False)


def _notes(row: dict[str, Any]) -> list[str]:
    notes = []
    if row["identity"]:
        notes.append("identity always" if row["identity"] == "a" else "identity by default")
    if row["generated"]:
        notes.append("generated" if row["generated"] == "s" else "generated virtual")
    if row["collation"]:
        notes.append(f"collation {row['collation']}")
    return notes


@lru_cache
def _statement(file: str) -> bytes:
    return Path(__file__).with_name(file).read_bytes()

"""Serving parents and stable views: the statements, composed; decisions are in `shape`.

Nothing here is ever a dbt target: dbt drops whatever depends on what it rebuilds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from psycopg import sql
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.ledger.masking import masked_expression
from tidegate.names import QUERY, generation_schema, serving_schema
from tidegate.publishing.shape import (
    LiveView,
    Parent,
    ParentChange,
    ParentPlan,
    ServedColumn,
)


def read_parents(conn: Connection, family: str) -> dict[str, tuple[Parent, ...]]:
    """The serving parents of a family by model, oldest shape first."""
    rows = conn.execute(
        "select model, shape, relation, columns from governance.serving_parents"
        " where family = %s order by model, shape",
        [family],
    ).fetchall()
    parents: dict[str, tuple[Parent, ...]] = {}
    for model, shape, relation, columns in rows:
        entry = Parent(shape, relation, tuple((name, kind) for name, kind in columns))
        parents[model] = (*parents.get(model, ()), entry)
    return parents


def parents_of(conn: Connection, family: str, generation: int) -> list[str]:
    """The relations of the parents that the tables of a generation are attached to."""
    rows = conn.execute(
        "select parents.relation from governance.generation_models as models"
        " join governance.serving_parents as parents using (family, model, shape)"
        " where models.family = %s and models.generation = %s order by parents.relation",
        [family, generation],
    ).fetchall()
    return [row[0] for row in rows]


def apply_parent_plan(
    conn: Connection, family: str, model: str, plan: ParentPlan, generation: int
) -> None:
    """Create or extend the parent; columns there are nullable, each table keeps its own promise."""
    schema = serving_schema(family)
    relation = sql.Identifier(schema, plan.parent.relation)
    if plan.change is ParentChange.CREATE:
        columns = sql.SQL(", ").join(_column(name, kind) for name, kind in plan.parent.columns)
        conn.execute(
            sql.SQL("create table {} ({}, _generation integer not null)"
                    " partition by list (_generation)").format(relation, columns)
        )  # fmt: skip
        conn.execute(
            "insert into governance.serving_parents (family, model, shape, relation, columns,"
            " first_generation) values (%s, %s, %s, %s, %s, %s)",
            [family, model, plan.parent.shape, plan.parent.relation,
             Jsonb(plan.parent.columns), generation],
        )  # fmt: skip
    elif plan.change is ParentChange.EXTEND:
        for name, kind in plan.added:
            conn.execute(
                sql.SQL("alter table {} add column {}").format(relation, _column(name, kind))
            )
        conn.execute(
            "update governance.serving_parents set columns = %s"
            " where family = %s and model = %s and shape = %s",
            [Jsonb(plan.parent.columns), family, model, plan.parent.shape],
        )


def attach(conn: Connection, family: str, model: str, parent: Parent, generation: int) -> None:
    """Make a table of the generation a partition of its parent; no scan, no reader waits."""
    conn.execute(
        sql.SQL("alter table {} attach partition {} for values in ({})").format(
            sql.Identifier(serving_schema(family), parent.relation),
            sql.Identifier(generation_schema(family, generation), model),
            sql.Literal(generation),
        )
    )


def touch(conn: Connection, family: str, relations: Sequence[str]) -> None:
    """Tell cached plans: an invalidation of each parent, by a lock that readers do not feel."""
    for relation in sorted(relations):
        conn.execute(
            sql.SQL("alter table {} alter column _generation set statistics -1").format(
                sql.Identifier(serving_schema(family), relation)
            )
        )


def view_select(
    family: str, model: str, parent: Parent, columns: Sequence[ServedColumn], shapes: int
) -> sql.Composed:
    """What the stable view of a model selects: its contract's columns at the head's generation.

    A column that the parent does not have is null: a united view may be wider than one part of it.
    """
    there = {name for name, _ in parent.columns}
    head = sql.SQL("governance.head({})").format(sql.Literal(family))
    if shapes > 1:
        head = sql.SQL("governance.head_of({}, {}, {})").format(
            sql.Literal(family), sql.Literal(model), sql.Literal(parent.shape)
        )
    return sql.SQL("select {} from {} where _generation = {}").format(
        sql.SQL(", ").join(
            _served(column) if column.name in there else _absent(column) for column in columns
        ),
        sql.Identifier(serving_schema(family), parent.relation),
        head,
    )


def read_views(conn: Connection, family: str) -> dict[str, LiveView]:
    """The stable views of a family as Tidegate wrote them."""
    rows = conn.execute(
        "select model, columns, definition, shape from governance.serving_views where family = %s",
        [family],
    ).fetchall()
    return {
        model: LiveView(tuple((name, kind) for name, kind in columns), definition, shape)
        for model, columns, definition, shape in rows
    }


def record_view(
    conn: Connection,
    family: str,
    model: str,
    columns: Sequence[ServedColumn],
    definition: str,
    shape: int | None,
) -> None:
    """Remember a view as it was written."""
    conn.execute(
        "insert into governance.serving_views (family, model, columns, definition, shape)"
        " values (%s, %s, %s, %s, %s) on conflict (family, model) do update"
        " set columns = excluded.columns, definition = excluded.definition,"
        " shape = excluded.shape",
        [
            family,
            model,
            Jsonb([(column.name, column.served_type) for column in columns]),
            definition,
            shape,
        ],
    )


def create_view(conn: Connection, name: str, select: sql.Composable, *, replace: bool) -> None:
    """Create or replace a view in `query`; replacing restates its options, which it would lose."""
    template = "create or replace view {}{} as {}" if replace else "create view {}{} as {}"
    options = view_options(conn, name) if replace else {}
    clause: sql.Composable = sql.SQL("")
    if options:
        pairs = sql.SQL(", ").join(
            sql.SQL("{} = {}").format(sql.Identifier(key), sql.Literal(value))
            for key, value in options.items()
        )
        clause = sql.SQL(" with ({})").format(pairs)
    conn.execute(sql.SQL(template).format(sql.Identifier(QUERY, name), clause, select))


def view_options(conn: Connection, name: str) -> Mapping[str, str]:
    """The `with (...)` options of a view in `query`, such as `security_barrier`."""
    row = conn.execute(
        "select coalesce(array_agg(array[option_name, option_value]) filter (where option_name is"
        " not null), '{}') from pg_catalog.pg_class as class"
        " left join lateral pg_options_to_table(class.reloptions) on true"
        " where class.relnamespace = 'query'::regnamespace and class.relname = %s",
        [name],
    ).fetchone()
    return dict(row[0]) if row else {}


def _served(column: ServedColumn) -> sql.Composable:
    name = sql.Identifier(column.name)
    if column.mask is None:
        return name
    return sql.SQL("{} as {}").format(masked_expression(column.name, column.mask), name)


def _absent(column: ServedColumn) -> sql.Composed:
    return sql.SQL("null::{} as {}").format(
        sql.SQL(column.served_type), sql.Identifier(column.name)
    )


def _column(name: str, kind: str) -> sql.Composed:
    # `kind` is what format_type printed for a column of the candidate: the server's own words.
    return sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(kind))

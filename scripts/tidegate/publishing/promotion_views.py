"""What a promotion does to stable views: usually nothing, since only the head row moves.

A view is created at the first publication of its model, replaced when nullable columns are
appended, and rebuilt when the shape changes otherwise (design §6.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from tidegate.connection import Connection
from tidegate.contracts.keys import Mask
from tidegate.ledger.roles import Role
from tidegate.names import QUERY, catalog_model, provenance_model
from tidegate.publishing import serving, views
from tidegate.publishing.generation import BuiltFamily
from tidegate.publishing.shape import LiveView, Parent, ServedColumn, ViewChange, plan_view
from tidegate.warehouse import locks
from tidegate.warehouse.locks import OneWait

UNITED = ("q_catalog", "q_provenance")
"""Views that unite one table of each family, `<view>__<family>`."""
_EVERY_FAMILY = "*"


@dataclass(frozen=True)
class ServedModel:
    """What readers are to get of one model: columns, from which parent, and what it is."""

    name: str
    parent: Parent
    columns: tuple[ServedColumn, ...]
    description: str = ""


def is_part(family: str, model: str) -> bool:
    """Whether a table of a family is its part of a united view, and has no view of its own."""
    return model in (catalog_model(family), provenance_model(family))


def view_of(family: str, model: str) -> str:
    """The view in `query` that shows a model to readers; a part's is the united one."""
    return model.partition("__")[0] if is_part(family, model) else model


def change(conn: Connection, families: Sequence[BuiltFamily]) -> None:
    """Bring the views of these families, whose heads have moved, to what is served now.

    All of them or none: see `locks.retried_together`.
    """

    def work(wait: OneWait) -> None:
        for built in families:
            models = [
                ServedModel(t.contract.name, t.parent.parent, t.served, t.contract.description)
                for t in built.tables
            ]
            _apply_all(conn, wait, built.family, models, keep_wider=False)
        _unite(conn, wait)

    locks.retried_together(conn, work)


def change_back(conn: Connection, family: str, generation: int) -> None:
    """The same for a generation of the ledger to which the head was rolled back.

    A view that shows more (nullable) columns of the same parent stays: they are null.
    """
    rows = conn.execute(
        "select models.model, parents.shape, parents.relation, parents.columns, models.served"
        " from governance.generation_models as models"
        " join governance.serving_parents as parents using (family, model, shape)"
        " where models.family = %s and models.generation = %s",
        [family, generation],
    ).fetchall()
    models = [
        ServedModel(name, _parent(shape, relation, columns), _columns(served))
        for name, shape, relation, columns, served in rows
    ]

    def work(wait: OneWait) -> None:
        _apply_all(conn, wait, family, models, keep_wider=True)
        _unite(conn, wait)

    locks.retried_together(conn, work)


def _apply_all(
    conn: Connection,
    wait: OneWait,
    family: str,
    models: Sequence[ServedModel],
    *,
    keep_wider: bool,
) -> None:
    live = serving.read_views(conn, family)
    parents = serving.read_parents(conn, family)
    for model in sorted(models, key=lambda entry: entry.name):
        if is_part(family, model.name):
            continue
        view = live.get(model.name)
        if keep_wider and view is not None and _shows_more(view, model):
            continue
        _apply_one(conn, wait, family, model, view, len(parents[model.name]))
    _remove_views(conn, wait, family, live, {model.name for model in models})


def _shows_more(live: LiveView, model: ServedModel) -> bool:
    """Whether the view reads this model's parent already and shows all its columns as they are."""
    wanted = {(column.name, column.served_type) for column in model.columns}
    masked = any(column.mask for column in model.columns)
    return live.shape == model.parent.shape and wanted < set(live.columns) and not masked


def _apply_one(
    conn: Connection,
    wait: OneWait,
    family: str,
    model: ServedModel,
    live: LiveView | None,
    shapes: int,
) -> None:
    name = model.name
    select = serving.view_select(family, name, model.parent, model.columns, shapes)
    definition = select.as_string(conn)
    change = plan_view(live, model.columns, definition)
    if change is ViewChange.KEEP:
        return
    wait.goes_on(QUERY, name)
    _change(conn, name, change, select, model.columns, model.description)
    serving.record_view(conn, family, name, model.columns, definition, model.parent.shape)


def _change(
    conn: Connection,
    name: str,
    change: ViewChange,
    select: sql.Composed,
    served: tuple[ServedColumn, ...],
    description: str,
) -> None:
    columns = frozenset(column.name for column in served)
    if change is ViewChange.REBUILD:
        views.rebuild(conn, name, select, columns)
        return
    serving.create_view(conn, name, select, replace=change is ViewChange.REPLACE)
    if change is ViewChange.CREATE:
        # Default privileges may have added grants that no contract names.
        reader = views.Grant(Role.READER.value, "SELECT", grantable=False, column=None)
        views.set_grants(conn, name, frozenset({reader}))
        comments = {column.name: column.description for column in served if column.description}
        views.set_comments(conn, name, description or None, comments)


def _remove_views(
    conn: Connection, wait: OneWait, family: str, live: Mapping[str, LiveView], kept: set[str]
) -> None:
    """Drop views of models that the family no longer has; never what depends on them."""
    for name in sorted(set(live) - kept):
        views.refuse_dependents(conn, name)
        wait.goes_on(QUERY, name)
        conn.execute(sql.SQL("drop view {}").format(sql.Identifier(QUERY, name)))
        conn.execute(
            "delete from governance.serving_views where family = %s and model = %s",
            [family, name],
        )


def _unite(conn: Connection, wait: OneWait) -> None:
    """Keep `query.q_catalog` and `query.q_provenance` over the parts of every published family.

    The view has the columns of the widest part: a family that was published before a column was
    added has null there.
    """
    for view in UNITED:
        rows = conn.execute(
            "select models.family, models.served, parents.shape, parents.relation, parents.columns,"
            " (select count(*) from governance.serving_parents as every"
            " where every.family = models.family and every.model = models.model)"
            " from governance.serving_heads as heads"
            " join governance.generation_models as models using (family, generation)"
            " join governance.serving_parents as parents using (family, model, shape)"
            " where models.model = %s || '__' || models.family order by models.family",
            [view],
        ).fetchall()
        if rows:
            _unite_one(conn, wait, view, rows)


def _unite_one(conn: Connection, wait: OneWait, view: str, rows: list[tuple[Any, ...]]) -> None:
    served = max((_columns(row[1]) for row in rows), key=len)
    selects = [
        serving.view_select(
            family, f"{view}__{family}", _parent(shape, relation, columns), served, shapes
        )
        for family, _, shape, relation, columns, shapes in rows
    ]
    select = sql.SQL(" union all ").join(selects)
    definition = select.as_string(conn)
    live = serving.read_views(conn, _EVERY_FAMILY).get(view)
    change = plan_view(live, served, definition)
    if change is ViewChange.KEEP:
        return
    wait.goes_on(QUERY, view)
    _change(conn, view, change, select, served, "")
    serving.record_view(conn, _EVERY_FAMILY, view, served, definition, None)


def _parent(shape: int, relation: str, columns: Sequence[Sequence[str]]) -> Parent:
    return Parent(shape, relation, tuple((name, kind) for name, kind in columns))


def _columns(served: Sequence[Mapping[str, Any]]) -> tuple[ServedColumn, ...]:
    return tuple(
        ServedColumn(
            column["name"],
            column["type"],
            Mask(column["mask"]) if column["mask"] else None,
            column["description"],
        )
        for column in served
    )

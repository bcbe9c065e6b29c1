"""Contracts against the warehouse: what was built, else what readers are served."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from psycopg.errors import InsufficientPrivilege

from tidegate.connection import Connection
from tidegate.contracts.model import ModelContract
from tidegate.ledger.generations import served_generation
from tidegate.names import (
    QUERY,
    candidate_schema,
    catalog_model,
    generation_schema,
    provenance_model,
    serving_schema,
)
from tidegate.reporting.diff import DiffReport, SubjectDiff
from tidegate.reporting.diff_older import overrides
from tidegate.shapes.introspect import LiveRelation, RelationKind, introspect_all, view_sources
from tidegate.shapes.mismatches import diff_relation


class Side(str, Enum):
    """Which live relations a diff looks at."""

    CANDIDATE = "candidate"
    SERVING = "serving"
    PRESENT = "candidate, else serving"


def diff_live(conn: Connection, models: Iterable[ModelContract], side: Side) -> DiffReport:
    """Each model's contract against what is in the warehouse now."""
    models = list(models)
    by_family: dict[str, list[ModelContract]] = {}
    for model in models:
        by_family.setdefault(model.family, []).append(model)
    live: dict[str, LiveRelation] = {}
    for family, members in by_family.items():
        live |= _live(conn, family, members, side)
    subjects = []
    for model in models:
        found = live[model.name]
        mismatches = diff_relation(model, found, overrides(model))
        subjects.append(SubjectDiff(model.name, "model", found.qualified, mismatches))
    return DiffReport(tuple(subjects))


def _live(
    conn: Connection, family: str, models: Sequence[ModelContract], side: Side
) -> dict[str, LiveRelation]:
    names = [model.name for model in models]
    candidates: dict[str, LiveRelation] = {}
    if side is not Side.SERVING:
        candidates = introspect_all(conn, candidate_schema(family), names)
        if side is Side.CANDIDATE:
            return candidates
    views = _served(conn, family, models)
    return {
        name: candidates[name] if name in candidates and candidates[name].kind else views[name]
        for name in names
    }


def _served(
    conn: Connection, family: str, models: Sequence[ModelContract]
) -> dict[str, LiveRelation]:
    """What readers query of each model, completed by the tables behind the views.

    Columns of a partitioned serving parent are nullable, so that each generation keeps the promise
    of its own contract: the table of the served generation tells.
    """
    shown = {model.name: served_as(family, model.name) for model in models}
    views = introspect_all(conn, QUERY, shown.values())
    sources = view_sources(conn, QUERY, shown.values(), serving_schema(family))
    parents = introspect_all(
        conn, serving_schema(family), [name for names in sources.values() for name in names]
    )
    tables = _served_tables(conn, family, shown)
    found = {}
    for model in models:
        view = shown[model.name]
        masked = frozenset(column.name for column in model.columns if column.keys.mask)
        behind = [parents[name] for name in sources.get(view, ())]
        if any(parent.kind is RelationKind.PARTITIONED_TABLE for parent in behind):
            behind = [tables[model.name]] if model.name in tables else []
        found[model.name] = views[view].backed_by(behind, masked)
    return found


def _served_tables(conn: Connection, family: str, names: Iterable[str]) -> dict[str, LiveRelation]:
    """The tables of the served generation; none where the role may not know which that is."""
    try:
        with conn.transaction():
            served = served_generation(conn, family)
    except InsufficientPrivilege:
        return {}
    if served is None:
        return {}
    found = introspect_all(conn, generation_schema(family, served), names)
    return {name: table for name, table in found.items() if table.kind is not None}


def served_as(family: str, model: str) -> str:
    """The view that shows a model; a family's part of the catalogue is served with all others."""
    return {
        catalog_model(family): "q_catalog",
        provenance_model(family): "q_provenance",
    }.get(model, model)

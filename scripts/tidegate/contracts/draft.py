"""The text of a first contract for a relation that exists already, or a file that was delivered.

It holds what they tell (columns, types, not null, comments, key, format) and leaves empty what
only people know, so that `tidegate contract check` names exactly what is still to be written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tidegate.contracts.identifiers import column_problem
from tidegate.contracts.types import PgType
from tidegate.contracts.yamlfile import holds_jinja
from tidegate.contracts.yamltext import written

_GATES = ("schema_contract", "referential_integrity", "provenance_coverage")
HEADER = "# yaml-language-server: $schema=../tidegate.schema.json\n"


@dataclass(frozen=True)
class DraftColumn:
    """One column as the database or a file has it; `comment` is "" where nobody wrote one.

    `keys` are those of a dataset's column that a file told: `header` or `path`, `parse`, and more.
    """

    name: str
    type: PgType
    nullable: bool
    comment: str
    keys: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DraftRelation:
    """A relation as the database or a file has it; `key` is empty where nothing tells one.

    `format` and `match` are what a file told of itself, and are empty for the database's.
    """

    name: str
    comment: str
    columns: Sequence[DraftColumn]
    key: tuple[str, ...]
    format: Mapping[str, Any] = field(default_factory=dict)
    match: str = ""


def unfit_columns(relation: DraftRelation) -> dict[str, str]:
    """Columns whose names no contract can carry, and why."""
    found = {it.name: column_problem(it.name, quoted=True) for it in relation.columns}
    return {name: problem[0] for name, problem in found.items() if problem}


def model_name(relation: str) -> str:
    """The model's name: the relation's, in lower case, with `q_` before it."""
    plain = plain_name(relation)
    return plain if plain.startswith("q_") else f"q_{plain}"


def model_text(relation: DraftRelation, family: str, prefix: str = "") -> str:
    """A model's contract file; `prefix` stands before the names of the gates.

    A project that installs Tidegate, and so has a prefix, need not have receipts: they are asked
    for where somebody says so. Nor does it say elsewhere that models are tables.
    """
    grain = f"one row per {', '.join(relation.key)}" if relation.key else ""
    model = {
        "name": model_name(relation.name),
        "description": _description(relation.comment),
        "config": {
            "contract": {"enforced": True},
            **({"materialized": "table"} if prefix else {}),
            "meta": {
                "tidegate": {
                    "family": family,
                    "version": "1",
                    "owner": "",
                    "grain": grain,
                    "row_key": list(relation.key),
                    "provenance": {"policy": "none" if prefix else "row_required"},
                }
            },
        },
        "columns": [_model_column(column, relation.key) for column in relation.columns],
        "data_tests": [f"{prefix}{gate}" for gate in (_GATES[:1] if prefix else _GATES)],
    }
    return _text({"version": 2, "models": [model]})


def dataset_text(relation: DraftRelation, source: str) -> str:
    """A dataset's contract file: snapshots, until somebody says otherwise."""
    name = plain_name(relation.name)
    match = relation.match or f"{source}/{name}*.csv"
    delivery: dict[str, Any] = {"kind": "snapshot", "match": [match]}
    if relation.key:
        delivery["key"] = list(relation.key)
    form = dict(relation.format) or {"type": "csv"}
    keys = {"version": "1", "owner": "", "delivery": delivery, "format": form}
    table = {
        "name": name,
        "description": _description(relation.comment),
        "loaded_at_field": "_received_at",
        "config": {"meta": {"tidegate": keys}},
        "columns": [_dataset_column(column, relation.key) for column in relation.columns],
    }
    return _text(
        {"version": 2, "sources": [{"name": source, "schema": "landing", "tables": [table]}]}
    )


def _model_column(column: DraftColumn, key: tuple[str, ...]) -> dict[str, Any]:
    entry = _column(column, column.type.sql)
    if not column.nullable or column.name in key:
        entry["constraints"] = [{"type": "not_null"}]
    return entry


def _dataset_column(column: DraftColumn, key: tuple[str, ...]) -> dict[str, Any]:
    # A type of somebody's own arrives as text: what a file holds is not yet one of its values.
    entry = _column(column, column.type.sql if column.type.builtin else "text")
    needed = {"required": True} if column.name in key or not column.nullable else {}
    if needed or column.keys:
        entry["config"] = {"meta": {"tidegate": {**needed, **column.keys}}}
    return entry


def _column(column: DraftColumn, data_type: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": column.name}
    if column_problem(column.name, quoted=False):
        entry["quote"] = True
    entry["data_type"] = data_type
    entry["description"] = _description(column.comment)
    return entry


def _description(comment: str) -> str:
    """The comment, or nothing where it holds what dbt would run or YAML cannot."""
    return "" if holds_jinja(comment) else comment


def plain_name(name: str) -> str:
    """A name in lower-case letters, digits and underscores."""
    return re.sub(r"[^a-z0-9_]+", "_", name.lower()).strip("_")


def _text(document: dict[str, Any]) -> str:
    return HEADER + written(document)

"""What tests of rules share: the seed's policy, a table, and judging with its evidence checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from tidegate.connection import Connection
from tidegate.rules import evaluation
from tidegate.rules.evaluation import evaluate
from tidegate.rules.load import load_policy
from tidegate.rules.relation import Relation
from tidegate.rules.validation import Validation

SEED = {
    "version": "monthly-import-v1",
    "rules": [
        {"id": "non-empty", "type": "row_count", "minimum": 1},
        {"id": "columns", "type": "required_fields", "fields": ["id", "status"]},
        {
            "id": "id-shape",
            "type": "field",
            "field": "id",
            "data_type": "integer",
            "nullable": False,
        },
        {"id": "id-present", "type": "not_null", "fields": ["id"]},
        {"id": "id-unique", "type": "unique", "fields": ["id"]},
        {"id": "amount-range", "type": "range", "field": "amount", "minimum": 0},
        {
            "id": "known-status",
            "type": "referential",
            "field": "status",
            "allowed_values": ["new", "closed"],
        },
    ],
    "schema_policy": {"field_added_required": "warning", "field_removed": "breaking"},
}


def table(conn: Connection, columns: str, *rows: str) -> Relation:
    """A table `public.t` with a row number `n` that counts the rows given."""
    conn.execute(f"create table public.t (n bigint, {columns})")
    for number, row in enumerate(rows, 1):
        conn.execute(f"insert into public.t values ({number}, {row})")
    return Relation("public", "t")


SCHEMA = json.loads((Path(evaluation.__file__).parent / "evidence.schema.json").read_text())


def judged(
    conn: Connection, relation: Relation, *given: dict[str, Any], **options: Any
) -> Validation:
    """Judge rules, which get an id where they have none; the evidence keeps its JSON Schema."""
    named = [{"id": f"r{index}", **rule} for index, rule in enumerate(given)]
    options = {"row_number": "n", **options}
    validation = evaluate(conn, load_policy({"version": "1", "rules": named}), relation, **options)
    jsonschema.validate(validation.document(), SCHEMA)
    return validation


def told(validation: Validation) -> list[tuple[Any, ...]]:
    """Id, status, violating rows and row numbers of each rule."""
    return [
        (found.id, found.status.value, found.violating_rows, found.row_numbers)
        for found in validation.outcomes
    ]

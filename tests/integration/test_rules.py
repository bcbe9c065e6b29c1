"""The seven rules, each failing and passing, on every kind of column where it makes sense."""

from __future__ import annotations

from typing import Any

import psycopg

from tidegate.rules import Relation, Validation, Verdict, evaluate, load_policy

Connection = psycopg.Connection[tuple[Any, ...]]
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


def told(validation: Validation) -> list[tuple[Any, ...]]:
    """Id, status, violating rows and row numbers of each rule."""
    return [
        (found.id, found.status.value, found.violating_rows, found.row_numbers)
        for found in validation.outcomes
    ]


def test_the_seed_s_policy_passes_unchanged(conn: Connection) -> None:
    """The policy of the seed, as it stands there, passes on rows that keep it."""
    relation = table(
        conn, "id integer, status text, amount numeric", "1, 'new', 0", "2, 'closed', 5"
    )
    validation = evaluate(conn, load_policy(SEED), relation, row_number="n")
    assert told(validation) == [
        ("non-empty", "passed", None, None),
        ("columns", "passed", None, None),
        ("id-shape", "passed", 0, None),
        ("id-present", "passed", 0, None),
        ("id-unique", "passed", 0, None),
        ("amount-range", "passed", 0, None),
        ("known-status", "passed", 0, None),
    ]
    assert validation.verdict is Verdict.PASSED
    assert validation.row_count == 2


def test_the_seed_s_policy_fails_rule_by_rule(conn: Connection) -> None:
    """Each rule about rows in the seed's policy fails with its count and its row numbers."""
    relation = table(
        conn,
        "id integer, status text, amount numeric",
        "1, 'new', 0",
        "1, 'old', 5",
        "null, null, -1",
        "3, 'new', 'NaN'",
        "4, 'new', null",
    )
    validation = evaluate(conn, load_policy(SEED), relation, row_number="n")
    assert told(validation) == [
        ("non-empty", "passed", None, None),
        ("columns", "passed", None, None),
        ("id-shape", "failed", 1, (3,)),
        ("id-present", "failed", 1, (3,)),
        ("id-unique", "failed", 2, (1, 2)),
        ("amount-range", "failed", 3, (3, 4, 5)),
        ("known-status", "failed", 2, (2, 3)),
    ]
    assert validation.verdict is Verdict.FAILED
    by_id = {found.id: found for found in validation.outcomes}
    assert (by_id["amount-range"].null_rows, by_id["amount-range"].non_finite_rows) == (1, 1)
    assert (by_id["known-status"].null_rows, by_id["known-status"].distinct) == (1, 1)
    assert by_id["id-unique"].groups == 1

"""Helpers of the semantic gates' tests: rows as a table, the verdict by row, surviving mutants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
import sqlglot
from psycopg import sql

from integration.gating import SCHEMA, in_schema, model, spec
from integration.mutants import mutants
from tidegate.connection import Connection
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import GateSpec, Model
from tidegate.gates.registry import GATES
from tidegate.gates.relations import Relations
from tidegate.gates.result import GateResult


def table(
    conn: Connection,
    name: str,
    columns: str,
    rows: Sequence[Sequence[Any]],
    *,
    row_key: Sequence[str] = ("k",),
    public: bool = True,
    **keys: Any,
) -> Model:
    """A table of the generation with these rows (a short row ends in nulls), and its contract."""
    contract = model(name, columns, row_key=list(row_key), public=public, **keys)
    relation = sql.Identifier(SCHEMA, name)
    conn.execute(sql.SQL("create schema if not exists {}").format(sql.Identifier(SCHEMA)))
    conn.execute(sql.SQL("drop table if exists {}").format(relation))
    described = sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(column.name), sql.SQL(column.data_type))
        for column in contract.columns
    )
    conn.execute(sql.SQL("create table {} ({})").format(relation, described))
    width = len(contract.columns)
    insert = sql.SQL("insert into {} values ({})").format(
        relation, sql.SQL(", ").join(sql.Placeholder() * width)
    )
    with conn.cursor() as cursor:
        cursor.executemany(insert, [(*row, *[None] * (width - len(row))) for row in rows])
    return contract


def judge(
    conn: Connection,
    gate_id: str,
    judged: Model,
    *others: Model,
    missing: Sequence[str] = (),
    **options: Any,
) -> GateResult:
    """The verdict of the gate on the rows of `judged`; `options` are those of a GateSpec."""
    return evaluate(conn, spec(gate_id, judged, *others, **options), in_schema(*missing))


def by_row(result: GateResult) -> dict[str | None, set[str]]:
    """Reasons by row, those that only warn with a leading `~`."""
    found: dict[str | None, set[str]] = {}
    for sample in result.samples:
        mark = "" if sample.level.value == "block" else "~"
        found.setdefault(sample.row_key, set()).add(mark + sample.reason)
    return found


Branches = Sequence[tuple[tuple[Any, ...], set[str]]]
"""Rows that one branch of a condition tells apart from others, each with what is said of it."""


def rejected(branches: Branches) -> dict[str | None, set[str]]:
    """What `by_row` has to be for these rows: nothing of those that pass."""
    return {row[0]: reasons for row, reasons in branches if reasons}


def alone(branches: Branches) -> list[tuple[Any, ...]]:
    """The rows without what is said of them."""
    return [row for row, _ in branches]


def about(result: GateResult, row_key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Metadata and kept values of the first sample of a row."""
    sample = next(sample for sample in result.samples if sample.row_key == row_key)
    return dict(sample.metadata), dict(sample.values)


def survivors(
    conn: Connection,
    checked: GateSpec,
    apart: str = "",
    equal: Sequence[str] = (),
    only: Sequence[str] = ("",),
) -> list[str]:
    """The mutants that this fixture does not notice; none is what a test wants.

    `apart`: how the names of the common tables begin that other tests prove; `equal`: how the
    descriptions of mutants begin that say the same in other words, for a reason that a test tells;
    `only`: how those of the mutants begin that are tried.
    """
    relations = Relations(conn, in_schema())
    original = GATES[checked.gate_id].call(checked, relations).violations
    expected = _answer(conn, original)
    tree = sqlglot.parse_one(original, dialect="postgres")
    assert _answer(conn, tree.sql("postgres")) == expected, "the parser changed the gate"
    return [
        text
        for text, mutant in mutants(tree, apart)
        if text.startswith(tuple(only))
        and not text.startswith(tuple(equal))
        and _answer(conn, mutant) == expected
    ]


def _answer(conn: Connection, statement: str) -> list[tuple[Any, ...]] | str:
    """Which rows for which reason; an error is an answer too."""
    try:
        with conn.transaction():
            rows = conn.execute(statement.encode()).fetchall()
    except psycopg.Error as error:
        return str(error.sqlstate)
    return sorted({(row[0] or "", row[1], row[2]) for row in rows})

"""Helpers of the semantic gates' tests: rows as a table, the verdict by row, and mutants.

A mutant is the gate's own SQL with one condition emptied or negated. A fixture that judges a
mutant like the gate itself would not notice if the condition were wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
import sqlglot
from psycopg import sql
from sqlglot import exp

from integration.gating import SCHEMA, in_schema, model, spec
from tidegate.gates import GATES, GateResult, GateSpec, Model, evaluate
from tidegate.gates.relations import Relations

Connection = psycopg.Connection[tuple[Any, ...]]


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


def about(result: GateResult, row_key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Metadata and kept values of the first sample of a row."""
    sample = next(sample for sample in result.samples if sample.row_key == row_key)
    return dict(sample.metadata), dict(sample.values)


def survivors(conn: Connection, checked: GateSpec) -> list[str]:
    """The mutated conditions that this fixture does not notice; none is what a test wants."""
    relations = Relations(conn, in_schema())
    original = GATES[checked.gate_id].call(checked, relations).violations
    expected = _answer(conn, original)
    tree = sqlglot.parse_one(original, dialect="postgres")
    assert _answer(conn, tree.sql("postgres")) == expected, "the parser changed the gate"
    return [text for text, mutant in _mutants(tree) if _answer(conn, mutant) == expected]


def _answer(conn: Connection, statement: str) -> list[tuple[Any, ...]] | str:
    """Which rows for which reason; an error is an answer too."""
    try:
        with conn.transaction():
            rows = conn.execute(statement.encode()).fetchall()
    except psycopg.Error as error:
        return str(error.sqlstate)
    return sorted({(row[0] or "", row[1], row[2]) for row in rows})


def _mutants(tree: exp.Expression) -> Iterator[tuple[str, str]]:
    conditions = list(_conditions(tree))
    for number, condition in enumerate(conditions):
        for name, make in (("emptied", _false), ("negated", _negated)):
            copy = tree.copy()
            target = list(_conditions(copy))[number]
            target.replace(make(target.copy()))
            yield f"{name}: {condition.sql('postgres')}", copy.sql("postgres")


def _conditions(tree: exp.Expression) -> Iterator[exp.Expression]:
    """First members of `(condition, 'block', 'reason')`."""
    for found in tree.find_all(exp.Tuple):
        if len(found.expressions) == 3 and found.expressions[1].name in ("block", "warn"):
            yield found.expressions[0]


def _false(_: exp.Expression) -> exp.Expression:
    return exp.false()


def _negated(condition: exp.Expression) -> exp.Expression:
    return exp.not_(exp.func("coalesce", condition, exp.false()))

"""Run the statements of a policy: one for all rules, and one by one where that fails.

A rule that PostgreSQL refuses must not hide the others (case D21): every statement runs inside a
savepoint, and when the statement of many fails, each rule gets one of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tidegate.connection import Connection
from tidegate.rules.model import Rule

BATCH = 400
"""Rules in one statement: PostgreSQL's select list ends at 1,664 columns."""

# A time limit would be waited for once a rule, and a dead transaction answers nothing.
_FINAL = (psycopg.errors.QueryCanceled, psycopg.errors.InFailedSqlTransaction)


@dataclass(frozen=True)
class Refusal:
    """A statement that the server refused: the condition, never its text.

    `final`: asking again with fewer rules would only be refused again.
    """

    condition: str
    final: bool = False


@dataclass
class Measured:
    """Counts by rule id, or why there are none; `row_count` is None where it is not known."""

    row_count: int | None = None
    counts: dict[str, Mapping[str, Any] | Refusal] = field(default_factory=dict)


Build = Callable[[Sequence[Rule]], str]


def measure(conn: Connection, rules: Sequence[Rule], build: Build) -> Measured:
    """Run `build(rules)`, whose first column counts rows and whose others are a rule's counts."""
    result = Measured()
    for start in range(0, max(len(rules), 1), BATCH):
        _measure(conn, rules[start : start + BATCH], build, result)
    return result


def _measure(conn: Connection, rules: Sequence[Rule], build: Build, result: Measured) -> None:
    row = fetch(conn, build(rules))
    if isinstance(row, Refusal):
        if row.final or len(rules) == 1:
            result.counts.update(dict.fromkeys((rule.id for rule in rules), row))
        else:
            for rule in rules:
                _measure(conn, [rule], build, result)
        return
    result.row_count = row[0]
    for rule, counts in zip(rules, row[1:], strict=True):
        # A statement that returned nothing for a rule is no measurement (case D11).
        result.counts[rule.id] = counts or {}


def fetch(conn: Connection, query: str) -> tuple[Any, ...] | Refusal:
    """The one row of a query, or the server's refusal; a lost connection is raised."""
    try:
        with conn.transaction():
            row = conn.execute(query.encode()).fetchone()
    except psycopg.Error as error:
        if conn.closed:
            raise
        condition = f"{type(error).__name__} [{error.sqlstate or 'no SQLSTATE'}]"
        return Refusal(condition, isinstance(error, _FINAL))
    return row if row is not None else Refusal("no row")

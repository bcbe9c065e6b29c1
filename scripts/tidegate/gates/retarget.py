"""Point SQL that dbt compiled for the candidate at other relations, exactly and by syntax tree.

sqlglot finds the names; only their characters are replaced, so that everything else stays as dbt
compiled it. What cannot be understood is refused, never run half-changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tidegate.macros import render

Rename = Callable[[str, str], "tuple[str, str] | None"]
"""Schema and name of a relation to those it is to be read from; None leaves it alone."""

_WRITES = (
    exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter, exp.Command,
    exp.Into, exp.Copy, exp.TruncateTable, exp.Set,
)  # fmt: skip


class Unreadable(ValueError):
    """SQL that is not one query that can be retargeted; the message holds none of it."""


def one_query(sql: str) -> exp.Query:
    """Parse one reading query; raise Unreadable for anything else."""
    try:
        statements = [part for part in sqlglot.parse(sql, dialect="postgres") if part is not None]
    except (SqlglotError, RecursionError):
        raise Unreadable("the SQL of the test cannot be parsed") from None
    if len(statements) != 1:
        raise Unreadable(f"the SQL of the test is {len(statements)} statements, not one")
    (tree,) = statements
    if not isinstance(tree, exp.Query) or next(tree.find_all(*_WRITES), None) is not None:
        raise Unreadable("the SQL of the test is not a query that only reads")
    return tree


def retarget(sql: str, from_schema: str, to_schema: str) -> str:
    """Read everything that `sql` reads from one schema from another; raise Unreadable."""
    renamed = retarget_relations(
        sql, lambda schema, name: (to_schema, name) if schema == from_schema else None
    )
    refuse_mentions(renamed, from_schema)
    return renamed


def retarget_relations(sql: str, rename: Rename) -> str:
    """Replace relations by `rename`, wherever a query names them with their schema.

    Names of common table expressions carry no schema, so they are never touched. Raises
    Unreadable.
    """
    edits: list[_Edit] = []
    for node in one_query(sql).find_all(exp.Table, exp.Column, exp.Dot):
        schema, name = _qualified(node)
        if schema is None or name is None:
            continue
        target = rename(_folded(schema), _folded(name))
        if target is not None:
            edits += [_edit(sql, schema, target[0]), _edit(sql, name, target[1])]
    for edit in sorted(set(edits), key=lambda item: item.start, reverse=True):
        sql = sql[: edit.start] + edit.text + sql[edit.end :]
    return sql


def refuse_mentions(sql: str, schema: str) -> None:
    """Raise Unreadable where a name or a text of `sql` still holds `schema`."""
    for token in sqlglot.tokenize(sql, dialect="postgres"):
        if schema in token.text.lower():
            raise Unreadable(f"the SQL of the test names {schema} where it cannot be replaced")


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str


def _qualified(node: exp.Expression) -> tuple[exp.Identifier | None, exp.Identifier | None]:
    """The identifiers of schema and relation (or function, or type) of a name."""
    if isinstance(node, exp.Table):
        schema, name = node.args.get("db"), node.this
    elif isinstance(node, exp.Column):
        schema, name = node.args.get("db"), node.args.get("table")
    else:
        schema, name = node.args.get("this"), node.args.get("expression")
    if not isinstance(schema, exp.Identifier) or not isinstance(name, exp.Identifier):
        return None, None
    return schema, name


def _folded(identifier: exp.Identifier) -> str:
    """The name as PostgreSQL reads it: lower case unless it is quoted."""
    return str(identifier.this) if identifier.quoted else str(identifier.this).lower()


def _edit(sql: str, identifier: exp.Identifier, name: str) -> _Edit:
    start, end = identifier.meta.get("start"), identifier.meta.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        raise Unreadable("the parser does not say where a name stands")
    written = sql[start : end + 1]
    inner = written[1:-1].replace('""', '"') if written.startswith('"') else written
    if inner != identifier.this:
        raise Unreadable("the parser does not say where a name stands")
    return _Edit(start, end + 1, render("identifier", name))

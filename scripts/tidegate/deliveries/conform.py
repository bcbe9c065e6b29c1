"""Whether staged text is a value of its declared type: one SQL expression a column.

`valid` is true, false or null for any text and never raises; `value` is evaluated only where
`valid` is true. Types that have no expression here are tried by the server, inside a function that
catches the refusal.
"""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import sql

from tidegate.contracts.keys import ParseOptions

_INTEGERS = {"smallint": 15, "integer": 31, "bigint": 63}
_INTEGER = r"^[+-]?[0-9]{1,19}$"
_NUMBER = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_TEXTS = frozenset({"text", "character varying"})


@dataclass(frozen=True)
class Conversion:
    """How a column's text is judged and converted."""

    valid: sql.Composable
    value: sql.Composable
    reason: str = "invalid_number"


def conversion(column: sql.Composable, type_sql: str, options: ParseOptions) -> Conversion:
    """The expressions of one column; `type_sql` is the canonical type."""
    cast = sql.SQL("{}::{}").format(column, sql.SQL(type_sql))
    if type_sql in _TEXTS:
        return Conversion(sql.SQL("true"), cast)
    if type_sql in _INTEGERS:
        low, high = -(1 << _INTEGERS[type_sql]), (1 << _INTEGERS[type_sql]) - 1
        valid = sql.SQL("case when {0} ~ {1} then {0}::numeric between {2} and {3} else false end")
        return Conversion(
            valid.format(column, sql.Literal(_INTEGER), sql.Literal(low), sql.Literal(high)),
            cast,
            "invalid_integer",
        )
    if type_sql == "numeric":
        return Conversion(sql.SQL("{} ~ {}").format(column, sql.Literal(_NUMBER)), cast)
    if type_sql == "boolean":
        true, false = list(options.true_tokens), list(options.false_tokens)
        return Conversion(
            sql.SQL("{} = any({})").format(column, sql.Literal(true + false)),
            sql.SQL("({} = any({}))").format(column, sql.Literal(true)),
            "invalid_boolean",
        )
    server = sql.SQL("governance.is_value({}, {})").format(column, sql.Literal(type_sql))
    if type_sql == "date":
        valid = sql.SQL("case when {} ~ {} then {} else false end")
        return Conversion(valid.format(column, sql.Literal(_DATE), server), cast, "invalid_date")
    return Conversion(server, cast)

"""SQL conditions in contracts: read as one harmless condition, never pasted as they stand.

A condition (the `expression` of a check, the `where` of a gate) is parsed, every node of it is
compared with what a condition may consist of, and what goes on is canonical SQL that the parser
printed. A function is allowed by name: one that is not in the list might write, sleep, read a file
or depend on the session.
"""

from __future__ import annotations

import logging
from collections.abc import Collection

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from tidegate.contracts.identifiers import RESERVED
from tidegate.contracts.types import parse_type
from tidegate.contracts.wording import suggestion

MAX_BYTES = 4096

# What the parser thinks of a text is said by ExpressionError, not on standard error.
logging.getLogger("sqlglot").addHandler(logging.NullHandler())


class ExpressionError(ValueError):
    """The text is not one harmless condition."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(f"{message} {remedy}")
        self.message = message
        self.remedy = remedy


def canonical_condition(
    text: str, columns: Collection[str] | None = None, *, fixed: bool = False
) -> str:
    """`text` as canonical SQL; raise ExpressionError if it is not one harmless condition.

    `columns` are the names it may use (None: any). With `fixed` its answer may depend on the row
    only, never on the time: what a check constraint needs.
    """
    tree = _parsed(text)
    if type(tree.unnest()) not in _ANSWERS:
        raise ExpressionError(
            f"`{text}` is not a condition.", "Write a comparison that is true or false."
        )
    for node in tree.walk():
        _check_node(node, columns, fixed)
    try:
        printed = tree.sql(dialect="postgres", comments=False)
        same = _parsed(printed) == tree
    except RecursionError:
        same = False
    if not same:
        raise ExpressionError(f"`{text}` cannot be read safely.", "Write it in simpler words.")
    return printed


def _parsed(text: str) -> exp.Expr:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise ExpressionError("the condition is too long.", f"Use at most {MAX_BYTES} bytes.")
    if "--" in text or "/*" in text or "*/" in text:
        # dbt puts the text into parentheses: a comment would swallow the closing one.
        raise ExpressionError(f"`{text}` holds a comment.", "Say it in the description.")
    try:
        statements = parse(text, dialect="postgres")
    except (SqlglotError, RecursionError) as error:
        raise ExpressionError(f"`{text}` is not a SQL condition.", "Correct it.") from error
    if len(statements) != 1 or statements[0] is None or ";" in text.rstrip()[-1:]:
        raise ExpressionError(f"`{text}` is not one condition.", "Write exactly one, without `;`.")
    return statements[0]


def _check_node(node: exp.Expr, columns: Collection[str] | None, fixed: bool) -> None:
    kind = type(node)
    if isinstance(node, exp.Column):
        _check_column(node, columns)
    elif isinstance(node, (exp.Query, exp.Subquery, exp.Exists)):
        raise ExpressionError("a condition looks at one row; it has a subquery.", "Remove it.")
    elif isinstance(node, exp.Window):
        raise ExpressionError("a condition looks at one row; it has a window.", "Remove it.")
    elif kind in _TIME:
        if fixed:
            raise ExpressionError(
                "the condition depends on the time.", "A check depends on the row only."
            )
    elif isinstance(node, exp.Cast):
        _check_cast(node)
    elif isinstance(node, exp.Anonymous):
        name = str(node.this)
        if name.lower() not in FUNCTIONS:
            raise _function(name.lower())
    elif isinstance(node, exp.Func) and kind not in _PARTS:
        raise _function(node.sql_name().lower())
    elif kind not in _PARTS:
        raise ExpressionError(
            f"the condition holds {type(node).__name__}, which conditions may not.", "Remove it."
        )


def _function(name: str) -> ExpressionError:
    return ExpressionError(
        f"`{name}` is not a function that conditions may call.",
        suggestion(name, FUNCTIONS) or "docs/contracts.md lists those that may be called.",
    )


def _check_column(node: exp.Column, columns: Collection[str] | None) -> None:
    if len(node.parts) != 1:
        raise ExpressionError(
            f"`{node.sql(dialect='postgres')}` has a qualifier.", "Write the column's name alone."
        )
    identifier = node.this
    if not isinstance(identifier, exp.Identifier):
        raise ExpressionError("`*` is not a column.", "Write the column's name.")
    name = identifier.name if identifier.quoted else identifier.name.lower()
    if not identifier.quoted and name in RESERVED:
        # PostgreSQL would read some of them as a function (session_user), not as a column.
        raise ExpressionError(f"`{name}` is a reserved word.", "Put a column's name in quotes.")
    if columns is not None and name not in columns:
        raise ExpressionError(
            f"`{name}` is not a column of this contract.",
            suggestion(name, columns) or "Use a column that stands under `columns`.",
        )


def _check_cast(node: exp.Cast) -> None:
    text = node.to.sql(dialect="postgres")
    try:
        kind = parse_type(text)
    except ValueError as error:
        raise ExpressionError(f"`{text}` is not a type to cast to.", "Use another type.") from error
    if not kind.builtin or kind.name.startswith("reg"):
        raise ExpressionError(f"`{text}` is not a type to cast to.", "Use another type.")


FUNCTIONS = frozenset(  # one word after the other reads better than a list of strings
    """
    abs array_length btrim cardinality ceil char_length coalesce extract floor greatest
    jsonb_array_length jsonb_typeof least left length lower ltrim mod nullif num_nonnulls
    num_nulls octet_length position power replace right round row rtrim sign starts_with
    substring trim trunc upper all any
    """.split()  # noqa: SIM905
)
"""Functions of PostgreSQL that answer by their arguments alone."""

_KNOWN_FUNCTIONS = (
    exp.Abs, exp.Anonymous, exp.Array, exp.ArraySize, exp.Case, exp.Cast, exp.Ceil, exp.Coalesce,
    exp.Extract, exp.Floor, exp.Greatest, exp.If, exp.JSONExtract, exp.JSONExtractScalar,
    exp.Least, exp.Left, exp.Length, exp.Lower, exp.Nullif, exp.Pow, exp.RegexpILike,
    exp.RegexpLike, exp.Replace, exp.Right, exp.Round, exp.Sign, exp.StartsWith, exp.StrPosition,
    exp.Substring, exp.Trim, exp.Trunc, exp.Upper, exp.ArrayContainsAll, exp.ArrayContainedBy,
    exp.ArrayOverlaps, exp.And, exp.Or, exp.ByteLength, exp.JSONBContains,
)  # fmt: skip
_TIME = (exp.CurrentTimestamp, exp.CurrentDate)
_PARTS = (
    exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.Tuple, exp.Not, exp.Neg,
    exp.And, exp.Or, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ,
    exp.NullSafeNEQ, exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.SimilarTo, exp.Any,
    exp.All, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.DPipe, exp.Bracket, exp.AtTimeZone,
    exp.Interval, exp.Var, exp.Collate, exp.DataType, exp.DataTypeParam, exp.JSONPath,
    exp.JSONPathKey, exp.JSONPathRoot, exp.JSONPathSubscript, exp.Escape, *_KNOWN_FUNCTIONS,
)  # fmt: skip
_ANSWERS = (
    exp.Boolean, exp.Not, exp.And, exp.Or, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE,
    exp.NullSafeEQ, exp.NullSafeNEQ, exp.Is, exp.In, exp.Between, exp.Like, exp.ILike,
    exp.SimilarTo, exp.Escape, exp.RegexpLike, exp.RegexpILike, exp.StartsWith, exp.Column,
    exp.Case, exp.Coalesce, exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps,
    exp.JSONBContains,
)  # fmt: skip

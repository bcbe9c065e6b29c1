"""The words and values that keys of a rule may have, each refused with a sentence of its own."""

from __future__ import annotations

import unicodedata
from enum import Enum
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictStr, WithJsonSchema
from pydantic_core import PydanticCustomError

from tidegate.contracts.types import LogicalType, parse_type

MAX_ALLOWED_VALUES = 100_000
MAX_NUMBER = 2**53 - 1
"""Numbers of a policy are doubles (RFC 8785); beyond this two integers share one double."""

JsonValue = Any
"""An allowed value of a JSON column may be any JSON document; `typecheck` knows the column."""


class Severity(str, Enum):
    """What a violation does: an error blocks promotion, a warning asks for review."""

    ERROR = "error"
    WARNING = "warning"


def _count(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value % 1 != 0:
        raise PydanticCustomError("count", "must be a whole number")
    if value < 0:
        raise PydanticCustomError("count", "must not be negative")
    return int(value)


def _bound(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise PydanticCustomError(
            "bound", "must be a number, or a date or timestamp as ISO 8601 text"
        )
    return value


def _distinct(value: Any) -> Any:
    if isinstance(value, (list, tuple)) and len({str(item) for item in value}) < len(value):
        raise PydanticCustomError("distinct", "names a field twice")
    return value


def _ignore_nulls(value: Any) -> Any:
    if isinstance(value, bool):
        return "any" if value else "never"
    if value not in ("any", "all", "never"):
        raise PydanticCustomError("ignore_nulls", "must be true, false, 'any', 'all' or 'never'")
    return value


def has_controls(text: str) -> bool:
    """Whether text would break the line, the terminal or the XML that it is printed in."""
    return any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in text)


def _one_line(value: str) -> str:
    if has_controls(value):
        raise PydanticCustomError("controls", "must not hold control characters")
    return value


RuleId = Annotated[StrictStr, Field(min_length=1, max_length=200), AfterValidator(_one_line)]
Name = Annotated[StrictStr, Field(min_length=1)]
Names = Annotated[
    tuple[Name, ...],
    Field(min_length=1, json_schema_extra={"uniqueItems": True}),
    BeforeValidator(_distinct),
]
Count = Annotated[int, BeforeValidator(_count), WithJsonSchema({"type": "integer", "minimum": 0})]
Bound = Annotated[
    int | float | str,
    BeforeValidator(_bound),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": -MAX_NUMBER, "maximum": MAX_NUMBER},
                {"type": "string"},
            ]
        }
    ),
]


class IgnoreNulls(str, Enum):
    """Which rows `unique` leaves out: none, those with any null key, those with only null keys."""

    NEVER = "never"
    ANY = "any"
    ALL = "all"


def _data_type(value: Any) -> Any:
    """A logical type as it stands, a PostgreSQL type in its canonical spelling."""
    logical = [kind.value for kind in LogicalType]
    if not isinstance(value, str) or value in logical:
        return value
    try:
        found = parse_type(value)
    except ValueError:
        found = None
    if found is None or not (found.builtin or found.schema):
        raise PydanticCustomError(
            "data_type",
            "must be a logical type ({logical}) or a PostgreSQL type such as numeric(10,2)",
            {"logical": ", ".join(logical)},
        )
    return found.sql


DataType = Annotated[Name, BeforeValidator(_data_type)]
IgnoreWhich = Annotated[
    IgnoreNulls,
    BeforeValidator(_ignore_nulls),
    WithJsonSchema({"enum": [True, False, *(kind.value for kind in IgnoreNulls)]}),
]

"""One type in its canonical form, and what it means to a delivery."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from tidegate.contracts.type_names import quoted


class LogicalType(str, Enum):
    """What a type means to a delivery (policy seed, "Schema Classification")."""

    INTEGER = "integer"
    NUMBER = "number"
    STRING = "string"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    JSON = "json"
    UNKNOWN = "unknown"


_LOGICAL = {
    **dict.fromkeys(("smallint", "integer", "bigint"), LogicalType.INTEGER),
    **dict.fromkeys(("numeric", "real", "double precision"), LogicalType.NUMBER),
    **dict.fromkeys(("text", "character varying", "character", "bpchar"), LogicalType.STRING),
    **dict.fromkeys(("uuid", "name"), LogicalType.STRING),
    "boolean": LogicalType.BOOLEAN,
    "date": LogicalType.DATE,
    "timestamp without time zone": LogicalType.TIMESTAMP,
    "timestamp with time zone": LogicalType.TIMESTAMP,
    "json": LogicalType.JSON,
    "jsonb": LogicalType.JSON,
}


@dataclass(frozen=True)
class PgType:
    """A PostgreSQL type: canonical name, modifiers, and whether it is an array of that.

    `name` is unquoted and canonical (`integer`, `character varying`, `timestamp with time zone`),
    or the exact name of a type of somebody's own, whose `schema` is None where none was written.
    `modifiers` are numbers (length; precision and scale); `detail` holds what is not a number: the
    fields of an interval (`day to second`), the arguments of an extension's type (`Point,4326`).
    PostgreSQL keeps no number of dimensions, so `array` is a plain yes or no.
    """

    name: str
    modifiers: tuple[int, ...] = ()
    array: bool = False
    schema: str | None = None
    detail: str = ""
    builtin: bool = True

    @property
    def sql(self) -> str:
        """The text that `format_type` prints, such as `numeric(10,2)` or `integer[]`."""
        return self._element_sql() + ("[]" if self.array else "")

    @property
    def logical(self) -> LogicalType:
        """What the type means to a delivery; arrays and types of somebody's own are unknown."""
        if self.array or not self.builtin:
            return LogicalType.UNKNOWN
        return _LOGICAL.get(self.name, LogicalType.UNKNOWN)

    @property
    def element(self) -> PgType:
        """The type of an array's elements; the type itself where it is no array."""
        return replace(self, array=False)

    def __str__(self) -> str:
        return self.sql

    def _element_sql(self) -> str:
        if not self.builtin:
            name = quoted(self.name)
            name = f"{quoted(self.schema)}.{name}" if self.schema else name
            return f"{name}({self.detail})" if self.detail else name
        first, _, rest = self.name.partition(" ")
        numbers = f"({','.join(map(str, self.modifiers))})" if self.modifiers else ""
        if self.name == "interval" and self.detail:
            return f"interval {self.detail}{numbers}"
        if first in ("timestamp", "time"):
            return f"{first}{numbers} {rest}"
        return f"{self.name}{numbers}"

"""Columns as the rules see them: a name, a type, and whether policies may embed its values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from tidegate.contracts.keys import Mask, Sensitivity
from tidegate.contracts.types import LogicalType, parse_type


class TypeFamily(str, Enum):
    """What kind of values a column holds, as far as rules treat them alike."""

    TEXT = "text"
    INTEGER = "integer"
    NUMERIC = "numeric"
    REAL = "real"
    DOUBLE = "double"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIMESTAMPTZ = "timestamptz"
    BOOLEAN = "boolean"
    UUID = "uuid"
    JSON = "json"
    OTHER = "other"


_FAMILIES = {
    "text": TypeFamily.TEXT,
    "character varying": TypeFamily.TEXT,
    "character": TypeFamily.TEXT,
    "bpchar": TypeFamily.TEXT,
    "name": TypeFamily.TEXT,
    "smallint": TypeFamily.INTEGER,
    "integer": TypeFamily.INTEGER,
    "bigint": TypeFamily.INTEGER,
    "numeric": TypeFamily.NUMERIC,
    "real": TypeFamily.REAL,
    "double precision": TypeFamily.DOUBLE,
    "date": TypeFamily.DATE,
    "timestamp without time zone": TypeFamily.TIMESTAMP,
    "timestamp with time zone": TypeFamily.TIMESTAMPTZ,
    "boolean": TypeFamily.BOOLEAN,
    "uuid": TypeFamily.UUID,
    "json": TypeFamily.JSON,
    "jsonb": TypeFamily.JSON,
}


class _HasSql(Protocol):
    @property
    def sql(self) -> str: ...


class _ContractKeys(Protocol):
    @property
    def sensitivity(self) -> Sensitivity: ...
    @property
    def mask(self) -> Mask | None: ...


class ContractColumn(Protocol):
    """What `tidegate.contracts` gives for a column of a dataset or a model."""

    @property
    def name(self) -> str:
        """The column's name."""
        ...

    @property
    def type(self) -> _HasSql:
        """Its type, whose `sql` is what `format_type` prints."""
        ...

    @property
    def keys(self) -> _ContractKeys:
        """Tidegate's own keys of it."""
        ...


@dataclass(frozen=True)
class Column:
    """A column of a relation, a contract or a detected schema.

    `sql_type` is the type as `format_type` prints it; "" where nobody knows it. A `confidential`
    column (sensitive or masked) never has its values embedded in a policy or shown as row keys.
    `family` follows from `sql_type` unless the catalogue knows better (enums, domains).
    """

    name: str
    sql_type: str = ""
    confidential: bool = False
    catalogue_family: TypeFamily | None = None

    @property
    def family(self) -> TypeFamily:
        """The kind of values, `other` where it is not known."""
        if self.catalogue_family is not None:
            return self.catalogue_family
        return _FAMILIES.get(re.sub(r"\(.*?\)", "", self.sql_type).strip(), TypeFamily.OTHER)

    @property
    def logical(self) -> str:
        """The logical type of design §3; types of somebody's own are unknown."""
        try:
            return parse_type(self.sql_type).logical.value
        except ValueError:
            return LogicalType.UNKNOWN.value


def as_columns(columns: Iterable[ContractColumn | Column]) -> dict[str, Column]:
    """Columns of a contract or a detected schema as the rules see them, by name."""
    known = [c if isinstance(c, Column) else _of_contract(c) for c in columns]
    return {column.name: column for column in known}


def _of_contract(column: ContractColumn) -> Column:
    keys = column.keys
    confidential = keys.sensitivity is Sensitivity.SENSITIVE or keys.mask is not None
    return Column(column.name, column.type.sql, confidential)

"""Types of columns in one canonical form, so that `int4` and `integer` are never a difference.

`parse_type` reads any spelling that PostgreSQL itself reads; `PgType.sql` is what PostgreSQL's
`format_type` prints (a test compares the two on a live server). Text is taken apart by sqlglot's
tokenizer and never pasted into a statement.
"""

from __future__ import annotations

from functools import lru_cache

from tidegate.contracts.pg_type import LogicalType, PgType
from tidegate.contracts.type_parsing import read_type

__all__ = ["LogicalType", "PgType", "parse_type"]


@lru_cache(maxsize=1024)
def parse_type(text: str) -> PgType:
    """Read a type as PostgreSQL would; raise ValueError with a sentence and its remedy.

    Aliases, precision, scale, length, time zone, arrays (`int[]`, `integer[][]`, `_int4`), interval
    fields, quoted names and types with a schema are understood. Spellings of other engines
    (`string`, `datetime`, `number`, `serial`) are refused and the PostgreSQL type is named.
    """
    return read_type(text)

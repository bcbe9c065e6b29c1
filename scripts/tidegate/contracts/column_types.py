"""The type of one column: what PostgreSQL would understand without a search path."""

from __future__ import annotations

from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.type_names import ELSEWHERE, EXTENSIONS
from tidegate.contracts.types import PgType, parse_type
from tidegate.contracts.wording import nearest

_COMMON = frozenset(
    """
    bigint boolean bytea char date integer interval json jsonb numeric real smallint text time
    timestamp timestamptz uuid varchar
    """.split()  # noqa: SIM905
)


def column_type(document: Document, path: KeyPath) -> PgType | None:
    """The type of the column at `path`; one that PostgreSQL would not understand is reported."""
    text = document.value((*path, "data_type"))
    if not isinstance(text, str) or not text:
        return None
    place = (*path, "data_type")
    try:
        kind = parse_type(text)
    except ValueError as error:
        document.report(place, str(error))
        return None
    if kind.builtin or kind.schema:
        return kind
    # The search path is pg_catalog alone, so a bare name can only be one of PostgreSQL's own.
    document.report(place, f"{text!r} is not a PostgreSQL type.", _remedy(kind.name))
    return None


def _remedy(name: str) -> str:
    near = None if name in EXTENSIONS else nearest(name, {*_COMMON, *ELSEWHERE})
    if near is None:
        return f"Write a type of your own with its schema, such as `public.{name}`."
    return f"Use {ELSEWHERE[near]}." if near in ELSEWHERE else f"Did you mean `{near}`?"

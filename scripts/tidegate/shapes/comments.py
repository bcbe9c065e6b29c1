"""What people wrote about a live relation: comments, and which columns are its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tidegate.connection import Connection


@dataclass(frozen=True)
class Comments:
    """Comments of a relation and its columns; "" and absence mean that there is none.

    `key` is the primary key, else a unique set of columns that are never null, else empty.
    """

    relation: str
    columns: Mapping[str, str]
    key: tuple[str, ...]


def read_comments(conn: Connection, schema: str, relation: str) -> Comments:
    """Read them from `pg_catalog`; a relation that does not exist has none."""
    row = conn.execute(_statement(), {"schema": schema, "relation": relation}).fetchone()
    if row is None:
        return Comments("", {}, ())
    comment, key, columns = row
    return Comments(comment or "", columns or {}, tuple(key))


@lru_cache
def _statement() -> bytes:
    return Path(__file__).with_name("comments.sql").read_bytes()

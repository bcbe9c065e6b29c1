"""Who holds a lock that somebody waits for, in words."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from tidegate.connection import Connection

NOBODY = "somebody who has ended since"

_HOLDERS = files(__package__).joinpath("lock_holders.sql").read_text(encoding="utf-8")
_BENEATH = files(__package__).joinpath("beneath.sql").read_text(encoding="utf-8")


def holders(conn: Connection, relations: list[tuple[str, str]]) -> list[str]:
    """Who else holds a lock on one of these (schema, name), and since when; oldest first.

    `process 4711 (psql, transaction open for 12 s)`, or `a prepared transaction (12 s old)`.
    """
    return [description for description, _ in _holders(conn, relations, None)]


def holders_beneath(conn: Connection, relations: Sequence[tuple[str, str]]) -> list[str]:
    """Who else keeps readers of these (schema, name) waiting, or of what views among them read.

    As `holders`, with the first such relation.
    """
    schemas, names = [one for one, _ in relations], [name for _, name in relations]
    rows = conn.execute(_BENEATH, {"schemas": schemas, "names": names}).fetchall()
    found = _holders(conn, [(str(row[0]), str(row[1])) for row in rows], _KEEPS_READERS_OUT)
    return [f"{description} on {relation}" for description, relation in found]


def in_vain(found: Sequence[str], seconds: float | None = None) -> str:
    """The sentence about a lock that was waited for in vain; `found` are who holds it."""
    how_long = "" if seconds is None else f", for {seconds:g} s"
    named = ", ".join(found) or NOBODY
    return f"A lock was waited for in vain{how_long} (held by {named})."


def holders_in(conn: Connection, schemas: Sequence[str]) -> list[str]:
    """Who else holds a lock on a relation of these schemas that readers or writers wait for.

    As `holders`, with the first such relation. Where nobody locks a whole relation it is rows that
    are locked: then whoever writes there.
    """
    relations = [(schema, None) for schema in schemas]
    found = _holders(conn, relations, _STRONG) or _holders(conn, relations, _WRITING)
    return [f"{description} on {relation}" for description, relation in found]


_KEEPS_READERS_OUT = ("AccessExclusiveLock",)
_STRONG = ("ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock")
_WRITING = ("RowExclusiveLock",)


def _holders(
    conn: Connection, relations: Sequence[tuple[str, str | None]], modes: Sequence[str] | None
) -> list[tuple[str, str]]:
    rows = conn.execute(
        _HOLDERS,
        {
            "schemas": [schema for schema, _ in relations],
            "names": [name for _, name in relations],
            "modes": None if modes is None else list(modes),
        },
    ).fetchall()
    return [(str(description), str(relation)) for description, relation in rows]

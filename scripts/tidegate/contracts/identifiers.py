"""Names in contracts: what PostgreSQL and dbt carry exactly, and what is refused.

dbt puts a column's name into SQL as it stands (quoted without escaping where `quote: true`), so a
name that only an escaped identifier could carry is refused here, before anything is built.
"""

from __future__ import annotations

import re
import unicodedata

from tidegate.names import MAX_IDENTIFIER_BYTES, MAX_RELATION_BYTES

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*\Z")
_RELATION = re.compile(r"[a-z][a-z0-9_]*\Z")

TECHNICAL = frozenset(
    (
        "_delivery_id",
        "_record_number",
        "_artifact_sha256",
        "_received_at",
        "_accepted_at",
        "_generation",
    )
)
"""Columns that Tidegate adds itself (docs/architecture.md)."""
SYSTEM = frozenset(("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"))
"""Columns that every PostgreSQL table has already."""
RESERVED = frozenset(
    """
    all analyse analyze and any array as asc asymmetric authorization binary both case cast check
    collate collation column concurrently constraint create cross current_catalog current_date
    current_role current_schema current_time current_timestamp current_user default deferrable
    desc distinct do else end except false fetch for foreign freeze from full grant group having
    ilike in initially inner intersect into is isnull join lateral leading left like limit
    localtime localtimestamp natural not notnull null offset on only or order outer overlaps
    placing primary references returning right select session_user similar some symmetric
    system_user table tablesample then to trailing true union unique user using variadic verbose
    when where window with
    """.split()  # noqa: SIM905
)
"""Words that PostgreSQL 15 to 18 take as a column name only in quotes."""


def relation_problem(name: str, prefix: str = "") -> tuple[str, str] | None:
    """What is wrong with the name of a dataset or model, and the remedy; None if nothing."""
    if not _RELATION.match(name) or not name.startswith(prefix) or name == prefix:
        start = f"starting with {prefix}" if prefix else "starting with a letter"
        return (
            f"{name!r} cannot name a relation.",
            f"Use lower-case letters, digits and underscores, {start}.",
        )
    if len(name) > MAX_RELATION_BYTES:
        return (
            f"{name!r} has {len(name)} bytes.",
            f"Use at most {MAX_RELATION_BYTES}: PostgreSQL cuts names at {MAX_IDENTIFIER_BYTES} "
            "and dbt and Tidegate add suffixes.",
        )
    return None


def column_problem(name: str, quoted: bool) -> tuple[str, str] | None:
    """What is wrong with the name of a column, and the remedy; None if nothing."""
    size = len(name.encode("utf-8", "surrogatepass"))
    if size > MAX_IDENTIFIER_BYTES:
        return (
            f"the name has {size} bytes.",
            f"Use at most {MAX_IDENTIFIER_BYTES}: PostgreSQL would cut it silently.",
        )
    if name.casefold() in TECHNICAL:
        return f"{name!r} is a column that Tidegate adds itself.", "Choose another name."
    if name in SYSTEM:
        return f"{name!r} is a system column of PostgreSQL.", "Choose another name."
    bad = _forbidden(name)
    if bad:
        return f"the name holds {bad}.", "Remove it; a partner's own spelling goes into `header`."
    if name != name.strip():
        return f"{name!r} starts or ends with a space.", "Remove the space."
    if not quoted and not _PLAIN.match(name):
        return (
            f"{name!r} is not a plain lower-case name.",
            "Add `quote: true`, or use lower-case letters, digits and underscores.",
        )
    if not quoted and name in RESERVED:
        return f"{name!r} is a reserved word of PostgreSQL.", "Add `quote: true`, or rename it."
    return None


def folded(name: str) -> str:
    """`name` as a reader who does not see case or Unicode forms would take it."""
    return unicodedata.normalize("NFKC", name).casefold()


def _forbidden(name: str) -> str:
    for character, what in (
        ('"', "a double quote"),
        ("%", "a percent sign"),
        ("\\", "a backslash"),
    ):
        if character in name:
            return what
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in name):
        return "an invisible character"
    return ""

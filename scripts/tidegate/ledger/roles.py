"""The roles' rights: declared as data in `governance.role_rights`, given by `apply_grants`.

Least privilege (design §7): readers have SELECT on the views of `query` and the policies, nothing
else; records' values in quarantine are the operator's; only the curator writes `curation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from psycopg.rows import class_row

from tidegate.connection import Connection


class Role(str, Enum):
    """The roles that are made with the ledger; logins are made members of them."""

    LOADER = "tidegate_loader"
    TRANSFORMER = "tidegate_transformer"
    PUBLISHER = "tidegate_publisher"
    OPERATOR = "tidegate_operator"
    READER = "tidegate_reader"
    CURATOR = "tidegate_curator"
    UNMASKED = "tidegate_unmasked"


@dataclass(frozen=True)
class MissingGrant:
    """A declared right that a role lacks; `statement` gives it, `possible` says whether we may."""

    role: str
    object: str
    privileges: str
    statement: str
    possible: bool


def apply_grants(conn: Connection, schema: str | None = None) -> int:
    """Give every declared right that is missing and possible; return how many statements it took.

    Called after an upgrade (everywhere) and after each publication that makes objects (`schema`
    names where). Where nothing is missing nothing is locked.
    """
    row = conn.execute("select governance.apply_grants(%s)", [schema]).fetchone()
    return int(row[0]) if row else 0


def missing_grants(conn: Connection) -> list[MissingGrant]:
    """Every declared right that a role lacks, in a fixed order."""
    with conn.cursor(row_factory=class_row(MissingGrant)) as cursor:
        return cursor.execute(
            "select role, object, privileges, statement, possible"
            " from governance.missing_grants order by object, role, statement"
        ).fetchall()

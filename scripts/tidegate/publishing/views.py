"""Dropping and creating a stable view without losing what others gave it.

`create view` starts with the publisher as owner, no grants (or whatever default privileges add),
no comments and no options. What was there is read, put back and compared before the commit; what
depends on the view is found beforehand and named, never cascaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from psycopg import sql

from tidegate.connection import Connection
from tidegate.errors import HeldBack, InvariantBroken
from tidegate.names import QUERY
from tidegate.publishing.serving import create_view, view_options

_SQL = Path(__file__).parent / "sql"


@dataclass(frozen=True)
class Grant:
    """One privilege; `grantee` None is public, `column` None the whole view."""

    grantee: str | None
    privilege: str
    grantable: bool
    column: str | None


@dataclass(frozen=True)
class ViewState:
    """What a view carries besides its query."""

    owner: str
    grants: frozenset[Grant]
    comment: str | None
    column_comments: Mapping[str, str]
    options: Mapping[str, str]


def read_state(conn: Connection, name: str) -> ViewState | None:
    """Read owner, grants, comments and options; None where there is no such view."""
    row = conn.execute(
        "select pg_get_userbyid(relowner), obj_description(oid, 'pg_class'), oid"
        " from pg_catalog.pg_class"
        " where relnamespace = 'query'::regnamespace and relname = %s and relkind = 'v'",
        [name],
    ).fetchone()
    if row is None:
        return None
    comments = conn.execute(
        "select attname, col_description(attrelid, attnum) from pg_catalog.pg_attribute"
        " where attrelid = %s and attnum > 0 and not attisdropped"
        " and col_description(attrelid, attnum) is not null",
        [row[2]],
    ).fetchall()
    return ViewState(
        owner=row[0],
        grants=_read_grants(conn, name),
        comment=row[1],
        column_comments={str(column): text for column, text in comments},
        options=view_options(conn, name),
    )


def refuse_dependents(conn: Connection, name: str) -> None:
    """Raise HeldBack, naming them, if objects of others depend on the view."""
    text = (_SQL / "view_dependents.sql").read_text(encoding="utf-8")
    found = [str(row[0]) for row in conn.execute(text, {"name": name}).fetchall()]
    if found:
        raise HeldBack(
            f"The shape of query.{name} changes, and other objects depend on it:"
            f" {', '.join(found)}.",
            remedy="Drop them, publish, and create them again on the new shape;"
            " Tidegate never drops what others made.",
        )


def rebuild(conn: Connection, name: str, select: sql.Composable, columns: frozenset[str]) -> None:
    """Drop and create a view and give it back owner, grants, comments and options.

    `columns` are the names the new view has: grants and comments of columns that are gone go too.
    Raises InvariantBroken, which rolls everything back, if the result is not what it should be.
    """
    before = read_state(conn, name)
    refuse_dependents(conn, name)
    view = sql.Identifier(QUERY, name)
    conn.execute(sql.SQL("drop view {}").format(view))
    create_view(conn, name, select, replace=False)
    if before is None:
        return
    wanted = ViewState(
        owner=before.owner,
        grants=frozenset(
            grant for grant in before.grants if grant.column is None or grant.column in columns
        ),
        comment=before.comment,
        column_comments={
            key: text for key, text in before.column_comments.items() if key in columns
        },
        options=before.options,
    )
    _restore(conn, name, wanted)
    if read_state(conn, name) != wanted:
        raise InvariantBroken(
            f"query.{name} did not get back its owner, grants, comments and options.",
            remedy="Run `tidegate doctor`: the publisher may lack membership in the owner's role.",
        )


def _restore(conn: Connection, name: str, wanted: ViewState) -> None:
    view = sql.Identifier(QUERY, name)
    for key, value in wanted.options.items():
        conn.execute(
            sql.SQL("alter view {} set ({} = {})").format(
                view, sql.Identifier(key), sql.Literal(value)
            )
        )
    set_grants(conn, name, wanted.grants)
    set_comments(conn, name, wanted.comment, wanted.column_comments)
    conn.execute(sql.SQL("alter view {} owner to {}").format(view, sql.Identifier(wanted.owner)))


def set_grants(conn: Connection, name: str, wanted: frozenset[Grant]) -> None:
    """Make the grants exactly these: what default privileges added is revoked."""
    present = _read_grants(conn, name)
    for grant in sorted(present - wanted, key=repr):
        conn.execute(_grant_statement("revoke {} on {} from {}", name, grant))
    for grant in sorted(wanted - present, key=repr):
        suffix = " with grant option" if grant.grantable else ""
        conn.execute(_grant_statement("grant {} on {} to {}" + suffix, name, grant))


def set_comments(
    conn: Connection, name: str, comment: str | None, columns: Mapping[str, str]
) -> None:
    """Comment on a view in `query` and on its columns."""
    view = sql.Identifier(QUERY, name)
    if comment is not None:
        conn.execute(sql.SQL("comment on view {} is {}").format(view, sql.Literal(comment)))
    for column, text in columns.items():
        conn.execute(
            sql.SQL("comment on column {} is {}").format(
                sql.Identifier(QUERY, name, column), sql.Literal(text)
            )
        )


def _read_grants(conn: Connection, name: str) -> frozenset[Grant]:
    text = (_SQL / "view_acl.sql").read_text(encoding="utf-8")
    return frozenset(Grant(*row) for row in conn.execute(text, {"name": name}).fetchall())


def _grant_statement(template: str, name: str, grant: Grant) -> sql.Composed:
    # Privilege words come from aclexplode's closed list, never from a user.
    privilege: sql.Composable = sql.SQL(grant.privilege)
    if grant.column is not None:
        privilege = sql.SQL("{} ({})").format(privilege, sql.Identifier(grant.column))
    grantee = sql.SQL("public") if grant.grantee is None else sql.Identifier(grant.grantee)
    return sql.SQL(template).format(privilege, sql.Identifier(QUERY, name), grantee)

"""Who may approve, and until when: authority is a database role, never a flag in a file.

The name given with `--by` says who takes responsibility; the right to do so is the connected
login's membership (design §7; policy seed, "no JSON flag is treated as an approval").
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from psycopg import sql

from tidegate.connection import Connection
from tidegate.errors import PrivilegeMissing
from tidegate.ledger.roles import Role


def require_authority(conn: Connection, roles: Sequence[str], *, to: str) -> None:
    """Raise PrivilegeMissing unless the login belongs to one of `roles`.

    `to` says what for, as an infinitive such as "approve drift of shop.orders". A role that does
    not exist gives nobody authority; no role at all gives it to nobody but a superuser.
    """
    row = conn.execute(
        "select session_user::text, (select bool_or(r.rolsuper) from pg_catalog.pg_roles r"
        " where r.rolname = session_user) or exists (select from pg_catalog.pg_roles r"
        " where r.rolname = any (%s) and pg_catalog.pg_has_role(session_user, r.oid, 'member'))",
        [list(roles)],
    ).fetchone()
    assert row is not None  # noqa: S101 (a select without from has one row)
    login, allowed = row
    if allowed:
        return
    named = " or ".join(roles) or "a superuser"
    grant = sql.SQL("grant {} to {};").format(
        sql.Identifier(roles[0] if roles else "tidegate_operator"), sql.Identifier(login)
    )
    raise PrivilegeMissing(
        f"To {to} takes a member of {named}; the login {login} is none.",
        remedy=f"Ask a member, or have an administrator run: {grant.as_string(conn)}",
    )


def require_operator(conn: Connection, to: str) -> None:
    """Raise PrivilegeMissing unless the login is an operator's; the database asks again."""
    require_authority(conn, [Role.OPERATOR.value], to=to)


def expiry(conn: Connection, valid_days: int | None) -> datetime | None:
    """When an approval given now ends, by the database's clock; None: never."""
    if valid_days is None:
        return None
    row = conn.execute(
        "select clock_timestamp() + make_interval(days => %s)", [valid_days]
    ).fetchone()
    return row[0] if row else None

"""Logins with chosen roles, for tests that prove what a role may and may not do."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import sql
from psycopg.conninfo import make_conninfo

from tidegate.warehouse import Warehouse


@contextmanager
def login(warehouse: Warehouse, *roles: str, attributes: str = "") -> Iterator[Warehouse]:
    """The same database as a new login that is a member of `roles`; dropped afterwards."""
    name = f"login_{uuid.uuid4().hex[:12]}"
    password = uuid.uuid4().hex
    with warehouse.connect() as conn:
        conn.execute(
            sql.SQL("create role {} login password {} {}").format(
                sql.Identifier(name), sql.Literal(password), sql.SQL(attributes)
            )
        )
        for role in roles:
            conn.execute(sql.SQL("grant {} to {}").format(*map(sql.Identifier, (role, name))))
    try:
        yield Warehouse(make_conninfo(warehouse.conninfo, user=name, password=password), "test")
    finally:
        with warehouse.connect() as conn:
            conn.execute(sql.SQL("drop owned by {0} cascade").format(sql.Identifier(name)))
            conn.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))

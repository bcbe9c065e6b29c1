"""Authority to approve is membership in a database role."""

from __future__ import annotations

import pytest
from psycopg import sql

from logins import login
from tidegate.connection import Connection
from tidegate.errors import PrivilegeMissing
from tidegate.ledger import approvals
from tidegate.warehouse import Warehouse


def test_a_member_of_one_of_the_roles_may_approve(warehouse: Warehouse) -> None:
    """One of several is enough."""
    with login(warehouse, "tidegate_operator") as operator, operator.connect() as conn:
        approvals.require_authority(conn, ["nobody_knows", "tidegate_operator"], to="approve x")


def test_a_login_without_the_role_is_refused_with_the_grant_that_helps(
    warehouse: Warehouse,
) -> None:
    """Setting another role does not help: the login counts."""
    with login(warehouse, "tidegate_reader") as reader, reader.connect() as conn:
        name = conn.info.user
        conn.execute("set role tidegate_reader")
        with pytest.raises(PrivilegeMissing) as refused:
            approvals.require_authority(
                conn, ["tidegate_operator", "tidegate_curator"], to="approve drift of shop.orders"
            )
    assert str(refused.value) == (
        "To approve drift of shop.orders takes a member of tidegate_operator or tidegate_curator;"
        f" the login {name} is none. Ask a member, or have an administrator run:"
        f' grant "tidegate_operator" to "{name}";'
    )


@pytest.mark.parametrize("roles", [[], ["nobody_knows"]])
def test_an_empty_or_unknown_list_gives_authority_to_nobody_but_a_superuser(
    warehouse: Warehouse, conn: Connection, roles: list[str]
) -> None:
    """Fail closed; whoever administers the server can grant it to himself anyway."""
    conn.execute(sql.SQL("set role tidegate_reader"))
    approvals.require_authority(conn, roles, to="approve x")
    with (
        login(warehouse, "tidegate_operator") as operator,
        operator.connect() as other,
        pytest.raises(PrivilegeMissing),
    ):
        approvals.require_authority(other, roles, to="approve x")


def test_an_approval_ends_by_the_databases_clock(conn: Connection) -> None:
    """None never ends."""
    assert approvals.expiry(conn, None) is None
    ends = approvals.expiry(conn, 3)
    row = conn.execute(
        "select %s between clock_timestamp() + interval '71 hours' and"
        " clock_timestamp() + interval '72 hours'",
        [ends],
    ).fetchone()
    assert row == (True,)

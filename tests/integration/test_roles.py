"""Least privilege: what each role may do is declared, given, and everything else refused."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg import sql

from logins import login
from tidegate.connection import Connection
from tidegate.ledger import roles
from tidegate.ledger.roles import Role
from tidegate.warehouse import Warehouse

LAYERS = ("landing", "staging", "evidence", "resolution", "curation", "canonical")


@pytest.fixture
def filled(conn: Connection) -> Connection:
    """One table in each layer, one family's schemas, one published view, and quarantines."""
    conn.execute("create schema trials__candidate; create schema trials__g000001")
    for schema in (*LAYERS, "trials__candidate", "trials__g000001"):
        conn.execute(
            sql.SQL("create table {} (v int)").format(sql.Identifier(schema, "some_table"))
        )
    conn.execute("create view query.q_some as select v from canonical.some_table")
    conn.execute("create table if not exists governance.gate_examples (gate text, example text)")
    roles.apply_grants(conn)
    return conn


def refused(conn: Connection, role: str, statement: str) -> bool:
    """Whether the server refuses `statement` to `role` for want of a right."""
    with conn.transaction(force_rollback=True):
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
        try:
            with conn.transaction():
                conn.execute(statement)
        except psycopg.errors.InsufficientPrivilege:
            return True
        return False


READS = {
    "select v from query.q_some": {"transformer", "publisher", "operator", "curator", "reader"},
    "select v from landing.some_table": {"loader", "transformer", "publisher", "operator"},
    "select v from staging.some_table": {"transformer", "publisher", "operator"},
    "select v from canonical.some_table": {"transformer", "publisher", "operator"},
    "select v from resolution.some_table": {"transformer", "publisher", "operator", "curator"},
    "select version_num from governance.ledger_version": {
        "loader", "transformer", "publisher", "operator", "curator",
    },
    "select v from curation.some_table": {"transformer", "publisher", "operator", "curator"},
    "select v from trials__candidate.some_table": {"publisher", "operator"},
    "select v from trials__g000001.some_table": {"publisher", "operator"},
    "select policy from governance.quality_policies": {
        "loader", "transformer", "publisher", "operator", "curator", "reader",
    },
    "select * from governance.audit_events": {"loader", "transformer", "publisher", "operator"},
    "select * from governance.review_items": {"loader", "transformer", "publisher", "operator"},
    "select * from provenance.publication_validation": {
        "loader", "transformer", "publisher", "operator",
    },
    "select parsed_output from provenance.inference_attempts": {
        "transformer", "publisher", "operator",
    },
    "select * from provenance.inference_decisions": {"transformer", "publisher", "operator"},
    "select raw from governance.quarantine": {"operator"},
    "select * from governance.quarantine": {"operator"},
    "select reason from governance.quarantine": {"operator", "loader"},
    "select source_value from governance.enum_quarantine": {"operator"},
    "select * from governance.gate_examples": {"operator"},
    "select inner_pad from masking.keys": set(),
}  # fmt: skip

WRITES = {
    "insert into landing.some_table values (1)": {"loader"},
    "insert into canonical.some_table values (1)": set(),
    "insert into curation.some_table values (1)": {"curator"},
    "update curation.some_table set v = 1": {"curator"},
    "delete from curation.some_table": {"curator"},
    "create table curation.mine (v int)": {"curator"},
    "create table canonical.mine (v int)": {"transformer"},
    "create table landing.mine (v int)": {"loader"},
    "create table query.mine (v int)": {"publisher"},
    "create schema mine": {"transformer", "publisher"},
    "delete from landing.some_table": set(),
    "truncate canonical.some_table": set(),
    "drop view query.q_some": set(),
    "update governance.role_rights set privileges = '{select}'": set(),
    "delete from governance.review_items": set(),
    "update governance.review_items set severity = 'error'": {"loader", "publisher", "operator"},
    "insert into governance.audit_events (event, subject, actor) values ('a.b', 's', 'x')": {
        "loader", "transformer", "publisher", "operator",
    },
    "explain insert into provenance.inference_attempts default values": {"transformer"},
    "update provenance.inference_attempts set status = 'failed'": {"transformer"},
    "delete from provenance.inference_attempts": set(),
    "explain insert into provenance.inference_decisions default values": {
        "transformer", "operator",
    },
    "delete from provenance.inference_projections": {"transformer", "operator"},
    "explain insert into governance.gate_examples default values": {"publisher", "operator"},
    "select governance.apply_grants()": {"loader", "transformer", "publisher", "operator"},
}  # fmt: skip


@pytest.mark.parametrize("statement", [*READS, *WRITES])
def test_a_statement_is_allowed_to_exactly_these_roles(filled: Connection, statement: str) -> None:
    """Everybody else is refused, and the unmasking role alone may do nothing at all."""
    allowed = {
        role.value.removeprefix("tidegate_")
        for role in Role
        if not refused(filled, role.value, statement)
    }
    assert allowed == {**READS, **WRITES}[statement]


def test_a_login_that_belongs_to_no_role_may_nothing(
    filled: Connection, warehouse: Warehouse
) -> None:
    """PUBLIC has no right of its own in any schema of the warehouse."""
    with login(warehouse) as stranger, stranger.connect() as conn:
        for statement in (*READS, *WRITES):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(statement)


def test_nothing_is_missing_after_the_grants_and_a_second_call_does_nothing(
    filled: Connection,
) -> None:
    """The declaration and the catalogue agree."""
    assert roles.missing_grants(filled) == []
    assert roles.apply_grants(filled) == 0


def test_a_new_view_gets_its_rights_with_the_next_call(filled: Connection) -> None:
    """The call can be limited to one schema."""
    filled.execute("create view query.q_new as select 1 as v; create table staging.new (v int)")
    wanted = [(grant.role, grant.object) for grant in roles.missing_grants(filled)]
    assert ("tidegate_reader", "query.q_new") in wanted
    assert roles.apply_grants(filled, "query") == 1
    assert {grant.object for grant in roles.missing_grants(filled)} == {"staging.new"}
    assert not refused(filled, "tidegate_reader", "select * from query.q_new")


def test_a_published_view_names_the_reader_alone(filled: Connection) -> None:
    """Those who work here are members of the reader: the view's own list stays what it promises."""
    rows = filled.execute(
        "select a.grantee::regrole::text, a.privilege_type from pg_class,"
        " aclexplode(relacl) a where oid = 'query.q_some'::regclass and a.grantee <> relowner"
    ).fetchall()
    assert rows == [("tidegate_reader", "SELECT")]


def test_a_missing_membership_is_told_and_given(filled: Connection) -> None:
    """Inside a transaction that is taken back: roles are shared by all databases of the server."""
    with filled.transaction(force_rollback=True):
        filled.execute("revoke tidegate_reader from tidegate_curator")
        assert [grant.statement for grant in roles.missing_grants(filled)] == [
            "grant tidegate_reader to tidegate_curator"
        ]
        assert roles.apply_grants(filled) == 1
        assert roles.missing_grants(filled) == []


def test_a_missing_grant_is_told_with_the_statement_that_gives_it(filled: Connection) -> None:
    """Column by column where a column is withheld."""
    filled.execute(
        "revoke select on query.q_some from tidegate_reader;"
        "revoke create on schema curation from tidegate_curator"
    )
    statements = [grant.statement for grant in roles.missing_grants(filled)]
    assert statements == [
        "grant select on query.q_some to tidegate_reader",
        "grant create on schema curation to tidegate_curator",
    ]
    filled.execute(";".join(statements))
    assert roles.missing_grants(filled) == []


def test_what_the_connected_role_cannot_give_is_left_and_told(
    filled: Connection, warehouse: Warehouse
) -> None:
    """A session that does not own the object says so instead of failing."""
    filled.execute("revoke select on query.q_some from tidegate_reader")
    with login(warehouse, "tidegate_operator") as operator, operator.connect() as conn:
        assert roles.apply_grants(conn) == 0
        (missing,) = roles.missing_grants(conn)
    assert (missing.role, missing.possible) == ("tidegate_reader", False)


def test_sessions_that_grant_at_once_do_not_disturb_each_other(
    filled: Connection, warehouse: Warehouse
) -> None:
    """Unserialised, some fail with "tuple concurrently updated" (case C14)."""
    filled.execute("create view query.q_new as select 1 as v")
    start = threading.Barrier(4)

    def grant(_: int) -> int:
        with warehouse.connect() as conn:
            start.wait(30)
            return roles.apply_grants(conn)

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(grant, range(4))) == 1
    assert roles.missing_grants(filled) == []


def test_roles_of_the_database_are_the_enum(conn: Connection) -> None:
    """Every declared right is of a known role, and every role exists."""
    known = {role.value for role in Role}
    found = conn.execute("select rolname from pg_roles where rolname ~ '^tidegate_'").fetchall()
    declared = conn.execute("select distinct role from governance.role_rights").fetchall()
    assert {name for (name,) in found} == known
    assert {name for (name,) in declared} == known - {"tidegate_unmasked"}

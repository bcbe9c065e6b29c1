"""Four eyes: who proposed an overlay does not approve it, by whatever name or login they come."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from command_line import project
from curating import AGENT, ALIAS, MAYA, OMAR, in_force, proposed
from logins import login
from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import curation, curation_read
from tidegate.ledger.curation import Curator
from tidegate.ledger.curation_words import ActorKind
from tidegate.warehouse import Warehouse

SAME_NAME = (
    "That is no decision: who proposed an overlay does not approve it."
    " Have somebody else run `tidegate curate approve`, as themselves."
)
SAME_LOGIN = (
    "That is no decision: the login that proposed an overlay does not approve it, whatever --by"
    " says. Have somebody else run `tidegate curate approve` with a login of their own."
)


@pytest.mark.parametrize("name", ["maya", " maya ", "MAYA", "Maya"])
def test_who_proposed_does_not_approve_however_the_name_is_written(
    conn: Connection, name: str
) -> None:
    """Even a superuser is asked for another name; somebody else may then approve."""
    key = proposed(conn)
    with pytest.raises(UsageError) as refusal:
        curation.approve(conn, key, Curator(name, "read it again"))
    assert str(refusal.value) == SAME_NAME
    assert in_force(conn) == []
    curation.approve(conn, key, OMAR)
    assert in_force(conn) == [key]


def test_a_name_of_two_words_is_one_name_whatever_stands_between(conn: Connection) -> None:
    """Two spaces make nobody another person."""
    key = proposed(conn, by=Curator("Maya  Lind", "the protocol"))
    with pytest.raises(UsageError, match=r"^That is no decision: who proposed an overlay"):
        curation.approve(conn, key, Curator("maya lind", "the protocol"))


@pytest.mark.parametrize("kind", list(ActorKind))
def test_an_agent_reviews_nothing_that_it_proposed(conn: Connection, kind: ActorKind) -> None:
    """Nor does a person of the agent's name: the rule is about who, not about what they are."""
    key = curation.propose(conn, ALIAS, AGENT)
    with pytest.raises(UsageError) as refusal:
        curation.approve(conn, key, Curator(AGENT.by, "seen twice", kind))
    assert str(refusal.value) == SAME_NAME


def test_a_login_does_not_approve_what_it_proposed_under_another_name(
    conn: Connection, warehouse: Warehouse
) -> None:
    """`--by` is what somebody types; the login is who they are."""
    with login(warehouse, "tidegate_curator") as maya, maya.connect() as own:
        key = proposed(own)
        with pytest.raises(UsageError) as refusal:
            curation.approve(own, key, OMAR)
    assert str(refusal.value) == SAME_LOGIN
    with login(warehouse, "tidegate_curator") as omar, omar.connect() as own:
        curation.approve(own, key, OMAR)
    assert in_force(conn) == [key]


def test_a_renamed_login_is_the_same_login(conn: Connection, warehouse: Warehouse) -> None:
    """Its number stays; so is a name that another login had when it proposed."""
    with login(warehouse, "tidegate_curator") as maya, maya.connect() as own:
        key, name = proposed(own), own.info.user
        rename(conn, name, f"{name}_later")
        try:
            with pytest.raises(UsageError) as refusal:
                curation.approve(own, key, OMAR)
        finally:
            rename(conn, f"{name}_later", name)
    assert str(refusal.value) == SAME_LOGIN


def rename(conn: Connection, old: str, new: str) -> None:
    conn.execute(
        sql.SQL("alter role {} rename to {}").format(sql.Identifier(old), sql.Identifier(new))
    )


def test_a_login_that_takes_the_name_of_who_proposed_does_not_approve(
    conn: Connection, warehouse: Warehouse
) -> None:
    """The name in the record would read as one person's decision."""
    with login(warehouse, "tidegate_curator") as maya, maya.connect() as own:
        key, name = proposed(own), own.info.user
        rename(conn, name, f"{name}_later")
        with login(warehouse, "tidegate_curator") as omar, omar.connect() as other:
            taken = other.info.user
            rename(conn, taken, name)
            try:
                with pytest.raises(UsageError) as refusal:
                    curation.approve(other, key, OMAR)
            finally:
                rename(conn, name, taken)
                rename(conn, f"{name}_later", name)
    assert str(refusal.value) == SAME_LOGIN


def test_the_database_refuses_it_past_the_program(conn: Connection) -> None:
    """Whoever inserts the event by hand gets the same answer, and no number of their own."""
    key = proposed(conn)
    event = (
        "insert into curation.decision_events (overlay_key, event_kind, actor, actor_kind,"
        " rationale, session_role_oid) values (%s, 'human_approved', %s, 'human', 'seen', 1)"
    )
    with pytest.raises(psycopg.errors.RestrictViolation, match=r"^who proposed an overlay does"):
        by_hand(conn, event, key, "maya")
    by_hand(conn, event, key, "omar")
    rows = conn.execute(
        "select distinct e.session_role_oid = r.oid from curation.decision_events e, pg_roles r"
        " where r.rolname = session_user"
    ).fetchall()
    assert rows == [(True,)]


def by_hand(conn: Connection, statement: str, *values: str) -> None:
    with conn.transaction():
        conn.execute("set local role tidegate_curator")
        conn.execute(statement.encode(), values)


def test_who_proposed_may_still_close_it(conn: Connection) -> None:
    """Taking back, rejecting and superseding put nothing into force that nobody else approved."""
    old, new = proposed(conn), proposed(conn, arm="arm:2")
    for key in (old, new):
        curation.approve(conn, key, OMAR)
    curation.supersede(conn, old, new, MAYA)
    curation.withdraw(conn, new, MAYA)
    curation.reject(conn, proposed(conn), MAYA)
    assert in_force(conn) == []
    assert [event.event_kind for event in curation_read.decisions(conn, old)] == [
        "proposed", "human_approved", "superseded",
    ]  # fmt: skip


def test_the_command_says_who_has_to_do_it(tmp_path: Path, warehouse: Warehouse) -> None:
    """Exit code 2, the way on, and the state of the world."""
    who = ("--by", "maya", "--reason", "read the register", "--json")
    tidegate = project(tmp_path, warehouse)
    said = tidegate.run(
        "curate", "propose", "link_correction", "--kind", "trial_arm_link",
        "--subject", "group:1", "--to", "arm:a", *who,
    )  # fmt: skip
    said = tidegate.run("curate", "approve", json.loads(said.out)["overlay_key"], *who)
    assert said.code == 2
    message = "That is no decision: who proposed an overlay does not approve it."
    remedy = "Have somebody else run `tidegate curate approve`, as themselves."
    assert said.err == f"Error [usage]: {message}\n{remedy}\nServing views unchanged.\n"
    assert json.loads(said.out) == {
        "error": {"code": "usage", "exit_code": 2, "message": message, "remedy": remedy,
                  "state": "Serving views unchanged."}
    }  # fmt: skip

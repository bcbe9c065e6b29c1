"""Decisions of curators: their rules are the database's, and nobody else writes them."""

from __future__ import annotations

import re
from enum import Enum

import psycopg
import pytest
from psycopg import sql

from curating import (
    AGENT,
    ALIAS,
    MAYA,
    OMAR,
    REVIEWER,
    arm_link,
    everything,
    in_force,
    proposed,
)
from logins import login
from tidegate.cli.commands import curate
from tidegate.connection import Connection
from tidegate.errors import PrivilegeMissing, UsageError
from tidegate.ledger import curation, curation_read
from tidegate.ledger.curation import Curator, Proposal
from tidegate.ledger.curation_doubts import SAID
from tidegate.ledger.curation_words import (
    LOW_RISK_KINDS,
    ActorKind,
    EventKind,
    Impact,
    OverlayEffect,
    OverlayKind,
    ReviewStateOfOverlay,
    SubjectKind,
)
from tidegate.ledger.roles import Role
from tidegate.warehouse import Warehouse


def test_a_proposal_of_high_impact_is_in_force_only_when_a_person_approved_it(
    conn: Connection,
) -> None:
    """Pending changes nothing; the approval is an event of its own."""
    key = proposed(conn)
    assert in_force(conn) == []
    assert curation.approve(conn, key, OMAR) is EventKind.HUMAN_APPROVED
    assert in_force(conn) == [key]
    found = curation_read.overlay(conn, key)
    assert (found.review_state, found.state, found.in_force) == (
        "human_approved", "human_approved", True,
    )  # fmt: skip
    events = curation_read.decisions(conn, key)
    assert [(e.event_kind, e.actor, e.decision_event_key) for e in events] == [
        ("proposed", "maya", f"{key}:1"), ("human_approved", "omar", f"{key}:2"),
    ]  # fmt: skip


def test_an_agent_reviews_what_is_of_low_impact_and_nothing_else(conn: Connection) -> None:
    """A spelling of a sponsor's name, and never the arm of a result."""
    low = curation.propose(conn, ALIAS, AGENT)
    assert in_force(conn) == []
    assert curation.approve(conn, low, REVIEWER) is EventKind.AUTO_REVIEWED
    assert in_force(conn) == [low]
    high = proposed(conn, by=AGENT)
    with pytest.raises(UsageError) as refusal:
        curation.approve(conn, high, REVIEWER)
    assert str(refusal.value) == (
        "That is no decision: an overlay of high impact is approved by a person."
        " See `tidegate curate show`."
    )
    assert in_force(conn) == [low]


def test_low_impact_may_need_no_review_and_is_in_force_at_once(conn: Connection) -> None:
    """Only where it is said to be low."""
    key = curation.propose(conn, Proposal(**{**vars(ALIAS), "needs_review": False}), MAYA)
    assert in_force(conn) == [key]
    with pytest.raises(UsageError, match=r"^What is of high impact is reviewed\. "):
        curation.propose(
            conn, Proposal(**{**vars(arm_link("g", "a")), "needs_review": False}), MAYA
        )


def test_a_rejected_overlay_is_closed_with_its_reason(conn: Connection) -> None:
    """Nothing of it takes part, whatever is tried afterwards."""
    key = proposed(conn)
    curation.reject(conn, key, Curator("omar", "the table names the other arm"))
    assert in_force(conn) == []
    last = curation_read.decisions(conn, key)[-1]
    assert (last.event_kind, last.rejection_reason) == ("rejected", "the table names the other arm")
    with pytest.raises(UsageError, match="an overlay that was rejected is closed"):
        curation.approve(conn, key, OMAR)


def test_a_supersession_names_the_decision_it_ends_and_the_overlay_that_takes_over(
    conn: Connection,
) -> None:
    """The successor is of the same subject and fact, and reviewed; nothing comes back by itself."""
    old, new = proposed(conn), proposed(conn, arm="arm:2")
    curation.approve(conn, old, OMAR)
    for heir, said in (
        (new, "an overlay is superseded by one that is reviewed and not closed"),
        (proposed(conn, subject="group:9"), "an overlay is superseded by another of its subject"),
        (old, "an overlay is superseded by another of its subject"),
    ):
        with pytest.raises(UsageError, match=said):
            curation.supersede(conn, old, heir, OMAR)
    curation.approve(conn, new, OMAR)
    curation.supersede(conn, old, new, OMAR)
    last = curation_read.decisions(conn, old)[-1]
    assert (last.supersedes_event_key, last.superseded_by_key) == (f"{old}:2", new)
    assert in_force(conn) == [new]
    curation.withdraw(conn, new, OMAR)
    assert in_force(conn) == []


def test_of_several_reviewed_overlays_the_highest_precedence_is_in_force(conn: Connection) -> None:
    """And of two that have it, the one that was reviewed last; a higher one that waits does not."""
    keys = [
        curation.propose(conn, arm_link("group:1", "arm:1", precedence), MAYA)
        for precedence in (10, 20, 20, 30)
    ]
    for key in (keys[0], keys[2], keys[1]):
        curation.approve(conn, key, OMAR)
    assert in_force(conn) == [keys[1]]
    curation.withdraw(conn, keys[1], OMAR)
    assert in_force(conn) == [keys[2]]


def test_all_that_is_wrong_with_a_proposal_is_said_at_once(conn: Connection) -> None:
    """And nothing is written; the value is never repeated."""
    nonsense = Proposal(
        SubjectKind.TRIAL_ARM_LINK, " ", "value_num", OverlayKind.OVERRIDE, None, Impact.LOW
    )
    with pytest.raises(UsageError) as refusal:
        curation.propose(conn, nonsense, MAYA)
    assert str(refusal.value) == (
        "The subject is empty. A link has the one fact target_key, and nothing else has it."
        " An overlay of kind override needs a value."
        " An override is of one fact of an assertion or a published row."
        " A decision about a trial_arm_link is of high impact."
        " docs/curation.md says what an overlay holds."
    )
    assert everything(conn) == []


@pytest.mark.parametrize("missing", [Curator(" ", "why"), Curator("maya", "")])
def test_no_decision_without_who_and_why(conn: Connection, missing: Curator) -> None:
    """In the program; the database refuses it as well (below)."""
    with pytest.raises(UsageError, match=r"^A decision needs who and why\."):
        proposed(conn, by=missing)
    key = proposed(conn)
    for decide in (curation.approve, curation.reject, curation.withdraw):
        with pytest.raises(UsageError, match=r"^A decision needs who and why\."):
            decide(conn, key, missing)


def test_every_decision_is_audited_without_a_value(conn: Connection) -> None:
    """By the database itself, with the login that was connected."""
    key = proposed(conn, arm="arm:secret-4711")
    curation.approve(conn, key, OMAR)
    rows = conn.execute(
        "select event, subject, actor, session_role = session_user, details::text"
        " from governance.audit_events where event like 'curation.%' order by audit_id"
    ).fetchall()
    assert [row[:4] for row in rows] == [
        ("curation.overlay.proposed", key, "maya", True),
        ("curation.overlay.human_approved", key, "omar", True),
    ]
    assert not any("4711" in row[4] for row in rows)


EVENT = (
    "insert into curation.decision_events (overlay_key, event_kind, actor, actor_kind, rationale,"
    " rejection_reason, superseded_by_key) values ('ov:a', {})"
)
WRONG_EVENTS = {
    "decision_events_actor_check": "'withdrawn', ' ', 'human', 'x', null, null",
    "decision_events_rationale_check": "'withdrawn', 'maya', 'human', '', null, null",
    "decision_events_actor_kind_check": "'withdrawn', 'dbt', 'pipeline', 'x', null, null",
    "decision_events_event_kind_check": "'deleted', 'maya', 'human', 'x', null, null",
    "decision_events_rejection_has_a_reason": "'rejected', 'maya', 'human', 'x', null, null",
    "decision_events_approval_is_human": (
        "'human_approved', 'agent-2', 'curation_agent', 'x', null, null"
    ),
    "decision_events_supersession_names_what": "'withdrawn', 'maya', 'human', 'x', null, 'ov:a'",
}


@pytest.fixture
def overlaid(conn: Connection) -> Connection:
    """One proposal of high impact, `ov:a`."""
    run(
        conn,
        OVERLAY.format("'ov:a'", "'high'", "'pending'"),
        EVENT.format("'proposed', 'maya', 'human', 'x', null, null"),
    )
    return conn


def run(conn: Connection, *statements: str, role: str = "tidegate_curator") -> None:
    """Statements in one transaction and one role, past the program."""
    with conn.transaction():
        conn.execute("select set_config('role', %s, true)", [role])
        for statement in statements:
            conn.execute(statement.encode())


OVERLAY = (
    "insert into curation.overlays (overlay_key, subject_kind, subject_key, fact_path,"
    " overlay_kind, new_value, impact, review_state) values"
    " ({}, 'trial_arm_link', 'group:1', 'target_key', 'link_correction', '\"arm:1\"', {}, {})"
)


@pytest.mark.parametrize("constraint", WRONG_EVENTS)
def test_the_database_refuses_a_decision_that_breaks_a_rule(
    overlaid: Connection, constraint: str
) -> None:
    """Actor, time and rationale; a reason on rejection; what is superseded; no pipeline."""
    before = everything(overlaid)
    with pytest.raises(psycopg.errors.CheckViolation) as refusal:
        run(overlaid, EVENT.format(WRONG_EVENTS[constraint]))
    assert refusal.value.diag.constraint_name == constraint
    assert everything(overlaid) == before


@pytest.mark.parametrize(
    ("column", "value", "constraint"),
    [
        ("impact", "'low'", "overlays_low_impact_kinds"),
        ("review_state", "'not_required'", "overlays_high_impact_is_reviewed"),
        ("new_value", "null", "overlays_value_unless_suppressed"),
        ("new_value", "'7'", "overlays_correction_of_a_link"),
        ("fact_path", "'value_num'", "overlays_link_has_a_target"),
        ("overlay_kind", "'override'", "overlays_override_of_a_fact"),
        ("overlay_kind", "'marker'", "overlays_marker_is_a_word"),
        ("subject_kind", "'anything'", "overlays_subject_kind_check"),
        ("subject_key", "''", "overlays_subject_key_check"),
    ],
)
def test_the_database_refuses_an_overlay_that_means_nothing(
    overlaid: Connection, column: str, value: str, constraint: str
) -> None:
    """Each rule by its name, whoever writes."""
    row = {
        "overlay_key": "'ov:b'", "subject_kind": "'trial_arm_link'", "subject_key": "'group:1'",
        "fact_path": "'target_key'", "overlay_kind": "'link_correction'",
        "new_value": "'\"arm:1\"'", "impact": "'high'", "review_state": "'pending'",
    }  # fmt: skip
    statement = "insert into curation.overlays ({}) values ({})"
    run(
        overlaid,
        statement.format(", ".join(row), ", ".join(row.values())),
        EVENT.replace("'ov:a'", "'ov:b'").format("'proposed', 'maya', 'human', 'x', null, null"),
    )
    row |= {"overlay_key": "'ov:c'", column: value}
    with pytest.raises(psycopg.errors.CheckViolation) as refusal:
        run(overlaid, statement.format(", ".join(row), ", ".join(row.values())))
    assert refusal.value.diag.constraint_name == constraint


@pytest.mark.parametrize(
    "statement",
    [
        "update curation.decision_events set rationale = 'other'",
        "delete from curation.decision_events",
        "truncate curation.decision_events",
        "update curation.overlays set new_value = '\"arm:2\"'",
        "update curation.overlays set review_state = 'human_approved'",
        "delete from curation.overlays",
        "truncate curation.overlays cascade",
        OVERLAY.format("'ov:z'", "'high'", "'human_approved'"),
        OVERLAY.format("'ov:z'", "'high'", "'pending'"),
        EVENT.format("'proposed', 'maya', 'human', 'x', null, null"),
        EVENT.format("'auto_reviewed', 'agent-2', 'curation_agent', 'x', null, null"),
    ],
)
def test_what_was_recorded_is_never_changed_not_even_by_a_curator(
    overlaid: Connection, statement: str
) -> None:
    """A forged review, an unexplained proposal, another first decision among them."""
    before = everything(overlaid)
    for role in ("tidegate_curator", "none"):
        with pytest.raises(
            (psycopg.errors.RestrictViolation, psycopg.errors.InsufficientPrivilege)
        ):
            run(overlaid, statement, role=role)
    assert everything(overlaid) == before


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.CURATOR])
def test_no_other_role_writes_curation(
    overlaid: Connection, warehouse: Warehouse, role: Role
) -> None:
    """Neither through its rights nor through the program."""
    before = everything(overlaid)
    with login(warehouse, role.value) as other, other.connect() as conn:
        for statement in (
            OVERLAY.format("'ov:b'", "'high'", "'pending'"),
            EVENT.format("'withdrawn', 'maya', 'human', 'x', null, null"),
            "update curation.overlays set precedence = 99",
            "delete from curation.overlays",
            "delete from curation.decision_events",
            "create table curation.mine (v int)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(statement.encode())
        with pytest.raises(PrivilegeMissing) as refusal:
            curation.approve(conn, "ov:a", OMAR)
        name = conn.info.user
    assert str(refusal.value) == (
        f"To approve ov:a takes a member of tidegate_curator; the login {name} is none. Ask a"
        f' member, or have an administrator run: grant "tidegate_curator" to "{name}";'
    )
    assert everything(overlaid) == before


def test_not_even_a_superuser_writes_curation_by_accident(overlaid: Connection) -> None:
    """Whoever builds models as the owner of everything is refused as well."""
    for table in ("overlays", "decision_events"):
        statement = sql.SQL("delete from {}").format(sql.Identifier("curation", table))
        with pytest.raises(psycopg.errors.InsufficientPrivilege) as refusal:
            overlaid.execute(statement)
        assert refusal.value.diag.message_primary == f"only the curator writes curation.{table}"


def test_a_curator_decides_with_a_login_of_that_role_alone(
    conn: Connection, warehouse: Warehouse
) -> None:
    """Nothing else is needed, and the audit event is written for them."""
    with login(warehouse, "tidegate_curator") as first, first.connect() as own:
        key = proposed(own)
    with login(warehouse, "tidegate_curator") as second, second.connect() as own:
        curation.approve(own, key, OMAR)
        assert [row.overlay_key for row in curation_read.overlays(own)] == [key]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            own.execute("select * from governance.audit_events")
    rows = conn.execute("select session_role ~ '^login_' from governance.audit_events").fetchall()
    assert rows == [(True,), (True,)]


def test_a_decision_inside_an_outer_transaction_leaves_its_role_as_it_was(
    conn: Connection,
) -> None:
    """What follows runs with the caller's own rights again."""
    with conn.transaction():
        key = proposed(conn)
        assert conn.execute("select current_user = session_user").fetchone() == (True,)
        with pytest.raises(UsageError):
            curation.propose(conn, Proposal(**{**vars(ALIAS), "new_value": None}), MAYA)
        assert conn.execute("select current_user = session_user").fetchone() == (True,)
    assert curation_read.overlay(conn, key).state == "proposed"


@pytest.mark.parametrize(
    ("table", "column", "words"),
    [
        ("overlays", "subject_kind", SubjectKind),
        ("overlays", "overlay_kind", OverlayKind),
        ("overlays", "impact", Impact),
        ("overlays", "review_state", ReviewStateOfOverlay),
        ("decision_events", "event_kind", EventKind),
        ("decision_events", "actor_kind", ActorKind),
    ],
)
def test_the_check_constraint_lists_the_enum(
    conn: Connection, table: str, column: str, words: type[Enum]
) -> None:
    """A word added on one side only fails here."""
    assert constraint_words(conn, table, f"{table}_{column}_check") == {w.value for w in words}


def test_what_a_build_may_find_is_one_vocabulary(conn: Connection) -> None:
    """In the database, in the program, and in the words of `status`."""
    words = {effect.value for effect in OverlayEffect}
    name = "overlay_effects_effect_check"
    assert constraint_words(conn, "overlay_effects", name, "governance") == words
    assert {effect.value for effect in SAID} == words - {"applied"}


def test_the_low_risk_kinds_are_those_of_the_database(conn: Connection) -> None:
    """Which subjects may be of low impact is said once more in Python, for the message."""
    found = constraint_words(conn, "overlays", "overlays_low_impact_kinds")
    assert found - {"high", "marker"} == {kind.value for kind in LOW_RISK_KINDS}


def constraint_words(conn: Connection, table: str, name: str, schema: str = "curation") -> set[str]:
    row = conn.execute(
        "select pg_get_constraintdef(oid) from pg_constraint"
        " where conrelid = format('%%I.%%I', %s::text, %s::text)::regclass and conname = %s",
        [schema, table, name],
    ).fetchone()
    assert row is not None
    return set(re.findall(r"'([a-z_]+)'", row[0]))


def test_the_command_offers_every_kind_of_subject_and_overlay() -> None:
    """In the order in which the vocabularies are declared."""
    choices = {
        parameter.name: getattr(parameter.type, "choices", None)
        for parameter in curate.command.commands["propose"].params
    }
    assert list(choices["subject_kind"] or ()) == [kind.value for kind in SubjectKind]
    assert list(choices["overlay_kind"] or ()) == [kind.value for kind in OverlayKind]
    assert list(choices["impact"] or ()) == [impact.value for impact in Impact]

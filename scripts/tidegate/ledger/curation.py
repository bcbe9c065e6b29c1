"""What curators decide: proposals, approvals, rejections, supersessions, withdrawals.

Everything is written in the role `tidegate_curator` and in no other; the database refuses the rest
(contracts seed, "Layered checks": only a curator writes `curation.*`). A decision is an event that
is never changed; an overlay is in force where `curation.effective_overlays` has it. Each decision
leaves an audit event, which holds no value.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import approvals, curation_subjects
from tidegate.ledger.curation_words import (
    LOW_RISK_KINDS,
    ROW,
    TARGET,
    ActorKind,
    EventKind,
    Impact,
    OverlayKind,
    ReviewStateOfOverlay,
    SubjectKind,
)
from tidegate.ledger.roles import Role


@dataclass(frozen=True)
class Curator:
    """Who decides, and why; an agent may propose, and review what is of low impact."""

    by: str
    reason: str
    kind: ActorKind = ActorKind.HUMAN


@dataclass(frozen=True)
class Proposal:
    """What is to be said instead of the sources; `new_value` is JSON, None for a suppression.

    The subject of a link is the link's own (`resolution.links`), its fact `target_key`; of a
    published row it is `<model>|<row key>`, its fact a column or `$row`.
    """

    subject_kind: SubjectKind
    subject_key: str
    fact_path: str
    overlay_kind: OverlayKind
    new_value: Any = None
    impact: Impact = Impact.HIGH
    precedence: int = 10
    needs_review: bool = True


def propose(conn: Connection, proposal: Proposal, curator: Curator) -> str:
    """Record a proposal and return its key; raises UsageError where it can mean nothing."""
    _require_named(curator)
    _require_meaning(proposal)
    key = f"ov:{secrets.token_hex(5)}"
    state = (
        ReviewStateOfOverlay.PENDING if proposal.needs_review else ReviewStateOfOverlay.NOT_REQUIRED
    )
    with as_curator(conn, "propose an overlay"):
        conn.execute(
            "insert into curation.overlays (overlay_key, subject_kind, subject_key, fact_path,"
            " overlay_kind, new_value, impact, review_state, precedence, previous_value)"
            " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s::jsonb)",
            [
                key,
                proposal.subject_kind.value,
                proposal.subject_key,
                proposal.fact_path,
                proposal.overlay_kind.value,
                None if proposal.new_value is None else Jsonb(proposal.new_value),
                proposal.impact.value,
                state.value,
                proposal.precedence,
                curation_subjects.previous_value(
                    conn, proposal.subject_kind, proposal.subject_key, proposal.fact_path
                ),
            ],
        )
        _decide(conn, key, EventKind.PROPOSED, curator)
    return key


def approve(conn: Connection, overlay_key: str, curator: Curator) -> EventKind:
    """Approve an overlay: a person any, an agent one of low impact; return what was recorded."""
    _require_named(curator)
    kind = EventKind.HUMAN_APPROVED if curator.kind is ActorKind.HUMAN else EventKind.AUTO_REVIEWED
    with as_curator(conn, f"approve {overlay_key}"):
        _require_open(conn, overlay_key)
        _decide(conn, overlay_key, kind, curator)
    return kind


def reject(conn: Connection, overlay_key: str, curator: Curator) -> None:
    """Reject an overlay for the curator's reason: it is closed, and nothing of it takes part."""
    _require_named(curator)
    with as_curator(conn, f"reject {overlay_key}"):
        _require_open(conn, overlay_key)
        _decide(conn, overlay_key, EventKind.REJECTED, curator, rejection_reason=curator.reason)


def supersede(conn: Connection, overlay_key: str, heir: str, curator: Curator) -> None:
    """Close an overlay in favour of another one of its subject and fact, which is reviewed."""
    _require_named(curator)
    with as_curator(conn, f"supersede {overlay_key}"):
        _require_open(conn, overlay_key)
        _require_open(conn, heir)
        _decide(conn, overlay_key, EventKind.SUPERSEDED, curator, superseded_by_key=heir)


def withdraw(conn: Connection, overlay_key: str, curator: Curator) -> None:
    """Close an overlay without another one: the sources speak again."""
    _require_named(curator)
    with as_curator(conn, f"withdraw {overlay_key}"):
        _require_open(conn, overlay_key)
        _decide(conn, overlay_key, EventKind.WITHDRAWN, curator)


@contextmanager
def as_curator(conn: Connection, to: str) -> Iterator[None]:
    """One transaction in the role of the curator; PrivilegeMissing where the login is none.

    What the database refuses as no decision is a UsageError; its sentences hold no value.
    """
    try:
        with conn.transaction():
            approvals.require_authority(conn, [Role.CURATOR.value], to=to)
            row = conn.execute("select current_setting('role')").fetchone()
            conn.execute("select set_config('role', %s, true)", [Role.CURATOR.value])
            yield
            # Checked here, in the curator's role, and not at the end of an outer transaction.
            conn.execute("set constraints curation.require_proposal immediate")
            conn.execute("set constraints curation.require_proposal deferred")
            conn.execute("select set_config('role', %s, true)", [row[0] if row else "none"])
    except psycopg.errors.RestrictViolation as refusal:
        raise UsageError(
            f"That is no decision: {refusal.diag.message_primary}.",
            remedy=refusal.diag.message_hint or "See `tidegate curate show`.",
        ) from None


def _decide(
    conn: Connection,
    overlay_key: str,
    kind: EventKind,
    curator: Curator,
    *,
    rejection_reason: str | None = None,
    superseded_by_key: str | None = None,
) -> None:
    # The database numbers the event and names what it supersedes: it has the order of decisions.
    conn.execute(
        "insert into curation.decision_events (overlay_key, event_kind, actor, actor_kind,"
        " rationale, rejection_reason, superseded_by_key) values (%s, %s, %s, %s, %s, %s, %s)",
        [
            overlay_key,
            kind.value,
            curator.by.strip(),
            curator.kind.value,
            curator.reason.strip(),
            rejection_reason.strip() if rejection_reason else None,
            superseded_by_key,
        ],
    )


def _require_named(curator: Curator) -> None:
    if not curator.by.strip() or not curator.reason.strip():
        raise UsageError("A decision needs who and why.", remedy="Give --by and --reason.")


def _require_open(conn: Connection, overlay_key: str) -> None:
    found = conn.execute(
        "select from curation.overlays where overlay_key = %s", [overlay_key]
    ).fetchone()
    if found is None:
        raise UsageError(
            f"There is no overlay {overlay_key}.", remedy="See `tidegate curate list --all`."
        )


def _require_meaning(proposal: Proposal) -> None:
    """Say all that is wrong with a proposal at once."""
    wrong = [message for applies, message in _faults(proposal) if applies]
    if wrong:
        raise UsageError(" ".join(wrong), remedy="docs/curation.md says what an overlay holds.")


def _faults(proposal: Proposal) -> Iterator[tuple[bool, str]]:
    kind, link = proposal.overlay_kind, proposal.subject_kind.is_link
    is_text = isinstance(proposal.new_value, str) and bool(proposal.new_value.strip())
    yield not proposal.subject_key.strip(), "The subject is empty."
    yield not proposal.fact_path.strip(), "The fact is empty."
    yield (
        link != (proposal.fact_path == TARGET),
        (f"A link has the one fact {TARGET}, and nothing else has it."),
    )
    suppresses = kind is OverlayKind.SUPPRESSION
    yield suppresses and proposal.new_value is not None, "A suppression has no value."
    yield (
        not suppresses and proposal.new_value is None,
        f"An overlay of kind {kind.value} needs a value.",
    )
    corrects = kind is OverlayKind.LINK_CORRECTION
    yield corrects and not link, "Only a link is corrected by a target."
    yield corrects and link and not is_text, "The target of a link is a key."
    yield (
        kind is OverlayKind.OVERRIDE and (link or proposal.fact_path == ROW),
        ("An override is of one fact of an assertion or a published row."),
    )
    marks = kind is OverlayKind.MARKER
    yield (
        marks and proposal.subject_kind is not SubjectKind.ASSERTION,
        "Only assertions are marked.",
    )
    yield marks and not is_text, "A marker is a word."
    low = proposal.impact is Impact.LOW
    yield (
        low and not marks and proposal.subject_kind not in LOW_RISK_KINDS,
        (f"A decision about a {proposal.subject_kind.value} is of high impact."),
    )
    yield not proposal.needs_review and not low, "What is of high impact is reviewed."

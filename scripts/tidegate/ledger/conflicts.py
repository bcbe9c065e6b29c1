"""The conflict queue, and how a curator answers it: by an overlay of the ambiguous link.

The queue is derived (`resolution.conflict_queue`, as the last build left it); an answer is a
decision like any other. A resolution sets the target of one candidate, a dismissal leaves the link
out on purpose. Of high impact, either waits for a person's approval.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import curation
from tidegate.ledger.curation import Curator, Proposal
from tidegate.ledger.curation_words import (
    LOW_RISK_KINDS,
    TARGET,
    ActorKind,
    Impact,
    OverlayKind,
    SubjectKind,
)


@dataclass(frozen=True)
class Conflict:
    """One ambiguous term; `overlay_key` is the answer that waits or is in force, if any."""

    conflict_id: str
    subject_kind: str
    subject_key: str
    candidate_ids: list[str]
    severity: str
    state: str
    opened_at: datetime
    overlay_key: str | None


@dataclass(frozen=True)
class Candidate:
    """What a term may mean, and how that was found."""

    candidate_id: str
    target_key: str
    match_method: str
    match_score: float


@dataclass(frozen=True)
class Answer:
    """The overlay that answers a conflict, and whether it is in force already."""

    overlay_key: str
    in_force: bool


_CONFLICTS = (
    "select q.conflict_id, q.subject_kind, q.subject_key, q.candidate_ids, q.severity, q.state,"
    " q.opened_at, (select o.overlay_key from curation.overlays o"
    "   left join curation.effective_overlays e on e.overlay_key = o.overlay_key"
    "   where o.subject_kind = q.subject_kind and o.subject_key = q.subject_key"
    "   and (e.is_active or (o.review_state = 'pending' and not exists ("
    "     select from curation.decision_events d where d.overlay_key = o.overlay_key"
    "     and d.event_kind in ('superseded', 'withdrawn'))))"
    "   order by e.is_active desc nulls last, o.created_at limit 1) as overlay_key"
    " from resolution.conflict_queue q"
)


def conflicts(conn: Connection, *, everything: bool = False) -> list[Conflict]:
    """Open conflicts, those of most weight first; `everything` also the answered ones."""
    _require_built(conn)
    with conn.cursor(row_factory=class_row(Conflict)) as cursor:
        return cursor.execute(
            _CONFLICTS + " where %s or q.state = 'open' order by"
            " array_position(array['high', 'medium', 'low'], q.severity), q.opened_at, 1",
            [everything],
        ).fetchall()


def candidates(conn: Connection, conflict: Conflict) -> list[Candidate]:
    """What the term of a conflict may mean, the best first."""
    with conn.cursor(row_factory=class_row(Candidate)) as cursor:
        return cursor.execute(
            "select candidate_id, target_key, match_method, match_score::float8 as match_score"
            " from resolution.candidates where candidate_id = any(%s)"
            " order by match_score desc, candidate_id",
            [conflict.candidate_ids],
        ).fetchall()


def resolve(conn: Connection, conflict_id: str, candidate_id: str, curator: Curator) -> Answer:
    """Say which candidate a term means; raises UsageError where it is none of the conflict's."""
    conflict = _unanswered(conn, conflict_id)
    for candidate in candidates(conn, conflict):
        if candidate_id in (candidate.candidate_id, candidate.target_key):
            return _answer(
                conn, conflict, OverlayKind.LINK_CORRECTION, candidate.target_key, curator
            )
    raise UsageError(
        f"That is no candidate of {conflict_id}.",
        remedy="See `tidegate conflicts list`; another target takes `tidegate curate propose`.",
    )


def dismiss(conn: Connection, conflict_id: str, curator: Curator) -> Answer:
    """Say that a term is not to be linked."""
    conflict = _unanswered(conn, conflict_id)
    return _answer(conn, conflict, OverlayKind.SUPPRESSION, None, curator)


def _answer(
    conn: Connection,
    conflict: Conflict,
    kind: OverlayKind,
    target: str | None,
    curator: Curator,
) -> Answer:
    subject_kind = SubjectKind(conflict.subject_kind)
    impact = Impact.LOW if subject_kind in LOW_RISK_KINDS else Impact.HIGH
    at_once = impact is Impact.LOW and curator.kind is ActorKind.HUMAN
    proposal = Proposal(
        subject_kind, conflict.subject_key, TARGET, kind, target, impact, needs_review=not at_once
    )
    return Answer(curation.propose(conn, proposal, curator), at_once)


def _unanswered(conn: Connection, conflict_id: str) -> Conflict:
    found = [it for it in conflicts(conn, everything=True) if it.conflict_id == conflict_id]
    if not found:
        raise UsageError(
            f"There is no conflict {conflict_id}.", remedy="See `tidegate conflicts list --all`."
        )
    if found[0].overlay_key is not None:
        raise UsageError(
            f"{conflict_id} was answered by {found[0].overlay_key}.",
            remedy="Approve, withdraw or supersede that one with `tidegate curate`.",
        )
    return found[0]


def _require_built(conn: Connection) -> None:
    row = conn.execute("select to_regclass('resolution.conflict_queue') is not null").fetchone()
    if not row or not row[0]:
        raise UsageError(
            "There is no conflict queue in this database.",
            remedy="`tidegate refresh` builds it where the project has a model"
            " resolution.conflict_queue; where it has none, no conflict waits for anybody.",
        )

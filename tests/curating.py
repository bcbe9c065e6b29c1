"""What curation tests share: a proposal, and who decides."""

from __future__ import annotations

from typing import Any

from tidegate.connection import Connection
from tidegate.ledger.curation import Curator, Proposal, propose
from tidegate.ledger.curation_words import (
    TARGET,
    ActorKind,
    Impact,
    OverlayKind,
    SubjectKind,
)

MAYA = Curator("maya", "the protocol names this arm")
OMAR = Curator("omar", "read the protocol, page 4")
REVIEWER = Curator("agent-7", "the register spells it so", ActorKind.CURATION_AGENT)
AGENT = Curator("agent-2", "spelling of one name", ActorKind.CURATION_AGENT)
ALIAS = Proposal(
    SubjectKind.ORG_ALIAS, "application:FDA:125527", TARGET, OverlayKind.LINK_CORRECTION,
    "org:bristol-myers-squibb", Impact.LOW,
)  # fmt: skip


def arm_link(subject: str, arm: str, precedence: int = 10) -> Proposal:
    """A correction of a result group's arm: of high impact."""
    return Proposal(
        SubjectKind.TRIAL_ARM_LINK, subject, TARGET, OverlayKind.LINK_CORRECTION, arm,
        precedence=precedence,
    )  # fmt: skip


def proposed(conn: Connection, subject: str = "group:1", arm: str = "arm:1", by: Any = MAYA) -> str:
    """The key of such a proposal."""
    return propose(conn, arm_link(subject, arm), by)


def in_force(conn: Connection) -> list[str]:
    """Keys of the overlays that are in force."""
    rows = conn.execute(
        "select overlay_key from curation.effective_overlays where is_active order by 1"
    ).fetchall()
    return [key for (key,) in rows]


def everything(conn: Connection) -> list[Any]:
    """Every row of curation, to compare with a later one."""
    found: list[Any] = []
    for table in ("overlays", "decision_events", "effective_overlays"):
        found += conn.execute(
            f"select to_jsonb(t) from curation.{table} t order by to_jsonb(t)::text".encode()
        ).fetchall()
    return found

"""Overlays in force that are not any more what somebody approved: a person has to look.

What a build finds for an overlay stands in `governance.overlay_effects`. One whose subject is gone,
or of which the sources say something else than its curator saw, goes on as it was decided and
opens a review item (docs/curation.md): nothing is dropped, or put on something else, silently.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from tidegate.connection import Connection
from tidegate.ledger import review
from tidegate.ledger.curation_words import OverlayEffect

SAID = {
    OverlayEffect.SUBJECT_MISSING: "what it is about is gone",
    OverlayEffect.SUBJECT_AMBIGUOUS: "it may mean several statements and changes none",
    OverlayEffect.SOURCE_CHANGED: "the sources say something else than what its curator saw",
}


@dataclass(frozen=True)
class Doubt:
    """One such overlay, without any value; `looked_at` is None where nothing could look for it."""

    overlay_key: str
    subject_kind: str
    subject_key: str
    fact_path: str
    effect: str
    looked_at: datetime | None

    @property
    def said(self) -> str:
        """The effect in words."""
        return SAID[OverlayEffect(self.effect)]


def doubts(conn: Connection) -> tuple[Doubt, ...]:
    """All of them, by key."""
    with conn.cursor(row_factory=class_row(Doubt)) as cursor:
        return tuple(
            cursor.execute(
                "select overlay_key, subject_kind, subject_key, fact_path, effect, looked_at"
                " from governance.overlay_doubts order by overlay_key"
            ).fetchall()
        )


def open_reviews(conn: Connection) -> int:
    """Open a review item for each, or add a sighting by its newest build; return how many."""
    found = doubts(conn)
    with conn.transaction():
        for doubt in found:
            seen = doubt.looked_at.isoformat() if doubt.looked_at else "never"
            review.open_item(
                conn,
                review.ReviewKind.CURATION,
                doubt.overlay_key,
                doubt.effect,
                f"build:{seen}",
                {"subject_kind": doubt.subject_kind, "fact_path": doubt.fact_path},
            )
    return len(found)

"""`status`: what readers see of each family and each model, and what waits for somebody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from typing_extensions import LiteralString

from tidegate.connection import Connection
from tidegate.ledger import curation_doubts, judgements, review
from tidegate.ledger.curation_doubts import Doubt
from tidegate.names import QUERY
from tidegate.publishing.outcome import label_of
from tidegate.publishing.promotion_views import view_of


@dataclass(frozen=True)
class ModelStatus:
    """One model as readers have it; `view` in schema `query` shows it, with others where united."""

    model: str
    view: str
    generation: int
    rows: int
    contract_version: str


@dataclass(frozen=True)
class FamilyStatus:
    """One family in the words of the seed's state machine."""

    family: str
    state: str
    served: int | None
    latest: int | None
    reason: str | None
    reference: str | None
    models: tuple[ModelStatus, ...]
    held_back: tuple[tuple[str, str, int | None, str], ...]


@dataclass(frozen=True)
class Status:
    """The whole project."""

    families: tuple[FamilyStatus, ...]
    open_reviews: int
    parked_runs: int
    quarantined_records: int
    doubted_overlays: tuple[Doubt, ...] = ()

    def document(self) -> dict[str, Any]:
        """The status as JSON, every model with its generation and state."""
        return {
            "families": [_family_document(family) for family in self.families],
            "open_reviews": self.open_reviews,
            "parked_runs": self.parked_runs,
            "quarantined_records": self.quarantined_records,
            "doubted_overlays": [
                {
                    "overlay_key": doubt.overlay_key,
                    "subject_kind": doubt.subject_kind,
                    "fact_path": doubt.fact_path,
                    "effect": doubt.effect,
                }
                for doubt in self.doubted_overlays
            ],
        }


def read_status(conn: Connection) -> Status:
    """Read the status from the ledger."""
    rows = conn.execute(
        "select states.family, states.state, states.served_generation, states.latest_generation,"
        " states.reason, publications.reference from governance.family_states as states"
        " left join governance.publications as publications"
        " on publications.kind = 'family' and publications.subject = states.family"
        " and publications.generation = states.served_generation order by states.family"
    ).fetchall()
    families = tuple(
        FamilyStatus(
            family=family,
            state=state,
            served=served,
            latest=latest,
            reason=reason,
            reference=reference,
            models=_models(conn, family, served),
            held_back=_pending(conn, family)
            or (_held_back(conn, family, latest) if latest != served else ()),
        )
        for family, state, served, latest, reason, reference in rows
    )
    return Status(
        families=families,
        open_reviews=review.open_count(conn),
        parked_runs=_count(conn, "select count(*) from governance.runs where status = 'parked'"),
        quarantined_records=_count(
            conn, "select count(*) from governance.quarantine where state = 'held'"
        ),
        doubted_overlays=curation_doubts.doubts(conn),
    )


def _models(conn: Connection, family: str, served: int | None) -> tuple[ModelStatus, ...]:
    rows = conn.execute(
        "select model, generation, row_count, contract_version from governance.generation_models"
        " where family = %s and generation = %s order by model",
        [family, served],
    ).fetchall()
    return tuple(
        ModelStatus(model, view_of(family, model), number, count, version)
        for model, number, count, version in rows
    )


def _pending(conn: Connection, family: str) -> tuple[tuple[str, str, int | None, str], ...]:
    """What keeps the newest attempt from making a generation: parked, or not built."""
    return tuple(
        (entry.model, entry.gate_id, entry.affected_rows, entry.reason)
        for entry in judgements.pending_entries(conn, family)
    )


def _held_back(
    conn: Connection, family: str, generation: int | None
) -> tuple[tuple[str, str, int | None, str], ...]:
    rows = conn.execute(
        "select model, gate_id, affected_rows, reason from governance.held_back"
        " where family = %s and blocked_generation = %s order by held_back_id",
        [family, generation],
    ).fetchall()
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


def _count(conn: Connection, statement: LiteralString) -> int:
    row = conn.execute(statement).fetchone()
    return int(row[0]) if row else 0


def _family_document(family: FamilyStatus) -> dict[str, Any]:
    return {
        "family": family.family,
        "state": family.state,
        "served": label_of(family.served),
        "latest": label_of(family.latest),
        "reason": family.reason,
        "reference": family.reference,
        "models": [
            {
                "model": model.model,
                "view": f"{QUERY}.{model.view}",
                "generation": label_of(model.generation),
                "state": "served",
                "rows": model.rows,
                "contract_version": model.contract_version,
            }
            for model in family.models
        ],
        "held_back": [
            {"model": model, "gate_id": gate, "affected_rows": rows, "reason": reason}
            for model, gate, rows, reason in family.held_back
        ],
    }

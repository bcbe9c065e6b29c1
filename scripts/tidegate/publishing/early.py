"""What ends a run before anything is built: replayed, unchanged, or parked."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.connection import Connection
from tidegate.ledger import contracts, generations, judgements
from tidegate.ledger.judgements import HeldBackEntry
from tidegate.ledger.publications import Publication
from tidegate.publishing import inputs
from tidegate.publishing.context import Context
from tidegate.publishing.outcome import FamilyOutcome, Verdict


def replayed(conn: Connection, publication: Publication) -> FamilyOutcome:
    """What the idempotency key has published before."""
    return FamilyOutcome(
        family=publication.subject,
        verdict=Verdict.REPLAYED,
        served=generations.served_generation(conn, publication.subject),
        generation=publication.generation,
        reference=publication.reference,
    )


def unchanged(
    side: Connection, context: Context, group: Sequence[str]
) -> tuple[FamilyOutcome, ...]:
    """The group's newest judged generations, where nothing they were built from has changed."""
    outcomes = []
    for family in group:
        newest = generations.latest(side, family)
        if newest is None or newest.code_sha256 != context.graph(family).code_sha256:
            return ()
        if not inputs.same_inputs(side, newest.inputs):
            return ()
        if judgements.is_unsettled(side, newest):
            return ()
        outcomes.append(unchanged_outcome(side, newest))
    for family in group:
        generations.note_project(side, family, context.project_sha256)
        judgements.settle_pending(side, family)
    return tuple(outcomes)


def unchanged_outcome(conn: Connection, newest: generations.Generation) -> FamilyOutcome:
    """An unchanged family is served as it is, or still held back for the same reasons."""
    held = newest.state is generations.GenerationState.HELD_BACK
    return FamilyOutcome(
        family=newest.family,
        verdict=Verdict.HELD_BACK if held else Verdict.UNCHANGED,
        served=generations.served_generation(conn, newest.family),
        generation=newest.generation,
        entries=judgements.held_back_entries(conn, newest) if held else (),
        unchanged=True,
    )


def parked(side: Connection, context: Context, group: Sequence[str]) -> tuple[FamilyOutcome, ...]:
    """Park the group where a contract changed and nobody has promoted it."""
    found: dict[str, tuple[HeldBackEntry, ...]] = {}
    for family in group:
        models = context.family_contracts(family)
        contracts.promote_unread(side, family, models)
        pending = contracts.unpromoted(side, family, models)
        found[family] = tuple(
            HeldBackEntry(model, "contract_unpromoted", None, reason) for model, reason in pending
        )
    if not any(found.values()):
        return ()
    for family, entries in found.items():
        with side.transaction():
            judgements.settle_pending(side, family)
            judgements.record_held_back(side, family, None, entries)
    return tuple(
        FamilyOutcome(
            family=family,
            verdict=Verdict.PARKED,
            served=generations.served_generation(side, family),
            entries=found[family]
            or (HeldBackEntry("*", "family_cycle", None, "published together with a parked one"),),
        )
        for family in group
    )

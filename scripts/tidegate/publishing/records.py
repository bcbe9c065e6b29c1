"""What a verdict leaves behind: publication record, evidence, audit, outbox, review items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tidegate.connection import Connection
from tidegate.gates.model import Status
from tidegate.gates.result import GateResult
from tidegate.ledger import audit, evidence, generations, outbox, publications, review
from tidegate.ledger.judgements import HeldBackEntry
from tidegate.ledger.publications import Publication
from tidegate.publishing.generation import BuiltFamily
from tidegate.publishing.judging import Promotion
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.policies import PolicyVerdict, evidence_of


def record_publication(
    conn: Connection,
    work: Promotion,
    built: BuiltFamily,
    results: Sequence[GateResult],
    policies: Mapping[str, PolicyVerdict],
) -> Publication:
    """Write the publication record with its evidence, the audit event and the outbox event."""
    documents = [result.document() for result in results]
    owner = built.tables[0].contract.keys.owner
    publication = publications.record(
        conn,
        work.attempt,
        kind="family",
        subject=built.family,
        content_sha256=built.content_sha256,
        generation=built.generation,
        validation={"gates": documents},
    )
    for table in built.tables:
        name = table.contract.name
        mine = [document for document in documents if document["asset"] == name]
        policy = evidence_of(policies.get(name))
        evidence.store(
            conn,
            publication.publication_id,
            name,
            {"gates": mine, "policy": policy["document"]},
            policy_version=policy["policy_version"],
            policy_sha256=policy["policy_sha256"],
        )
    details = {
        "reference": publication.reference,
        "generation": built.generation,
        "models": len(built.tables),
        "rows": sum(table.mark.row_count for table in built.tables),
        "idempotency_key": work.attempt.idempotency_key,
    }
    audit.record(conn, outbox.PUBLISHED, built.family, work.actor, details)
    outbox.enqueue(
        conn,
        outbox.PUBLISHED,
        built.family,
        owner,
        details,
        publication_id=publication.publication_id,
    )
    return publication


def open_reviews(
    conn: Connection,
    built: BuiltFamily,
    results: Sequence[GateResult],
    source: str | None = None,
) -> int:
    """Open a review item for every warning; none is ever lost."""
    warned = [r for r in results if r.rows_warning or r.status is Status.WARN]
    for result in warned:
        review.open_item(
            conn,
            review.ReviewKind.GATE,
            result.spec.model.name,
            result.gate_id,
            source or f"{built.family}@{built.generation}",
            {
                "family": built.family,
                "generation": built.generation,
                "rows_warning": result.rows_warning,
                "rows_failing": result.rows_failing,
                "reasons": dict(result.reasons),
            },
        )
    return len(warned)


def outcome_of(
    conn: Connection,
    built: BuiltFamily,
    verdict: Verdict,
    entries: tuple[HeldBackEntry, ...],
    warnings: int,
    results: Sequence[GateResult],
) -> FamilyOutcome:
    """What became of a family, as it is served inside this transaction."""
    return FamilyOutcome(
        family=built.family,
        verdict=verdict,
        served=generations.served_generation(conn, built.family),
        generation=built.generation,
        entries=entries,
        warnings=warnings,
        gates=len(results),
        models=len(built.tables),
        rows=sum(table.mark.row_count for table in built.tables),
    )

"""The promoting transaction: lock, freeze, judge on one snapshot, and move one row (design §6.4).

It runs on the connection that has held the build lock since before the build. Whatever the
verdict, results are kept in the same transaction as the decision they explain.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import psycopg

from tidegate import failpoints
from tidegate.contracts import ModelContract
from tidegate.gates import GateResult, GateSpec, Status, evaluate_all
from tidegate.ledger import audit, evidence, generations, outbox, publications, review
from tidegate.ledger.generations import GenerationState, HeldBackEntry
from tidegate.ledger.publications import Attempt, Publication
from tidegate.names import QUERY
from tidegate.publishing import candidate, locks, promotion_views, serving
from tidegate.publishing.generation import BuiltFamily
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.warehouse import Warehouse

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class Promotion:
    """What one promotion needs to know; `contracts` are those of the whole project."""

    warehouse: Warehouse
    attempt: Attempt
    actor: str
    families: tuple[BuiltFamily, ...]
    specs: Mapping[str, tuple[GateSpec, ...]]
    contracts: Mapping[str, ModelContract]
    frozen: tuple[tuple[str, str], ...] = ()
    """Further tables that gates read, as (schema, name)."""
    workers: int = 2


def promote(conn: Connection, work: Promotion) -> tuple[FamilyOutcome, ...]:
    """Judge the attached generations and move their heads, or hold all of them back.

    The caller commits. Raises PublishBlocked where locks could not be had.
    """
    locks.use_short_waits(conn)
    _freeze(conn, work)
    failpoints.hit("promote.frozen")
    results = _judge(conn, work)
    failpoints.hit("promote.judged")
    entries = _entries(conn, work, results)
    for built in work.families:
        generations.record_results(
            conn,
            built.family,
            built.generation,
            [result.document() for result in results[built.family]],
        )
    if any(entries.values()):
        return tuple(_hold_back(conn, work, built, entries, results) for built in work.families)
    outcomes = _publish(conn, work, results)
    failpoints.hit("promote.before_commit")
    return outcomes


def _freeze(conn: Connection, work: Promotion) -> None:
    """Nobody writes what the gates read, and no other head moves, until this transaction ends."""
    tables = [
        (built.schema, table.contract.name) for built in work.families for table in built.tables
    ]
    locks.lock_share(conn, sorted({*tables, *work.frozen}))
    own = [built.family for built in work.families]
    locks.retried(
        conn,
        "The serving heads",
        lambda: (
            conn.execute(
                "select family from governance.serving_heads where family <> all(%s)"
                " order by family for share",
                [own],
            ).fetchall(),
            conn.execute(
                "select family from governance.serving_heads where family = any(%s)"
                " order by family for update",
                [own],
            ).fetchall(),
        ),
    )


def _judge(conn: Connection, work: Promotion) -> dict[str, tuple[GateResult, ...]]:
    """Run every gate on one exported snapshot, and the fingerprints once more beside them."""
    row = conn.execute("select pg_export_snapshot()").fetchone()
    assert row is not None  # noqa: S101 (a function returns a row)
    snapshot = str(row[0])
    specs = [spec for built in work.families for spec in work.specs[built.family]]
    with ThreadPoolExecutor(1) as pool:
        judged = pool.submit(
            evaluate_all,
            work.warehouse.connect,
            snapshot,
            specs,
            resolver(conn, work),
            workers=min(work.workers, os.cpu_count() or 1),
            protected=True,
        )
        moved = _mutated(conn, work)
        results = judged.result()
    by_family: dict[str, tuple[GateResult, ...]] = {
        built.family: tuple(r for r in results if r.spec.family == built.family)
        for built in work.families
    }
    for built in work.families:
        by_family[built.family] += tuple(moved.get(built.family, ()))
    return by_family


def resolver(conn: Connection, work: Promotion) -> Callable[[str], tuple[str, str] | None]:
    """A model's name to the relation a gate reads: this promotion's table, else what is served."""
    here = {
        table.contract.name: (built.schema, table.contract.name)
        for built in work.families
        for table in built.tables
    }
    views = candidate.relations(conn, QUERY)

    def resolve(model: str) -> tuple[str, str] | None:
        if model in here:
            return here[model]
        return (QUERY, model) if model in views else None

    return resolve


def _mutated(conn: Connection, work: Promotion) -> dict[str, list[GateResult]]:
    """Tables whose contents are not those that were frozen, as results that block."""
    from tidegate.publishing.frozen import mutation_result

    found: dict[str, list[GateResult]] = {}
    for built in work.families:
        for table in built.tables:
            now = candidate.fingerprint(conn, built.schema, table.contract.name)
            if now != table.mark:
                result = mutation_result(built, table, now)
                found.setdefault(built.family, []).append(result)
    return found


def _entries(
    conn: Connection, work: Promotion, results: Mapping[str, Sequence[GateResult]]
) -> dict[str, tuple[HeldBackEntry, ...]]:
    entries: dict[str, tuple[HeldBackEntry, ...]] = {}
    for built in work.families:
        found = [
            HeldBackEntry(
                model=result.spec.model.name,
                gate_id=result.gate_id,
                affected_rows=result.rows_failing if result.status is Status.FAIL else None,
                reason=_reason(result),
            )
            for result in results[built.family]
            if result.blocks
        ]
        if not results[built.family]:
            found.append(HeldBackEntry("*", "gates", None, "no gate was evaluated"))
        entries[built.family] = tuple(found)
    return entries


def _reason(result: GateResult) -> str:
    if result.status is Status.ERROR:
        return f"the gate raised an error: {result.error}"
    counted = ", ".join(f"{reason} ({count})" for reason, count in result.reasons.items())
    return counted or result.status.value


def _hold_back(
    conn: Connection,
    work: Promotion,
    built: BuiltFamily,
    entries: Mapping[str, tuple[HeldBackEntry, ...]],
    results: Mapping[str, Sequence[GateResult]],
) -> FamilyOutcome:
    """Keep the generation and say why; the head stays where it is."""
    mine = entries[built.family]
    if not mine:
        others = ", ".join(sorted(family for family in entries if entries[family]))
        mine = (HeldBackEntry("*", "family_cycle", None, f"published together with {others}"),)
    reason = "; ".join(f"{entry.gate_id} on {entry.model}" for entry in mine[:3])
    generations.set_state(
        conn, built.family, built.generation, GenerationState.HELD_BACK, reason=reason
    )
    generations.record_held_back(conn, built.family, built.generation, mine)
    warnings = _open_reviews(conn, built, results[built.family])
    audit.record(
        conn,
        "family.held_back",
        built.family,
        work.actor,
        {"generation": built.generation, "reasons": [f"{e.gate_id}:{e.model}" for e in mine]},
    )
    return _outcome(conn, built, Verdict.HELD_BACK, mine, warnings, results[built.family])


def _publish(
    conn: Connection, work: Promotion, results: Mapping[str, Sequence[GateResult]]
) -> tuple[FamilyOutcome, ...]:
    """Views, heads, publication records, evidence, audit and outbox, and the touch: one commit."""
    for built in work.families:
        generations.set_state(conn, built.family, built.generation, GenerationState.CHECKS_PASSING)
    for built in work.families:
        promotion_views.apply(conn, built)
    failpoints.hit("promote.views")
    for built in work.families:
        generations.move_head(
            conn, built.family, built.generation, kind="publish", by=work.actor, reason=None
        )
        generations.set_state(
            conn,
            built.family,
            built.generation,
            GenerationState.PUBLISHED,
            content_sha256=built.content_sha256,
        )
    failpoints.hit("promote.head")
    promotion_views.unite(conn)
    outcomes = []
    for built in work.families:
        publication = _record(conn, work, built, results[built.family])
        warnings = _open_reviews(conn, built, results[built.family], publication.reference)
        outcome = _outcome(conn, built, Verdict.PUBLISHED, (), warnings, results[built.family])
        outcomes.append((outcome, publication.reference))
    failpoints.hit("promote.recorded")
    for built in work.families:
        locks.retried(
            conn,
            f"The serving parents of {built.family}",
            lambda built=built: serving.touch(  # type: ignore[misc]
                conn, built.family, [t.parent.parent.relation for t in built.tables]
            ),
        )
    from dataclasses import replace

    return tuple(replace(outcome, reference=reference) for outcome, reference in outcomes)


def _record(
    conn: Connection, work: Promotion, built: BuiltFamily, results: Sequence[GateResult]
) -> Publication:
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
        evidence.store(conn, publication.publication_id, name, {"gates": mine})
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


def _open_reviews(
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


def _outcome(
    conn: Connection,
    built: BuiltFamily,
    verdict: Verdict,
    entries: tuple[HeldBackEntry, ...],
    warnings: int,
    results: Sequence[GateResult],
) -> FamilyOutcome:
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

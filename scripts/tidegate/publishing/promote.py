"""The promoting transaction: lock, freeze, judge on one snapshot, and move one row (design §6.4).

It runs on the connection that has held the build lock since before the build. Whatever the
verdict, results are kept in the same transaction as the decision they explain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tidegate import failpoints
from tidegate.connection import Connection
from tidegate.gates.model import Status
from tidegate.gates.result import GateResult
from tidegate.ledger import audit, examples, generations, judgements
from tidegate.ledger.generations import GenerationState
from tidegate.ledger.judgements import HeldBackEntry
from tidegate.publishing import promotion_views, serving
from tidegate.publishing.generation import BuiltFamily
from tidegate.publishing.judging import Judged, Promotion, judge
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.records import open_reviews, outcome_of, record_publication
from tidegate.warehouse import locks


def promote(conn: Connection, work: Promotion) -> tuple[FamilyOutcome, ...]:
    """Judge the attached generations and move their heads, or hold all of them back.

    The caller commits. Raises PublishBlocked where locks could not be had.
    """
    locks.use_short_waits(conn)
    _freeze(conn, work)
    failpoints.hit("promote.frozen")
    judged = judge(conn, work)
    results = judged.results
    failpoints.hit("promote.judged")
    entries = _entries(conn, work, results)
    for built in work.families:
        judgements.record_results(
            conn,
            built.family,
            built.generation,
            [result.document() for result in results[built.family]],
        )
        examples.keep(conn, built.family, built.generation, results[built.family])
    if any(entries.values()):
        return tuple(_hold_back(conn, work, built, entries, results) for built in work.families)
    outcomes = _publish(conn, work, judged)
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
    judgements.settle_pending(conn, built.family)
    judgements.record_held_back(conn, built.family, built.generation, mine)
    warnings = open_reviews(conn, built, results[built.family])
    audit.record(
        conn,
        "family.held_back",
        built.family,
        work.actor,
        {"generation": built.generation, "reasons": [f"{e.gate_id}:{e.model}" for e in mine]},
    )
    return outcome_of(conn, built, Verdict.HELD_BACK, mine, warnings, results[built.family])


def _publish(conn: Connection, work: Promotion, judged: Judged) -> tuple[FamilyOutcome, ...]:
    """Heads, publication records, evidence, audit and outbox, the touch, and views: one commit."""
    results = judged.results
    for built in work.families:
        generations.set_state(conn, built.family, built.generation, GenerationState.CHECKS_PASSING)
        judgements.settle_pending(conn, built.family)
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
    outcomes = []
    for built in work.families:
        publication = record_publication(
            conn, work, built, results[built.family], judged.policies[built.family]
        )
        warnings = open_reviews(conn, built, results[built.family], publication.reference)
        outcome = outcome_of(conn, built, Verdict.PUBLISHED, (), warnings, results[built.family])
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
    # Last, since readers of a view whose shape changes wait from here to the commit.
    promotion_views.change(conn, work.families)
    failpoints.hit("promote.views")
    from dataclasses import replace

    return tuple(replace(outcome, reference=reference) for outcome, reference in outcomes)

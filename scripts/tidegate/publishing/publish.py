"""One group of families, from unchanged or not to published or held back.

One transaction on one connection spans it: it takes the build lock, then the attempt's lock, then
(after the build, whose work is committed elsewhere and seen by nobody) becomes the promoting
transaction. It is READ COMMITTED: under a snapshot taken before the wait, the replay look-up would
miss the publication it waited for.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import psycopg
import rfc8785

from tidegate import failpoints
from tidegate.connection import Connection
from tidegate.errors import HeldBack, PublishBlocked
from tidegate.gates.provider_interface import judge_code
from tidegate.ledger import (
    audit,
    curation_doubts,
    evidence,
    generations,
    judgements,
    publications,
    roles,
)
from tidegate.ledger.judgements import HeldBackEntry
from tidegate.ledger.publications import Attempt
from tidegate.names import candidate_schema
from tidegate.publishing import build, early, promote, settle, waiting
from tidegate.publishing.context import Context
from tidegate.publishing.generation import BuiltFamily
from tidegate.publishing.judging import Promotion, read_below
from tidegate.publishing.lower import lower_documents, open_lower_reviews
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.warehouse import locks


@dataclass(frozen=True)
class Request:
    """Who asks for a publication, under which idempotency key (None: made from the inputs).

    `families` are those that were asked for (none: all). Their groups are published one after
    another under the one key, so a retry goes on with the groups that are missing.
    """

    producer: str = "tidegate"
    tenant: str = "default"
    idempotency_key: str | None = None
    actor: str = "tidegate"
    force: bool = False
    families: tuple[str, ...] = ()


def publish_group(
    context: Context, group: Sequence[str], request: Request
) -> tuple[FamilyOutcome, ...]:
    """Build, judge and promote the families of one group, together or not at all."""
    with waiting.bounded(context.warehouse):
        outcomes = _publish_group(context, group, request)
    _give_rights(context)
    return outcomes


def _publish_group(
    context: Context, group: Sequence[str], request: Request
) -> tuple[FamilyOutcome, ...]:
    started = time.perf_counter()
    with context.warehouse.connect(autocommit=False, application_name="tidegate publish") as conn:
        locks.stay_open(conn)
        locks.take_build_lock(conn)
        attempt = _attempt(conn, context, group, request)
        found = publications.serialise_all(conn, attempt)
        replayed = [entry for entry in found if entry.subject in group]
        if replayed:
            conn.rollback()
            return tuple(early.replayed(conn, entry) for entry in replayed)
        with context.warehouse.connect() as side:
            if not request.force:
                kept = early.unchanged(side, context, group)
                if kept:
                    return kept
            parked = early.parked(side, context, group)
            if parked:
                return parked
            generations.discard_interrupted(side, group)
            evidence.keep_policies(side, context.project.models.values())
            try:
                with waiting.bounded(context.warehouse, *map(candidate_schema, group)):
                    outcomes = _build_and_promote(conn, side, context, group, attempt, request)
            except HeldBack as refusal:
                conn.rollback()
                outcomes = _held_back_before_attach(side, group, refusal, request)
            except PublishBlocked:
                conn.rollback()
                generations.discard_interrupted(side, group)
                raise
        outcomes = _commit(conn, context, attempt, outcomes)
    failpoints.hit("publish.committed")
    total = time.perf_counter() - started
    return tuple(replace(o, seconds={**o.seconds, "total": total}) for o in outcomes)


def _give_rights(context: Context) -> None:
    """Give the roles what dbt's rebuilding took from them; the doctor names what stays missing.

    Under the build lock, since grants and another publisher's DDL break each other ("tuple
    concurrently updated"). If somebody builds, it is theirs to do when they have ended.
    """
    with contextlib.suppress(psycopg.Error), context.warehouse.transaction() as conn:
        if locks.try_build_lock(conn):
            roles.apply_grants(conn)


def request_sha256(families: Sequence[str]) -> str:
    """What is asked for: the families (none: all), whatever their contents will be."""
    return hashlib.sha256(rfc8785.dumps({"families": sorted(families)})).hexdigest()


def _attempt(conn: Connection, context: Context, group: Sequence[str], request: Request) -> Attempt:
    """Without a key of the caller's the inputs and the next generation's number are the key."""
    key = request.idempotency_key
    if key is None:
        state: Any = {
            family: {
                "code": context.graph(family).code_sha256,
                "inputs": context.inputs(conn, family),
                "generation": generations.next_number(conn, family),
            }
            for family in group
        }
        key = "inputs:" + hashlib.sha256(rfc8785.dumps(state)).hexdigest()
    return Attempt(request.tenant, request.producer, key, request_sha256(request.families))


def _build_and_promote(
    conn: Connection,
    side: Connection,
    context: Context,
    group: Sequence[str],
    attempt: Attempt,
    request: Request,
) -> tuple[FamilyOutcome, ...]:
    clock = time.perf_counter()
    before = {family: context.inputs(side, family) for family in group}
    results = build.build_lower_layers(context, group)
    judgements.record_results(
        side, None, None, lower_documents(side, context.dbt.manifest, results)
    )
    open_lower_reviews(side, results, f"build:{_short(attempt.idempotency_key)}")
    for family in group:
        build.require_lower_layers(context, family)
    built: list[BuiltFamily] = [
        build.build_family(side, context, family, before[family]) for family in group
    ]
    curation_doubts.open_reviews(side)
    failpoints.hit("publish.built")
    built_in = time.perf_counter() - clock
    clock = time.perf_counter()
    specs = context.specs(group)
    work = Promotion(
        warehouse=context.warehouse,
        attempt=attempt,
        actor=request.actor,
        families=tuple(built),
        specs=specs,
        models=context.gate_models(),
        frozen=read_below(side, specs),
        code=judge_code(context.code_scan, group, protected=True),
    )
    outcomes = promote.promote(conn, work)
    seconds = {"build": built_in, "promote": time.perf_counter() - clock}
    return tuple(replace(outcome, seconds=seconds) for outcome in outcomes)


def _short(key: str) -> str:
    """A build's name in twelve digits; the key itself may be long."""
    return hashlib.sha256(key.encode()).hexdigest()[:12]


def _held_back_before_attach(
    side: Connection, group: Sequence[str], refusal: HeldBack, request: Request
) -> tuple[FamilyOutcome, ...]:
    """The candidate never became a generation: say why, and keep it where it is."""
    entry = HeldBackEntry("*", refusal.code, None, str(refusal))
    outcomes = []
    with side.transaction():
        # What was attached before the refusal is not served and not judged: built again next time.
        generations.discard_interrupted(side, group, reason=refusal.code)
        for family in group:
            judgements.settle_pending(side, family)
            judgements.record_held_back(side, family, None, [entry])
            audit.record(side, "family.held_back", family, request.actor, {"code": refusal.code})
            outcomes.append(
                FamilyOutcome(
                    family=family,
                    verdict=Verdict.HELD_BACK,
                    served=generations.served_generation(side, family),
                    entries=(entry,),
                )
            )
    return tuple(outcomes)


def _commit(
    conn: Connection, context: Context, attempt: Attempt, outcomes: tuple[FamilyOutcome, ...]
) -> tuple[FamilyOutcome, ...]:
    """Commit; a lost reply is settled by the idempotency key, under the attempt's lock."""

    def happened(again: Connection) -> bool:
        found = {entry.reference for entry in publications.serialise_all(again, attempt)}
        return all(_is_recorded(again, outcome, found) for outcome in outcomes)

    settle.commit(conn, context.warehouse, happened, "published")
    return outcomes


def _is_recorded(conn: Connection, outcome: FamilyOutcome, references: Collection[str]) -> bool:
    if outcome.verdict is Verdict.PUBLISHED:
        return outcome.reference in references
    if outcome.generation is None:  # held back before there was one: recorded beside, and committed
        return True
    found = generations.find(conn, outcome.family, outcome.generation)
    return found is not None and found.state is generations.GenerationState.HELD_BACK

"""The records of inference in `provenance`, each written by one function and never changed.

Nothing here opens a transaction: the caller says what belongs together.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from decimal import Decimal

from psycopg.types.json import Jsonb

from tidegate.connection import Connection
from tidegate.errors import InvariantBroken
from tidegate.inference.lookups import Accepted
from tidegate.inference.model import Profile, Route
from tidegate.inference.provider import Answer
from tidegate.inference.questions import Question
from tidegate.inference.validate import Parsed
from tidegate.inference.vocabulary import (
    DecidedBy,
    Decision,
    DecisionReason,
    Transport,
)


@dataclass(frozen=True)
class Verdict:
    """A decision before it is recorded."""

    decision: Decision
    by: DecidedBy
    reason: DecisionReason
    verifier_attempt_id: str | None = None
    actor: str | None = None


def keep_request(conn: Connection, asked: Question) -> None:
    """Record the question once; concurrent callers converge on one row."""
    task = asked.task
    conn.execute(
        "insert into provenance.inference_requests"
        " (request_key, task_id, contract_revision, input_sha256, input_artifact_keys)"
        " values (%s, %s, %s, %s, %s) on conflict (request_key) do nothing",
        [asked.request_key, task.id, task.revision, asked.input_sha256, list(asked.artifacts)],
    )
    row = conn.execute(
        "select task_id, contract_revision, input_sha256 from provenance.inference_requests"
        " where request_key = %s",
        [asked.request_key],
    ).fetchone()
    if row != (task.id, task.revision, asked.input_sha256):
        raise InvariantBroken("A request key stands for another question than the one asked.")


def start(
    conn: Connection, asked: Question, route: Route, transport: Transport, batch_id: str | None
) -> str:
    """Record that a call begins, before it does; return the attempt's id."""
    row = conn.execute(
        "insert into provenance.inference_attempts (request_key, profile_id, profile_revision,"
        " route_id, route_revision, transport, batch_id) values (%s, %s, %s, %s, %s, %s, %s)"
        " returning attempt_id",
        [
            asked.request_key,
            route.profile,
            route.profile_revision,
            route.id,
            route.revision,
            transport.value,
            batch_id,
        ],
    ).fetchone()
    assert row is not None  # noqa: S101 (returning always returns)
    return str(row[0])


def complete(
    conn: Connection, attempt_id: str, answer: Answer, parsed: Parsed | None, profile: Profile
) -> bool:
    """Record how a call ended; False where somebody else has recorded it meanwhile.

    `parsed` is None exactly where nothing came back. Of an output that is not JSON the hash alone
    is kept.
    """
    output = None if parsed is None or parsed.output is None else Jsonb(parsed.output)
    done = conn.execute(
        "update provenance.inference_attempts set status = %(status)s,"
        " output_sha256 = %(sha256)s, parsed_output = %(output)s, schema_valid = %(valid)s,"
        " input_tokens = %(input_tokens)s, output_tokens = %(output_tokens)s,"
        " cost_usd = %(cost)s,"
        " completed_at = greatest(clock_timestamp(), started_at)"
        " where attempt_id = %(attempt)s and completed_at is null",
        {
            "status": answer.status.value,
            "sha256": None if parsed is None else _sha256(answer.text or ""),
            "output": output,
            "valid": None if parsed is None else parsed.schema_valid,
            "input_tokens": answer.input_tokens,
            "output_tokens": answer.output_tokens,
            "cost": cost_of(answer, profile),
            "attempt": attempt_id,
        },
    )
    return done.rowcount == 1


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def cost_of(answer: Answer, profile: Profile) -> Decimal | None:
    """What the provider says, else tokens by the profile's prices, else its cap of a call.

    None is a cost that nobody knows; the gate of the cost cap says so.
    """
    if answer.cost_usd is not None:
        return answer.cost_usd
    priced = profile.input_usd is not None and profile.output_usd is not None
    counted = answer.input_tokens is not None and answer.output_tokens is not None
    if priced and counted:
        spent = Decimal(str(profile.input_usd)) * (answer.input_tokens or 0)
        spent += Decimal(str(profile.output_usd)) * (answer.output_tokens or 0)
        return spent / 1_000_000
    return None if profile.call_cap_usd is None else Decimal(str(profile.call_cap_usd))


def decide(
    conn: Connection, attempt_id: str, request_key: str, policy_hash: str, verdict: Verdict
) -> bool:
    """Record a decision; False where the attempt, or another one of its request, was decided."""
    done = conn.execute(
        "insert into provenance.inference_decisions (attempt_id, request_key, policy_hash,"
        " decision, decided_by, actor, reason, verifier_attempt_id)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict do nothing",
        [
            attempt_id,
            request_key,
            policy_hash,
            verdict.decision.value,
            verdict.by.value,
            verdict.actor,
            verdict.reason.value,
            verdict.verifier_attempt_id,
        ],
    )
    return done.rowcount == 1


def project(conn: Connection, relation: str, target_key: str, use: Accepted) -> bool:
    """Use an accepted output for a target; False where it is used there already."""
    done = conn.execute(
        "insert into provenance.inference_projections as p"
        " (target_relation, target_key, request_key, attempt_id, decision_id)"
        " values (%s, %s, %s, %s, %s) on conflict (target_relation, target_key) do update"
        " set request_key = excluded.request_key, attempt_id = excluded.attempt_id,"
        " decision_id = excluded.decision_id, projected_at = clock_timestamp()"
        " where p.decision_id <> excluded.decision_id",
        [relation, target_key, use.request_key, use.attempt_id, use.decision_id],
    )
    return done.rowcount == 1


def withdraw(conn: Connection, relation: str, target_key: str) -> bool:
    """Use nothing for a target any longer; False where nothing was used."""
    done = conn.execute(
        "delete from provenance.inference_projections"
        " where target_relation = %s and target_key = %s",
        [relation, target_key],
    )
    return done.rowcount == 1

"""The records of inference in `provenance`, each written by one function and never changed.

Nothing here opens a transaction: the caller says what belongs together.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import psycopg
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from tidegate.errors import InvariantBroken
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

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class Attempt:
    """One attempt as recorded, with what was decided about it under one policy."""

    attempt_id: str
    batch_id: str | None
    transport: str
    status: str | None
    schema_valid: bool | None
    parsed_output: Any = field(repr=False)
    decision: str | None

    @property
    def under_way(self) -> bool:
        """Whether it has no end yet."""
        return self.status is None

    @property
    def parsed(self) -> Parsed:
        """The output as it was parsed."""
        return Parsed(self.parsed_output, schema_valid=bool(self.schema_valid))


@dataclass(frozen=True)
class Accepted:
    """An accepted output and the decision that lets it be used."""

    request_key: str
    attempt_id: str
    decision_id: str
    output: Any = field(repr=False)


@dataclass(frozen=True)
class Verdict:
    """A decision before it is recorded."""

    decision: Decision
    by: DecidedBy
    reason: DecisionReason
    verifier_attempt_id: str | None = None
    actor: str | None = None


def profile(conn: Connection, profile_id: str, revision: int) -> Profile:
    """A profile's revision as the ledger keeps it, whether or not it is still declared."""
    row = conn.execute(
        "select provider_adapter, model_name, parameters, input_usd::float8, output_usd::float8,"
        " call_cap_usd::float8 from provenance.inference_profiles"
        " where profile_id = %s and profile_revision = %s",
        [profile_id, revision],
    ).fetchone()
    if row is None:
        raise InvariantBroken(f"An attempt names revision {revision} of profile {profile_id}.")
    names = ("adapter", "model", "parameters", "input_usd", "output_usd", "call_cap_usd")
    return Profile(id=profile_id, revision=revision, **dict(zip(names, row, strict=True)))


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


def attempts_of(
    conn: Connection, request_key: str, profile: Profile, policy_hash: str
) -> list[Attempt]:
    """A profile's attempts at a question, the oldest first."""
    with conn.cursor(row_factory=class_row(Attempt)) as cursor:
        return cursor.execute(
            "select a.attempt_id, a.batch_id, a.transport, a.status, a.schema_valid,"
            " a.parsed_output, d.decision"
            " from provenance.inference_attempts a"
            " left join provenance.inference_decisions d"
            " on d.attempt_id = a.attempt_id and d.policy_hash = %s"
            " where a.request_key = %s and a.profile_id = %s and a.profile_revision = %s"
            " order by a.started_at, a.attempt_id",
            [policy_hash, request_key, profile.id, profile.revision],
        ).fetchall()


def accepted(conn: Connection, request_key: str, policy_hash: str) -> Accepted | None:
    """The output that may be used under this policy, whichever profile gave it."""
    with conn.cursor(row_factory=class_row(Accepted)) as cursor:
        return cursor.execute(
            "select d.request_key, d.attempt_id, d.decision_id, a.parsed_output as output"
            " from provenance.inference_decisions d"
            " join provenance.inference_attempts a using (attempt_id)"
            " where d.request_key = %s and d.policy_hash = %s and d.decision = 'accepted'",
            [request_key, policy_hash],
        ).fetchone()


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

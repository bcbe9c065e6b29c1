"""What is looked up of the records of inference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from psycopg.rows import class_row

from tidegate.connection import Connection
from tidegate.errors import InvariantBroken
from tidegate.inference.model import Profile
from tidegate.inference.validate import Parsed


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


def attempt(conn: Connection, attempt_id: str) -> Attempt:
    """One attempt, without what was decided about it."""
    with conn.cursor(row_factory=class_row(Attempt)) as cursor:
        row = cursor.execute(
            "select attempt_id, batch_id, transport, status, schema_valid, parsed_output,"
            " null::text as decision from provenance.inference_attempts where attempt_id = %s",
            [attempt_id],
        ).fetchone()
    if row is None:
        raise InvariantBroken("An attempt that was recorded is not there.")
    return row


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

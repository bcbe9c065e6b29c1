"""Deciding about attempts under the policy in force: validator first, then verifier or human."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidegate.connection import Connection
from tidegate.inference import records
from tidegate.inference.lookups import Accepted, Attempt
from tidegate.inference.model import Policy
from tidegate.inference.questions import Question
from tidegate.inference.records import Verdict
from tidegate.inference.validate import judge
from tidegate.inference.vocabulary import AttemptStatus, DecidedBy, Decision, DecisionReason

Verify = Callable[[Question, Any], "Accepted | None"]
"""Ask the verifier about a question's output; None where it gave no usable answer."""


def verdict_of(policy: Policy, asked: Question, attempt: Attempt, verify: Verify) -> Verdict | None:
    """What the policy says about an attempt; None where somebody has yet to say it.

    A verifier that fails says nothing: the attempt waits, and nothing is accepted.
    """
    status = AttemptStatus(attempt.status)
    reason = judge(policy, status, attempt.parsed, asked.content)
    validator = DecidedBy.DETERMINISTIC_VALIDATOR
    if reason is not DecisionReason.MEETS_POLICY:
        return Verdict(Decision.REJECTED, validator, reason)
    if policy.who is DecidedBy.DETERMINISTIC_VALIDATOR:
        return Verdict(Decision.ACCEPTED, validator, reason)
    if policy.who is DecidedBy.HUMAN or policy.verifier is None:
        return None
    answer = verify(asked, attempt.parsed_output)
    if answer is None:
        return None
    passed = answer.output.get(policy.verifier.field) in policy.verifier.accept
    return Verdict(
        Decision.ACCEPTED if passed else Decision.REJECTED,
        DecidedBy.VERIFIER_MODEL,
        DecisionReason.VERIFIER_PASSED if passed else DecisionReason.VERIFIER_FAILED,
        verifier_attempt_id=answer.attempt_id,
    )


def decide(
    conn: Connection, policy: Policy, asked: Question, attempt: Attempt, verify: Verify
) -> Verdict | None:
    """Decide and record it; None where nothing could be decided yet."""
    verdict = verdict_of(policy, asked, attempt, verify)
    if verdict is not None:
        records.decide(conn, attempt.attempt_id, asked.request_key, policy.sha256, verdict)
    return verdict

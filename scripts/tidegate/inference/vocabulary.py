"""The closed vocabularies of inference; the ledger's check constraints list the same words."""

from __future__ import annotations

from enum import Enum


class Transport(str, Enum):
    """How a provider was asked; both lead to the same attempts."""

    SYNC = "sync"
    NATIVE_BATCH = "native_batch"


class AttemptStatus(str, Enum):
    """How a call ended. One that is under way, or that a crash left behind, has none."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    REFUSED = "refused"


class Decision(str, Enum):
    """What was decided about an attempt under one policy."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


class DecidedBy(str, Enum):
    """Who decided."""

    DETERMINISTIC_VALIDATOR = "deterministic_validator"
    VERIFIER_MODEL = "verifier_model"
    HUMAN = "human"


class DecisionReason(str, Enum):
    """Why, in one word that holds no value."""

    MEETS_POLICY = "meets_policy"
    NOT_ANSWERED = "not_answered"
    OUTPUT_INVALID = "output_invalid"
    VALUE_NOT_ALLOWED = "value_not_allowed"
    VERIFIER_PASSED = "verifier_passed"
    VERIFIER_FAILED = "verifier_failed"
    REVIEWED = "reviewed"

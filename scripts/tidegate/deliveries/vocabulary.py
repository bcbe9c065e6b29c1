"""The closed vocabularies of deliveries; each is a check or a table in the database as well."""

from __future__ import annotations

from enum import Enum


class RunStatus(str, Enum):
    """How far a run came (design §5)."""

    RECEIVED = "received"
    LANDED = "landed"
    PARSED = "parsed"
    STAGED = "staged"
    PARKED = "parked"
    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    REJECTED = "rejected"
    FAILED = "failed"

    @property
    def terminal(self) -> bool:
        """Whether a run with this status is over."""
        return self in _TERMINAL


_TERMINAL = frozenset(
    {RunStatus.ACCEPTED, RunStatus.DUPLICATE, RunStatus.REJECTED, RunStatus.FAILED}
)


class HaltedIn(str, Enum):
    """The stage in which a rejected or failed run ended."""

    RECEIPT = "receipt"
    LANDING = "landing"
    PARSING = "parsing"
    GOVERNANCE = "governance"
    LOADING = "loading"


class Resolution(str, Enum):
    """Who allowed a schema change, or that nobody did yet."""

    APPLIED_AUTOMATICALLY = "applied_automatically"
    PARKED = "parked"
    APPROVED = "approved"
    REJECTED = "rejected"


class QuarantineState(str, Enum):
    """Where a quarantined record is in its life."""

    HELD = "held"
    REPROCESSED = "reprocessed"
    DISCARDED = "discarded"


class QuarantineEvent(str, Enum):
    """What happened to a quarantined record."""

    HELD = "held"
    HELD_AGAIN = "held_again"
    REPROCESSED = "reprocessed"
    DISCARDED = "discarded"
    PRUNED = "pruned"


class Pruned(str, Enum):
    """What retention can remove from a delivery."""

    STAGE = "stage"
    QUARANTINE = "quarantine"
    ROWS = "rows"
    ARTIFACT = "artifact"


class Origin(str, Enum):
    """What a materialization was made from."""

    DELIVERY = "delivery"
    REPROCESS = "reprocess"


class RunReason(str, Enum):
    """Why a run was rejected or failed, beside the structural reasons of a whole file."""

    INTERRUPTED = "interrupted"
    CONTRACT_UNPROMOTED = "contract_unpromoted"
    DRIFT_PARKED = "drift_parked"
    DRIFT_BLOCKED = "drift_blocked"
    DRIFT_REJECTED = "drift_rejected"
    KEY_USED = "key_used"
    STILL_HIDDEN = "still_hidden"
    STILL_HELD = "still_held"
    POLICY_FAILED = "policy_failed"
    POLICY_NOT_EVALUATED = "policy_not_evaluated"
    EMPTY_SNAPSHOT = "empty_snapshot"
    VIEW_HAS_DEPENDENTS = "view_has_dependents"
    SERVER_ERROR = "server_error"
    STORAGE_ERROR = "storage_error"

"""What happens to a schema change: the stricter of its classification and the dataset's policy.

Classification says how risky a change is, policy what to do about such changes (governance seed,
"Policy: auto, review, block"). `auto` is reserved for what is provably safe and never covers a
breaking change, whatever the policy says.
"""

from __future__ import annotations

from dataclasses import dataclass

from tidegate.contracts.keys import Classification, Disposition, DriftPolicy
from tidegate.contracts.reasons import ReasonCode
from tidegate.shapes.model import Change, SchemaDiff

_STRICTNESS = {Disposition.AUTO: 0, Disposition.REVIEW: 1, Disposition.BLOCK: 2}

PROVABLY_SAFE = frozenset(
    {
        ReasonCode.WIDENING_LOSSLESS,
        ReasonCode.FRACTION_WIDENED,
        ReasonCode.UNKNOWN_RESOLVED,
        ReasonCode.NULLABLE_ADDED,
        ReasonCode.NULLABILITY_TIGHTENED,
        ReasonCode.ORDER_CHANGED,
    }
)
"""Reasons that `auto` may cover, where the classification is compatible."""

BY_NAME = frozenset({ReasonCode.ORDER_CHANGED})
"""Reasons that change nothing: columns are matched by name (case B18). They are recorded with their
warning and go on by themselves, unless the policy names them or blocks everything."""


@dataclass(frozen=True)
class ChangeDecision:
    """One change and what happens to it; `because` says whether policy or safety decided."""

    change: Change
    disposition: Disposition
    because: str

    def document(self) -> dict[str, object]:
        """The decision as JSON, beside the change it is about."""
        return {
            **self.change.document(),
            "disposition": self.disposition.value,
            "because": self.because,
        }


@dataclass(frozen=True)
class Decision:
    """What happens to a whole diff: the strictest of its changes, `auto` where nothing changed."""

    overall: Disposition
    changes: tuple[ChangeDecision, ...] = ()

    def document(self) -> dict[str, object]:
        """The decision as JSON, for the ledger."""
        return {
            "disposition": self.overall.value,
            "changes": [decision.document() for decision in self.changes],
        }


def decide(diff: SchemaDiff, policy: DriftPolicy) -> Decision:
    """Decide each change and the whole. What could not be compared is blocked, never passed."""
    if diff.unknown:
        return Decision(Disposition.BLOCK)
    decided = tuple(_decide(change, policy) for change in diff.changes)
    overall = max(
        (decision.disposition for decision in decided),
        key=_STRICTNESS.__getitem__,
        default=Disposition.AUTO,
    )
    return Decision(overall, decided)


def _decide(change: Change, policy: DriftPolicy) -> ChangeDecision:
    wanted, where = _wanted(change, policy)
    floor, why = _floor(change)
    if _STRICTNESS[floor] > _STRICTNESS[wanted]:
        return ChangeDecision(change, floor, why)
    return ChangeDecision(change, wanted, where)


def _wanted(change: Change, policy: DriftPolicy) -> tuple[Disposition, str]:
    """The policy's most specific entry: by reason, then by kind, then the default."""
    if change.reason_code in policy.by_reason:
        return policy.by_reason[change.reason_code], f"policy for {change.reason_code.value}"
    if change.kind in policy.by_kind:
        return policy.by_kind[change.kind], f"policy for {change.kind.value}"
    if change.reason_code in BY_NAME and policy.default is not Disposition.BLOCK:
        return Disposition.AUTO, "columns are matched by name"
    return policy.default, "policy default"


def _floor(change: Change) -> tuple[Disposition, str]:
    harmless = change.classification is not Classification.BREAKING
    if change.reason_code in BY_NAME and harmless:
        return Disposition.AUTO, "columns are matched by name"
    if change.classification is not Classification.COMPATIBLE:
        return Disposition.REVIEW, f"classified {change.classification.value}"
    if change.reason_code not in PROVABLY_SAFE:
        return Disposition.REVIEW, f"{change.reason_code.value} is not provably safe"
    return Disposition.AUTO, "provably safe"

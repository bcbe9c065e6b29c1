"""The outcome of judging a policy: statuses, counts, places, and the evidence document.

Evidence never holds a field value (policy seed, "Evidence And Privacy"): counts, at most 25
one-based row numbers, or row keys where a contract declares them public.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from tidegate.rules.words import Severity

FORMAT = "tidegate.validation/1"


class RuleStatus(str, Enum):
    """What became of one rule."""

    PASSED = "passed"
    FAILED = "failed"
    """Violated, severity error."""
    WARNING = "warning"
    """Violated, severity warning."""
    ERROR = "error"
    """Could not be judged; blocks whatever the severity."""
    NOT_EVALUATED = "not_evaluated"
    """There was no row to judge."""


class Verdict(str, Enum):
    """What the whole policy says."""

    PASSED = "passed"
    READY_WITH_WARNINGS = "ready_with_warnings"
    FAILED = "failed"


class PolicySource(str, Enum):
    """Whose policy it was: the dataset's, inherited, or the stage's own governed definition."""

    DATASET = "dataset"
    OWN = "own"


class SchemaDocument(Protocol):
    """The complete schema diff, from `tidegate.shapes`."""

    def document(self) -> dict[str, Any]:
        """The diff as JSON, with its `classification`."""
        ...


@dataclass(frozen=True)
class RuleOutcome:
    """One rule judged. Counts are None where they say nothing or could not be had."""

    id: str
    type: str
    severity: Severity
    status: RuleStatus
    reason: str | None = None
    violating_rows: int | None = None
    null_rows: int | None = None
    non_finite_rows: int | None = None
    groups: int | None = None
    distinct: int | None = None
    row_numbers: tuple[int, ...] | None = None
    row_keys: tuple[str, ...] | None = None
    proved_by: str | None = None
    reference: str | None = None

    def document(self) -> dict[str, Any]:
        """The outcome as JSON, without what is not known."""
        known = {
            "id": self.id,
            "type": self.type,
            "severity": self.severity.value,
            "status": self.status.value,
            "reason": self.reason,
            "violating_rows": self.violating_rows,
            "null_rows": self.null_rows,
            "non_finite_rows": self.non_finite_rows,
            "groups": self.groups,
            "distinct": self.distinct,
            "row_numbers": None if self.row_numbers is None else list(self.row_numbers),
            "row_keys": None if self.row_keys is None else list(self.row_keys),
            "proved_by": self.proved_by,
            "reference": self.reference,
        }
        return {key: value for key, value in known.items() if value is not None}


@dataclass(frozen=True)
class Diagnostic:
    """A sentence about the validation or one rule, with a code; never a value."""

    code: str
    message: str
    rule: str | None = None

    def document(self) -> dict[str, Any]:
        """The diagnostic as JSON."""
        return {"code": self.code, "message": self.message, "rule": self.rule}


@dataclass(frozen=True)
class Validation:
    """A policy judged on a relation: everything that promotion, review and evidence need."""

    policy_version: str
    policy_sha256: str
    policy_source: PolicySource
    row_count: int | None
    outcomes: tuple[RuleOutcome, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    schema: Mapping[str, Any] | None = None
    schema_approved: bool = False
    allow_empty: bool = False

    @property
    def verdict(self) -> Verdict:
        """Failed where a rule blocks or the schema breaks; what was not evaluated is no pass."""
        grade = self._grade
        if any(map(self.blocks, self.outcomes)) or grade not in ("compatible", "warning"):
            return Verdict.FAILED
        if any(map(self.warns, self.outcomes)) or grade == "warning":
            return Verdict.READY_WITH_WARNINGS
        return Verdict.PASSED

    @property
    def ok(self) -> bool:
        """Whether the stage may be promoted."""
        return self.verdict is not Verdict.FAILED

    @property
    def evaluated(self) -> bool:
        """Whether any rule was judged at all."""
        return any(
            outcome.status not in (RuleStatus.ERROR, RuleStatus.NOT_EVALUATED)
            for outcome in self.outcomes
        )

    @property
    def counts(self) -> dict[str, int]:
        """Rules in all, and by status."""
        found = Counter(outcome.status for outcome in self.outcomes)
        return {"rules": len(self.outcomes), **{s.value: found[s] for s in RuleStatus}}

    @property
    def warnings(self) -> tuple[RuleOutcome, ...]:
        """What asks for review and does not block."""
        return tuple(outcome for outcome in self.outcomes if self.warns(outcome))

    def blocks(self, outcome: RuleOutcome) -> bool:
        """Whether this outcome alone stops promotion."""
        if outcome.status is RuleStatus.NOT_EVALUATED:
            return outcome.severity is Severity.ERROR and not self.allow_empty
        return outcome.status in (RuleStatus.FAILED, RuleStatus.ERROR)

    def warns(self, outcome: RuleOutcome) -> bool:
        """Whether somebody has to look at this outcome, though it does not block."""
        if outcome.status is RuleStatus.NOT_EVALUATED:
            return outcome.severity is Severity.WARNING and not self.allow_empty
        return outcome.status is RuleStatus.WARNING

    @property
    def _grade(self) -> str | None:
        """The classification that counts; None where the schemas could not be compared."""
        if self.schema is None or self.schema_approved:
            return "compatible"
        grade = self.schema.get("classification")
        return None if grade is None else str(grade)

    def document(self) -> dict[str, Any]:
        """The evidence, as `evidence.schema.json` describes it."""
        return {
            "format": FORMAT,
            "verdict": self.verdict.value,
            "policy": {
                "version": self.policy_version,
                "sha256": self.policy_sha256,
                "source": self.policy_source.value,
            },
            "row_count": self.row_count,
            "allow_empty": self.allow_empty,
            "counts": self.counts,
            "rules": [outcome.document() for outcome in self.outcomes],
            "diagnostics": [diagnostic.document() for diagnostic in self.diagnostics],
            "schema": self.schema,
            "schema_approved": self.schema_approved,
        }

"""From counts to a status: pure, and the same for every rule."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from tidegate.rules.model import FieldShape, Rule
from tidegate.rules.validation import RuleOutcome, RuleStatus
from tidegate.rules.words import Severity


class Reason(str, Enum):
    """Why a rule has its status, where counts do not say it."""

    EMPTY_RELATION = "empty_relation"
    FIELD_ABSENT = "field_absent"
    TYPE_DIFFERS = "type_differs"
    NOT_APPLICABLE = "not_applicable"
    STATEMENT_FAILED = "statement_failed"
    NOT_MEASURED = "not_measured"
    REFERENCE_UNKNOWN = "reference_unknown"
    REFERENCE_UNREADABLE = "reference_unreadable"


def judge(rule: Rule, row_count: int | None, counts: Mapping[str, Any]) -> RuleOutcome:
    """Say what counts mean; a measurement that is missing is an error, never a pass."""
    violations = counts.get("violating_rows")
    violated = counts.get("violated")
    asks_rows = rule.about_rows or (isinstance(rule, FieldShape) and rule.nullable is False)
    if violated or violations:
        status = violation_status(rule)
        return outcome(
            rule,
            status,
            counts.get("reason"),
            violating_rows=violations,
            groups=counts.get("groups"),
        )
    if asks_rows and row_count == 0:
        return outcome(rule, RuleStatus.NOT_EVALUATED, Reason.EMPTY_RELATION, violating_rows=0)
    if row_count is None or (violations is None if asks_rows else violated is None):
        return outcome(rule, RuleStatus.ERROR, Reason.NOT_MEASURED)
    return outcome(rule, RuleStatus.PASSED, violating_rows=violations, groups=counts.get("groups"))


def violation_status(rule: Rule) -> RuleStatus:
    """What a violation of this rule is, by its severity."""
    return RuleStatus.FAILED if rule.severity is Severity.ERROR else RuleStatus.WARNING


def outcome(
    rule: Rule, status: RuleStatus, reason: str | None = None, **counts: Any
) -> RuleOutcome:
    """An outcome of this rule."""
    return RuleOutcome(
        rule.id,
        rule.type,
        rule.severity,
        status,
        Reason(reason).value if reason else None,
        **counts,
    )

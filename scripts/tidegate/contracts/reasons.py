"""Why the classifier reached its conclusion: the closed set of reason codes of schema changes.

It stands beside the contract keys because drift policies name these codes (`by_reason`).
"""

from __future__ import annotations

from enum import Enum


class ReasonCode(str, Enum):
    """What kind of difference a schema change is (governance seed, "Classifying drift")."""

    WIDENING_LOSSLESS = "widening_lossless"
    """Every value keeps its meaning and its text under the other type."""
    UNKNOWN_RESOLVED = "unknown_resolved"
    """A column of unknown type has one now."""
    NARROWING = "narrowing"
    """There are values that the other type cannot hold."""
    PRECISION_LOSS = "precision_loss"
    """Digits would be rounded away: scale, fraction of a second, binary floats."""
    LENGTH_CHANGED = "length_changed"
    """There are texts that are too long for the other type."""
    FRACTION_WIDENED = "fraction_widened"
    """Only the digits after the second differ, and none is lost."""
    REPRESENTATION_CHANGED = "representation_changed"
    """The same fact, written differently: a number as text, json as jsonb, padded text."""
    MEANING_CHANGED = "meaning_changed"
    """The values would say something else: a truth value as a number, a number as a date."""
    TIMEZONE_CHANGED = "timezone_changed"
    """A moment against a reading of a clock."""
    LEADING_ZERO_COERCION_BLOCKED = "leading_zero_coercion_blocked"
    """Values such as 00123 arrived where the contract says a number."""
    LOW_CONFIDENCE = "low_confidence"
    """Too few values support the observed type."""
    DOMAIN_OVER_BASE = "domain_over_base"
    """A domain over the very type that the contract declares."""
    NULLABLE_ADDED = "nullable_added"
    REQUIRED_ADDED = "required_added"
    SENSITIVE_LOOKING_ADDED = "sensitive_looking_added"
    """A new column whose name looks like data about persons or a secret."""
    UNDOCUMENTED_COLUMN = "undocumented_column"
    """The relation has a column that its contract does not mention."""
    REMOVED = "removed"
    POSSIBLE_RENAME = "possible_rename"
    """A column went and one like it came: a hint, never acted upon."""
    NAME_CASE_DIFFERS = "name_case_differs"
    """The names differ in upper and lower case only; names are exact."""
    NULLABILITY_RELAXED = "nullability_relaxed"
    NULLABILITY_TIGHTENED = "nullability_tightened"
    ORDER_CHANGED = "order_changed"
    RELATION_MISSING = "relation_missing"
    """There is no such relation, or it has no columns: nothing was compared."""
    INTROSPECTION_INCOMPLETE = "introspection_incomplete"
    """The role cannot see everything: nothing was compared, nothing is known to have drifted."""

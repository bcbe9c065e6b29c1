"""Why a row is a violation: the closed vocabulary of all gates' macros."""

from __future__ import annotations

from enum import Enum


class Reason(str, Enum):
    """Why a row is a violation; every gate's macro uses only these."""

    NOT_EVALUATED = "not_evaluated"
    RELATION_MISSING = "relation_missing"
    COLUMN_MISSING = "column_missing"
    COLUMN_UNDOCUMENTED = "column_undocumented"
    TYPE_DIFFERS = "type_differs"
    TYPE_UNKNOWN = "type_unknown"
    NULLABILITY_DIFFERS = "nullability_differs"
    NULLS_PRESENT = "nulls_present"
    CATALOG_ROW_MISSING = "catalog_row_missing"
    CATALOG_ROW_INCOMPLETE = "catalog_row_incomplete"
    KEY_DANGLING = "key_dangling"
    KEY_ABSENT = "key_absent"
    OWNER_PROVISIONAL = "owner_provisional"
    OWNER_SUPERSEDED = "owner_superseded"
    OWNER_DEFERRED = "owner_deferred"
    OWNER_MISSING = "owner_missing"
    BUNDLE_MISSING = "bundle_missing"
    RECEIPT_MISSING = "receipt_missing"
    RECEIPT_INCOMPLETE = "receipt_incomplete"
    RECEIPT_PARTIAL = "receipt_partial"
    FACTS_UNDECLARED = "facts_undeclared"
    ARTIFACT_MISSING = "artifact_missing"
    LOCATOR_MISSING = "locator_missing"
    LOCATOR_SHAPE_DIFFERS = "locator_shape_differs"
    LOCATOR_INCOMPLETE = "locator_incomplete"
    TEXT_COVERAGE_PARTIAL = "text_coverage_partial"
    BASIS_ABSENT = "basis_absent"
    BASIS_UNSUPPORTED = "basis_unsupported"
    BASIS_UNVERIFIED = "basis_unverified"
    BASIS_UNREVIEWED = "basis_unreviewed"
    BASIS_STALE = "basis_stale"
    CONFIDENCE_LOW = "confidence_low"
    OVERLAY_REJECTED_ACTIVE = "overlay_rejected_active"
    OVERLAY_SUPERSEDED_ACTIVE = "overlay_superseded_active"
    OVERLAY_UNREVIEWED_ACTIVE = "overlay_unreviewed_active"
    OVERLAY_OUTRANKED_ACTIVE = "overlay_outranked_active"
    OVERLAY_TIED_ACTIVE = "overlay_tied_active"
    OVERLAY_WINNER_INACTIVE = "overlay_winner_inactive"
    CONFLICT_UNRESOLVED = "conflict_unresolved"
    REVIEW_MISSING = "review_missing"
    REVIEW_WAIVED = "review_waived"
    DECISION_UNATTRIBUTED = "decision_unattributed"
    REJECTION_UNEXPLAINED = "rejection_unexplained"
    SUPERSESSION_UNLINKED = "supersession_unlinked"
    ACTOR_NOT_CURATOR = "actor_not_curator"
    APPROVAL_NOT_HUMAN = "approval_not_human"
    AUDIT_DUE = "audit_due"
    STATUS_COLLAPSED = "status_collapsed"
    STATUS_UNMAPPED = "status_unmapped"
    STATUS_GENERIC = "status_generic"
    TRUTH_PROMOTED = "truth_promoted"
    INTERVAL_OVERLAPS = "interval_overlaps"
    INTERVAL_EMPTY = "interval_empty"
    INTERVAL_INCOMPLETE = "interval_incomplete"
    INTERVAL_REMOVED = "interval_removed"
    INTERVAL_REWRITTEN = "interval_rewritten"
    PRECISION_LOW = "precision_low"
    SOURCE_MODEL_MISSING = "source_model_missing"
    SOURCE_RECEIPT_MISSING = "source_receipt_missing"
    INDEX_STALE = "index_stale"
    MODEL_OF_AN_APPLICATION = "model_of_an_application"
    COLUMN_OF_AN_APPLICATION = "column_of_an_application"
    OWNER_NOTE_MISSING = "owner_note_missing"
    TEST_FAILED = "test_failed"
    """A dbt test that is no gate of Tidegate's returned rows."""


NAMES_NO_ROW = frozenset(
    reason.value
    for reason in (
        Reason.NOT_EVALUATED,
        Reason.RELATION_MISSING,
        Reason.OWNER_DEFERRED,
        Reason.OWNER_MISSING,
        Reason.FACTS_UNDECLARED,
    )
)
"""Reasons whose row key is the name of a model or of columns, never the key of a row."""

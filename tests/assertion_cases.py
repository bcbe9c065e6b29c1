"""Damage that each assertion beyond the trials must find; the tests prove that it does."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Case(NamedTuple):
    """Damage to the candidates, and the one violation it must be told by."""

    assertion: str
    damage: str
    row_key: str
    level: str
    reason: str
    metadata: Mapping[str, str] = MappingProxyType({})


SQUAMOUS = "approval_indication:FDA:18932:2015-03-04:1.2"

APPROVALS = (
    Case(
        "assert_approval_values_lie_in_closed_enums",
        "update q_approval_events set event_status = 'in the works'"
        " where approval_event_key = 'approval_event:FDA:125527:ORIG:1'",
        "q_approval_events|approval_event:FDA:125527:ORIG:1",
        "block",
        "value_outside_enum",
        {"column": "event_status"},
    ),
    Case(
        "assert_translations_are_told_from_originals",
        "update q_approval_indications set original_language_code = 'zh'"
        f" where approval_indication_key = '{SQUAMOUS}'",
        SQUAMOUS,
        "block",
        "translation_without_version",
    ),
    Case(
        "assert_translations_are_told_from_originals",
        "update q_approval_indications set translation_version = 't-1'"
        f" where approval_indication_key = '{SQUAMOUS}'",
        SQUAMOUS,
        "block",
        "version_without_translation",
    ),
    Case(
        "assert_translations_are_told_from_originals",
        "update q_approval_indications set indication_text = 'advanced NSCLC'"
        f" where approval_indication_key = '{SQUAMOUS}'",
        SQUAMOUS,
        "block",
        "english_text_changed",
    ),
    Case(
        "assert_documents_are_superseded_in_order",
        "update q_approval_documents set effective_date = '2030-01-01'"
        " where approval_document_key = 'approval_document:FDA:synthetic-label:1'",
        "q_approval_documents|approval_document:FDA:synthetic-label:1",
        "block",
        "superseded_by_other_document",
    ),
    Case(
        "assert_documents_are_superseded_in_order",
        "update q_approval_documents"
        " set superseded_by_key = 'approval_document:FDA:18932:2015-03-04'"
        " where approval_document_key = 'approval_document:FDA:39991:2014-12-22'",
        "q_approval_documents|approval_document:FDA:39991:2014-12-22",
        "block",
        "superseded_by_other_document",
    ),
    Case(
        "assert_documents_are_superseded_in_order",
        "update q_approval_indications set valid_to = '2015-03-03'"
        f" where approval_indication_key = '{SQUAMOUS}'",
        f"q_approval_indications|{SQUAMOUS}",
        "block",
        "ends_before_it_begins",
    ),
)

CASES = (*APPROVALS,)

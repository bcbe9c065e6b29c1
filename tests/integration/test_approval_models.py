"""Approvals: what a regulator decided, and in which words."""

from __future__ import annotations

from trial_project import SEARCH_PATH, Built

SQUAMOUS = "approval_indication:FDA:18932:2015-03-04:1.2"


CHANGED_LISTS = {
    "drugsatfda_marketing_status": (
        "delete from landing.drugsatfda_marketing_status"
        " where (appl_no, product_no) = ('125527', '001')",
        "update landing.drugsatfda_marketing_status set marketing_status_id = 9"
        " where appl_no = '125160'",
    ),
    "drugsatfda_marketing_status_lookup": (
        "insert into landing.drugsatfda_marketing_status_lookup"
        " (marketing_status_id, marketing_status_description) values (9, 'Misplaced')",
    ),
    "drugsatfda_te_codes": (
        "insert into landing.drugsatfda_te_codes (appl_no, product_no, te_code)"
        " values ('125527', '001', 'AB2'), ('125527', '001', 'AB1')",
    ),
}
"""One product without status, one of a status that nobody mapped, one with two codes."""


def test_every_approval_model_has_rows(built: Built) -> None:
    """Each one is fed by the samples."""
    models = [it for it in built.landed if it.startswith(("q_approval", "q_regulatory"))]
    assert len(models) == 6
    counts = {name: built.query(f"select count(*) from {name}")[0][0] for name in models}
    assert all(counts.values()), counts


def test_the_first_approval_of_nivolumab_in_lung_cancer_is_told_as_decided(built: Built) -> None:
    """BLA 125527, ORIG-1, approved on 4 March 2015 with priority, a separate BLA (type 9)."""
    assert built.query(
        "select applications.application_type, applications.resolved_organisation_key,"
        " events.event_status, events.truth_mode, events.event_date::text,"
        " events.submission_class_code, events.review_priority"
        " from q_approval_events as events join q_approval_applications as applications"
        " using (application_key)"
        " where events.approval_event_key = 'approval_event:FDA:125527:ORIG:1'"
    ) == [
        (
            "BLA", "org:bristol-myers-squibb", "approved", "confirmed", "2015-03-04",
            "TYPE 9- BLA", "PRIORITY",
        )
    ]  # fmt: skip


def test_products_link_to_drugs_by_exact_names_only(built: Built) -> None:
    """Every active ingredient of the samples is a known drug; status is that of the lookup."""
    assert built.query(
        "select brand_name, resolved_drug_key, dosage_form, route, strength, marketing_status"
        " from q_approval_products where application_key in"
        " ('application:FDA:125160', 'application:FDA:125554') order by 1"
    ) == [
        (
            "CIMZIA", "drug:certolizumab-pegol", "INJECTABLE", "INJECTION", "200MG",
            "prescription",
        ),
        ("OPDIVO", "drug:nivolumab", "INJECTABLE", "INJECTION", "40MG/4ML", "prescription"),
    ]  # fmt: skip


def test_products_have_their_equivalences_and_an_unknown_status_where_none_is_listed(
    built: Built,
) -> None:
    """Several codes in order; biologics have none; a word that nobody mapped is not unknown."""
    asked = (
        "select product_no, marketing_status, te_code from q_approval_products"
        " where application_key in ('application:FDA:125527', 'application:FDA:125160')"
        " order by approval_product_key"
    )
    assert built.query(asked) == [
        ("001", "prescription", None), ("001", "prescription", None), ("002", "prescription", None),
    ]  # fmt: skip
    with built.warehouse.connect(autocommit=False) as conn:
        conn.execute(SEARCH_PATH.encode())
        for name, changes in CHANGED_LISTS.items():
            conn.execute(f"alter view landing.{name} rename to kept_{name}".encode())
            conn.execute(f"create table landing.{name} as table landing.kept_{name}".encode())
            for change in changes:
                conn.execute(f"{change}".encode())
        for statement in built.rebuilt("stg_drugsatfda__products", "q_approval_products"):
            conn.execute(statement.encode())
        found = conn.execute(asked.encode()).fetchall()
        conn.rollback()
    assert found == [
        ("001", None, None), ("001", "unknown", "AB1,AB2"), ("002", "prescription", None),
    ]  # fmt: skip


def test_an_applicant_of_another_name_stays_unlinked(built: Built) -> None:
    """ "UCB INC" is not "UCB BIOSCIENCES GmbH"."""
    assert built.query(
        "select sponsor_name, resolved_organisation_key from q_approval_applications"
        " where application_number in ('125160', '761055') order by 1"
    ) == [("REGENERON PHARMACEUTICALS", "org:regeneron"), ("UCB INC", None)]


def test_an_indication_says_what_the_label_says_and_nothing_more(built: Built) -> None:
    """The label names a condition and no line of therapy, so no line is claimed."""
    assert built.query(
        "select indication_text, original_language_text, translation_version, resolved_drug_key,"
        " segment_key, treatment_line_key, regulator, region_code, approval_basis,"
        " first_effective_date::text, valid_to from q_approval_indications"
        " where approval_indication_key = %s",
        SQUAMOUS,
    ) == [
        (
            *["metastatic squamous NSCLC with progression on or after platinum-based chemotherapy"]
            * 2,
            None, "drug:nivolumab", "segment:nsclc-squamous", None, "FDA", "US", "full",
            "2015-03-04", None,
        )
    ]  # fmt: skip


def test_a_label_of_its_own_and_its_link_are_one_document(built: Built) -> None:
    """Document 18932 was delivered twice, as a record and as a link; the record attests it."""
    assert built.query(
        "select documents.document_kind, documents.document_url is not null,"
        " receipts.locator_shape from q_approval_documents as documents"
        " join q_provenance__approvals as receipts using (provenance_bundle_key)"
        " where documents.source_native_id = '18932'"
    ) == [("label", True, "json_pointer")]


def test_another_language_keeps_the_original_beside_its_translation(built: Built) -> None:
    """The next version ends the statement of the one before; a basis that no list has is null."""
    rows = built.query(
        "select indication_text, original_language_text, original_language_code,"
        " translation_version, treatment_line_key, approval_basis, segment_key,"
        " first_effective_date::text, valid_to::text from q_approval_indications"
        " where approval_document_key like %s order by approval_document_key",
        "%:synthetic-label:%",
    )
    same = ("synthetic example", "合成示例原文", "zh", "t-2026-01", "line:first_line", None, None)
    assert rows == [(*same, "2020-01-01", "2021-07-01"), (*same, "2021-07-01", None)]
    assert built.query(
        "select superseded_by_key, document_kind from q_approval_documents"
        " where source_native_id = 'synthetic-label' order by 1"
    ) == [("approval_document:FDA:synthetic-label:2", "spl"), (None, None)]


def test_values_outside_the_lists_of_approvals_are_kept_apart(built: Built) -> None:
    """Kinds and bases that no list has are null, and their reasons stand in quarantine."""
    rows = built.query(
        "select relation_name, row_key, column_name, source_value, reason"
        " from staging.enum_quarantine__approvals order by 1, 2"
    )
    document, indication = "approval_document", "approval_indication"
    version = "FDA:synthetic-label"
    reason = "not_in_closed_enum"
    assert rows == [
        ("q_approval_documents", f"{document}:{version}:2", "document_kind", "HOLOGRAM", reason),
        (
            "q_approval_indications",
            f"{indication}:{version}:1:1",
            "approval_basis",
            "magic",
            reason,
        ),
        (
            "q_approval_indications",
            f"{indication}:{version}:2:1",
            "approval_basis",
            "magic",
            reason,
        ),
    ]


def test_orphan_designations_are_told_by_submission(built: Built) -> None:
    """The melanoma application of nivolumab has them, the lung cancer application has none."""
    assert built.query(
        "select application_key, designation, resolved_drug_key, granted_date, count(*)"
        " from q_regulatory_designations where resolved_drug_key = 'drug:nivolumab'"
        " group by 1, 2, 3, 4"
    ) == [("application:FDA:125554", "orphan", "drug:nivolumab", None, 6)]


def test_receipts_of_indications_lead_to_the_quoted_words(built: Built) -> None:
    """The pointer, followed in the landed record, finds the text that is published."""
    rows = built.query(
        "select indications.indication_text, labels.payload #>>"
        " string_to_array(ltrim(receipts.locator ->> 'pointer', '/'), '/')"
        " from q_provenance__approvals as receipts"
        " join q_approval_indications as indications using (provenance_bundle_key)"
        " join landing.label_documents as labels"
        " on labels._artifact_sha256 = receipts.source_content_hash"
        " where receipts.fact_path = 'indication_text'"
    )
    assert len(rows) == 5
    assert all(published == quoted for published, quoted in rows)

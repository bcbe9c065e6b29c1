"""News: what an article says has happened, no more than it says."""

from __future__ import annotations

from trial_project import Built

CHAIN = "subject_drug_key = 'drug:nivolumab' and segment_key = 'segment:nsclc-squamous'"


def test_acceptance_was_announced_five_days_before_the_approval(built: Built) -> None:
    """2015: an announced acceptance, an approval confirmed by the regulator, a publication."""
    assert built.query(
        "select event_status, truth_mode, event_date::text, source_authority_tier"
        f" from q_news_events where {CHAIN} and document_id not like 'synthetic:%%'"
        " order by event_date, event_status"
    ) == [
        ("accepted_for_review", "announced", "2015-02-27", "company_announcement"),
        ("priority_review_granted", "announced", "2015-02-27", "company_announcement"),
        ("approved", "announced", "2015-03-04", "company_announcement"),
        ("published", "announced", "2015-05-31", "secondary_news"),
    ]
    assert built.query(
        "select decided.event_status, decided.truth_mode, decided.event_date - told.event_date"
        " from q_approval_events as decided cross join q_news_events as told"
        " where decided.approval_event_key = 'approval_event:FDA:125527:ORIG:1'"
        f" and told.event_status = 'accepted_for_review' and told.{CHAIN}"
        " and told.document_id = 'bms:2015-02-27'"
    ) == [("approved", "confirmed", 5)]


def test_a_paper_that_is_accepted_is_not_yet_published(built: Built) -> None:
    """Two statuses of one kind of event."""
    assert built.query(
        "select event_status, event_date::text, event_date_precision, source_status_text"
        " from q_news_events where event_family = 'publication' order by event_date"
    ) == [
        ("published", "2015-05-31", "day", "published online"),
        ("accepted_for_publication", "2024-02-01", "month", "has been accepted for publication"),
    ]


def test_the_newest_capture_of_an_article_speaks(built: Built) -> None:
    """The earlier one stays an artefact of its own."""
    assert built.query(
        "select event_status, source_version_id, event_date_precision from q_news_events"
        " where document_id = 'synthetic:twice'"
    ) == [("accepted_for_review", "2", "month")]
    assert built.query(
        "select source_family, source_version_id, version_semantics from q_source_artifacts"
        " where source_native_id = 'synthetic:twice' order by 2"
    ) == [("press_release", "1", "strong"), ("press_release", "2", "strong")]


def test_a_name_that_nobody_knows_and_a_vague_day_are_absent(built: Built) -> None:
    """No drug, no disease, no day: each is null, none is guessed."""
    assert built.query(
        "select event_status, subject_drug_key, segment_key, event_date, event_date_precision"
        " from q_news_events where document_id = 'synthetic:vague'"
    ) == [("mentioned", None, None, None, None)]


def test_receipts_of_news_lead_to_the_quoted_words(built: Built) -> None:
    """Row and status; the tier is that of the kind of article."""
    assert built.query(
        "select receipts.fact_path, receipts.locator ->> 'exact', receipts.source_authority_tier,"
        " landed.payload #>> string_to_array(ltrim(receipts.locator ->> 'pointer', '/'), '/')"
        " from q_provenance__news as receipts"
        " join q_news_events as events using (provenance_bundle_key)"
        " join landing.documents as landed"
        " on landed._artifact_sha256 = receipts.source_content_hash"
        " where receipts.fact_path = 'event_status'"
        " and events.document_id = 'synthetic-wire:2019-11-20'"
    ) == [
        (
            "event_status",
            "Synthetic Acquirer has completed the acquisition of Synthetic Founder",
            "company_announcement",
            "announced",
        )
    ]

"""News: what an article says has happened, no more than it says."""

from __future__ import annotations

from trial_project import Built

CHAIN = "subject_drug_key = 'drug:nivolumab' and segment_key = 'segment:nsclc-squamous'"


def test_acceptance_was_announced_five_days_before_the_approval(built: Built) -> None:
    """2015: an announced acceptance, an approval confirmed by the regulator, results."""
    assert built.query(
        "select event_status, truth_mode, event_date::text, source_authority_tier"
        f" from q_news_events where {CHAIN} and document_id not like 'synthetic:%%'"
        " order by event_date, event_status"
    ) == [
        ("accepted_for_review", "announced", "2015-02-27", "company_announcement"),
        ("priority_review_granted", "announced", "2015-02-27", "company_announcement"),
        ("approved", "announced", "2015-03-04", "company_announcement"),
        ("announced", "announced", "2015-05-31", "company_announcement"),
        ("presented", "announced", "2015-05-31", "company_announcement"),
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
        " from q_news_events where event_family = 'publication'"
        " and source_family <> 'conference' order by event_date"
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


def test_a_presentation_is_presented_and_nothing_more(built: Built) -> None:
    """An abstract of a meeting: not published, not confirmed, below registry and journal."""
    assert built.query(
        "select publisher, event_status, truth_mode, source_authority_tier, headline"
        " from q_news_events where document_id = 'asco:2015:8009'"
    ) == [
        (
            "51st Annual Meeting of the American Society of Clinical Oncology",
            "presented",
            "announced",
            "company_announcement",
            "CheckMate 017: nivolumab or docetaxel in previously treated squamous lung cancer",
        )
    ]
    assert built.query(
        "select source_family, source_version_id, version_semantics from q_source_artifacts"
        " where source_native_id = 'asco:2015:8009'"
    ) == [("conference", "1", "strong")]


def test_announced_values_stand_in_words_of_their_document(built: Built) -> None:
    """Endpoint by its name, or by name and code; a value that was not reached is none."""
    assert built.query(
        "select source_family, canonical_endpoint_key, source_arm_label, statistic, timepoint,"
        " value_num::text, value_state, unit from q_announced_results"
        " order by document_id, announced_result_key"
    ) == [
        ("conference", "endpoint:OS", "docetaxel", "median", None, "6.0", "reported", "months"),
        ("conference", "endpoint:OS", "nivolumab", "median", None, "9.2", "reported", "months"),
        ("press_release", "endpoint:OS", "docetaxel", "rate_at_timepoint", "1 year", "24",
         "reported", "percent"),
        ("press_release", "endpoint:OS", "nivolumab", "rate_at_timepoint", "1 year", "42",
         "reported", "percent"),
        ("conference", "endpoint:WCAW", "control", "mean", None, None, "not_reached", "weeks"),
    ]  # fmt: skip


def test_an_announced_value_is_asserted_with_its_marker_or_not_at_all(built: Built) -> None:
    """The claim is of high impact, so without the marker the gate on assertions blocks."""
    key = "announced_result:asco:2015:8009:NCT01642004:nivolumab:overall survival:median"
    assert built.query(
        "select claim_type, source_authority_tier, locator_shape, value_num::text, canonical_bound"
        " from evidence.claims where subject_key = %s", key,
    ) == [
        ("publication_outcome_value", "company_announcement", "text_quote", "9.2", True)
    ]  # fmt: skip
    damage = (
        "update assertions set lower_authority_marker = 'none'"
        f" where subject_key = '{key}' and fact_path = 'value_num'"
    )
    (found,) = [row for row in built.below("source_authority_assertions", damage) if key in row[0]]
    assert found[1:3] == ("block", "authority_marker_differs")
    assert {name: found[3][name] for name in ("model", "required_tiers", "downstream_risk")} == {
        "model": "assertions",
        "required_tiers": ["peer_reviewed"],
        "downstream_risk": "readers would take it for what a sufficient source says",
    }


def test_an_announced_value_of_another_source_blocks(built: Built) -> None:
    """What a journal or a newspaper says is no announcement."""
    for tier in ("peer_reviewed", "secondary_news"):
        result = built.verdicts(
            "news", f"update q_announced_results set source_authority_tier = '{tier}'"
            " where document_id = 'bms:2015-05-31'",
        )["q_announced_results", "source_authority"]  # fmt: skip
        assert (result.blocks, result.reasons) == (True, {"authority_insufficient": 2})


def test_announcements_are_evidence_of_their_own_kind(built: Built) -> None:
    """Beside what the registry and a journal report, never in their place; each with receipts."""
    assert built.query(
        "select source_kind, value_num::text, count(receipt_key),"
        " min(source_authority_tier), min(locator_shape)"
        " from q_development_emerging_evidence join q_provenance__development"
        " using (provenance_bundle_key) where source_row_model = 'q_announced_results'"
        " and context_key = 'ctx:nivolumab-nsclc-squamous-us'"
        " group by emerging_evidence_key, 1, 2 order by 1, 2"
    ) == [
        ("conference", "6.0", 3, "company_announcement", "text_quote"),
        ("conference", "9.2", 3, "company_announcement", "text_quote"),
        ("press_release", "24", 3, "company_announcement", "text_quote"),
        ("press_release", "42", 3, "company_announcement", "text_quote"),
    ]
    assert built.query(
        "select value_num, value_state, canonical_endpoint_key from q_development_emerging_evidence"
        " where source_row_key like 'announced_result:synthetic-congress:%%'"
    ) == [(None, "not_reached", "endpoint:WCAW")]
    assert built.query(
        "select count(*) from q_development_milestones where milestone_key like '%%8009%%'"
    ) == [(0,)]

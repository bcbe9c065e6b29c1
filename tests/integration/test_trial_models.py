"""From the samples to the models: facts arrive as they were posted, gaps stay gaps."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from trial_project import Built
from trial_records import CHANGING, ODD

CHECKMATE = "trial:NCT01642004"


def test_a_bare_build_on_an_empty_database_is_green(built: Built) -> None:
    """Landing views that do not exist read as empty relations; gates warn, nothing fails."""
    assert set(built.empty.values()) <= {"success", "pass", "warn"}
    assert built.empty["q_trials"] == "success"


def test_outside_ci_a_missing_landing_view_is_an_error(built: Built) -> None:
    """Nothing landed must never look like nothing there, except where an empty build is meant."""
    assert built.outside_ci == {"stg_spines__drugs": "error"}


def test_with_the_samples_landed_nothing_is_left_unevaluated(built: Built) -> None:
    """Every gate passes or says what the sources lack, and none for want of something to judge."""
    unusual = {name: it for name, it in built.landed.items() if it not in ("success", "pass")}
    told = (
        "announcement_semantics_q_news_events_",
        "commercial_observation_semantics_",
        "development_program_semantics_",
        "document_version_",
        "epidemiology_observation_semantics_",
        "source_authority_assertions_",
        "source_authority_q_product_sales_facts_",
        "source_authority_q_publication_outcomes_",
    )
    assert set(unusual.values()) <= {"warn"}
    assert [name for name in unusual if not name.startswith(told)] == []


def test_every_model_of_the_seventeen_has_rows(built: Built) -> None:
    """Each one is fed by the samples."""
    models = [name for name in built.landed if name.startswith("q_trial")]
    assert len(models) == 17
    counts = {name: built.query(f"select count(*) from {name}")[0][0] for name in models}
    assert all(counts.values()), counts


def test_posted_response_rates_arrive_as_posted(built: Built) -> None:
    """CheckMate 017: 20.0 and 8.8 percent of 135 and 137, with their intervals."""
    rows = built.query(
        "select value_text, value_num, dispersion_lower, dispersion_upper, denominator_count,"
        " denominator_scope, unit_of_measure, canonical_endpoint_key from q_trial_outcomes"
        " where trial_key = %s and outcome_ordinal = 2 order by result_group_key",
        CHECKMATE,
    )
    assert rows == [
        (
            "20.0", Decimal("20.0"), Decimal("13.6"), Decimal("27.7"), 135, "measure",
            "percentage of participants", "endpoint:ORR",
        ),
        (
            "8.8", Decimal("8.8"), Decimal("4.6"), Decimal("14.8"), 137, "measure",
            "percentage of participants", "endpoint:ORR",
        ),
    ]  # fmt: skip


def test_posted_analyses_keep_estimate_interval_level_and_groups(built: Built) -> None:
    """The hazard ratio of death is 0.59 with a 96.85 percent interval, between the two groups."""
    rows = built.query(
        "select param_type_text, param_value, ci_percent, ci_num_sides, ci_lower, ci_upper,"
        " p_value_modifier, p_value, result_group_keys from q_trial_outcome_analyses"
        " where trial_outcome_analysis_key = 'analysis:NCT01642004:3:1'"
    )
    assert rows == [
        (
            "Hazard Ratio (HR)", Decimal("0.59"), Decimal("96.85"), "TWO_SIDED", Decimal("0.43"),
            Decimal("0.81"), "=", Decimal("0.0002"),
            ["group:NCT01642004:Outcome:3:OG000", "group:NCT01642004:Outcome:3:OG001"],
        )
    ]  # fmt: skip


def test_a_denominator_inside_a_class_title_is_that_of_the_subgroup(built: Built) -> None:
    """The parent's 135 and 137 are not copied to the 42 and 39 of "(n=42,39)"."""
    rows = built.query(
        "select denominator_count, denominator_scope from q_trial_outcomes where trial_key = %s"
        " and class_title = 'PD-L1 expression >= 5%% (n=42,39)' and outcome_ordinal = 11"
        " order by result_group_key",
        CHECKMATE,
    )
    assert rows == [(42, "title_text"), (39, "title_text")]


def test_a_value_that_was_not_reached_is_null_with_its_reason(built: Built) -> None:
    """Never zero, never text in the number's place."""
    rows = built.query(
        "select value_text, value_num, value_state, explanation_of_na, dispersion_lower,"
        " dispersion_upper from q_trial_outcomes"
        " where trial_outcome_key = 'outcome:NCT01642004:6:1:1:OG000'"
    )
    assert rows == [("NA", None, "not_available", "Not reached", Decimal("9.76"), None)]


def test_a_group_links_to_an_arm_only_by_an_equal_label(built: Built) -> None:
    """ "Nivolumab" is not "Arm A: Nivolumab", and a total belongs to no arm."""
    rows = built.query(
        "select distinct title, arm_key, arm_link_state from q_trial_result_groups"
        " where trial_key in (%s, 'trial:NCT02210780') and result_type = 'Baseline'",
        CHECKMATE,
    )
    assert sorted(rows) == [
        ("Docetaxel", None, "unlinked"),
        ("Dupilumab 300 mg qw", "arm:NCT02210780:Dupilumab 300 mg qw", "exact_label"),
        ("Nivolumab", None, "unlinked"),
        ("Placebo qw", "arm:NCT02210780:Placebo qw", "exact_label"),
        ("Total", None, "total_group"),
    ]


def test_safety_has_its_own_denominators(built: Built) -> None:
    """131 and 129 were treated, though 135 and 137 were randomised."""
    rows = built.query(
        "select subjects_affected, subjects_at_risk from q_trial_adverse_events"
        " where trial_key = %s and row_kind = 'total' and event_type = 'serious'"
        " order by result_group_key",
        CHECKMATE,
    )
    assert rows == [(61, 131), (70, 129)]


def test_drugs_organisations_segments_and_endpoints_resolve_by_exact_names(built: Built) -> None:
    """Marks and case do not matter; placebo and behaviour are not drugs; the rest is unresolved."""
    rows = built.query(
        "select source_name, resolved_drug_key, resolved_ncit_code, link_state"
        " from q_trial_interventions where trial_key in (%s, %s, 'trial:NCT99999999')",
        CHECKMATE,
        f"trial:{ODD}",
    )
    assert sorted(rows) == [
        ("Docetaxel", "drug:docetaxel", "C1526", "exact"),
        ("Nivolumab", "drug:nivolumab", "C68814", "exact"),
        ("Placebo tablet", None, None, "not_a_drug"),
        ("Synthetic Counselling", None, None, "not_a_drug"),
        ("opdivo®", "drug:nivolumab", "C68814", "exact"),
    ]
    assert built.query(
        "select source_name, resolved_organisation_key, link_state from q_trial_sponsors"
        " where trial_key in (%s, 'trial:NCT99999999') order by trial_key",
        CHECKMATE,
    ) == [
        ("Bristol-Myers Squibb", "org:bristol-myers-squibb", "exact"),
        ("Synthetic Sponsor", None, "unresolved"),
    ]
    segments = built.query(
        "select term_source, resolved_segment_key from q_trial_conditions where trial_key = %s",
        CHECKMATE,
    )
    assert sorted(segments) == [
        ("mesh-list", "segment:lung-cancer"),
        ("mesh-list", "segment:nsclc"),
        ("sponsor", "segment:nsclc-squamous"),
    ]


def test_dates_keep_how_exact_they_are_and_impossible_ones_are_null(built: Built) -> None:
    """The first day of what is known; 30 February and "soon" are nothing."""
    rows = built.query(
        "select nct_id, start_date::text, start_date_precision, primary_completion_date::text,"
        " completion_date::text from q_trials"
        " where nct_id in ('NCT00513591', 'NCT01642004', 'NCT99999999', %s) order by nct_id",
        ODD,
    )
    assert rows == [
        ("NCT00513591", "2007-08-01", "month", "2018-06-01", "2018-06-01"),
        ("NCT01642004", "2012-09-26", "day", "2014-11-17", "2018-12-29"),
        (ODD, None, None, "2024-02-29", None),
        ("NCT99999999", "2023-01-01", "year", None, None),
    ]


def test_values_outside_a_closed_enum_are_null_and_their_reason_is_kept(built: Built) -> None:
    """The row stays, mapped phases stay, and each value that no list knows is in quarantine."""
    phases = "select phases from q_trials where nct_id = 'NCT99999999'"
    assert built.query(phases) == [(["PHASE4"],)]
    rows = built.query(
        "select relation_name, column_name, source_value, reason from staging.enum_quarantine"
        " where row_key not like '%%NCT99999997%%'"
    )
    assert {reason for *_, reason in rows} == {"not_in_closed_enum"}
    assert sorted(row[:3] for row in rows) == [
        ("q_trial_arms", "arm_type", "NOVEL_COMPARATOR"),
        ("q_trial_eligibility", "sex", "ANY"),
        ("q_trial_interventions", "intervention_type", "POTION"),
        ("q_trial_outcome_analyses", "ci_num_sides", "BOTH"),
        *[("q_trial_outcomes", "param_type", "COUNT_OF_STARS")] * 3,
        ("q_trial_status_history", "overall_status", "PAUSED"),
        ("q_trials", "overall_status", "PAUSED"),
        ("q_trials", "phases", "PHASE5"),
        ("q_trials", "phases", "PHASE9"),
        ("q_trials", "start_date_type", "GUESSED"),
        ("q_trials", "study_type", "DAYDREAM"),
    ]


def test_odd_records_neither_stop_the_build_nor_make_things_up(built: Built) -> None:
    """Blank text is null, no list is an empty one, repeated rows are one, commas are digits."""
    assert built.query("select acronym from q_trials where nct_id = %s", ODD) == [(None,)]
    key = f"trial:{ODD}"
    assert built.query(
        "select condition_name, term_source from q_trial_conditions where trial_key = %s", key
    ) == [("Same", "sponsor")]
    assert built.query("select arm_label from q_trial_arms where trial_key = %s", key) == [
        ("Arm: one",)
    ]
    assert built.query(
        "select arm_key, trial_intervention_key from q_trial_arm_interventions"
        " where trial_key = %s",
        key,
    ) == [(f"arm:{ODD}:Arm: one", f"intervention:{ODD}:DRUG:opdivo®")]
    assert built.query(
        "select value_num, value_state, denominator_count, denominator_scope, arm_link_state"
        " from q_trial_outcomes where trial_key = %s order by trial_outcome_key",
        key,
    ) == [
        (Decimal("1234.5"), "reported", 1300, "measure", "exact_label"),
        (None, "not_available", None, "not_posted", "unlinked"),
        (Decimal("0"), "reported", None, "not_posted", "total_group"),
    ]
    assert built.query(
        "select p_value_modifier, p_value from q_trial_outcome_analyses where trial_key = %s", key
    ) == [("<=", Decimal("0.05"))]
    assert built.query(
        "select minimum_age_value, minimum_age_unit, maximum_age_value, maximum_age_unit"
        " from q_trial_eligibility where trial_key = %s",
        key,
    ) == [(None, None, 1, "years")]
    assert built.query(
        "select trial_location_key, country_code, latitude, longitude from q_trial_locations"
        " where trial_key = %s order by 1",
        key,
    ) == [
        (f"location:{ODD}:Atlantis::Nowhere::1", None, None, Decimal("1.000000")),
        (f"location:{ODD}:Atlantis::Nowhere::2", None, None, None),
    ]
    assert built.query(
        "select pmid, resolved_publication_key, is_retracted from q_trial_references"
        " where trial_key = %s",
        key,
    ) == [(None, None, True)]


def test_status_history_is_half_open_and_a_silent_snapshot_claims_nothing(built: Built) -> None:
    """One interval a run of equal statuses, in the order of the snapshots and not of landing."""
    rows = built.query(
        "select overall_status, valid_from::text, valid_to::text, first_snapshot_id,"
        " last_snapshot_id from q_trial_status_history where trial_key = %s order by valid_from",
        f"trial:{CHANGING}",
    )
    assert rows == [
        ("RECRUITING", "2020-01-01", "2020-03-01", "2020-01-01", "2020-02-01"),
        ("COMPLETED", "2020-03-01", "2020-04-01", "2020-03-01", "2020-03-01"),
        ("RECRUITING", "2020-04-01", "2020-05-01", "2020-04-01", "2020-04-01"),
        (None, "2020-05-01", None, "2020-05-01", "2020-05-01"),
    ]


def test_a_trial_with_two_snapshots_shows_the_later_one(built: Built) -> None:
    """Enrollment rose from 500 to 1000; the status did not change, so its interval is one."""
    assert built.query(
        "select enrollment, source_snapshot_id from q_trials where nct_id = 'NCT00513591'"
    ) == [(1000, "2018-05-11")]
    assert built.query(
        "select valid_from::text, valid_to, last_snapshot_id from q_trial_status_history"
        " where trial_key = 'trial:NCT00513591'"
    ) == [("2016-06-29", None, "2018-05-11")]


def test_every_receipt_points_at_what_the_artefact_holds(built: Built) -> None:
    """The locator of a posted value, followed in the stored record, finds the posted text."""
    rows = built.query(
        "select outcomes.value_text, receipts.locator ->> 'pointer', studies.payload,"
        " receipts.source_content_hash, studies._artifact_sha256"
        " from q_provenance__clinical_trials as receipts"
        " join q_trial_outcomes as outcomes on outcomes.trial_outcome_key = receipts.row_key"
        " and outcomes.provenance_bundle_key = receipts.provenance_bundle_key"
        " join landing.ctgov_studies as studies"
        " on 'trial:' || studies.nct_id = outcomes.trial_key"
        " where receipts.model_name = 'q_trial_outcomes' and receipts.fact_path = 'value_num'"
    )
    assert len(rows) > 50
    for value_text, pointer, payload, content_hash, artifact in rows:
        assert _follow(payload, pointer) == value_text
        assert content_hash == artifact


def test_every_row_receipt_points_at_something(built: Built) -> None:
    """Pointers of rows exist in the record too, whatever array they were unnested from."""
    rows = built.query(
        "select receipts.locator ->> 'pointer', studies.payload"
        " from q_provenance__clinical_trials as receipts"
        " join landing.ctgov_studies as studies"
        " on studies._artifact_sha256 = receipts.source_content_hash"
        " where receipts.fact_path = '$row' and receipts.source_version_id <> '2020-05-01'"
    )
    assert len(rows) > 500
    for pointer, payload in rows:
        assert _follow(payload, pointer) is not None


def _follow(document: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document

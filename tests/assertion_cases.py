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
    metadata: Mapping[str, str | int] = MappingProxyType({})


SQUAMOUS_CELL = "Squamous Cell Non-small Cell Lung Cancer"
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

SURVIVAL = "pub_outcome:pmid:26028407:nivolumab:randomized patients:overall survival:median"
HAZARD = (
    "pub_comparison:pmid:26028407:randomized patients:nivolumab:docetaxel:overall survival"
    ":hazard_ratio"
)
TOXICITY = (
    "pub_safety:pmid:26028407:nivolumab:patients in the group:Adverse events:g3_4:treatment_related"
)
SYGMA_LINK = "pub_trial:pmid:29768149:NCT02149199"
CHECKMATE_LINK = "pub_trial:pmid:26028407:NCT01642004"


def _outcome(change: str, assertion: str, reason: str) -> Case:
    statement = f"update q_publication_outcomes set {change}"
    where = f" where publication_outcome_key = '{SURVIVAL}'"
    return Case(assertion, statement + where, f"q_publication_outcomes|{SURVIVAL}", "block", reason)


QUOTES = "assert_quotes_are_short_and_hold_their_value"
COHERENT = "assert_published_values_are_coherent"
COMPARED = "assert_only_identified_trials_are_compared"

PUBLICATIONS = (
    Case(
        "assert_publication_values_lie_in_closed_enums",
        "update q_publications set publication_kind = 'poem'"
        " where publication_key = 'pub:pmid:26028407'",
        "q_publications|pub:pmid:26028407",
        "block",
        "value_outside_enum",
        {"column": "publication_kind"},
    ),
    _outcome("source_quote = repeat('word ', 21) || '9.2'", QUOTES, "quote_too_long"),
    _outcome("value_num = 9.3", QUOTES, "value_not_in_quote"),
    # A longer number that holds the value is another number.
    _outcome("value_num = 9, source_quote = '9.2 months'", QUOTES, "value_not_in_quote"),
    _outcome("value_num = 2, source_quote = '9.2 months'", QUOTES, "value_not_in_quote"),
    Case(
        QUOTES,
        "update q_publication_arms set dose_value = 4"
        " where publication_arm_key = 'pub_arm:pmid:26028407:nivolumab'",
        "q_publication_arms|pub_arm:pmid:26028407:nivolumab",
        "block",
        "value_not_in_quote",
    ),
    Case(
        QUOTES,
        "update q_publication_populations set source_quote = repeat('word ', 21)"
        " where publication_population_key = 'pub_population:pmid:26028407:randomized patients'",
        "q_publication_populations|pub_population:pmid:26028407:randomized patients",
        "block",
        "quote_too_long",
    ),
    Case(
        QUOTES,
        "update q_publication_comparisons set value_num = 0.6"
        f" where publication_comparison_key = '{HAZARD}'",
        f"q_publication_comparisons|{HAZARD}",
        "block",
        "value_not_in_quote",
    ),
    Case(
        QUOTES,
        "update q_publication_safety set value_percent = 55"
        f" where publication_safety_key = '{TOXICITY}'",
        f"q_publication_safety|{TOXICITY}",
        "block",
        "value_not_in_quote",
    ),
    _outcome("value_state = 'not_reached'", COHERENT, "value_contradicts_state"),
    _outcome("value_num = null", COHERENT, "value_contradicts_state"),
    _outcome("ci_lower = 9.3", COHERENT, "estimate_outside_interval"),
    _outcome("ci_upper = 9.1", COHERENT, "estimate_outside_interval"),
    _outcome("numerator = 3, denominator = 2", COHERENT, "count_exceeds_denominator"),
    _outcome(
        "unit = 'percent', value_num = 101, ci_lower = null, ci_upper = null",
        COHERENT,
        "share_out_of_range",
    ),
    Case(
        COHERENT,
        "update q_publication_comparisons set ci_upper = 0.5"
        f" where publication_comparison_key = '{HAZARD}'",
        f"q_publication_comparisons|{HAZARD}",
        "block",
        "estimate_outside_interval",
    ),
    Case(
        COHERENT,
        "update q_publication_safety set affected = 132, safety_n = 131"
        f" where publication_safety_key = '{TOXICITY}'",
        f"q_publication_safety|{TOXICITY}",
        "block",
        "count_exceeds_denominator",
    ),
    Case(
        COHERENT,
        "update q_publication_safety set value_percent = -1"
        f" where publication_safety_key = '{TOXICITY}'",
        f"q_publication_safety|{TOXICITY}",
        "block",
        "share_out_of_range",
    ),
    Case(
        COMPARED,
        "update q_publication_trial_links set link_basis = 'title_inference'"
        f" where publication_trial_link_key = '{CHECKMATE_LINK}'",
        f"q_publication_trial_links|{CHECKMATE_LINK}",
        "block",
        "compared_by_title",
        {"link_basis": "title_inference"},
    ),
    Case(
        COMPARED,
        "update q_publication_trial_links set comparison_eligible = true"
        f" where publication_trial_link_key = '{SYGMA_LINK}'",
        f"q_publication_trial_links|{SYGMA_LINK}",
        "block",
        "compared_with_unknown_trial",
        {"link_basis": "pubmed_databank"},
    ),
    Case(
        COMPARED,
        "update q_publication_trial_links set link_state = 'provisional'"
        f" where publication_trial_link_key = '{CHECKMATE_LINK}'",
        f"q_publication_trial_links|{CHECKMATE_LINK}",
        "block",
        "compared_without_acceptance",
        {"link_basis": "pubmed_databank"},
    ),
    Case(
        COMPARED,
        "update q_publication_comparisons set control_arm_key = experimental_arm_key"
        f" where publication_comparison_key = '{HAZARD}'",
        f"q_publication_comparisons|{HAZARD}",
        "block",
        "compared_with_itself",
    ),
)

NATION = "epi:segment:all-cancers:incidence:rate:age_standardised:00000:all:2014-01-01:2018-12-31:0"
COUNTY = "epi:segment:lung-cancer:mortality:rate:crude:45001:all:2014-01-01:2014-12-31"
KENTUCKY = NATION.replace("00000", "21000")
SERIES = "series:segment:all-cancers:00000:incidence:rate:091abe3b"
SUMMARY = "epi_summary:segment:all-cancers:00000:incidence"


def _observation(change: str, reason: str, key: str = NATION) -> Case:
    return Case(
        "assert_observations_mean_what_they_say",
        f"update q_epidemiology_observations set {change} where observation_key = '{key}'",
        key,
        "block",
        reason,
    )


def _summary(change: str) -> Case:
    return Case(
        "assert_series_and_summaries_hold_what_may_be_compared",
        f"update q_epidemiology_summaries set {change} where summary_key = '{SUMMARY}'",
        f"q_epidemiology_summaries|{SUMMARY}",
        "block",
        "summary_contradicts_observation",
    )


EPIDEMIOLOGY = (
    Case(
        "assert_epidemiology_values_lie_in_closed_enums",
        f"update q_epidemiology_observations set sex = 'x' where observation_key = '{NATION}'",
        f"q_epidemiology_observations|{NATION}",
        "block",
        "value_outside_enum",
        {"column": "sex"},
    ),
    _observation("unit = 'cases'", "unit_contradicts_statistic"),
    _observation("statistic = 'count'", "unit_contradicts_statistic"),
    _observation("denominator_kind = 'none'", "unit_contradicts_statistic"),
    _observation("standard_population = null", "standard_contradicts_adjustment"),
    _observation(
        "standard_population = 'us_2000'", "standard_contradicts_adjustment", f"{COUNTY}:1"
    ),
    _observation("period_kind = 'calendar_year'", "period_contradicts_kind"),
    _observation("period_end = '2014-12-31'", "period_contradicts_kind"),
    _observation("period_end = '2013-12-31'", "period_contradicts_kind"),
    _observation("value_state = 'unreliable'", "value_contradicts_state"),
    _observation("value = null", "value_contradicts_state"),
    _observation("value = 100.3", "rate_contradicts_counts", f"{COUNTY}:1"),
    _observation("interval_upper = 448.5", "estimate_outside_interval"),
    _observation("interval_lower = 448.7", "estimate_outside_interval"),
    _observation("interval_kind = 'none'", "estimate_outside_interval"),
    _observation("restatement_no = 2", "restatement_without_predecessor"),
    _observation(
        "supersedes_observation_key = null", "restatement_without_predecessor", f"{COUNTY}:1"
    ),
    _observation(
        "is_active = true, restatement_no = 0, supersedes_observation_key = null"
        f" where observation_key like '{COUNTY}:%'; update q_epidemiology_observations set"
        " restatement_no = 0",
        "several_versions_active",
        f"{COUNTY}:1",
    ),
    Case(
        "assert_series_and_summaries_hold_what_may_be_compared",
        f"update q_epidemiology_series_points set observation_key = '{KENTUCKY}'"
        f" where observation_key = '{NATION}'",
        f"q_epidemiology_series_points|{SERIES}|{KENTUCKY}",
        "block",
        "point_not_comparable",
    ),
    _summary("selected_value = 448.7"),
    _summary("selected_unit = 'percent'"),
    _summary("selected_basis = 'projected'"),
)

DOLLARS = "sales:roche_2016fy_pharma_total|USD|fx:USD:CHF:period_average:2016-01-01:2016-12-31"
YEAR = "sales_summary:org:bristol-myers-squibb:Company total:net_revenue:WW:2016:USD"
DEMO_YEAR = "sales_summary:org:ucb-biosciences:demo:net_product_sales:US:2020:USD"
REST_YEAR = "sales_summary:org:ucb-biosciences:rest:net_product_sales:US:2020:USD"


def _figure(change: str, reason: str, key: str = "sales:pfizer_2019q3_total") -> Case:
    return Case(
        "assert_sales_mean_what_they_say",
        f"update q_product_sales_facts set {change} where sales_fact_key = '{key}'",
        key,
        "block",
        reason,
    )


def _year(change: str, reason: str, composition: str, key: str = YEAR) -> Case:
    return Case(
        "assert_sales_are_composed_as_declared",
        f"update q_product_sales_summaries set {change} where summary_key = '{key}'",
        f"q_product_sales_summaries|{key}",
        "block",
        reason,
        {"composition": composition},
    )


def _conversion(statement: str) -> Case:
    return Case(
        "assert_sales_are_composed_as_declared",
        statement,
        f"q_product_sales_conversions|{DOLLARS}",
        "block",
        "conversion_contradicts_receipt",
    )


UNFIT, WRONG = "members_do_not_fit", "composition_contradicts_members"

COMMERCIAL = (
    Case(
        "assert_commercial_values_lie_in_closed_enums",
        "update q_product_sales_facts set reported_scale = 'dozens'"
        " where sales_fact_key = 'sales:pfizer_2019q3_total'",
        "q_product_sales_facts|sales:pfizer_2019q3_total",
        "block",
        "value_outside_enum",
        {"column": "reported_scale"},
    ),
    _figure("period_end = '2020-06-30'", "period_contradicts_kind"),
    _figure("fiscal_quarter = null", "period_contradicts_kind"),
    _figure("fiscal_quarter = 5", "period_contradicts_kind"),
    _figure("period_kind = 'annual', fiscal_quarter = null", "period_contradicts_kind"),
    _figure("fiscal_quarter = 4", "period_contradicts_kind", "sales:roche_2016fy_pharma_total"),
    _figure(
        "is_active = true, restates_fact_key = null, restatement_no = 0"
        " where sales_fact_key like 'sales:demo_q3%'; update q_product_sales_facts set"
        " is_active = true",
        "several_active_of_one_grain",
        "sales:demo_q3_restated",
    ),
    _figure("restatement_no = 1", "restatement_without_predecessor"),
    _figure("restatement_no = 2", "restatement_without_predecessor", "sales:demo_q3_restated"),
    _figure(
        "restates_fact_key = null", "restatement_without_predecessor", "sales:demo_q3_restated"
    ),
    _figure(
        "restatement_no = 1, restates_fact_key = 'sales:pfizer_2018q3_total_as_in_2019'",
        "restatement_without_predecessor",
    ),
    # A conversion in the place of the figure.
    _figure(
        "reported_value = 29590",
        "value_is_not_what_was_printed",
        "sales:roche_2016_9m_pharma_total",
    ),
    _figure(
        "reported_text = '$1.1 billion', reported_value = 1.1",
        "value_is_not_what_was_printed",
        "sales:bms_opdivo_2017q1_prose",
    ),
    _figure(
        "geography_scheme = 'iso3166_1_alpha2'",
        "place_contradicts_scheme",
        "sales:roche_2016q1_pharma_intl",
    ),
    _figure("geography_scheme = 'company_defined'", "place_contradicts_scheme"),
    _figure("geography_code = 'US'", "place_contradicts_scheme"),
    _conversion("update q_product_sales_conversions set converted_value = 38509"),
    _conversion(
        "update q_product_sales_fx_receipts set rate_period_end = '2016-12-30'"
        " where rate_period_start = '2016-01-01'"
    ),
    _conversion("update q_product_sales_fx_receipts set quote_currency = 'EUR'"),
    _conversion("update q_product_sales_conversions set converted_scale = 'billions'"),
    # The year and its last quarter.
    _year(
        "member_fact_keys = member_fact_keys || 'sales:bms_2016q4_total'::text,"
        " summary_value = 24670",
        WRONG,
        "annual_reported",
    ),
    _year("summary_value = 19428", WRONG, "annual_reported"),
    _year("evidence_kind = 'derived'", WRONG, "annual_reported"),
    _year("composition = 'incomplete', evidence_kind = 'derived'", WRONG, "incomplete"),
    _year("composition = 'sum_of_quarters', evidence_kind = 'derived'", WRONG, "sum_of_quarters"),
    _year("currency = 'CHF'", UNFIT, "annual_reported"),
    _year("scale = 'billions'", UNFIT, "annual_reported"),
    _year("geography_code = 'US'", UNFIT, "annual_reported"),
    _year("fiscal_year = 2017", UNFIT, "annual_reported"),
    _year(
        "member_fact_keys = array_replace(member_fact_keys, 'sales:demo_q3_restated',"
        " 'sales:demo_q3'), summary_value = 1490.5",
        UNFIT,
        "sum_of_quarters",
        DEMO_YEAR,
    ),
    _year(
        "member_fact_keys = array['sales:rest_9m'], summary_value = 300",
        WRONG,
        "nine_month_plus_q4",
        REST_YEAR,
    ),
)

SUPPORT = (
    Case(
        "assert_support_values_lie_in_closed_enums",
        "update q_source_artifacts set version_semantics = 'vague'"
        " where source_artifact_key = 'artifact:ctgov:NCT01642004:2018-05-11'",
        "q_source_artifacts|artifact:ctgov:NCT01642004:2018-05-11",
        "block",
        "value_outside_enum",
        {"column": "version_semantics"},
    ),
)

MERGER = (
    "news_event:synthetic-wire:2019-11-20:deal:has completed the acquisition:Synthetic Acquirer"
)

ANNOUNCED = "announced_result:asco:2015:8009:NCT01642004:nivolumab:overall survival:median"

NEWS = (
    Case(
        "assert_news_values_lie_in_closed_enums",
        f"update q_news_events set event_status = 'in the works' where news_event_key = '{MERGER}'",
        f"q_news_events|{MERGER}",
        "block",
        "value_outside_enum",
        {"column": "event_status"},
    ),
    Case(
        "assert_statements_stand_in_their_article",
        f"update q_news_events set source_status_text = 'sold' where news_event_key = '{MERGER}'",
        MERGER,
        "block",
        "words_not_in_quote",
        {"words": 9},
    ),
    Case(
        "assert_statements_stand_in_their_article",
        "update q_news_events set source_quote = 'it has completed the acquisition'"
        f" where news_event_key = '{MERGER}'",
        MERGER,
        "block",
        "quote_not_in_article",
        {"words": 5},
    ),
    Case(
        "assert_statements_stand_in_their_article",
        "update q_news_events set source_quote = body, source_status_text = 'metastatic'"
        " from staging.stg_news__documents as articles"
        " where articles.document_id = q_news_events.document_id"
        " and q_news_events.document_id = 'bms:2015-03-04'",
        f"news_event:bms:2015-03-04:regulatory:FDA has approved:Nivolumab:{SQUAMOUS_CELL}"
        ":Bristol-Myers Squibb",
        "block",
        "quote_too_long",
        {"words": 25},
    ),
    Case(
        "assert_statements_stand_in_their_article",
        "update q_announced_results set value_text = '.2'"
        f" where announced_result_key = '{ANNOUNCED}'",
        ANNOUNCED,
        "block",
        "words_not_in_quote",
        {"words": 8},
    ),
    Case(
        "assert_evidence_is_its_source_row",
        f"update q_announced_results set value_num = 9 where announced_result_key = '{ANNOUNCED}'",
        f"evidence:nivolumab-nsclc-squamous-us:{ANNOUNCED}",
        "block",
        "evidence_contradicts_source",
        {},
    ),
)

EVIDENCE_ROW = (
    "evidence:nivolumab-nsclc-squamous-us:pub_outcome:pmid:26028407:nivolumab:randomized patients"
    ":overall survival:median"
)

DEVELOPMENT = (
    Case(
        "assert_development_values_lie_in_closed_enums",
        "update q_development_programs set setting = 'at home' where context_key = 'ctx:s1'",
        "q_development_programs|ctx:s1",
        "block",
        "value_outside_enum",
        {"column": "setting"},
    ),
    Case(
        "assert_unknown_contexts_stay_unknown",
        "update q_development_programs set treatment_line_key = 'line:first_line',"
        " treatment_line_state = 'known' where context_key = 'ctx:s4'",
        "ctx:s4",
        "block",
        "unknown_defaulted",
        {"column": "treatment_line_key"},
    ),
    Case(
        "assert_evidence_is_its_source_row",
        "update q_development_emerging_evidence set source_row_key = 'pub_outcome:none'"
        f" where emerging_evidence_key = '{EVIDENCE_ROW}'",
        EVIDENCE_ROW,
        "block",
        "evidence_without_source",
    ),
    Case(
        "assert_evidence_is_its_source_row",
        "update q_development_emerging_evidence set value_num = 19.2"
        f" where emerging_evidence_key = '{EVIDENCE_ROW}'",
        EVIDENCE_ROW,
        "block",
        "evidence_contradicts_source",
    ),
    Case(
        "assert_counted_members_are_programs_of_the_slice",
        "update q_development_landscape set member_keys = array['prog:nobody']"
        " where landscape_key = 'landscape:program:segment:nsclc-squamous'",
        "landscape:program:segment:nsclc-squamous",
        "block",
        "member_unknown",
    ),
    Case(
        "assert_counted_members_are_programs_of_the_slice",
        "update q_development_landscape set count_value = count_value - 1"
        " where landscape_key = 'landscape:program_context:all'",
        "landscape:program_context:all",
        "block",
        "contexts_left_out",
    ),
)

DISCOVERY = (
    Case(
        "assert_discovery_values_lie_in_closed_enums",
        "update q_search_documents set entity_kind = 'hit'"
        " where source_q_row_key = 'trial:NCT01642004'",
        "q_search_documents|search:q_trials:trial:NCT01642004",
        "block",
        "value_outside_enum",
        {"column": "entity_kind"},
    ),
    Case(
        "assert_relationships_name_known_entries",
        "update canonical.temporal_relationships set object_key = 'drug:nobody'"
        " where object_key = 'drug:synthetic-asset' and valid_to is not null",
        "relationship:owns_asset:drug:synthetic-asset|2010-01-01",
        "block",
        "party_unknown",
        {"relationship_type": "owns_asset"},
    ),
)

READY = "readiness:segment:all-cancers:00000:incidence"
PRICE = "readiness:segment:all-cancers:00000:price"

READINESS = (
    Case(
        "assert_inputs_are_ready_only_where_they_are",
        "update q_forecast_input_readiness set source_q_row_key = null"
        f" where readiness_key = '{READY}'",
        READY,
        "block",
        "ready_without_input",
        {"readiness_state": "ready"},
    ),
    Case(
        "assert_inputs_are_ready_only_where_they_are",
        "update q_forecast_input_readiness set source_q_row_key = 'extrapolated'"
        f" where readiness_key = '{PRICE}'",
        PRICE,
        "block",
        "missing_input_filled",
        {"readiness_state": "missing_input"},
    ),
)

CASES = (
    *APPROVALS,
    *PUBLICATIONS,
    *EPIDEMIOLOGY,
    *COMMERCIAL,
    *DEVELOPMENT,
    *NEWS,
    *DISCOVERY,
    *SUPPORT,
    *READINESS,
)

"""Scenarios of programs, statistics and sales, from a build to what readers see.

Ten of development programs, seven of epidemiology and seven of sales: each is served as it was
delivered, and once it is stored as something else it is held back and readers see no change. What
the gates say of each stands in test_development_models.py and test_observation_cases.py. Source:
domain model, "Scenarios the document only names"; contracts seed, "Implementable gate factory
matrix".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from published_domain import Domain

PROGRAMS = ("q_development_programs", "development_program_semantics")
STATISTICS = ("q_epidemiology_observations", "epidemiology_observation_semantics")
SALES = ("q_product_sales_facts", "commercial_observation_semantics")
FAMILY = {PROGRAMS: "development", STATISTICS: "epidemiology", SALES: "commercial"}


@dataclass(frozen=True)
class Case:
    """What readers get (`read` gives `rows`), and damages with the reason each is held back for."""

    name: str
    gate: tuple[str, str]
    read: str
    rows: list[tuple[Any, ...]]
    wrong: dict[str, str] = field(default_factory=dict)


STATE = (
    "select context_key, current_phase, clinical_activity, regulatory_state,"
    " owner_organisation_key, historical_max_phase, historical_max_regulatory"
    " from q_development_programs where context_key ~ '^ctx:{}$' order by 1"
)
HISTORY = (
    "select axis_value, valid_from::text, valid_to::text from q_development_state_history"
    " where context_key = 'ctx:{}' and axis = '{}' order by 2"
)
COUNTED = (
    "select count(*), sum(count_value) from q_development_landscape"
    " where '{}' = any(member_keys) and landscape_key = '{}'"
)


def told(context: str, *state: str | None) -> tuple[Any, ...]:
    return (f"ctx:{context}", *state)


def program(context: str, **said: str) -> str:
    changed = ", ".join(f"{column} = '{value}'" for column, value in said.items())
    return f"update q_development_programs set {changed} where context_key = 'ctx:{context}'"


SCENARIOS = [
    Case("s1 phase 2 recruits after phase 3 was terminated", PROGRAMS, STATE.format("s1"),
         [told("s1", "phase2", "recruiting", "none", None, "phase3", "none")],
         {program("s1", clinical_activity="terminated"): "fold_differs",
          program("s1", current_phase="phase3"): "fold_differs"}),
    Case("s1 history keeps both phases with a gap", PROGRAMS, HISTORY.format("s1", "phase"),
         [("phase3", "2014-01-01", "2016-08-01"), ("phase2", "2017-03-01", None)],
         {"update q_development_state_history set valid_to = '2017-03-01' where context_key ="
          " 'ctx:s1' and axis_value = 'phase3'": "history_differs"}),
    Case("s2 an approval does not leak into an expansion", PROGRAMS, STATE.format("s2."),
         [told("s2a", "none", "completed", "approved", None, "phase3", "approved"),
          told("s2b", "phase3", "recruiting", "none", None, "phase3", "none")],
         {program("s2b", regulatory_state="approved", historical_max_regulatory="approved"):
          "fold_differs"}),
    Case("s3 approved in the US is under review in the EU", PROGRAMS, STATE.format("s3.."),
         [told("s3eu", "none", "none", "under_review", None, "none", "under_review"),
          told("s3us", "none", "none", "approved", None, "none", "approved")],
         {program("s3eu", regulatory_state="approved"): "fold_differs"}),
    Case("s4 a line that nobody states stays unknown", PROGRAMS,
         "select treatment_line_key, treatment_line_state, current_phase from"
         " q_development_programs where context_key = 'ctx:s4'", [(None, "unknown", "phase1")],
         {program("s4", treatment_line_key="line:first_line"): "unknown_defaulted"}),
    Case("s5 a seamless phase 1/2 is one phase of one program", PROGRAMS, STATE.format("s5"),
         [told("s5", "phase1_2", "recruiting", "none", None, "phase1_2", "none")],
         {program("s5", current_phase="phase2"): "fold_differs",
          "insert into q_development_programs select (jsonb_populate_record(it, '{\"context_key\":"
          " \"ctx:s5-again\", \"program_key\": \"prog:s5-again\"}')).* from q_development_programs"
          " as it where context_key = 'ctx:s5'": "program_duplicated"}),
    Case("s6 rights that are licensed change the owner alone", PROGRAMS, STATE.format("s6"),
         [told("s6", "phase2", "active_not_recruiting", "none", "org:example-pharma", "phase2",
               "none")],
         {program("s6", current_phase="none"): "fold_differs",
          program("s6", owner_organisation_key="org:example-biotech"): "fold_differs"}),
    Case("s7 a refusal stays in history", PROGRAMS, HISTORY.format("s7", "regulatory"),
         [("submitted", "2018-01-01", "2018-11-01"), ("refused", "2018-11-01", "2019-06-01"),
          ("submitted", "2019-06-01", "2020-02-01"), ("approved", "2020-02-01", None)],
         {"delete from q_development_state_history where axis_value = 'refused'":
          "interval_missing"}),
    Case("s8 an announced end moves nothing", PROGRAMS, STATE.format("s8"),
         [told("s8", "phase2", "recruiting", "none", None, "phase2", "none")],
         {program("s8", clinical_activity="terminated"): "fold_differs"}),
    Case("s9 a basket trial is counted once", PROGRAMS,
         COUNTED.format("trial:NCT00513591", "landscape:trial:segment:lung-cancer"), [(1, 1)],
         {"update q_development_landscape set count_value = 3, member_keys ="
          " array_fill(member_keys[1], array[3]) where landscape_key ="
          " 'landscape:trial:segment:lung-cancer'": "count_differs"}),
    Case("s9 its contexts are three", PROGRAMS, STATE.format("s9."),
         [told(it, "phase2", "recruiting", "none", None, "phase2", "none")
          for it in ("s9a", "s9b", "s9c")],
         {"update q_development_landscape set count_grain = 'program_context' where landscape_key ="
          " 'landscape:trial:segment:lung-cancer'": "grain_collapsed"}),
    Case("s10 a withdrawn phase 3 is no maximum, a late phase 2 is", PROGRAMS, STATE.format("s10"),
         [told("s10", "none", "completed", "none", None, "phase2", "none")],
         {program("s10", historical_max_phase="phase3"): "fold_differs"}),
    Case("s10 history as of then is never rewritten", PROGRAMS, HISTORY.format("s10", "phase"),
         [("phase2", "2019-01-01", "2020-12-01")],
         {"update q_development_state_history set valid_from = '2018-01-01' where context_key ="
          " 'ctx:s10' and axis = 'phase'": "history_differs"}),
]  # fmt: skip

COUNTY = "geography_code = '45001' and period_start = '2014-01-01'"
RATES = (
    "select statistic, unit, value, numerator, denominator_value from q_epidemiology_observations"
    f" where {COUNTY} and is_active order by 1"
)
EPIDEMIOLOGY = [
    Case("crude and adjusted are two series", STATISTICS,
         "select geography_code, count(distinct comparability_signature), count(*) from"
         " q_epidemiology_series where geography_code in ('21000', '45001') group by 1 order by 1",
         [("21000", 2, 2), ("45001", 2, 2)],
         {"update q_epidemiology_series_points set series_key = (select points.series_key from"
          " q_epidemiology_series_points as points join q_epidemiology_observations using"
          " (observation_key) where geography_code = '21000' and statistic = 'rate') where"
          " observation_key = (select observation_key from q_epidemiology_observations where"
          f" {COUNTY} and statistic = 'rate' and is_active)": "series_mixed"}),
    Case("count and rate are two rows", STATISTICS, RATES,
         [("count", "deaths", Decimal("25"), None, None),
          ("rate", "per_100k_population", Decimal("100.1"), Decimal("25"), Decimal("24965"))],
         {"update q_epidemiology_observations set unit = 'per_100k_population'"
          f" where {COUNTY} and statistic = 'count' and is_active": "unit_of_another_statistic"}),
    Case("an average of five years is none of one", STATISTICS,
         "select period_kind, period_start::text, period_end::text, value from"
         " q_epidemiology_observations where geography_code = '21000' and statistic = 'rate'",
         [("multi_year_average", "2014-01-01", "2018-12-31", Decimal("517.8"))],
         {"update q_epidemiology_observations set period_kind = 'calendar_year' where"
          " geography_code = '21000' and statistic = 'rate'": "period_of_another_kind"}),
    Case("a restatement names what it supersedes", STATISTICS,
         "select restatement_no, is_active, value, supersedes_observation_key is not null from"
         f" q_epidemiology_observations where {COUNTY} and statistic = 'rate' order by 1",
         [(0, False, Decimal("96.1"), False), (1, True, Decimal("100.1"), True)],
         {"update q_epidemiology_observations set is_active = true where"
          f" {COUNTY} and statistic = 'rate' and restatement_no = 0": "restatement_both_active",
          "update q_epidemiology_observations set supersedes_observation_key = null where"
          f" {COUNTY} and statistic = 'rate' and restatement_no = 1": "restatement_chain_broken"}),
    Case("what a source withholds is never filled in", STATISTICS,
         "select value, value_state, numerator, denominator_value from q_epidemiology_observations"
         " where geography_code = '45001' and period_start = '2012-01-01' and statistic = 'rate'",
         [(None, "unreliable", Decimal("19"), Decimal("25101"))],
         {"update q_epidemiology_observations set value = 75.7 where geography_code = '45001' and"
          " period_start = '2012-01-01' and statistic = 'rate'": "value_without_statement"}),
    Case("a headline has the basis of what it selects", STATISTICS,
         "select distinct selected_basis from q_epidemiology_summaries", [("observed",)],
         {"update q_epidemiology_summaries set selected_basis = 'projected'": "basis_upgraded"}),
]  # fmt: skip


def fact(key: str) -> str:
    return f"where sales_fact_key = 'sales:{key}'"


def printed(key: str) -> str:
    return (
        "select reported_value, reported_currency, reported_scale, evidence_kind, is_active from"
        f" q_product_sales_facts {fact(key)}"
    )


YEAR = "where member_fact_keys = array['sales:bms_2016fy_total']"
COMMERCIAL = [
    Case("q4 is what was printed", SALES, printed("bms_2016q4_total"),
         [(Decimal("5243"), "USD", "millions", "reported_actual", True)],
         {f"update q_product_sales_facts set reported_text = '' {fact('bms_2016q4_total')}":
          "value_differs_from_text"}),
    Case("annual plus q4 is no year", SALES,
         f"select composition, summary_value, cardinality(member_fact_keys) from"
         f" q_product_sales_summaries {YEAR}", [("annual_reported", Decimal("19427"), 1)],
         {"update q_product_sales_summaries set summary_value = 24670, member_fact_keys ="
          f" array['sales:bms_2016fy_total', 'sales:bms_2016q4_total'] {YEAR}":
          "composition_differs"}),
    Case("a figure stays in its currency", SALES, printed("roche_2016_9m_pharma_total"),
         [(Decimal("29140"), "CHF", "millions", "reported_actual", True)],
         {"update q_product_sales_facts set reported_value = 29590"
          f" {fact('roche_2016_9m_pharma_total')}": "value_differs_from_text"}),
    Case("fx divides by the rate of the very period", SALES,
         "select converted_value, base_currency, quote_currency, rate_period_start::text,"
         " rate_period_end::text from q_product_sales_conversions join q_product_sales_fx_receipts"
         f" using (fx_receipt_key) {fact('roche_2016fy_pharma_total')}",
         [(Decimal("39707"), "USD", "CHF", "2016-01-01", "2016-12-31")],
         {"update q_product_sales_conversions as made set converted_value ="
          " round(facts.reported_value * receipts.rate) from q_product_sales_facts as facts,"
          " q_product_sales_fx_receipts as receipts where facts.sales_fact_key ="
          " made.sales_fact_key and receipts.fx_receipt_key = made.fx_receipt_key":
          "conversion_differs",
          "update q_product_sales_conversions set sales_fact_key ="
          " 'sales:roche_2016q1_pharma_total', converted_value = 9949":
          "receipt_of_another_period"}),
    Case("a restated figure stays and is not active", SALES,
         "select reported_value, restatement_no, is_active, restates_fact_key, restatement_reason"
         " from q_product_sales_facts where sales_fact_key like 'sales:demo_q3%' order by 2",
         [(Decimal("130"), 0, False, None, None),
          (Decimal("127"), 1, True, "sales:demo_q3", "segment_change")],
         {f"update q_product_sales_facts set reported_value = 127 {fact('demo_q3')}":
          "value_differs_from_text",
          f"update q_product_sales_facts set is_active = true {fact('demo_q3')}":
          "fact_duplicated"}),
    Case("a region of a company is no country", SALES,
         "select geography_scheme, geography_code, geography_label from q_product_sales_facts"
         f" {fact('roche_2016q1_pharma_intl')}",
         [("company_defined", "roche:international", "International*")],
         {"update q_product_sales_facts set geography_scheme = 'iso3166_1_alpha2', geography_code"
          f" = 'XX' {fact('roche_2016q1_pharma_intl')}": "geography_not_of_its_scheme",
          "update q_product_sales_summaries set composition = 'incomplete', member_fact_keys ="
          " array['sales:roche_2016q1_pharma_total', 'sales:roche_2016q1_pharma_us']"
          f" {YEAR}": "grains_mixed"}),
    Case("sales of an asset are its owner's of that period", SALES,
         "select sales_fact_key, organisation_key, period_end::text from q_product_sales_facts"
         " where resolved_drug_key = 'drug:synthetic-asset' order by 1",
         [("sales:asset_q3", "org:synthetic-founder", "2019-09-30"),
          ("sales:asset_q4_after", "org:synthetic-acquirer", "2019-12-31"),
          ("sales:asset_q4_before", "org:synthetic-founder", "2019-11-19")],
         {f"update q_product_sales_facts set organisation_key = 'org:synthetic-acquirer'"
          f" {fact('asset_q3')}": "owner_of_another_period"}),
    Case("prose keeps its scale and its decimals", SALES, printed("bms_opdivo_2017q1_prose"),
         [(Decimal("1.13"), "USD", "billions", "reported_prose", True)],
         {"update q_product_sales_facts set reported_value = 1130, reported_scale = 'millions'"
          f" {fact('bms_opdivo_2017q1_prose')}": "value_differs_from_text",
          f"update q_product_sales_facts set reported_value = 1.130"
          f" {fact('bms_opdivo_2017q1_prose')}": "decimals_not_as_printed"}),
    Case("prose gives way to the filing", SALES, printed("prose_said"),
         [(Decimal("0.2"), "USD", "billions", "reported_prose", False)],
         {f"update q_product_sales_facts set is_active = true {fact('prose_said')}":
          "prose_beside_filing"}),
]  # fmt: skip


def named(case: Case) -> str:
    return case.name.replace(" ", "_")


@pytest.mark.parametrize("case", [*SCENARIOS, *EPIDEMIOLOGY, *COMMERCIAL], ids=named)
def test_a_case_is_served_as_delivered_and_held_back_as_something_else(
    domain: Domain, case: Case
) -> None:
    """By the gate of its meaning, for the reason that names the mistake; readers see no change."""
    family = FAMILY[case.gate]
    assert domain.read(case.read) == case.rows
    head = domain.heads()[family]
    for damage, reason in case.wrong.items():
        attempt = domain.attempt(family, damage)
        assert attempt.held_back
        assert reason in attempt.reasons(*case.gate), attempt.blocking
        assert (attempt.outcome.served, domain.heads()[family]) == (head, head)
        assert domain.read(case.read) == case.rows


def test_s8_the_announcement_is_served_as_one_and_may_not_be_promoted(domain: Domain) -> None:
    """What a company says has ended is a milestone that moves no axis."""
    read = (
        "select axis_value, truth_mode, source_authority_tier from q_development_milestones"
        " where context_key = 'ctx:s8' and milestone_type = 'discontinuation_announced'"
    )
    assert domain.read(read) == [("terminated", "announced", "company_announcement")]
    attempt = domain.attempt(
        "development",
        "update q_development_milestones set truth_mode = 'confirmed' where context_key = 'ctx:s8'",
    )
    assert attempt.held_back
    assert attempt.reasons("q_development_milestones", "source_authority") == {
        "authority_insufficient"
    }
    assert domain.read(read) == [("terminated", "announced", "company_announcement")]


@pytest.mark.parametrize(
    "damage", ["delete from {} where {}", "update {} set observed_at = '2024-03-01' where {}"]
)
def test_s10_what_was_published_is_never_moved_or_dropped(domain: Domain, damage: str) -> None:
    """Judged against what readers are served: the milestone and the day it was known stay."""
    where = "milestone_key = 'milestone:s10-trial_withdrawn-2021-05-01'"
    day = "(observed_at at time zone 'UTC')::date::text"
    read = f"select {day} from q_development_milestones where {where}"
    assert domain.read(read) == [("2024-02-01",)]
    attempt = domain.attempt("development", damage.format("q_development_milestones", where))
    assert attempt.held_back
    assert attempt.reasons("q_development_milestones", "temporal_validity") == {"interval_removed"}
    assert domain.read(read) == [("2024-02-01",)]


def test_s4_an_unknown_line_is_published_with_a_warning(domain: Domain) -> None:
    """Incomplete and said to be: it warns, and readers get it."""
    attempt = domain.attempt("development")
    assert attempt.published
    assert (*PROGRAMS, "ctx:s4", "context_incomplete") in attempt.warning


@pytest.mark.parametrize(
    ("damage", "state"),
    [("'made:up'", "missing_input"), ("null", "ready")],
)
def test_a_missing_forecast_input_stays_missing(domain: Domain, damage: str, state: str) -> None:
    """Readiness without a row, or a row for what is missing, is held back."""
    read = (
        "select readiness_state, count(*) > 0, count(source_q_row_key) > 0"
        " from q_forecast_input_readiness group by 1 order by 1"
    )
    served = domain.read(read)
    assert ("missing_input", True, False) in served
    assert ("ready", True, True) in served
    wrong = (
        f"update q_forecast_input_readiness set source_q_row_key = {damage} where readiness_key ="
        " (select min(readiness_key) from q_forecast_input_readiness"
        f" where readiness_state = '{state}')"
    )
    head = domain.heads()["support"]
    attempt = domain.attempt("support", wrong)
    assert (attempt.held_back, attempt.outcome.served) == (True, head)
    assert domain.read(read) == served

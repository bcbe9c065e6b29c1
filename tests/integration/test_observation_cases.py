"""Cases of epidemiology and sales, from landed deliveries to the verdict on what was built of them.

Each is accepted as delivered, and withheld once it is stored as something else. Source: contracts
seed, "Implementable gate factory matrix", fixtures of the two observation gates.
"""

from __future__ import annotations

import dataclasses
from decimal import Decimal

from tidegate.gates.result import GateResult
from tidegate.gates.specs import specs_of
from trial_project import Built

STATISTICS = ("q_epidemiology_observations", "epidemiology_observation_semantics")
SALES = ("q_product_sales_facts", "commercial_observation_semantics")
COUNTY = "geography_code = '45001' and period_start = '2014-01-01'"


def blocked(built: Built, family: str, *damage: str) -> dict[str, int]:
    """What the family's gate of meaning blocks for; it withholds, whatever else does."""
    gate = STATISTICS if family == "epidemiology" else SALES
    result = built.verdicts(family, *damage)[gate]
    assert result.blocks == bool(result.rows_failing)
    told = ("uncertainty_absent", "strata_absent", "market_split_absent", "prior_period_absent",
            "prose_only")  # fmt: skip
    return {reason: n for reason, n in result.reasons.items() if reason not in told}


def statistics(built: Built, *damage: str) -> dict[str, int]:
    return blocked(built, "epidemiology", *damage)


def sales(built: Built, *damage: str) -> dict[str, int]:
    return blocked(built, "commercial", *damage)


def test_what_was_delivered_is_accepted(built: Built) -> None:
    """Nothing blocks before something is changed."""
    assert statistics(built) == {}
    assert sales(built) == {}


def test_epidemiology_crude_against_adjusted(built: Built) -> None:
    """Two series of one signature each; a crude county rate in Kentucky's adjusted one blocks."""
    assert built.query(
        "select count(*) from q_epidemiology_series where geography_code in ('21000', '45001')"
    )[0][0] >= 2  # fmt: skip
    mixed = (
        "update q_epidemiology_series_points set series_key = (select points.series_key from"
        " q_epidemiology_series_points as points join q_epidemiology_observations using"
        " (observation_key) where geography_code = '21000' and statistic = 'rate') where"
        " observation_key = (select observation_key from q_epidemiology_observations where"
        f" {COUNTY} and statistic = 'rate' and is_active)"
    )
    assert statistics(built, mixed) == {"series_mixed": 1}


def test_epidemiology_count_against_rate(built: Built) -> None:
    """Deaths and deaths per 100,000 are two rows; 25 deaths in the unit of the rate block."""
    assert built.query(
        "select statistic, unit, value, numerator, denominator_value from"
        f" q_epidemiology_observations where {COUNTY} and is_active order by 1"
    ) == [
        ("count", "deaths", Decimal("25"), None, None),
        ("rate", "per_100k_population", Decimal("100.1"), Decimal("25"), Decimal("24965")),
    ]
    wrong = (
        "update q_epidemiology_observations set unit = 'per_100k_population'"
        f" where {COUNTY} and statistic = 'count' and is_active"
    )
    assert statistics(built, wrong)["unit_of_another_statistic"] == 1


def test_epidemiology_multi_year_period(built: Built) -> None:
    """An average of 2014 to 2018 is that; stored as the year 2018 it blocks."""
    wrong = (
        "update q_epidemiology_observations set period_kind = 'calendar_year'"
        " where geography_code = '21000' and statistic = 'rate'"
    )
    assert statistics(built, wrong) == {"period_of_another_kind": 1}


def test_epidemiology_restatement(built: Built) -> None:
    """The later release names the earlier, which stays inactive; both active or unnamed block."""
    old = f"{COUNTY} and statistic = 'rate' and restatement_no = 0"
    both = f"update q_epidemiology_observations set is_active = true where {old}"
    assert statistics(built, both) == {
        "restatement_both_active": 2, "restatement_chain_broken": 1,
    }  # fmt: skip
    unnamed = (
        "update q_epidemiology_observations set supersedes_observation_key = null"
        f" where {COUNTY} and statistic = 'rate' and restatement_no = 1"
    )
    assert statistics(built, unnamed) == {"restatement_chain_broken": 1}


def forecast_inputs(built: Built, *damage: str) -> GateResult:
    """The verdict on the observations beside the inputs that a forecast may use.

    Support is published after epidemiology, so its contract cannot name them; here both are built.
    """
    (spec,) = (
        spec
        for spec in specs_of(built.manifest, "epidemiology", built.compiled)
        if (spec.model.name, spec.gate_id) == STATISTICS
    )
    relations = {"readiness": "q_forecast_input_readiness"}
    asked = dataclasses.replace(spec, arguments={**spec.arguments, "relations": relations})
    return built.judge([asked], *damage)[STATISTICS]


def test_epidemiology_missing_forecast_input(built: Built) -> None:
    """What is missing stays missing, without a row; ready has one, and neither is made up."""
    assert built.query(
        "select count(*) > 0, count(source_q_row_key) from q_forecast_input_readiness"
        " where readiness_state = 'missing_input'"
    ) == [(True, 0)]
    assert forecast_inputs(built).rows_failing == 0
    inputs = "(select readiness_key from q_forecast_input_readiness where"
    filled = (
        "update q_forecast_input_readiness set source_q_row_key = 'made:up' where readiness_key ="
        f" {inputs} readiness_state = 'missing_input' limit 1)"
    )
    empty = (
        "update q_forecast_input_readiness set source_q_row_key = null where readiness_key ="
        f" {inputs} readiness_state = 'ready' limit 1)"
    )
    for damage, reason in ((filled, "missing_input_filled"), (empty, "ready_without_input")):
        found = forecast_inputs(built, damage)
        assert (found.blocks, found.reasons[reason]) == (True, 1)
        assert any(result.blocks for result in built.verdicts("support", damage).values())


def test_epidemiology_what_a_source_withholds_is_never_filled_in(built: Built) -> None:
    """19 of 25,101 would be 75.7; the source calls it unreliable, so a value for it blocks."""
    wrong = (
        "update q_epidemiology_observations set value = 75.7 where geography_code = '45001'"
        " and period_start = '2012-01-01' and statistic = 'rate'"
    )
    assert statistics(built, wrong) == {"value_without_statement": 1}


def test_epidemiology_a_projection_is_no_observation(built: Built) -> None:
    """A headline has the basis of what it selects."""
    wrong = "update q_epidemiology_summaries set selected_basis = 'projected'"
    assert set(statistics(built, wrong)) == {"basis_upgraded"}


def test_commercial_q4(built: Built) -> None:
    """A reported fourth quarter is printed somewhere; one that was computed is derived."""
    assert built.query(
        "select reported_value, evidence_kind from q_product_sales_facts"
        " where sales_fact_key = 'sales:bms_2016q4_total'"
    ) == [(Decimal("5243"), "reported_actual")]
    computed = (
        "alter table q_product_sales_facts alter column reported_text drop not null;"
        "update q_product_sales_facts set reported_text = null, evidence_kind = '{}'"
        " where sales_fact_key = 'sales:bms_2016q4_total'"
    )
    assert sales(built, computed.format("reported_actual")) == {"value_differs_from_text": 1}
    assert sales(built, computed.format("derived")) == {}


def test_commercial_annual_plus_q4(built: Built) -> None:
    """19,427 contains its fourth quarter; 24,670 blocks."""
    wrong = (
        "update q_product_sales_summaries set summary_value = 24670, member_fact_keys ="
        " array['sales:bms_2016fy_total', 'sales:bms_2016q4_total']"
        " where member_fact_keys = array['sales:bms_2016fy_total']"
    )
    assert sales(built, wrong) == {"composition_differs": 1}


def test_commercial_fx(built: Built) -> None:
    """A figure stays in its currency; a conversion divides by the rate of its very period."""
    stored = (
        "update q_product_sales_facts set reported_value = 29590"
        " where sales_fact_key = 'sales:roche_2016_9m_pharma_total'"
    )
    assert sales(built, stored)["value_differs_from_text"] == 1
    inverted = (
        "update q_product_sales_conversions as made set converted_value ="
        " round(facts.reported_value * receipts.rate) from q_product_sales_facts as facts,"
        " q_product_sales_fx_receipts as receipts where facts.sales_fact_key ="
        " made.sales_fact_key and receipts.fx_receipt_key = made.fx_receipt_key"
    )
    assert sales(built, inverted) == {"conversion_differs": 1}
    of_a_quarter = (
        "update q_product_sales_conversions set sales_fact_key ="
        " 'sales:roche_2016q1_pharma_total', converted_value = 9949"
    )
    assert "receipt_of_another_period" in sales(built, of_a_quarter)


def test_commercial_restatement(built: Built) -> None:
    """127 names 130, which stays inactive; in its place, or both active, block."""
    in_place = (
        "update q_product_sales_facts set reported_value = 127"
        " where sales_fact_key = 'sales:demo_q3'"
    )
    assert sales(built, in_place) == {"value_differs_from_text": 1}
    both = (
        "update q_product_sales_facts set is_active = true where sales_fact_key = 'sales:demo_q3'"
    )
    assert sales(built, both) == {"fact_duplicated": 2, "restatement_chain_broken": 1}


def test_commercial_geography(built: Built) -> None:
    """A company's "International" is no country, and the whole is not added to its parts."""
    forced = (
        "update q_product_sales_facts set geography_scheme = 'iso3166_1_alpha2', geography_code ="
        " 'XX' where geography_code = 'roche:international'"
    )
    assert sales(built, forced) == {"geography_not_of_its_scheme": 1}
    added = (
        "update q_product_sales_summaries set composition = 'incomplete', member_fact_keys ="
        " array['sales:roche_2016q1_pharma_total', 'sales:roche_2016q1_pharma_us']"
        " where member_fact_keys = array['sales:bms_2016fy_total']"
    )
    assert sales(built, added)["grains_mixed"] == 1


def owned(built: Built, organisation: str) -> GateResult:
    """The verdict where one organisation owned Opdivo until 2017-06-30, and another then."""
    (spec,) = (
        spec
        for spec in specs_of(built.manifest, "commercial", built.compiled)
        if (spec.model.name, spec.gate_id) == SALES
    )
    relations = {**(spec.arguments.get("relations") or {}), "ownership": "ownership_of_test"}
    asked = dataclasses.replace(spec, arguments={**spec.arguments, "relations": relations})
    found = built.judge(
        [asked],
        "create table canonical.ownership_of_test (product_key text, organisation_key text,"
        " valid_from date, valid_to date)",
        "insert into canonical.ownership_of_test values ('drug:nivolumab',"
        f" '{organisation}', '2014-01-01', '2017-07-01'),"
        " ('drug:nivolumab', 'org:buyer', '2017-07-01', null)",
        "update q_product_sales_facts set resolved_drug_key = 'drug:nivolumab'"
        " where sales_fact_key = 'sales:bms_opdivo_2017q1_prose'",
        ownership_of_test=("canonical", "ownership_of_test"),
    )
    return found[SALES]


def test_commercial_acquisition(built: Built) -> None:
    """Sales before the closing date are the seller's; under the buyer's name they block."""
    sold = owned(built, "org:bristol-myers-squibb")
    assert (sold.rows_failing, sold.blocks) == (0, False)
    bought = owned(built, "org:seller")
    assert bought.reasons["owner_of_another_period"] == 1
    assert bought.blocks


def test_commercial_prose_only(built: Built) -> None:
    """ "$1.13 billion" is 1.13 billions: no exact millions, no third decimal, no filing's twin."""
    fact = "where sales_fact_key = 'sales:bms_opdivo_2017q1_prose'"
    assert built.query(
        f"select reported_value, reported_scale, reported_decimals, evidence_kind, is_active,"
        f" source_authority_tier from q_product_sales_facts {fact}"
    ) == [(Decimal("1.13"), "billions", 2, "reported_prose", True, "secondary_news")]
    exact = (
        "update q_product_sales_facts set reported_value = 1130, reported_scale = 'millions'"
        f" {fact}"
    )
    assert sales(built, exact) == {"value_differs_from_text": 1, "decimals_not_as_printed": 1}
    padded = f"update q_product_sales_facts set reported_value = 1.130 {fact}"
    assert sales(built, padded) == {"decimals_not_as_printed": 1}
    beside = (
        "update q_product_sales_facts set is_active = true"
        " where sales_fact_key = 'sales:prose_said'"
    )
    assert sales(built, beside) == {"prose_beside_filing": 1}

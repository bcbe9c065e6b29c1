"""Sales: figures as printed; nothing is added up or converted except as declared."""

from __future__ import annotations

from decimal import Decimal

from trial_project import Built


def test_every_commercial_model_has_rows(built: Built) -> None:
    """Each one is fed by the samples."""
    models = [name for name in built.landed if name.startswith("q_product_sales")]
    assert len(models) == 4
    counts = {name: built.query(f"select count(*) from {name}")[0][0] for name in models}
    assert all(counts.values()), counts


def test_figures_are_what_was_printed(built: Built) -> None:
    """Commas, blanks and currency signs are no digits; scale and decimals stay as printed."""
    assert built.query(
        "select reported_text, reported_value, reported_decimals, reported_currency,"
        " reported_scale, evidence_kind, source_authority_tier from q_product_sales_facts"
        " where sales_fact_key in ('sales:roche_2016_9m_pharma_total', 'sales:demo_q4',"
        " 'sales:bms_opdivo_2017q1_prose', 'sales:bms_2016q4_total') order by 1"
    ) == [
        ("$1.13 billion", Decimal("1.13"), 2, "USD", "billions", "reported_prose",
         "secondary_news"),
        ("$5,243", Decimal("5243"), 0, "USD", "millions", "reported_actual", "company_filing"),
        ("1'140.5", Decimal("1140.5"), 1, "USD", "millions", "reported_actual", "company_filing"),
        ("29 140", Decimal("29140"), 0, "CHF", "millions", "reported_actual",
         "company_announcement"),
    ]  # fmt: skip


def test_regions_of_a_company_are_no_countries(built: Built) -> None:
    """The four parts of the first quarter of 2016 are 9,800 together, as the whole is."""
    assert built.query(
        "select geography_scheme, geography_code, reported_value from q_product_sales_facts"
        " where sales_fact_key like 'sales:roche_2016q1%%' order by 3"
    ) == [
        ("iso3166_1_alpha2", "JP", Decimal("853")),
        ("company_defined", "roche:international", Decimal("1912")),
        ("company_defined", "roche:europe", Decimal("2319")),
        ("iso3166_1_alpha2", "US", Decimal("4716")),
        ("worldwide", "WW", Decimal("9800")),
    ]
    assert 853 + 1912 + 2319 + 4716 == 9800


def test_a_fiscal_quarter_need_not_end_with_a_month(built: Built) -> None:
    """The third quarter of Pfizer ended on 29 September 2019."""
    assert built.query(
        "select organisation_key, fiscal_quarter, period_end::text, reported_value"
        " from q_product_sales_facts where sales_fact_key = 'sales:pfizer_2019q3_total'"
    ) == [("org:pfizer", 3, "2019-09-29", Decimal("12680"))]


def test_a_year_that_was_reported_is_never_added_to_its_quarter(built: Built) -> None:
    """19,427 and not 24,670; four quarters or nine months and the last quarter are derived."""
    rows = built.query(
        "select organisation_key, line_item_label, geography_code, composition, summary_value,"
        " evidence_kind, cardinality(member_fact_keys) from q_product_sales_summaries"
        " where composition <> 'incomplete' order by 1, 2"
    )
    assert rows == [
        ("org:bristol-myers-squibb", "Company total", "WW", "annual_reported", Decimal("19427"),
         "reported_actual", 1),
        ("org:roche", "Pharmaceuticals Division", "WW", "annual_reported", Decimal("39103"),
         "reported_actual", 1),
        ("org:ucb-biosciences", "demo", "US", "sum_of_quarters", Decimal("1487.5"), "derived", 4),
        ("org:ucb-biosciences", "rest", "US", "nine_month_plus_q4", Decimal("350"), "derived", 2),
    ]  # fmt: skip


def test_a_year_that_lacks_something_has_no_value(built: Built) -> None:
    """Nine months and the third quarter are not a year; prose is never part of one."""
    assert built.query(
        "select organisation_key, fiscal_year, summary_value, cardinality(member_fact_keys)"
        " from q_product_sales_summaries where composition = 'incomplete'"
        " and organisation_key = 'org:pfizer' order by 2"
    ) == [("org:pfizer", 2018, None, 1), ("org:pfizer", 2019, None, 2)]
    assert (
        built.query(
            "select 1 from q_product_sales_summaries as summaries join q_product_sales_facts as"
            " facts on facts.sales_fact_key = any(summaries.member_fact_keys)"
            " where facts.evidence_kind = 'reported_prose'"
        )
        == []
    )


def test_a_restated_figure_stays_and_is_not_active(built: Built) -> None:
    """130 became 127 by a change of segments; both are there, one counts."""
    assert built.query(
        "select reported_value, restatement_no, restates_fact_key, restatement_reason, is_active"
        " from q_product_sales_facts where sales_fact_key like 'sales:demo_q3%%' order by 2"
    ) == [
        (Decimal("130"), 0, None, None, False),
        (Decimal("127"), 1, "sales:demo_q3", "segment_change", True),
    ]


def test_prose_gives_way_to_a_filing_of_the_same_grain(built: Built) -> None:
    """News said 0.2 billion, the filing says 203 million; without a filing prose stays active."""
    assert built.query(
        "select sales_fact_key, is_active from q_product_sales_facts"
        " where line_item_label in ('prose', 'Opdivo') order by 1"
    ) == [
        ("sales:bms_opdivo_2017q1_prose", True),
        ("sales:prose_filed", True),
        ("sales:prose_said", False),
    ]


def test_a_conversion_divides_by_the_rate_of_the_same_period(built: Built) -> None:
    """39,103 million francs of 2016 are 39,707 million dollars; no annual rate meets a quarter."""
    assert built.query(
        "select sales_fact_key, target_currency, fx_receipt_key, converted_value, converted_scale"
        " from q_product_sales_conversions"
    ) == [
        (
            "sales:roche_2016fy_pharma_total", "USD",
            "fx:USD:CHF:period_average:2016-01-01:2016-12-31", Decimal("39707"), "millions",
        )
    ]  # fmt: skip


def test_receipts_of_what_was_made_name_what_it_was_made_of(built: Built) -> None:
    """A conversion has its figure and its rate, a sum of quarters each of its quarters."""
    assert built.query(
        "select model_name, role, source_authority_tier, count(*)"
        " from q_provenance__commercial where model_name in"
        " ('q_product_sales_conversions', 'q_product_sales_summaries')"
        " and (row_key like '%%roche_2016fy%%' or row_key like '%%:demo:%%')"
        " and fact_path = '$row' group by 1, 2, 3"
        " order by 1, 2"
    ) == [
        ("q_product_sales_conversions", "derivation_input", "official_statistics", 1),
        ("q_product_sales_conversions", "primary", "company_announcement", 1),
        ("q_product_sales_summaries", "derivation_input", "company_filing", 3),
        ("q_product_sales_summaries", "primary", "company_filing", 1),
    ]


def test_an_odd_reason_of_a_restatement_stands_in_quarantine(built: Built) -> None:
    """The row stays, the cell is null."""
    assert built.query(
        "select relation_name, row_key, column_name, source_value"
        " from staging.enum_quarantine__commercial"
    ) == [("q_product_sales_facts", "sales:prose_filed", "restatement_reason", "a mood")]

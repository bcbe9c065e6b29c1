"""commercial_observation_semantics: sales as printed, and what turns them into something else."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates import GateResult, Model, Status

NAMES = (
    "sales_fact_key text!, product_key text, line_item_label text, organisation_key text,"
    " measure text, period_kind text, fiscal_quarter integer, period_start date, period_end date,"
    " geography_code text, geography_scheme text, reported_value numeric, reported_text text,"
    " reported_currency text, reported_scale text, evidence_kind text, restatement_no integer,"
    " restates_fact_key text, is_active boolean"
)
BASE = dict(
    zip(
        [item.split()[0] for item in NAMES.split(", ")],
        ["", "", "net sales", "org:roche", "net_product_sales", "quarter", 1, "2016-01-01",
         "2016-03-31", "CH", "iso3166_1_alpha2", 9800, "9,800", "CHF", "millions",
         "reported_actual", 0, None, True],
        strict=True,
    )
)  # fmt: skip


def fact(key: str, **changes: Any) -> tuple[Any, ...]:
    """First quarter of 2016 of a product of its own, with changes."""
    return tuple({**BASE, "sales_fact_key": key, "product_key": key, **changes}.values())


def quarter(number: int, **changes: Any) -> tuple[Any, ...]:
    start, end = [("01-01", "03-31"), ("04-01", "06-30"), ("07-01", "09-30"), ("10-01", "12-31")][
        number - 1
    ]
    return fact(f"q{number}", product_key="total", fiscal_quarter=number, reported_value=10,
                period_start=f"2016-{start}", period_end=f"2016-{end}", reported_text="10",
                **changes)  # fmt: skip


YEAR = {"period_kind": "annual", "fiscal_quarter": None, "period_start": "2016-01-01",
        "period_end": "2016-12-31"}  # fmt: skip
NINE = {"period_kind": "nine_month_ytd", "fiscal_quarter": None, "period_end": "2016-09-30"}
PROSE = {"evidence_kind": "reported_prose", "reported_scale": "billions", "reported_value": "1.13",
         "reported_text": "$1.13 billion", "reported_currency": "USD"}  # fmt: skip
PASSING = [
    fact("printed"),
    fact("fiscal", fiscal_quarter=3, period_start="2019-07-01", period_end="2019-09-29"),
    *[quarter(number) for number in (1, 2, 3, 4)],
    fact("year", product_key="total", **YEAR, reported_value=40, reported_text="40"),
    fact("nine", product_key="total", **NINE, reported_value=30, reported_text="30"),
    fact("first", product_key="restated", is_active=False),
    fact("second", product_key="restated", restatement_no=1, restates_fact_key="first"),
    fact("region", geography_code="company:international", geography_scheme="company_defined",
         product_key="printed"),
    fact("world", geography_code="world", geography_scheme="worldwide", product_key="printed"),
    fact("buyer_after", product_key="sold", organisation_key="buyer", period_start="2020-01-01",
         period_end="2020-03-31"),
    fact("pro_forma", product_key="sold", organisation_key="buyer", evidence_kind="derived",
         reported_text=None),
    fact("guidance", **YEAR, evidence_kind="guidance", reported_text="about $9bn"),
    fact("custom", period_kind="custom", fiscal_quarter=None, period_end="2016-02-10"),
]  # fmt: skip
FAILING = [
    fact("long_quarter", period_end="2016-12-31"),
    fact("unnumbered", fiscal_quarter=None),
    fact("fifth", fiscal_quarter=5),
    fact("numbered_year", **{**YEAR, "fiscal_quarter": 4}),
    fact("backward", period_kind="custom", fiscal_quarter=None, period_end="2015-01-01"),
    fact("twin_a", product_key="twins", reported_value=120, reported_text="120"),
    fact("twin_b", product_key="twins", reported_value=118, reported_text="118"),
    fact("unchained", restatement_no=1),
    fact("converted", reported_value=29590, reported_text="29 140"),
    fact("wordy", reported_text="not disclosed"),
    fact("forced", geography_code="XX"),
    fact("long_code", geography_code="International"),
    fact("buyer_before", product_key="sold", organisation_key="buyer"),
    fact("padded", **{**PROSE, "reported_value": "1.20", "reported_text": "$1.2 billion"}),
    fact("rounded", **{**PROSE, "reported_value": "1.1"}),
    fact("filing", product_key="both", reported_currency="USD"),
    fact("beside", product_key="both", **PROSE),
    fact("prose", **PROSE),
    fact("world_only", geography_code="world", geography_scheme="worldwide"),
]
OWNERS = [("sold", "seller", "2006-01-01", "2019-11-20"), ("sold", "buyer", "2019-11-20", None)]
RECEIPTS = [("same", "USD", "CHF", 0.9938, "2016-01-01", "2016-03-31"),
            ("annual", "USD", "CHF", 0.9938, "2016-01-01", "2016-12-31"),
            ("euro", "USD", "EUR", 0.9938, "2016-01-01", "2016-03-31")]  # fmt: skip
CONVERSIONS = [
    ("printed", "USD", "same", 9861),
    ("printed", "USD", "gone", 9861),
    ("nothing", "USD", "same", 9861),
    ("printed", "USD", "annual", 9861),
    ("printed", "USD", "euro", 9861),
    ("printed", "GBP", "same", 9861),
    ("custom", "USD", "same", 9739),
]
SUMMARIES = [
    ("annual", "annual_reported", ["year"], 40, "reported_actual"),
    ("quarters", "sum_of_quarters", ["q1", "q2", "q3", "q4"], 40, "derived"),
    ("nine_q4", "nine_month_plus_q4", ["nine", "q4"], 40, "derived"),
    ("partly", "incomplete", ["q1"], 10, "derived"),
    ("annual_q4", "annual_reported", ["year", "q4"], 50, "reported_actual"),
    ("three", "sum_of_quarters", ["q1", "q2", "q3"], 30, "derived"),
    ("nine_q", "nine_month_plus_q4", ["nine"], 30, "derived"),
    ("unknown", "sum", ["q1"], 10, "derived"),
    ("forecast", "annual_reported", ["guidance"], 9800, "reported_actual"),
    ("mixed", "incomplete", ["printed", "world"], 19600, "derived"),
    ("total", "annual_reported", ["year"], 41, "reported_actual"),
    ("lost", "incomplete", ["q1", "q9"], 10, "derived"),
]
ARGUMENTS = {"relations": {"ownership": "ownership"}}


def world(conn: Connection, rows: list[Any], conversions: list[Any] | None = None,
          summaries: list[Any] | None = None) -> tuple[Model, ...]:  # fmt: skip
    return (
        table(conn, "q_product_sales_facts", NAMES, rows, row_key=["sales_fact_key"]),
        table(conn, "q_product_sales_fx_receipts",
              "fx_receipt_key text, base_currency text, quote_currency text, rate numeric,"
              " rate_period_start date, rate_period_end date", RECEIPTS,
              row_key=["fx_receipt_key"]),
        table(conn, "q_product_sales_conversions",
              "sales_fact_key text, target_currency text, fx_receipt_key text,"
              " converted_value numeric", conversions or [], row_key=["sales_fact_key"]),
        table(conn, "q_product_sales_summaries",
              "summary_key text, composition text, member_fact_keys text[],"
              " summary_value numeric, evidence_kind text", summaries or [],
              row_key=["summary_key"]),
        table(conn, "ownership",
              "product_key text, organisation_key text, valid_from date, valid_to date", OWNERS,
              row_key=["product_key"]),
    )  # fmt: skip


def verdict(conn: Connection, *given: Any) -> GateResult:
    judged, *others = world(conn, *given)
    return judge(conn, "commercial_observation_semantics", judged, *others, arguments=ARGUMENTS)


def test_sales_as_printed_pass(conn: Connection) -> None:
    """Quarters, a fiscal quarter, a year, a restatement, regions, owners, receipts, summaries."""
    result = verdict(conn, PASSING, CONVERSIONS[:1], SUMMARIES[:4])
    assert (result.status, by_row(result)) == (Status.PASS, {})


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_each_quarter_passes_and_its_neighbour_number_is_checked(
    conn: Connection, number: int
) -> None:
    """Q1 to Q4 are numbers of quarters; nothing else has one."""
    assert verdict(conn, [quarter(number)]).status is Status.PASS


def test_periods_are_what_their_kind_says(conn: Connection) -> None:
    """A year called quarter, Q4 without number, Q5, a year with a quarter's number."""
    result = verdict(conn, FAILING[:5])
    assert by_row(result) == {
        row: {"period_of_another_kind"}
        for row in ("long_quarter", "unnumbered", "fifth", "numbered_year", "backward")
    }
    assert about(result, "unnumbered") == (
        {"withheld": []},
        {"product_key": "unnumbered", "organisation_key": "org:roche",
         "measure": "net_product_sales", "period_kind": "quarter", "fiscal_quarter": None,
         "geography_code": "CH", "reported_value": 9800, "reported_text": "9,800",
         "reported_currency": "CHF", "reported_scale": "millions",
         "evidence_kind": "reported_actual", "restates_fact_key": None},
    )  # fmt: skip


def test_annual_plus_q4_is_no_year(conn: Connection) -> None:
    """Compositions are exactly what they are called; forecasts are no actuals."""
    result = verdict(conn, PASSING, [], SUMMARIES)
    assert by_row(result) == {
        "annual_q4": {"composition_differs"},
        "three": {"composition_differs"},
        "nine_q": {"composition_differs"},
        "unknown": {"composition_differs"},
        "forecast": {"forecast_as_actual"},
        "mixed": {"grains_mixed"},
        "total": {"summary_differs"},
        "lost": {"fact_missing"},
    }
    assert about(result, "annual_q4")[0] == {"composition": "annual_reported", "members": 2}


def test_fx_needs_a_receipt_of_the_same_currencies_and_period(conn: Connection) -> None:
    """Without receipt or fact, another period or currency, an inverted rate."""
    result = verdict(conn, PASSING, CONVERSIONS)
    assert by_row(result) == {
        "printed|USD|gone": {"receipt_absent"},
        "nothing|USD|same": {"fact_missing"},
        "printed|USD|annual": {"receipt_of_another_period"},
        "printed|USD|euro": {"receipt_of_other_currencies"},
        "printed|GBP|same": {"receipt_of_other_currencies"},
        "custom|USD|same": {"receipt_of_another_period", "conversion_differs"},
    }
    assert about(result, "printed|USD|gone")[0] == {"receipt": False}


@pytest.mark.parametrize("text", ["1'140.5", "1\u2019140.5", "1\u202f140.5", "1,140.5 million"])
def test_printed_separators_are_no_digits(conn: Connection, text: str) -> None:
    """Apostrophes and narrow blanks group digits in some countries."""
    row = fact("printed", reported_value="1140.5", reported_text=text)
    assert verdict(conn, [row]).status is Status.PASS
    wrong = fact("printed", reported_value="140.5", reported_text=text)
    assert by_row(verdict(conn, [wrong])) == {"printed": {"value_differs_from_text"}}


def test_a_restatement_names_its_inactive_predecessor(conn: Connection) -> None:
    """In place, or both active."""
    assert by_row(verdict(conn, FAILING[5:8])) == {
        "twin_a": {"fact_duplicated"},
        "twin_b": {"fact_duplicated"},
        "unchained": {"restatement_chain_broken"},
    }


def test_geography_and_acquisition_keep_what_the_source_says(conn: Connection) -> None:
    """A company's region is no country; sales before the closing are the seller's."""
    assert by_row(verdict(conn, [*FAILING[10:13], FAILING[18]])) == {
        "forced": {"geography_not_of_its_scheme"},
        "long_code": {"geography_not_of_its_scheme"},
        "buyer_before": {"owner_of_another_period"},
        "world_only": {"~market_split_absent"},
    }


def test_prose_only_and_overwritten_values(conn: Connection) -> None:
    """Printed decimals stay; prose gives way to the filing; conversions never overwrite."""
    assert by_row(verdict(conn, [*FAILING[8:10], *FAILING[13:18]])) == {
        "converted": {"value_differs_from_text"},
        "wordy": {"value_differs_from_text"},
        "padded": {"decimals_not_as_printed", "~prose_only"},
        "rounded": {"value_differs_from_text", "decimals_not_as_printed", "~prose_only"},
        "beside": {"prose_beside_filing"},
        "prose": {"~prose_only"},
    }


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, *others = world(conn, [*PASSING, *FAILING], CONVERSIONS, SUMMARIES)
    checked = spec("commercial_observation_semantics", judged, *others, arguments=ARGUMENTS)
    assert survivors(conn, checked) == []

"""commercial_observation_semantics: sales as printed, and what turns them into something else."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

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


def earlier(row: tuple[Any, ...], days: int = 364, **changes: Any) -> tuple[Any, ...]:
    """The comparable period of the year before, as others derived it of the row's figures."""
    told = dict(zip(BASE, row, strict=True))
    start, end = (date.fromisoformat(told[name]) for name in ("period_start", "period_end"))
    moved = {"sales_fact_key": f"{row[0]}_before", "evidence_kind": "derived",
             "reported_text": None, "geography_scheme": "company_defined", "restatement_no": 0,
             "restates_fact_key": None, "period_start": start - timedelta(days),
             "period_end": end - timedelta(days)}  # fmt: skip
    return tuple({**told, **moved, **changes}.values())


YEAR = {"period_kind": "annual", "fiscal_quarter": None, "period_start": "2016-01-01",
        "period_end": "2016-12-31"}  # fmt: skip
NINE = {"period_kind": "nine_month_ytd", "fiscal_quarter": None, "period_end": "2016-09-30"}
PROSE = {"evidence_kind": "reported_prose", "reported_scale": "billions", "reported_value": "1.13",
         "reported_text": "$1.13 billion", "reported_currency": "USD"}  # fmt: skip
# Rows of one product that differ in one column of the grain alone: none is another's twin.
BESIDE = {
    "line": {"line_item_label": "Opdivo"},
    "organisation": {"organisation_key": "org:bms"},
    "measure": {"measure": "net_revenue"},
    "kind": {"period_kind": "custom", "fiscal_quarter": None},
    "start": {"period_start": "2016-01-02"},
    "end": {"period_end": "2016-03-30"},
    "geography": {"geography_code": "DE"},
    "currency": {"reported_currency": "USD"},
    "evidence": {"evidence_kind": "derived"},
    "version": {"is_active": False},
}
PASSING = [
    fact("grain"),
    *[fact(f"grain_{key}", **{"product_key": "grain", **changes})
      for key, changes in BESIDE.items()],
    fact("grain_product"),
    fact("grain_scale", product_key="grain", period_kind="custom", fiscal_quarter=None,
         period_end="2016-02-01", reported_scale="thousands"),
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
    fact("one_day", period_kind="custom", fiscal_quarter=None, period_end="2016-01-01"),
    fact("half", period_kind="half_year", fiscal_quarter=None, period_end="2016-06-30"),
    fact("last_day", product_key="sold", organisation_key="seller", period_start="2019-08-30",
         period_end="2019-11-19"),
    fact("first_day", product_key="sold", organisation_key="buyer", period_start="2019-11-20",
         period_end="2020-02-18"),
    fact("superseded_world", geography_code="world", geography_scheme="worldwide",
         is_active=False),
    fact("nowhere", geography_scheme=None),
    fact("trailing", reported_value="1.20", reported_text="1.2"),
    fact("prose_gone", is_active=False, **PROSE),
    fact("q4_long", product_key="total", fiscal_quarter=4, period_start="2016-10-15",
         period_end="2017-01-14", reported_value=10, reported_text="10"),
    fact("printed_now", product_key="now", reported_currency="USD"),
    fact("prose_before", product_key="now", is_active=False, **PROSE),
    fact("stale_filing", product_key="stale", reported_currency="USD", is_active=False),
    earlier(quarter(4), -364, sales_fact_key="q4_next"),
    earlier(quarter(1), -366, sales_fact_key="q1_next"),
]  # fmt: skip
COMPARED = ("reported_actual", "reported_prose")
PASSING += [
    earlier(row) for row in PASSING
    if row[-1] and dict(zip(BASE, row, strict=True))["evidence_kind"] in COMPARED
    and dict(zip(BASE, row, strict=True))["period_kind"] != "custom"
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
    fact("prose_stale", product_key="stale", **PROSE),
    fact("active_before"),
    fact("of_an_active", restatement_no=1, restates_fact_key="active_before"),
    fact("of_a_first", restatement_no=2, restates_fact_key="first"),
    fact("unsaid_before", is_active=None),
    fact("of_an_unsaid", restatement_no=1, restates_fact_key="unsaid_before"),
    fact(
        "closing_day",
        product_key="sold",
        organisation_key="seller",
        period_start="2019-08-30",
        period_end="2019-11-20",
    ),
    fact(
        "day_before",
        product_key="sold",
        organisation_key="buyer",
        period_start="2019-11-19",
        period_end="2020-02-20",
    ),
    fact("buyer_prose", **{**PROSE, "product_key": "sold", "organisation_key": "buyer"}),
    fact(
        "far_region",
        geography_code="world",
        geography_scheme="worldwide",
        product_key="far",
        organisation_key="org:bms",
    ),
    fact("twin_old", product_key="twins", is_active=False),
]
# Prose beside a filing, a whole beside a part, a period beside the one a year before, which are of
# another grain in one column: neither is what it would be beside its like.
FILINGS = [
    row for key, changes in BESIDE.items() if key not in ("evidence", "version")
    for row in (
        fact(f"filing_{key}", **{"reported_currency": "USD", "product_key": f"filed_{key}",
                                 **changes, **({"reported_currency": "EUR"}
                                               if key == "currency" else {})}),
        fact(f"prose_{key}", product_key=f"filed_{key}", **PROSE),
    )
]  # fmt: skip
PARTS = [
    row for key in ("organisation", "measure", "start", "end", "version")
    for row in (
        fact(f"world_{key}", product_key=f"part_{key}", geography_code="world",
             geography_scheme="worldwide"),
        fact(f"part_{key}", product_key=f"part_{key}", **BESIDE[key]),
    )
]  # fmt: skip
YEARS = [
    row for key in ("line", "organisation", "measure", "kind", "geography", "currency",
                    "version")
    for row in (fact(f"year_{key}"), earlier(fact(f"year_{key}"), **BESIDE[key]))
]  # fmt: skip
FAILING += [*FILINGS, *PARTS, *YEARS]
OWNERS = [("sold", "seller", "2006-01-01", "2019-11-20"), ("sold", "buyer", "2019-11-20", None),
          ("other", "buyer", "2006-01-01", None)]  # fmt: skip
RECEIPTS = [("same", "USD", "CHF", 0.9938, "2016-01-01", "2016-03-31"),
            ("annual", "USD", "CHF", 0.9938, "2016-01-01", "2016-12-31"),
            ("euro", "USD", "EUR", 0.9938, "2016-01-01", "2016-03-31"),
            ("late", "USD", "CHF", 0.9938, "2016-01-02", "2016-03-31"),
            ("half", "USD", "CHF", 2, "2016-01-01", "2016-03-31"),
            ("zero", "USD", "CHF", 0, "2016-01-01", "2016-03-31"),
            ("rateless", "USD", "CHF", None, "2016-01-01", "2016-03-31"),
            ("nameless", None, "CHF", 2, "2016-01-01", "2016-03-31"),
            ("timeless", "USD", "CHF", 2, None, "2016-03-31")]  # fmt: skip
CONVERSIONS = [
    ("printed", "USD", "same", 9861),
    ("printed", "USD", "half", 4901),
    ("printed", "USD", "gone", 9861),
    ("nothing", "USD", "same", 9861),
    ("printed", "USD", "annual", 9861),
    ("printed", "USD", "euro", 9861),
    ("printed", "GBP", "same", 9861),
    ("custom", "USD", "same", 9739),
    ("printed", "USD", "late", 9861),
    ("grain_product", "USD", "half", 4902),
    ("grain_product", "USD", "same", None),
    ("printed", "USD", "zero", 9861),
    ("printed", "USD", "rateless", 9861),
    ("printed", "USD", "nameless", 4900),
    ("printed", "USD", "timeless", 4900),
]
SUMMARIES = [
    ("annual", "annual_reported", ["year"], 40, "reported_actual"),
    ("quarters", "sum_of_quarters", ["q1", "q2", "q3", "q4"], 40, "derived"),
    ("nine_q4", "nine_month_plus_q4", ["nine", "q4"], 40, "derived"),
    ("partly", "incomplete", ["q1"], 10, "derived"),
    ("nothing_yet", "incomplete", ["q1", "q2"], None, "derived"),
    ("long_year", "sum_of_quarters", ["q1", "q2", "q3", "q4_long"], 40, "derived"),
    ("long_nine", "nine_month_plus_q4", ["nine", "q4_long"], 40, "derived"),
    ("outlook", "annual_reported", ["guidance"], 9800, "forecast"),
    ("annual_q4", "annual_reported", ["year", "q4"], 50, "reported_actual"),
    ("three", "sum_of_quarters", ["q1", "q2", "q3"], 30, "derived"),
    ("nine_q", "nine_month_plus_q4", ["nine"], 30, "derived"),
    ("unknown", "sum", ["q1"], 10, "derived"),
    ("forecast", "annual_reported", ["guidance"], 9800, "reported_actual"),
    ("mixed", "incomplete", ["printed", "world"], 19600, "derived"),
    ("total", "annual_reported", ["year"], 41, "reported_actual"),
    ("lost", "incomplete", ["q1", "q9"], 10, "derived"),
    ("nine_q1", "nine_month_plus_q4", ["nine", "q1"], 40, "derived"),
    ("nine_old_q4", "nine_month_plus_q4", ["nine", "q4_before"], 40, "derived"),
    ("nine_next_q4", "nine_month_plus_q4", ["nine", "q4_next"], 40, "derived"),
    ("rolling", "sum_of_quarters", ["q2", "q3", "q4", "q1_next"], 40, "derived"),
    ("torn", "sum_of_quarters", ["q1", "q2", "q3", "q4_next"], 40, "derived"),
    ("short_year", "annual_reported", ["q1"], 10, "derived"),
    ("valueless", "annual_reported", ["year"], None, "reported_actual"),
    ("unstated", None, ["q1"], 10, "derived"),
    ("superseded", "incomplete", ["first"], 9800, "derived"),
    ("unsaid", "incomplete", ["unsaid_before"], 9800, "derived"),
]
MIXED = [
    (f"mixed_{key}", "incomplete", ["grain", f"grain_{key}"], 1, "derived")
    for key in ("line", "organisation", "measure", "geography", "currency", "product", "scale")
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


def faults(conn: Connection, *given: Any) -> dict[str | None, set[str]]:
    """What is wrong with rows whose year before nobody tells, apart from just that."""
    found = by_row(verdict(conn, *given))
    others = {key: reasons - {"~prior_period_absent"} for key, reasons in found.items()}
    return {key: reasons for key, reasons in others.items() if reasons}


def named(*keys: str) -> list[tuple[Any, ...]]:
    return [row for row in FAILING if row[0] in keys]


def test_sales_as_printed_pass(conn: Connection) -> None:
    """Quarters, a fiscal quarter, a year, a restatement, regions, owners, receipts, summaries."""
    result = verdict(conn, PASSING, CONVERSIONS[:2], SUMMARIES[:8])
    assert (result.status, by_row(result)) == (Status.PASS, {})


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_each_quarter_passes_and_its_neighbour_number_is_checked(
    conn: Connection, number: int
) -> None:
    """Q1 to Q4 are numbers of quarters; nothing else has one."""
    rows = [quarter(number), earlier(quarter(number))]
    assert verdict(conn, rows).status is Status.PASS


def test_periods_are_what_their_kind_says(conn: Connection) -> None:
    """A year called quarter, Q4 without number, Q5, a year with a quarter's number."""
    result = verdict(conn, FAILING[:5])
    assert faults(conn, FAILING[:5]) == {
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
    result = verdict(conn, [*PASSING, *named("unsaid_before")], [], SUMMARIES)
    assert faults(conn, [*PASSING, *named("unsaid_before")], [], SUMMARIES) == {
        "annual_q4": {"composition_differs"},
        "three": {"composition_differs"},
        "nine_q": {"composition_differs"},
        "unknown": {"composition_differs"},
        "forecast": {"forecast_as_actual"},
        "mixed": {"grains_mixed"},
        "total": {"summary_differs"},
        "lost": {"fact_missing"},
        "nine_q1": {"composition_differs"},
        "nine_old_q4": {"composition_differs"},
        "nine_next_q4": {"composition_differs"},
        "rolling": {"composition_differs"},
        "torn": {"composition_differs"},
        "short_year": {"composition_differs"},
        "unstated": {"composition_differs"},
        "valueless": {"summary_differs"},
        "superseded": {"selection_inactive"},
        "unsaid": {"selection_inactive"},
    }
    assert by_row(verdict(conn, PASSING, [], MIXED)) == {row[0]: {"grains_mixed"} for row in MIXED}
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
        "printed|USD|late": {"receipt_of_another_period"},
        "grain_product|USD|half": {"conversion_differs"},
        "grain_product|USD|same": {"conversion_differs"},
        "printed|USD|zero": {"conversion_differs"},
        "printed|USD|rateless": {"conversion_differs"},
        "printed|USD|nameless": {"receipt_of_other_currencies"},
        "printed|USD|timeless": {"receipt_of_another_period"},
    }
    assert about(result, "printed|USD|gone")[0] == {"receipt": False}


@pytest.mark.parametrize("text", ["1'140.5", "1\u2019140.5", "1\u202f140.5", "1,140.5 million"])
def test_printed_separators_are_no_digits(conn: Connection, text: str) -> None:
    """Apostrophes and narrow blanks group digits in some countries."""
    row = fact("printed", reported_value="1140.5", reported_text=text)
    assert faults(conn, [row]) == {}
    wrong = fact("printed", reported_value="140.5", reported_text=text)
    assert faults(conn, [wrong]) == {"printed": {"value_differs_from_text"}}


def test_a_restatement_names_its_inactive_predecessor(conn: Connection) -> None:
    """In place, or both active."""
    links = ("active_before", "of_an_active", "of_a_first", "unsaid_before", "of_an_unsaid")
    rows = [*PASSING, *named("twin_a", "twin_b", "twin_old", "unchained", *links)]
    assert faults(conn, rows) == {
        "twin_a": {"fact_duplicated"},
        "twin_b": {"fact_duplicated"},
        "unchained": {"restatement_chain_broken"},
        "of_an_active": {"restatement_chain_broken"},
        "of_a_first": {"restatement_chain_broken"},
        "of_an_unsaid": {"restatement_chain_broken"},
    }


def test_geography_and_acquisition_keep_what_the_source_says(conn: Connection) -> None:
    """A company's region is no country; sales before the closing are the seller's."""
    days = ("closing_day", "day_before", "buyer_prose")
    assert faults(conn, [*FAILING[10:13], FAILING[18], *named(*days)]) == {
        "forced": {"geography_not_of_its_scheme"},
        "long_code": {"geography_not_of_its_scheme"},
        "buyer_before": {"owner_of_another_period"},
        "closing_day": {"owner_of_another_period"},
        "day_before": {"owner_of_another_period"},
        "buyer_prose": {"owner_of_another_period", "~prose_only"},
        "world_only": {"~market_split_absent"},
    }
    assert faults(conn, PARTS) == {
        row[0]: {"~market_split_absent"} for row in PARTS if row[0].startswith("world_")
    }


def test_a_comparable_prior_period_that_nobody_tells_warns(conn: Connection) -> None:
    """A year before, give or take what fiscal weeks move: two weeks and no more."""
    row = fact("printed")
    result = verdict(conn, [row])
    assert (result.status, result.blocks, result.rows_warning) == (Status.WARN, False, 1)
    assert by_row(result) == {"printed": {"~prior_period_absent"}}
    assert about(result, "printed") == (
        {"withheld": []},
        {"product_key": "printed", "organisation_key": "org:roche",
         "measure": "net_product_sales", "period_kind": "quarter", "fiscal_quarter": 1,
         "geography_code": "CH", "reported_value": 9800, "reported_text": "9,800",
         "reported_currency": "CHF", "reported_scale": "millions",
         "evidence_kind": "reported_actual", "restates_fact_key": None},
    )  # fmt: skip
    for days, absent in ((349, True), (350, False), (380, False), (381, True)):
        found = by_row(verdict(conn, [row, earlier(row, days)]))
        assert found == ({"printed": {"~prior_period_absent"}} if absent else {})
    assert by_row(verdict(conn, YEARS)) == {
        row[0]: {"~prior_period_absent"} for row in YEARS if not row[0].endswith("_before")
    }


def test_prose_only_and_overwritten_values(conn: Connection) -> None:
    """Printed decimals stay; prose gives way to the filing; conversions never overwrite."""
    stale = [row for row in PASSING if row[0] == "stale_filing"]
    rows = [*FAILING[8:10], *FAILING[13:18], *stale, *named("prose_stale")]
    assert faults(conn, rows) == {
        "converted": {"value_differs_from_text"},
        "wordy": {"value_differs_from_text"},
        "padded": {"decimals_not_as_printed", "~prose_only"},
        "rounded": {"value_differs_from_text", "decimals_not_as_printed", "~prose_only"},
        "beside": {"prose_beside_filing"},
        "prose": {"~prose_only"},
        "prose_stale": {"~prose_only"},
    }
    assert faults(conn, FILINGS) == {
        row[0]: {"~prose_only"} for row in FILINGS if row[0].startswith("prose_")
    }


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, *others = world(conn, [*PASSING, *FAILING], CONVERSIONS, [*SUMMARIES, *MIXED])
    checked = spec("commercial_observation_semantics", judged, *others, arguments=ARGUMENTS)
    assert survivors(conn, checked) == []

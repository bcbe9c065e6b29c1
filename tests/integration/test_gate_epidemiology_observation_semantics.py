"""epidemiology_observation_semantics: real lung cancer deaths of a county, and what goes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

NAMES = (
    "observation_key text!, segment_key text, metric text, statistic text, unit text,"
    " value numeric, value_state text, numerator numeric, denominator_value numeric,"
    " denominator_kind text, adjustment_basis text, standard_population text, period_kind text,"
    " period_start date, period_end date, geography_code text, sex text, observed_basis text,"
    " interval_lower numeric, interval_upper numeric, is_active boolean,"
    " supersedes_observation_key text, restatement_no integer"
)
BASE = dict(
    zip(
        [item.split()[0] for item in NAMES.split(", ")],
        ["", "seg:lung", "mortality", "rate", "per_100k_population", 96.1, "reported", 24, 24965,
         "mid_year_population", "crude", None, "calendar_year", "2014-01-01", "2014-12-31",
         "US-45001", "female", "observed", None, None, True, None, 0],
        strict=True,
    )
)  # fmt: skip


def seen(key: str, **changes: Any) -> tuple[Any, ...]:
    """The rate of Abbeville County in 2014 under another place, with changes.

    It is called that of women: one of all people alone would warn.
    """
    return tuple({**BASE, "observation_key": key, "geography_code": key, **changes}.values())


ADJUSTED = {"adjustment_basis": "age_standardised", "standard_population": "us_2000",
            "numerator": None, "denominator_value": None, "value": 517.8}  # fmt: skip
YEARS = {"period_kind": "multi_year_average", "period_start": "2014-01-01",
         "period_end": "2018-12-31"}  # fmt: skip
COUNT = {"statistic": "count", "unit": "deaths", "value": 24, "denominator_kind": "none"}
AGE_STANDARDISED = {**ADJUSTED, "interval_lower": 515, "interval_upper": 520.6}
# Rows of one place that differ in one column of the grain alone: none is another's second version.
BESIDE = {
    "disease": {"segment_key": "seg:sclc"},
    "counted": {"metric": "incidence"},
    "told": {"statistic": "proportion"},
    "measured": {"unit": "per_100k_person_years"},
    "basis": {"adjustment_basis": "model_adjusted"},
    "standard": AGE_STANDARDISED,
    "other_standard": {**AGE_STANDARDISED, "standard_population": "esp_2013"},
    "kind": {"period_kind": "point_in_time"},
    "start": {"period_kind": "point_in_time", "period_start": "2014-12-31"},
    "end": {"period_kind": "point_in_time", "period_end": "2014-01-01"},
    "estimated": {"observed_basis": "estimated"},
    "men": {"sex": "male"},
    "all": {"sex": "all"},
}
UNLIKE = {
    "other_standard": AGE_STANDARDISED,
    "start": {"period_kind": "point_in_time"},
    "end": {"period_kind": "point_in_time"},
}
PASSING = [
    *[seen(key, geography_code="G", **changes) for key, changes in BESIDE.items()],
    seen("together", geography_code="G"),
    seen("crude"),
    seen("count", **COUNT),
    seen("adjusted", **AGE_STANDARDISED),
    seen("cases", **{**COUNT, "unit": "cases"}),
    seen("people", **{**COUNT, "unit": "persons"}),
    seen("modelled", adjustment_basis="model_adjusted", value=90),
    seen("rounded", numerator=24, denominator_value=24000, value="100.06"),
    seen("years", **YEARS),
    seen("unreliable", value=None, value_state="unreliable", numerator=19),
    seen("before", geography_code="R", is_active=False),
    seen("after", geography_code="R", restatement_no=1, supersedes_observation_key="before"),
    seen("withdrawn", is_active=False, sex="all"),
    seen("unsexed", sex=None),
    seen("one_day", period_kind="point_in_time", period_end="2014-01-01"),
    seen("projected", observed_basis="projected"),
]
FAILING = [
    seen("count_rate", **{**COUNT, "unit": "per_100k_population"}),
    seen("rate_count", unit="deaths"),
    seen("no_denominator", denominator_kind="none"),
    seen("no_standard", **{**ADJUSTED, "standard_population": None}, interval_lower=1,
         interval_upper=2),
    seen("crude_standard", standard_population="us_2000"),
    seen("wrong_rate", value=69.1, numerator=17, denominator_value=24722),
    seen("long_year", period_end="2018-12-31"),
    seen("short_years", period_kind="multi_year_total"),
    seen("backward", period_kind="point_in_time", period_end="2013-01-01"),
    seen("twice_a", geography_code="T"),
    seen("twice_b", geography_code="T", value=96.12),
    seen("orphan", restatement_no=1, supersedes_observation_key="nothing"),
    seen("printed", value=75.7, value_state="unreliable", numerator=None),
    seen("stateless", value_state=None),
    seen("vague", **ADJUSTED),
    seen("no_lower", **{**AGE_STANDARDISED, "interval_lower": None}),
    seen("no_upper", **{**AGE_STANDARDISED, "interval_upper": None}),
    seen("no_unit", unit=None),
    seen("no_count_unit", **{**COUNT, "unit": None}),
    seen("undivided", denominator_value=0, value=96.1),
    seen("beginless", period_start=None),
    seen("kept_active", restatement_no=0),
    seen("of_an_active", restatement_no=1, supersedes_observation_key="kept_active"),
    seen("first", is_active=False),
    seen("third", restatement_no=2, supersedes_observation_key="first"),
    seen("unsaid_before", is_active=None),
    seen("of_an_unsaid", restatement_no=1, supersedes_observation_key="unsaid_before"),
    seen("everybody", sex="all"),
    seen("past_women", geography_code="P", is_active=False),
    seen("everybody_now", geography_code="P", sex="all"),
    seen("suppressed", value=None, value_state="suppressed"),
    seen("twice_before", geography_code="T", is_active=False),
]  # fmt: skip
# All people, beside women who are counted otherwise in one column: they are no part of them.
STRATA = [
    seen(f"{key}_{column}", geography_code=f"S:{column}", **changes)
    for column, otherwise in BESIDE.items() if column not in ("all", "men", "standard")
    for key, changes in (("people", {**UNLIKE.get(column, {}), "sex": "all"}), ("part", otherwise))
]  # fmt: skip
FAILING += STRATA
POINTS = [("good", "crude"), ("good", "after"), ("counts", "count"), ("mixed", "crude"),
          ("mixed", "adjusted"), ("lost", "nowhere")]  # fmt: skip
SUMMARIES = [
    ("selected", "crude", 96.1, "per_100k_population", "observed"),
    ("upgraded", "projected", 96.1, "per_100k_population", "observed"),
    ("nothing", "o404", 5, "deaths", "observed"),
    ("inactive", "before", 96.1, "per_100k_population", "observed"),
    ("shaky", "unreliable", None, "per_100k_population", "observed"),
    ("hidden", "suppressed", None, "per_100k_population", "observed"),
    ("unsure", "unsaid_before", 96.1, "per_100k_population", "observed"),
    ("invented", "unreliable", 75.7, "per_100k_population", "observed"),
    ("baseless", "crude", 96.1, "per_100k_population", None),
    ("valueless", "crude", None, "per_100k_population", "observed"),
    ("unitless", "crude", 96.1, None, "observed"),
    ("other_value", "crude", 96.2, "per_100k_population", "observed"),
    ("other_unit", "crude", 96.1, "deaths", "observed"),
]
READINESS = [
    ("missing", "missing_input", None, None),
    ("ready", "ready", "q_epidemiology_observations", "crude"),
    ("priced", "ready", "q_prices", "p1"),
    ("filled", "missing_input", "q_epidemiology_observations", "crude"),
    ("empty", "ready", None, None),
    ("dangling", "ready", "q_epidemiology_observations", "nowhere"),
]


def world(conn: Connection, rows: list[Any], points: list[Any] | None = None,
          summaries: list[Any] | None = None, readiness: list[Any] | None = None,
          ) -> tuple[Model, ...]:  # fmt: skip
    return (
        table(conn, "q_epidemiology_observations", NAMES, rows, row_key=["observation_key"]),
        table(conn, "q_epidemiology_series_points", "series_key text, observation_key text",
              points or [], row_key=["series_key"]),
        table(conn, "q_epidemiology_summaries",
              "summary_key text!, selected_observation_key text, selected_value numeric,"
              " selected_unit text, selected_basis text", summaries or [],
              row_key=["summary_key"]),
        table(conn, "q_forecast_input_readiness",
              "readiness_key text!, readiness_state text, source_q_model_name text,"
              " source_q_row_key text", readiness or [], row_key=["readiness_key"]),
    )  # fmt: skip


def verdict(conn: Connection, *given: Any) -> GateResult:
    return judge(conn, "epidemiology_observation_semantics", *world(conn, *given))


def test_consistent_observations_pass(conn: Connection) -> None:
    """Crude and adjusted, count and rate, several years, a restatement, an honest null."""
    result = verdict(conn, PASSING, POINTS[:3], SUMMARIES[:1], READINESS[:3])
    assert (result.status, result.rows_checked) == (Status.PASS, len(PASSING))


def test_crude_and_adjusted_in_one_series_block(conn: Connection) -> None:
    """Two signatures are no trend."""
    result = verdict(conn, PASSING, POINTS)
    assert by_row(result) == {"mixed": {"series_mixed"}, "lost": {"observation_missing"}}
    assert about(result, "mixed")[0] == {"signatures": 2}


def test_a_count_in_the_unit_of_a_rate_blocks(conn: Connection) -> None:
    """And a rate in deaths; the metadata has the whole context."""
    result = verdict(conn, [*PASSING, *FAILING[:3]])
    assert by_row(result) == {
        "count_rate": {"unit_of_another_statistic"},
        "rate_count": {"unit_of_another_statistic"},
        "no_denominator": {"unit_of_another_statistic"},
    }
    assert about(result, "count_rate") == (
        {"withheld": []},
        {"metric": "mortality", "statistic": "count", "unit": "per_100k_population", "value": 24,
         "numerator": 24, "denominator_value": 24965, "adjustment_basis": "crude",
         "standard_population": None, "period_kind": "calendar_year",
         "observed_basis": "observed", "supersedes_observation_key": None},
    )  # fmt: skip


@pytest.mark.parametrize("key", ["long_year", "short_years", "backward"])
def test_a_multi_year_period_is_no_calendar_year(conn: Connection, key: str) -> None:
    """A five-year mean plotted as one year, a year called several, an end before the start."""
    result = verdict(conn, [row for row in FAILING if row[0] == key])
    assert by_row(result) == {key: {"period_of_another_kind"}}


def test_a_restatement_keeps_its_predecessor_inactive(conn: Connection) -> None:
    """Both active, or a predecessor that is not there."""
    result = verdict(conn, [*PASSING, *FAILING[9:12]])
    assert by_row(result) == {
        "twice_a": {"restatement_both_active"},
        "twice_b": {"restatement_both_active"},
        "orphan": {"restatement_chain_broken"},
    }


def test_a_missing_forecast_input_stays_missing(conn: Connection) -> None:
    """Ready without input, missing with one; an input of another family is not judged here."""
    assert by_row(verdict(conn, PASSING, [], [], READINESS)) == {
        "filled": {"missing_input_filled"},
        "empty": {"ready_without_input"},
        "dangling": {"ready_without_input"},
    }


def test_a_selection_is_the_observation_it_names(conn: Connection) -> None:
    """Projected never becomes observed; nothing, inactive, unreliable and other values block."""
    more = [row for row in FAILING if row[0] in ("suppressed", "unsaid_before")]
    assert by_row(verdict(conn, [*PASSING, *more], [], SUMMARIES)) == {
        "upgraded": {"basis_upgraded"},
        "nothing": {"observation_missing"},
        "inactive": {"selection_inactive"},
        "shaky": {"selection_unreliable"},
        "hidden": {"selection_unreliable"},
        "unsure": {"selection_inactive"},
        "invented": {"selection_unreliable", "selection_differs"},
        "baseless": {"basis_upgraded"},
        "valueless": {"selection_differs"},
        "unitless": {"selection_differs"},
        "other_value": {"selection_differs"},
        "other_unit": {"selection_differs"},
    }


def test_every_other_fault_is_named(conn: Connection) -> None:
    """Standard population, arithmetic, states, versions; what the source lacks only warns."""
    rows = [row for row in (*FAILING[3:6], *FAILING[12:]) if row not in STRATA]
    assert by_row(verdict(conn, rows)) == {
        "no_standard": {"standard_population_differs"},
        "crude_standard": {"standard_population_differs"},
        "wrong_rate": {"rate_contradicts_counts"},
        "undivided": {"rate_contradicts_counts"},
        "printed": {"value_without_statement"},
        "stateless": {"value_without_statement"},
        "no_unit": {"unit_of_another_statistic"},
        "no_count_unit": {"unit_of_another_statistic"},
        "beginless": {"period_of_another_kind"},
        "of_an_active": {"restatement_chain_broken"},
        "of_an_unsaid": {"restatement_chain_broken"},
        "third": {"restatement_chain_broken"},
        "vague": {"~uncertainty_absent"},
        "no_lower": {"~uncertainty_absent"},
        "no_upper": {"~uncertainty_absent"},
        "everybody": {"~strata_absent"},
        "everybody_now": {"~strata_absent"},
    }


def test_strata_that_a_source_does_not_tell_warn(conn: Connection) -> None:
    """All people, and no women or men of the same grain; with either nothing is lacking."""
    people = seen("people", geography_code="here", sex="all")
    result = verdict(conn, [people])
    assert (result.status, result.blocks, result.rows_warning) == (Status.WARN, False, 1)
    assert by_row(result) == {"people": {"~strata_absent"}}
    assert about(result, "people") == (
        {"withheld": []},
        {"metric": "mortality", "statistic": "rate", "unit": "per_100k_population", "value": 96.1,
         "numerator": 24, "denominator_value": 24965, "adjustment_basis": "crude",
         "standard_population": None, "period_kind": "calendar_year",
         "observed_basis": "observed", "supersedes_observation_key": None},
    )  # fmt: skip
    assert by_row(verdict(conn, STRATA)) == {
        row[0]: {"~strata_absent"} for row in STRATA if row[0].startswith("people_")
    }
    for sex in ("female", "male"):
        part = seen("part", geography_code="here", sex=sex)
        assert verdict(conn, [people, part]).status is Status.PASS


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, *others = world(conn, [*PASSING, *FAILING], POINTS, SUMMARIES, READINESS)
    checked = spec("epidemiology_observation_semantics", judged, *others)
    assert survivors(conn, checked) == []

"""epidemiology_observation_semantics: real lung cancer deaths of a county, and what goes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates import GateResult, Model, Status

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
         "US-45001", "all", "observed", None, None, True, None, 0],
        strict=True,
    )
)  # fmt: skip


def seen(key: str, **changes: Any) -> tuple[Any, ...]:
    """The rate of Abbeville County in 2014 under another place, with changes."""
    return tuple({**BASE, "observation_key": key, "geography_code": key, **changes}.values())


ADJUSTED = {"adjustment_basis": "age_standardised", "standard_population": "us_2000",
            "numerator": None, "denominator_value": None, "value": 517.8}  # fmt: skip
YEARS = {"period_kind": "multi_year_average", "period_start": "2014-01-01",
         "period_end": "2018-12-31"}  # fmt: skip
COUNT = {"statistic": "count", "unit": "deaths", "value": 24, "denominator_kind": "none"}
PASSING = [
    seen("crude"),
    seen("count", **COUNT),
    seen("adjusted", **ADJUSTED, interval_lower=515, interval_upper=520.6),
    seen("years", **YEARS),
    seen("unreliable", value=None, value_state="unreliable", numerator=19),
    seen("before", geography_code="R", is_active=False),
    seen("after", geography_code="R", restatement_no=1, supersedes_observation_key="before"),
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
    seen("vague", **ADJUSTED),
]  # fmt: skip
POINTS = [("good", "crude"), ("good", "after"), ("mixed", "crude"), ("mixed", "adjusted"),
          ("lost", "nowhere")]  # fmt: skip
SUMMARIES = [
    ("selected", "crude", 96.1, "per_100k_population", "observed"),
    ("upgraded", "projected", 96.1, "per_100k_population", "observed"),
    ("nothing", "o404", 5, "deaths", "observed"),
    ("inactive", "before", 96.1, "per_100k_population", "observed"),
    ("shaky", "unreliable", 75.7, "per_100k_population", "observed"),
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
    result = verdict(conn, PASSING, POINTS[:2], SUMMARIES[:1], READINESS[:3])
    assert (result.status, result.rows_checked) == (Status.PASS, 8)


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
    assert by_row(verdict(conn, PASSING, [], SUMMARIES)) == {
        "upgraded": {"basis_upgraded"},
        "nothing": {"observation_missing"},
        "inactive": {"selection_inactive"},
        "shaky": {"selection_unreliable"},
        "other_value": {"selection_differs"},
        "other_unit": {"selection_differs"},
    }


def test_every_other_fault_is_named(conn: Connection) -> None:
    """Standard population, arithmetic, unreliable values; absent uncertainty only warns."""
    assert by_row(verdict(conn, [*FAILING[3:6], *FAILING[12:]])) == {
        "no_standard": {"standard_population_differs"},
        "crude_standard": {"standard_population_differs"},
        "wrong_rate": {"rate_contradicts_counts"},
        "printed": {"value_without_statement"},
        "vague": {"~uncertainty_absent"},
    }


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, *others = world(conn, [*PASSING, *FAILING], POINTS, SUMMARIES, READINESS)
    checked = spec("epidemiology_observation_semantics", judged, *others)
    assert survivors(conn, checked) == []

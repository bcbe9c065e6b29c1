"""Epidemiology: statistics as printed, comparable only where they mean the same."""

from __future__ import annotations

from decimal import Decimal

from trial_project import Built

COUNTY = "geography_code = '45001'"


def test_every_epidemiology_model_has_rows(built: Built) -> None:
    """Each one is fed by the samples."""
    models = [name for name in built.landed if name.startswith("q_epidemiology")]
    assert len(models) == 4
    counts = {name: built.query(f"select count(*) from {name}")[0][0] for name in models}
    assert all(counts.values()), counts


def test_adjusted_rate_and_count_of_kentucky_are_two_observations(built: Built) -> None:
    """517.8 (515 to 520.6) per 100,000, adjusted to the US of 2000, and 27,645 cases a year."""
    assert built.query(
        "select statistic, unit, value, interval_lower, interval_upper, interval_kind,"
        " adjustment_basis, standard_population, period_kind, period_start::text, period_end::text"
        " from q_epidemiology_observations where geography_code = '21000' order by 1"
    ) == [
        (
            "count", "cases", Decimal("27645"), None, None, "none", "not_applicable", None,
            "multi_year_average", "2014-01-01", "2018-12-31",
        ),
        (
            "rate", "per_100k_population", Decimal("517.8"), Decimal("515"), Decimal("520.6"),
            "ci95", "age_standardised", "us_2000", "multi_year_average", "2014-01-01",
            "2018-12-31",
        ),
    ]  # fmt: skip


def test_a_rate_that_the_source_calls_unreliable_is_never_computed(built: Built) -> None:
    """19 of 25,101 would be 75.7; the source withholds it, so there is no value."""
    assert built.query(
        "select statistic, value, value_state, numerator, denominator_value"
        f" from q_epidemiology_observations where {COUNTY} and period_start = '2012-01-01'"
        " order by 1"
    ) == [
        ("count", Decimal("19"), "reported", None, None),
        ("rate", None, "unreliable", Decimal("19"), Decimal("25101")),
    ]


def test_what_is_suppressed_or_not_there_says_so(built: Built) -> None:
    """Neither zero nor a guess."""
    assert built.query(
        "select distinct period_start::text, value, value_state, numerator"
        " from q_epidemiology_observations where geography_code = '99999' order by 1"
    ) == [
        ("2014-01-01", None, "suppressed", None),
        ("2015-01-01", None, "not_reported", None),
    ]


def test_a_restated_year_keeps_both_versions_and_shows_the_last(built: Built) -> None:
    """The later release supersedes the earlier one, which stays, inactive."""
    assert built.query(
        "select value, method_version, restatement_no, is_active,"
        " supersedes_observation_key is not null from q_epidemiology_observations"
        f" where {COUNTY} and statistic = 'rate' and period_start = '2014-01-01' order by 3"
    ) == [
        (Decimal("96.1"), "UCD 1999-2017", 0, False, False),
        (Decimal("100.1"), "UCD 1999-2018", 1, True, True),
    ]
    assert built.query(
        "select count(*) from q_epidemiology_series_points as points"
        " join q_epidemiology_observations as observations using (observation_key)"
        f" where {COUNTY} and statistic = 'rate' and points.period_start = '2014-01-01'"
    ) == [(1,)]


def test_crude_and_adjusted_rates_never_share_a_series(built: Built) -> None:
    """A signature of a series is that of all of its points, and differs between the two sources."""
    assert built.query(
        "select count(distinct comparability_signature) from q_epidemiology_observations"
        " where statistic = 'rate'"
    ) == [(2,)]
    assert built.query(
        "select max(signatures) from (select count(distinct comparability_signature) as signatures"
        " from q_epidemiology_series_points join q_epidemiology_observations"
        " using (observation_key) group by series_key) as counted"
    ) == [(1,)]


def test_a_headline_is_the_newest_rate_that_was_published(built: Built) -> None:
    """Later years of the county are unreliable, so 2014 as restated is its headline."""
    assert built.query(
        "select geography_code, metric, selected_value, selected_unit, selected_basis"
        " from q_epidemiology_summaries where geography_code in ('00000', '45001', '99999')"
        " order by 1"
    ) == [
        ("00000", "incidence", Decimal("448.6"), "per_100k_population", "observed"),
        ("45001", "mortality", Decimal("100.1"), "per_100k_population", "observed"),
    ]


def test_receipts_of_statistics_lead_to_the_landed_record(built: Built) -> None:
    """Artefact and record number find the row whose rate was published."""
    rows = built.query(
        "select observations.value, landed.crude_rate from q_provenance__epidemiology as receipts"
        " join q_epidemiology_observations as observations using (provenance_bundle_key)"
        " join landing.wonder_mortality as landed"
        " on landed._artifact_sha256 = receipts.source_content_hash"
        " and landed._record_number = (receipts.locator ->> 'record')::bigint"
        " where receipts.fact_path = 'value' and observations.statistic = 'rate'"
    )
    assert len(rows) == 2
    assert all(value == Decimal(printed) for value, printed in rows)

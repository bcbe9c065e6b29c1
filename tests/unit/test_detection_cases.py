"""Reported cases of detection that went wrong elsewhere: a history, and what must be said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta, timezone

import pytest

from tidegate.contracts.detection_keys import Detection, Weekday
from tidegate.detection.calendar import missing_days
from tidegate.detection.detectors import detect
from tidegate.detection.model import Finding, History, RunFacts
from tidegate.detection.vocabulary import Detector, Outcome, Severity

MONDAY = date(2026, 3, 2)


def runs(counts: Sequence[int], first: date = MONDAY) -> list[RunFacts]:
    """Daily deliveries with so many records."""
    return [
        RunFacts(place + 1, noon(first + timedelta(days=place)), count, 0)
        for place, count in enumerate(counts)
    ]


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=timezone.utc)


def volume(counts: Sequence[int], keys: Detection | None = None, first: date = MONDAY) -> Finding:
    """What is said of the volume of the last of these daily deliveries."""
    *earlier, last = runs(counts, first)
    findings = detect(History(earlier, keys or Detection()), last)
    return next(one for one in findings if one.detector is Detector.VOLUME)


def alarms(counts: Sequence[int], start: int = 7) -> list[int]:
    """The places of the deliveries that are anomalous, each judged when it came."""
    return [place for place in range(start, len(counts)) if volume(counts[: place + 1]).anomalous]


WEEKS = ([100] * 5 + [20] * 2) * 6


def test_f01_a_weekend_like_other_weekends_is_normal() -> None:
    """Six weeks of weekdays with 100 and weekends with 20: a Saturday of 22 is normal."""
    assert volume([*WEEKS, *[100] * 5, 22]).outcome is Outcome.NORMAL


def test_f01_a_weekend_like_a_weekday_is_an_anomaly() -> None:
    """A Saturday of 100 is normal for a Monday only."""
    found = volume([*WEEKS, *[100] * 5, 100])
    assert found.outcome is Outcome.ANOMALOUS
    assert (found.observed, found.expected) == (100, 20)
    assert found.severity is Severity.HIGH


def test_f01_no_weekend_of_a_weekly_series_raises_an_alarm() -> None:
    """Not the first weekends either, when there is no season to be seen yet."""
    assert alarms(WEEKS) == []


def test_f01_a_feed_of_weekdays_says_nothing_about_its_first_saturday() -> None:
    """No delivery ever came on a Saturday: there is nothing to compare with."""
    earlier = [one for one in runs([100] * 14) if one.received_at.weekday() < 5]
    saturday = RunFacts(99, noon(MONDAY + timedelta(days=19)), 20, 0)
    found = detect(History(earlier), saturday)[0]
    assert found.outcome is Outcome.INSUFFICIENT_HISTORY
    assert found.detail == "No earlier delivery came on a Saturday."


def test_f03_the_delivery_under_test_is_no_part_of_its_baseline() -> None:
    """100, 100, 101, 99, then 130: measured against the four alone."""
    found = volume([100, 100, 101, 99, 130], Detection(minimum_history=4))
    assert found.outcome is Outcome.ANOMALOUS
    assert found.baseline == 4
    assert round(found.expected or 0) == 100


def test_f03_later_runs_and_the_run_itself_are_left_out_whatever_is_given() -> None:
    """A history that holds more than it should changes nothing."""
    *earlier, last = runs([100, 100, 101, 99, 100, 100, 100, 130])
    later = [RunFacts(one.run_id + 10, one.received_at, 130, 0) for one in earlier]
    assert detect(History([*earlier, last, *later]), last) == detect(History(earlier), last)


def test_f04_an_old_incident_does_not_hide_the_next() -> None:
    """100 ten times, 0, 100 three times, 0: both zeros are found."""
    assert alarms([*[100] * 10, 0, *[100] * 3, 0]) == [10, 14]


def test_f04_an_outage_of_days_does_not_hide_the_next() -> None:
    """Each day of the outage is found, and the next outage too."""
    assert alarms([*[100] * 20, 0, 0, 0, *[100] * 3, 0]) == [20, 21, 22, 26]


def test_f06_a_constant_history_lets_a_change_be_found() -> None:
    """5 five times, then 50: no division by a spread of zero, and no NULL."""
    found = volume([5, 5, 5, 5, 5, 50], Detection(minimum_history=5))
    assert found.outcome is Outcome.ANOMALOUS
    assert found.severity is Severity.HIGH
    assert volume([5] * 8).outcome is Outcome.NORMAL
    assert volume([0] * 8).outcome is Outcome.NORMAL


def test_f07_too_little_history_is_an_outcome_of_its_own() -> None:
    """Two earlier runs where seven are needed: neither normal nor anomalous, and counted."""
    found = volume([100, 100, 5])
    assert found.outcome is Outcome.INSUFFICIENT_HISTORY
    assert found.severity is None
    assert found.detail == "2 comparable runs, 7 are needed."


def test_f08_a_day_without_a_delivery_is_missing_not_zero() -> None:
    """Daily deliveries; none on day 8: that day is missing, and the volume is not zero."""
    keys = Detection(expected_on=tuple(Weekday))
    came = [MONDAY + timedelta(days=place) for place in range(10) if place != 7]
    eighth = MONDAY + timedelta(days=7)
    assert missing_days(keys, came, today=MONDAY + timedelta(days=9)) == (eighth,)
    assert alarms([*[100] * 7, *[100] * 2]) == []


def test_f08_today_is_not_missing_before_it_is_over() -> None:
    """A delivery may still come until midnight of the dataset's own clock."""
    keys = Detection(expected_on=tuple(Weekday))
    came = [MONDAY]
    assert missing_days(keys, came, today=MONDAY + timedelta(days=1)) == ()
    assert missing_days(keys, came, today=MONDAY + timedelta(days=2)) == (
        MONDAY + timedelta(days=1),
    )


def test_f08_only_declared_weekdays_are_expected() -> None:
    """Nobody waits for a feed of Mondays and Thursdays on a Tuesday, or without a calendar."""
    keys = Detection(expected_on=(Weekday.MONDAY, Weekday.THURSDAY))
    today = MONDAY + timedelta(days=8)
    assert missing_days(keys, [MONDAY], today) == (
        MONDAY + timedelta(days=3),
        MONDAY + timedelta(days=7),
    )
    assert missing_days(Detection(), [MONDAY], today) == ()
    assert missing_days(keys, [], today) == ()


CHRISTMAS = date(2026, 12, 25)


def test_f09_a_holiday_is_not_judged() -> None:
    """Three records on a declared 25 December are neither normal nor an anomaly."""
    first = CHRISTMAS - timedelta(days=20)
    counts = [*[100] * 20, 3]
    keys = Detection(holidays=(CHRISTMAS,))
    found = volume(counts, keys, first)
    assert (found.outcome, found.detail) == (Outcome.EXCLUDED, "2026-12-25 is a holiday.")
    assert volume(counts, Detection(), first).anomalous


def test_f09_a_holiday_is_in_no_baseline() -> None:
    """Holidays of earlier weeks count for nothing."""
    first = CHRISTMAS - timedelta(days=3)
    holidays = tuple(CHRISTMAS + timedelta(days=place) for place in range(4))
    keys = Detection(holidays=holidays, minimum_history=4)
    found = volume([100, 100, 100, 3, 3, 3, 3, 100, 100, 3], keys, first)
    assert (found.outcome, found.baseline) == (Outcome.ANOMALOUS, 5)


def test_f09_no_delivery_is_expected_on_a_holiday() -> None:
    """A holiday without a delivery is not missing."""
    keys = Detection(expected_on=tuple(Weekday), holidays=(MONDAY + timedelta(days=1),))
    assert missing_days(keys, [MONDAY], MONDAY + timedelta(days=2)) == ()


def members(pairs: Sequence[tuple[int, int]]) -> list[RunFacts]:
    """Daily deliveries of the members A and B."""
    return [
        RunFacts(
            place + 1, noon(MONDAY + timedelta(days=place)), a + b, 0, members={"A": a, "B": b}
        )
        for place, (a, b) in enumerate(pairs)
    ]


def by_member(pairs: Sequence[tuple[int, int]]) -> dict[str, Outcome]:
    *earlier, last = members(pairs)
    findings = detect(History(earlier, Detection(dimension="kind")), last)
    return {one.subject: one.outcome for one in findings if one.detector is Detector.VOLUME}


def test_f11_each_member_has_its_own_baseline() -> None:
    """A million of A and three of B a day: A is compared with A, and B is too small to judge."""
    usual = [(1_000_000, 3)] * 10
    assert by_member([*usual, (1_000_000, 0)]) == {
        "": Outcome.NORMAL,
        "A": Outcome.NORMAL,
        "B": Outcome.NOT_MEASURED,
    }
    assert by_member([*usual, (500_000, 3)])["A"] is Outcome.ANOMALOUS


def test_f11_a_member_that_vanishes_is_found_though_the_total_is_normal() -> None:
    """A hundred of a million are a ten-thousandth of the delivery, and all of C."""
    usual = [(1_000_000, 100)] * 10
    assert by_member([*usual, (1_000_100, 0)]) == {
        "": Outcome.NORMAL,
        "A": Outcome.NORMAL,
        "B": Outcome.ANOMALOUS,
    }


def test_f12_a_break_in_a_ramp_is_found_and_the_ramp_is_not() -> None:
    """1 to 60, then 10: only the break."""
    assert alarms([*range(1, 61), 10], start=30) == [60]
    assert volume([*range(1, 61), 61]).outcome is Outcome.NORMAL


def test_f12_only_the_spike_is_found_among_zeros() -> None:
    """0 sixty times, 10, 0 five times: the zeros after the spike are what they always were."""
    assert alarms([*[0] * 60, 10, *[0] * 5]) == [60]


@pytest.mark.parametrize("factor", [0, 0.5, 0.7, 2, 10])
def test_severity_grows_with_the_distance(factor: float) -> None:
    """The scale is ordered, and the rank grows as the volume moves away."""
    found = volume([*[1000] * 20, int(1000 * factor)])
    assert found.severity is not None
    expected = {0: "critical", 0.5: "high", 0.7: "medium", 2: "high", 10: "critical"}[factor]
    assert found.severity.value == expected

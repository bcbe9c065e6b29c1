"""The detectors' statistics, and what they find in labelled histories."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from tidegate.contracts.detection_keys import Detection
from tidegate.detection.detectors import detect
from tidegate.detection.labelled import FINDS, HELD_OUT, Fault, Series, histories
from tidegate.detection.model import ColumnFacts, Finding, History, RunFacts
from tidegate.detection.rates import Share, exceeds, usual
from tidegate.detection.robust import improbable, spread
from tidegate.detection.selftest import self_test
from tidegate.detection.vocabulary import Detector, Outcome
from tidegate.detection.volume import steadier_than_chance

NOON = datetime(2026, 3, 2, 12, tzinfo=timezone.utc)


def run(number: int, read: int = 1000, **facts: object) -> RunFacts:
    """One delivery a day."""
    made = RunFacts(number, NOON + timedelta(days=number), read, 0)
    return replace(made, **facts)  # type: ignore[arg-type]


def column(
    nulls: int = 0, values: int = 1000, kind: str = "number", sure: float = 1
) -> ColumnFacts:
    return ColumnFacts("amount", kind, sure, values, nulls)


def said(history: list[RunFacts], last: RunFacts, detector: Detector) -> Finding:
    return next(one for one in detect(History(history), last) if one.detector is detector)


def test_an_expected_volume_is_not_raised_again() -> None:
    """Somebody said that a month's end has twice the records: the next one is normal, ten times
    the records are not."""
    marked = frozenset({(Detector.VOLUME, "")})
    history = [run(n) for n in range(30)]
    history[10] = run(10, 2000, expected=marked)
    assert said(history, run(30, 2100), Detector.VOLUME).outcome is Outcome.NORMAL
    assert said(history, run(30, 9000), Detector.VOLUME).outcome is Outcome.ANOMALOUS
    history[10] = run(10, 2000)
    assert said(history, run(30, 2100), Detector.VOLUME).outcome is Outcome.ANOMALOUS


def test_an_expected_share_is_not_raised_again() -> None:
    """The same for nulls: up to what was called expected."""
    marked = frozenset({(Detector.COMPLETENESS, "amount")})
    history = [run(n, columns=(column(),)) for n in range(30)]
    history[10] = run(10, columns=(column(300, 700),), expected=marked)
    half = run(30, columns=(column(300, 700),))
    more = run(30, columns=(column(500, 500),))
    assert said(history, half, Detector.COMPLETENESS).outcome is Outcome.NORMAL
    assert said(history, more, Detector.COMPLETENESS).outcome is Outcome.ANOMALOUS


def test_another_type_of_a_column_is_a_loss_of_confidence() -> None:
    """A column of numbers that arrives as text is sure to be text: no share shows that."""
    history = [run(n, columns=(column(),)) for n in range(10)]
    found = said(history, run(10, columns=(column(kind="string"),)), Detector.CONFIDENCE)
    assert found.outcome is Outcome.ANOMALOUS
    assert found.detail == "Inferred as string, in 10 of 10 earlier runs as number."
    few = run(10, columns=(column(values=3, kind="string"),))
    assert said(history, few, Detector.CONFIDENCE).outcome is Outcome.NORMAL


def test_a_column_that_changes_its_type_all_the_time_is_normal() -> None:
    """Whole numbers on some days, fractions on others."""
    kinds = ["integer", "number"]
    history = [run(n, columns=(column(kind=kinds[n % 2]),)) for n in range(20)]
    found = said(history, run(20, columns=(column(kind="number"),)), Detector.CONFIDENCE)
    assert found.outcome is Outcome.NORMAL


def test_nothing_to_look_at_is_not_measured() -> None:
    """A delivery without records or accepted rows is judged by its volume alone."""
    history = [run(n, columns=(column(),), repeated=0, compared=1000) for n in range(10)]
    findings = detect(History(history), run(10, 0, columns=(column(0, 0),)))
    assert {one.detector: one.outcome for one in findings} == {
        Detector.VOLUME: Outcome.ANOMALOUS,
        Detector.COMPLETENESS: Outcome.NOT_MEASURED,
        Detector.QUARANTINE: Outcome.NOT_MEASURED,
        Detector.CONFIDENCE: Outcome.NOT_MEASURED,
        Detector.REPETITION: Outcome.NOT_MEASURED,
    }
    assert {one.outcome for one in detect(History([]), run(1))} == {
        Outcome.INSUFFICIENT_HISTORY,
        Outcome.NOT_MEASURED,
    }


def test_a_new_column_has_no_history_of_its_own() -> None:
    """Other columns' runs are none of its own."""
    history = [run(n, columns=(column(),)) for n in range(10)]
    new = ColumnFacts("extra", "string", 1.0, 10, 990)
    found = [
        one
        for one in detect(History(history), run(10, columns=(column(), new)))
        if one.detector is Detector.COMPLETENESS
    ]
    assert [(one.subject, one.outcome) for one in found] == [
        ("amount", Outcome.NORMAL),
        ("extra", Outcome.INSUFFICIENT_HISTORY),
    ]


def test_the_spread_is_that_of_normal_noise_and_moves_little_by_outliers() -> None:
    """Within a fifth of the true deviation, with a tenth of wild outliers too."""
    chance = random.Random(7)  # noqa: S311 (a simulation)
    noise = [chance.gauss(0, 2) for _ in range(1000)]
    assert 1.8 < spread(noise) < 2.3
    noise[:100] = [1e9] * 100
    assert 1.8 < spread(noise) < 2.6
    assert spread([0.0] * 7) == 0


@pytest.mark.parametrize("of", [1, 10, 100, 1000])
@pytest.mark.parametrize("share", [0.01, 0.2, 0.9])
def test_the_bound_is_never_smaller_than_the_probability(of: int, share: float) -> None:
    """What is called improbable is so by the exact binomial distribution."""
    tail = 0.0
    for count in range(of, -1, -1):
        tail += math.comb(of, count) * share**count * (1 - share) ** (of - count)
        if improbable(count, of, share, 0.001):
            assert tail < 0.001
    assert not improbable(0, of, share, 0.001)


def test_one_null_of_few_records_proves_nothing() -> None:
    """Never a null in 30 deliveries of ten records: one is chance, ten are not."""
    limits = usual([Share(0, 10)] * 30, 5)
    assert not exceeds(Share(1, 10), limits, tests=5)
    assert exceeds(Share(10, 10), limits, tests=5)
    lonely = usual([Share(0, 1)] * 30, 5)
    assert not exceeds(Share(1, 1), lonely, tests=5)


def test_a_column_that_always_was_empty_is_normal() -> None:
    """Nothing can exceed all."""
    limits = usual([Share(100, 100)] * 10, 1)
    assert not exceeds(Share(100, 100), limits, tests=1)


def test_reference_data_is_steadier_than_chance() -> None:
    """Nine records every day are a fact; nine on average are chance."""
    assert steadier_than_chance([(0, 9)] * 7)
    assert not steadier_than_chance([(0, n) for n in (9, 5, 12, 8, 9, 14, 6)])
    assert not steadier_than_chance([(0, 0)] * 7)


CHECKED = (Series.FLAT, Series.WEEKLY)


def test_faults_of_labelled_histories_are_found() -> None:
    """The aims, on fewer histories than the benchmark has: recall of at least 0.95 for half the
    records and 0.85 for 30 % fewer, at most 1 % false alarms, on flat and weekly series."""
    found: Counter[Fault] = Counter()
    tried: Counter[Fault] = Counter()
    false = runs = 0
    for series in CHECKED:
        for one in histories(HELD_OUT, series, 30):
            if one.run is None:
                continue
            raised = {it.detector for it in detect(one.history, one.run) if it.anomalous}
            wanted = FINDS.get(one.fault)
            tried[one.fault] += 1
            found[one.fault] += wanted in raised
            false += bool(raised - {wanted})
            runs += 1
    recall = {fault: found[fault] / tried[fault] for fault in tried if fault in FINDS}
    assert recall.pop(Fault.THIRTY) >= 0.85
    assert min(recall.values()) >= 0.95
    assert false <= runs / 100


def test_f14_the_self_test_finds_every_fault_and_notices_blind_detectors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A detector whose threshold nothing can reach is found out."""
    probes = self_test()
    assert {one.fault for one in probes} == set(FINDS) - {Fault.MISSING}
    assert all(one.found for one in probes)
    monkeypatch.setattr("tidegate.detection.volume.DEVIATIONS", 1000.0)
    blind = [one for one in self_test() if not one.found]
    assert {one.detector for one in blind} == {Detector.VOLUME}
    assert all("is within what is normal" in one.detail for one in blind)


@pytest.mark.parametrize("shift", [timedelta(hours=0), timedelta(hours=12)])
def test_the_day_of_a_delivery_is_that_of_the_datasets_clock(shift: timedelta) -> None:
    """Eleven in the evening of a holiday in Los Angeles is the next morning in UTC."""
    late = datetime(2026, 12, 26, 7, tzinfo=timezone.utc) + shift
    keys = Detection.model_validate({"timezone": "America/Los_Angeles", "holidays": ["2026-12-25"]})
    found = detect(History([], keys), replace(run(1), received_at=late))[0]
    assert (found.outcome is Outcome.EXCLUDED) == (not shift)


def test_a_thousand_runs_are_judged_in_milliseconds() -> None:
    """Twenty columns; the bound is generous for a busy machine."""
    columns = tuple(replace(column(), name=f"c{n}") for n in range(20))
    history = History([run(n, 1000 + n % 9, columns=columns) for n in range(1000)])
    started = time.process_time()
    detect(history, run(1000, columns=columns))
    assert time.process_time() - started < 0.2

"""The detectors' error profile: labelled histories, one fault each, on a seed held out of tuning.

Precision of a fault's detector is counted over all runs of its series, with the fault and without.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace

from bench.options import Options
from bench.report import Report
from tidegate.contracts.detection_keys import Detection
from tidegate.detection.calendar import missing_days
from tidegate.detection.detectors import detect
from tidegate.detection.labelled import FINDS, HELD_OUT, Fault, Labelled, Series, histories
from tidegate.detection.vocabulary import Detector

AIMED = (Series.FLAT, Series.WEEKLY)
NOISE = 0.05
CLEAN_RUNS = 7
"""Runs without a fault that are judged of each history: a week."""
OTHER = ((Series.GROWING, 0.05, 91), (Series.SMALL, 0.05, 91), (Series.FLAT, 0.1, 91),
         (Series.WEEKLY, 0.1, 91), (Series.FLAT, 0.2, 91), (Series.WEEKLY, 0.2, 91),
         (Series.FLAT, 0.05, 14), (Series.WEEKLY, 0.05, 14))  # fmt: skip


@dataclass
class Tally:
    """What was raised in one kind of series."""

    tried: Counter[Fault] = field(default_factory=Counter)
    found: Counter[Fault] = field(default_factory=Counter)
    false: Counter[Detector] = field(default_factory=Counter)
    runs: int = 0
    alarmed: int = 0
    """Runs in which anything but their own fault was raised."""
    clean: int = 0
    alarmed_clean: int = 0
    seconds: float = 0.0

    def add(self, one: Labelled) -> None:
        """Judge one run and compare with its label."""
        raised = self._raised(one)
        wanted = FINDS.get(one.fault)
        self.tried[one.fault] += 1
        self.found[one.fault] += wanted in raised
        wrong = raised - {wanted}
        if one.run is None:
            return
        self.false.update(wrong)
        self.runs += 1
        self.alarmed += bool(wrong)
        if wanted is None:
            self.clean += 1
            self.alarmed_clean += bool(wrong)

    def _raised(self, one: Labelled) -> set[Detector]:
        days = [run.day(one.history.keys) for run in one.history.runs]
        came = days if one.run is None else [*days, one.run.day(one.history.keys)]
        after = one.day.fromordinal(one.day.toordinal() + 1)
        raised = set()
        if missing_days(one.history.keys, came, after):
            raised.add(Detector.MISSING_DELIVERY)
        if one.run is not None:
            started = time.perf_counter()
            raised |= {it.detector for it in detect(one.history, one.run) if it.anomalous}
            self.seconds += time.perf_counter() - started
        return raised

    def recall(self, fault: Fault) -> float:
        """The share of injected faults that were found."""
        return self.found[fault] / self.tried[fault]

    def precision(self, fault: Fault) -> float:
        """The share of right alarms among those of the fault's detector, over this fault's runs and
        as many without it."""
        right = self.found[fault]
        wrong = self.false[FINDS[fault]] * self.tried[fault] / self.runs
        return right / (right + wrong) if right else 0.0


def run(options: Options) -> Report:
    """Recall and precision by fault, false alarms by detector."""
    count = 30 if options.quick else 500
    report = options.report("detection", seed=HELD_OUT, histories_a_series=count)
    tallies = {}
    for series in AIMED:
        options.say(f"{series.value} series")
        tallies[series] = _tally(series, count, NOISE, 91)
    _faults(report, tallies)
    _false_alarms(report, tallies)
    _others(options, report, count // 5)
    for series, tally in tallies.items():
        name = series.value
        half, thirty = tally.recall(Fault.HALF), tally.recall(Fault.THIRTY)
        clean = tally.alarmed_clean / tally.clean
        report.aim(f"{name}: recall of half the records", half, 0.95, at_least=True)
        report.aim(f"{name}: recall of 30 % fewer", thirty, 0.85, at_least=True)
        report.aim(f"{name}: runs with a false alarm", tally.alarmed / tally.runs, 0.01)
        report.aim(f"{name}: the same of runs without a fault", clean, 0.01)
        report.aim(f"{name}: milliseconds a run", 1000 * tally.seconds / tally.runs, 10)
    return report


def _tally(series: Series, count: int, noise: float, days: int) -> Tally:
    tally = Tally()
    for one in histories(HELD_OUT, series, count, noise=noise, days=days):
        tally.add(one)
        if one.fault is Fault.NONE:
            for earlier in _without_fault(one):
                tally.add(earlier)
    return tally


def _without_fault(one: Labelled) -> list[Labelled]:
    """The last runs of a history, each judged against what came before it."""
    runs = one.history.runs
    return [
        replace(
            one,
            history=replace(one.history, runs=runs[:-back]),
            run=runs[-back],
            day=runs[-back].day(one.history.keys),
        )
        for back in range(1, CLEAN_RUNS)
    ]


def _faults(report: Report, tallies: dict[Series, Tally]) -> None:
    heads = [f"{name}, {series.value}" for series in tallies for name in ("recall", "precision")]
    table = report.table(
        "Faults injected into the last of about 90 daily deliveries",
        ("fault", "detector", *heads),
        f"Volume with {NOISE:.0%} noise; null, quarantine, confidence and repetition faults spoil"
        " 6 % of the records. Precision counts one run without the fault for each run with it.",
    )
    for fault in FINDS:
        found = [f(fault) for tally in tallies.values() for f in (tally.recall, tally.precision)]
        table.add(fault.value, FINDS[fault].value, *found)


def _false_alarms(report: Report, tallies: dict[Series, Tally]) -> None:
    table = report.table(
        "Share of runs with a false alarm",
        ("detector", *(series.value for series in tallies)),
        "A false alarm is an event of a detector that has nothing to find in that run.",
    )
    for detector in Detector:
        found = [tally.false[detector] / tally.runs for tally in tallies.values()]
        table.add(detector.value, *found)
    clean = [tally.alarmed_clean / tally.clean for tally in tallies.values()]
    table.add("any, in runs without a fault", *clean)
    table.add("any", *(tally.alarmed / tally.runs for tally in tallies.values()))


def _others(options: Options, report: Report, count: int) -> None:
    heads = ("half", "30 % fewer", "twice", "null burst", "runs with a false alarm")
    table = report.table(
        "Harder series: recall",
        ("series", "noise", "days", *heads),
        "With 20 % noise half the records is little more than three deviations; forty records"
        " a delivery prove little; the first weeks of a weekly feed have no season yet."
        f" Every run needs {Detection().minimum_history} comparable ones.",
    )
    for series, noise, days in OTHER:
        options.say(f"{series.value} series, noise {noise}, {days} days")
        tally = _tally(series, count, noise, days)
        recalls = [
            tally.recall(one) for one in (Fault.HALF, Fault.THIRTY, Fault.SPIKE, Fault.NULLS)
        ]
        table.add(series.value, f"{noise:.0%}", days, *recalls, tally.alarmed / tally.runs)

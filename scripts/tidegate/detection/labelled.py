"""Labelled histories: simulated deliveries of a fixed seed, each with a fault that is known.

They characterise the detectors (`python -m bench`) and let anybody prove that the detectors of an
installation can fail (`tidegate anomalies self-test`). Thresholds were chosen on other seeds than
`HELD_OUT`, with which results are reported.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, timezone
from enum import Enum

from tidegate.contracts.detection_keys import Detection, Weekday
from tidegate.detection.model import ColumnFacts, History, RunFacts
from tidegate.detection.vocabulary import Detector

HELD_OUT = 20261130
FIRST_DAY = date(2026, 1, 5)
_WEEKEND = 5


class Series(str, Enum):
    """How the volume of a simulated dataset moves."""

    FLAT = "flat"
    WEEKLY = "weekly"
    """A fifth of the records at weekends."""
    GROWING = "growing"
    """Half a per cent more every day."""
    SMALL = "small"
    """About forty records a delivery: counting noise is most of it."""


class Fault(str, Enum):
    """What is wrong with the last delivery."""

    NONE = "none"
    HALF = "half the records"
    THIRTY = "30 % fewer records"
    SPIKE = "twice the records"
    NULLS = "null burst"
    QUARANTINE = "quarantine burst"
    CONFIDENCE = "confidence drop"
    REPETITION = "repetition"
    MISSING = "missing delivery"


FINDS = {
    Fault.HALF: Detector.VOLUME,
    Fault.THIRTY: Detector.VOLUME,
    Fault.SPIKE: Detector.VOLUME,
    Fault.NULLS: Detector.COMPLETENESS,
    Fault.QUARANTINE: Detector.QUARANTINE,
    Fault.CONFIDENCE: Detector.CONFIDENCE,
    Fault.REPETITION: Detector.REPETITION,
    Fault.MISSING: Detector.MISSING_DELIVERY,
}
"""The detector that has to find each fault."""
_FACTOR = {Fault.HALF: 0.5, Fault.THIRTY: 0.7, Fault.SPIKE: 2.0}
_MORE = 0.06
"""By how much of all records nulls, quarantine, unsupported values and repetition grow."""


@dataclass(frozen=True)
class Labelled:
    """A history, the run after it, and what is wrong with it; no run where none came."""

    series: Series
    fault: Fault
    history: History
    run: RunFacts | None
    day: date


@dataclass(frozen=True)
class _Column:
    name: str
    type: str
    nulls: float
    unsupported: float


_COLUMNS = (
    _Column("id", "integer", 0.0, 0.0),
    _Column("name", "string", 0.002, 0.0),
    _Column("amount", "number", 0.02, 0.001),
    _Column("day", "date", 0.1, 0.005),
    _Column("note", "string", 0.7, 0.0),
    _Column("score", "number", 0.3, 0.01),
)
KEYS = Detection(expected_on=tuple(Weekday))


@dataclass
class Simulator:
    """Makes deliveries of one dataset, a day apart; `noise` is the volume's standard deviation."""

    series: Series
    chance: random.Random
    noise: float = 0.05
    size: int = 10_000

    def days(self, count: int, first: int = 0) -> list[RunFacts]:
        """So many consecutive deliveries."""
        return [self.delivery(first + place) for place in range(count)]

    def delivery(self, place: int, factor: float = 1.0) -> RunFacts:
        """The delivery of one day, with what chance makes of it."""
        day = FIRST_DAY + timedelta(days=place)
        read = self._volume(place, day, factor)
        held = self._share(read, 0.002)
        accepted = read - held
        return RunFacts(
            run_id=place + 1,
            received_at=datetime.combine(day, time(6), timezone.utc),
            read=read,
            quarantined=held,
            columns=tuple(self._column(column, read) for column in _COLUMNS),
            repeated=self._share(accepted, 0.001),
            compared=accepted,
        )

    def broken(self, place: int, fault: Fault) -> RunFacts:
        """The delivery of one day with a fault."""
        run = self.delivery(place, _FACTOR.get(fault, 1.0))
        if fault is Fault.NULLS:
            return replace(run, columns=tuple(self._emptied(one, run.read) for one in run.columns))
        if fault is Fault.QUARANTINE:
            return replace(run, quarantined=run.quarantined + self._share(run.read, _MORE))
        if fault is Fault.CONFIDENCE:
            return replace(run, columns=tuple(map(self._doubtful, run.columns)))
        if fault is Fault.REPETITION:
            more = self._share(run.compared or 0, _MORE)
            return replace(run, repeated=(run.repeated or 0) + more)
        return run

    def _volume(self, place: int, day: date, factor: float) -> int:
        level = 40.0 if self.series is Series.SMALL else float(self.size)
        if self.series is Series.WEEKLY and day.weekday() >= _WEEKEND:
            level *= 0.2
        if self.series is Series.GROWING:
            level *= 1.005**place
        level *= factor * self.chance.lognormvariate(0, self.noise)
        return max(0, round(self.chance.gauss(level, level**0.5)))

    def _column(self, column: _Column, read: int) -> ColumnFacts:
        nulls = self._share(read, column.nulls)
        values = read - nulls
        unsupported = self._share(values, column.unsupported)
        confidence = 1 - unsupported / values if values else 0.0
        return ColumnFacts(column.name, column.type, confidence, values, nulls)

    def _share(self, of: int, share: float) -> int:
        """A number of records: the share itself moves by a tenth from day to day."""
        expected = of * share * self.chance.lognormvariate(0, 0.1)
        return min(of, max(0, round(self.chance.gauss(expected, expected**0.5))))

    def _emptied(self, column: ColumnFacts, read: int) -> ColumnFacts:
        if column.name != "amount":
            return column
        more = self._share(read, _MORE)
        return replace(column, nulls=column.nulls + more, values=column.values - more)

    def _doubtful(self, column: ColumnFacts) -> ColumnFacts:
        if column.name != "amount":
            return column
        return replace(column, confidence=column.confidence - _MORE)


def histories(
    seed: int, series: Series, count: int, *, noise: float = 0.05, days: int = 91
) -> Iterator[Labelled]:
    """So many histories, each with every fault in turn and without one, on a day of chance."""
    chance = random.Random(f"{seed} {series.value} {noise} {days}")  # noqa: S311 (a simulation)
    for _ in range(count):
        simulator = Simulator(series, chance, noise)
        length = chance.randint(days - 7, days)
        history = History(simulator.days(length), KEYS)
        day = FIRST_DAY + timedelta(days=length)
        for fault in Fault:
            run = None if fault is Fault.MISSING else simulator.broken(length, fault)
            yield Labelled(series, fault, history, run, day)

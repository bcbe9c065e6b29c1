"""The verdict on a delivery's volume, as a whole and by member of the declared dimension."""

from __future__ import annotations

import math

from tidegate.detection import volume
from tidegate.detection.model import Finding, History, RunFacts, insufficient
from tidegate.detection.robust import WINDOW
from tidegate.detection.vocabulary import Detector, Outcome, Severity
from tidegate.detection.volume import Point


def judge_volume(history: History, run: RunFacts) -> list[Finding]:
    """Records of the delivery, and of each member of the declared dimension."""
    keys = history.keys
    day = run.day(keys)
    if day in keys.holidays:
        return [Finding(Detector.VOLUME, Outcome.EXCLUDED, detail=f"{day} is a holiday.")]
    days = [(one.day(keys), one) for one in history.runs]
    comparable = [(its, one) for its, one in days if its not in keys.holidays]
    series = [Point(its, one.read) for its, one in comparable]
    found = [_volume(history, Point(day, run.read), series, "", _expected(history, "", run.read))]
    for member in sorted(run.members or {}):
        earlier = [
            Point(its, one.members.get(member, 0))
            for its, one in comparable
            if one.members is not None
        ]
        count = (run.members or {})[member]
        found.append(_member(history, Point(day, count), earlier, member))
    return found


def _expected(history: History, subject: str, count: int) -> bool:
    """Whether a volume like this one was acknowledged as expected."""
    mark = (Detector.VOLUME, subject)
    accepted = [_count(one, subject) for one in history.runs if mark in one.expected]
    return any(abs(math.log1p(count) - math.log1p(other)) <= 0.2 for other in accepted)


def _count(run: RunFacts, subject: str) -> int:
    return (run.members or {}).get(subject, 0) if subject else run.read


def _member(history: History, point: Point, series: list[Point], member: str) -> Finding:
    least = history.keys.minimum_member_records
    newest = sorted(one.count for one in series[-WINDOW:])
    if newest and newest[len(newest) // 2] < least:
        return Finding(
            Detector.VOLUME,
            Outcome.NOT_MEASURED,
            member,
            baseline=len(series),
            detail=f"Fewer than {least} records are usual.",
        )
    return _volume(history, point, series, member, _expected(history, member, point.count))


def _volume(
    history: History, point: Point, series: list[Point], subject: str, expected: bool
) -> Finding:
    if len(series) < history.keys.minimum_history:
        return insufficient(Detector.VOLUME, len(series), history.keys.minimum_history, subject)
    found = volume.expect(series, point.day)
    if found is None:
        return Finding(
            Detector.VOLUME,
            Outcome.INSUFFICIENT_HISTORY,
            subject,
            baseline=len(series),
            detail=f"No earlier delivery came on a {point.day:%A}.",
        )
    normal = found.fits(point.count) or expected
    return Finding(
        Detector.VOLUME,
        Outcome.NORMAL if normal else Outcome.ANOMALOUS,
        subject,
        None if normal else _volume_severity(point.count, found.count),
        observed=point.count,
        expected=round(found.count, 1),
        low=math.floor(found.low),
        high=math.ceil(found.high),
        baseline=len(series),
    )


def _volume_severity(count: int, expected: float) -> Severity:
    """By ratio, about: ten times or nothing at all, twice, 1.4 times."""
    ratio = abs(math.log((count + 0.5) / (expected + 0.5)))
    if count == 0 or ratio >= math.log(10) * 0.99:
        return Severity.CRITICAL
    if ratio >= math.log(2) * 0.99:
        return Severity.HIGH
    return Severity.MEDIUM if ratio >= math.log(1.4) else Severity.LOW

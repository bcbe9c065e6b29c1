"""The verdicts on shares of records: completeness, quarantine, confidence, repetition."""

from __future__ import annotations

from collections import Counter

from tidegate.detection import rates
from tidegate.detection.model import ColumnFacts, Finding, History, RunFacts, insufficient
from tidegate.detection.rates import Share
from tidegate.detection.vocabulary import Detector, Outcome, Severity

USUAL_TYPE = 0.9
"""The part of the history in which a column had one type, for that to be its usual one."""
TYPE_RECORDS = 20
"""Values that make a different type of a column worth mentioning."""


def judge_completeness(history: History, run: RunFacts) -> list[Finding]:
    """Nulls of every column."""
    series: dict[str, list[tuple[RunFacts, Share]]] = {one.name: [] for one in run.columns}
    for earlier in history.runs:
        for column in earlier.columns:
            if column.name in series and (share := _nulls(column)):
                series[column.name].append((earlier, share))
    return [
        _share(history, Detector.COMPLETENESS, column.name, _nulls(column), series[column.name])
        for column in run.columns
    ] or [_unmeasured(Detector.COMPLETENESS, "No column was observed.")]


def _nulls(column: ColumnFacts) -> Share | None:
    of = column.values + column.nulls
    return Share(column.nulls, of) if of else None


def judge_quarantine(history: History, run: RunFacts) -> list[Finding]:
    """Records that were held."""
    series = [(one, Share(one.quarantined, one.read)) for one in history.runs if one.read]
    share = Share(run.quarantined, run.read) if run.read else None
    return [_share(history, Detector.QUARANTINE, "", share, series)]


def judge_repetition(history: History, run: RunFacts) -> list[Finding]:
    """Accepted records that repeat another one of the same delivery."""
    series = [(one, share) for one in history.runs if (share := _repeated(one))]
    return [_share(history, Detector.REPETITION, "", _repeated(run), series)]


def _repeated(run: RunFacts) -> Share | None:
    if run.repeated is None or not run.compared:
        return None
    return Share(run.repeated, run.compared)


def judge_confidence(history: History, run: RunFacts) -> list[Finding]:
    """Values that do not support the column's usual type, or another type altogether."""
    earlier: dict[str, list[tuple[RunFacts, ColumnFacts]]] = {one.name: [] for one in run.columns}
    for one in history.runs:
        for column in one.columns:
            if column.name in earlier and column.values:
                earlier[column.name].append((one, column))
    return [_confidence(history, column, earlier[column.name]) for column in run.columns] or [
        _unmeasured(Detector.CONFIDENCE, "No column was observed.")
    ]


def _confidence(
    history: History, column: ColumnFacts, earlier: list[tuple[RunFacts, ColumnFacts]]
) -> Finding:
    need = history.keys.minimum_history
    if not column.values:
        return _unmeasured(Detector.CONFIDENCE, "The column has no value.", column.name)
    if len(earlier) < need:
        return insufficient(Detector.CONFIDENCE, len(earlier), need, column.name)
    usual, times = Counter(other.type for _, other in earlier).most_common(1)[0]
    if column.type == usual:
        series = [(one, _unsupported(other)) for one, other in earlier if other.type == usual]
        return _share(history, Detector.CONFIDENCE, column.name, _unsupported(column), series)
    mark = (Detector.CONFIDENCE, column.name)
    known = any(other.type == column.type and mark in one.expected for one, other in earlier)
    strange = times >= USUAL_TYPE * len(earlier) and column.values >= TYPE_RECORDS and not known
    return Finding(
        Detector.CONFIDENCE,
        Outcome.ANOMALOUS if strange else Outcome.NORMAL,
        column.name,
        Severity.HIGH if strange else None,
        baseline=len(earlier),
        detail=f"Inferred as {column.type}, in {times} of {len(earlier)} earlier runs as {usual}.",
    )


def _unsupported(column: ColumnFacts) -> Share:
    return Share(round((1 - column.confidence) * column.values), column.values)


def _share(
    history: History,
    detector: Detector,
    subject: str,
    share: Share | None,
    series: list[tuple[RunFacts, Share]],
) -> Finding:
    """One share against those of earlier runs."""
    need = history.keys.minimum_history
    if share is None:
        return _unmeasured(detector, "There is no record to look at.", subject)
    if len(series) < need:
        return insufficient(detector, len(series), need, subject)
    tests = max(1, len(series[-1][0].columns)) if subject else 1
    limits = rates.usual([other for _, other in series], tests)
    known = [other.rate for one, other in series if (detector, subject) in one.expected]
    strange = rates.exceeds(share, limits, tests=tests) and not any(
        share.rate <= rate + rates.LEAST_DIFFERENCE for rate in known
    )
    return Finding(
        detector,
        Outcome.ANOMALOUS if strange else Outcome.NORMAL,
        subject,
        _share_severity(share.rate - limits.rate) if strange else None,
        observed=round(share.rate, 6),
        expected=round(limits.rate, 6),
        low=0.0,
        high=round(min(limits.high, 1.0), 6),
        baseline=len(series),
    )


def _share_severity(difference: float) -> Severity:
    """By the part of all records that changed."""
    if difference >= 0.5:
        return Severity.CRITICAL
    if difference >= 0.2:
        return Severity.HIGH
    return Severity.MEDIUM if difference >= 0.05 else Severity.LOW


def _unmeasured(detector: Detector, detail: str, subject: str = "") -> Finding:
    return Finding(detector, Outcome.NOT_MEASURED, subject, detail=detail)

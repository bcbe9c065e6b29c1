"""The five detectors of a run: pure functions of a history and the run after it.

The run under test is never part of its own baseline, and every detector says something about every
run: a verdict, or why there is none. A detector that fails is an outcome too (`error`); it never
fails the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from tidegate.detection.judging_shares import (
    judge_completeness,
    judge_confidence,
    judge_quarantine,
    judge_repetition,
)
from tidegate.detection.judging_volume import judge_volume
from tidegate.detection.model import Finding, History, RunFacts
from tidegate.detection.vocabulary import OF_A_RUN, Detector, Outcome

NEWEST = 120
"""So many comparable runs are looked at: 17 weeks of a daily feed."""
Judge = Callable[[History, RunFacts], Iterable[Finding]]

JUDGES: Mapping[Detector, Judge] = {
    Detector.VOLUME: judge_volume,
    Detector.COMPLETENESS: judge_completeness,
    Detector.QUARANTINE: judge_quarantine,
    Detector.CONFIDENCE: judge_confidence,
    Detector.REPETITION: judge_repetition,
}


def detect(
    history: History, run: RunFacts, judges: Mapping[Detector, Judge] = JUDGES
) -> tuple[Finding, ...]:
    """Judge a run against strictly earlier ones; at least one finding for each detector."""
    history = replace(history, runs=[one for one in history.runs if one.run_id < run.run_id])
    history = replace(history, runs=history.runs[-NEWEST:])
    found: list[Finding] = []
    for detector in OF_A_RUN:
        try:
            found.extend(judges[detector](history, run))
        except Exception as error:  # advisory: it is recorded, and nothing else happens
            found.append(Finding(detector, Outcome.ERROR, detail=f"{type(error).__name__}."))
    return tuple(found)

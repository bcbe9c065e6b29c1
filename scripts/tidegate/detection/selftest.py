"""Proof that detectors can fail: faults are injected, and each has to be found.

On simulated histories every fault must be found: what is not is a bug. On a dataset's own history
the answer tells which faults would go unseen there: the history is too short, too noisy or small.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tidegate.connection import Connection
from tidegate.contracts.model import DatasetContract
from tidegate.detection.detectors import detect
from tidegate.detection.history import read_history
from tidegate.detection.labelled import FINDS, HELD_OUT, Fault, Series, histories
from tidegate.detection.model import ColumnFacts, Finding, History, RunFacts
from tidegate.detection.vocabulary import Detector, Outcome

_SHARE = 0.2
"""The share of records that an injected fault spoils on a dataset's own history."""
_FEWER = {Fault.HALF: 0.5, Fault.THIRTY: 0.7, Fault.SPIKE: 2.0}


@dataclass(frozen=True)
class Probe:
    """One injected fault and whether the detector that has to find it did."""

    dataset: str
    fault: Fault
    detector: Detector
    found: bool
    detail: str = ""


def self_test() -> tuple[Probe, ...]:
    """Inject every fault into simulated flat and weekly histories."""
    probes = []
    for series in (Series.FLAT, Series.WEEKLY):
        for one in histories(HELD_OUT, series, 1, noise=0.03):
            if one.run is None or one.fault not in FINDS:
                continue
            probes.append(_probe(f"simulated {series.value}", one.history, one.run, one.fault))
    return tuple(probes)


def probe(conn: Connection, contract: DatasetContract) -> tuple[Probe, ...]:
    """Inject every fault into the newest accepted delivery of a dataset; nothing is recorded."""
    row = conn.execute(
        "select max(run_id) from governance.runs"
        " where dataset = %s and status = 'accepted' and origin = 'delivery'",
        [contract.name],
    ).fetchone()
    if row is None or row[0] is None:
        return ()
    history, run = read_history(conn, contract.name, row[0], contract.keys.detection)
    return tuple(
        _probe(contract.name, history, _broken(run, fault), fault)
        for fault in FINDS
        if fault is not Fault.MISSING
    )


def _probe(dataset: str, history: History, run: RunFacts, fault: Fault) -> Probe:
    detector = FINDS[fault]
    findings = [one for one in detect(history, run) if one.detector is detector]
    found = any(one.anomalous for one in findings)
    return Probe(dataset, fault, detector, found, "" if found else _why(findings))


def _why(findings: list[Finding]) -> str:
    """Why a fault was not found, in the detector's own words."""
    for finding in findings:
        if finding.outcome is not Outcome.NORMAL and finding.detail:
            return finding.detail
    limits = next((one for one in findings if one.high is not None), None)
    if limits is None:
        return "Within what is normal."
    return f"{limits.observed:g} is within what is normal: {limits.low:g} to {limits.high:g}."


def _broken(run: RunFacts, fault: Fault) -> RunFacts:
    if fault in _FEWER:
        return replace(run, read=round(run.read * _FEWER[fault]))
    if fault is Fault.QUARANTINE:
        return replace(run, quarantined=_more(run.quarantined, run.read))
    if fault is Fault.REPETITION:
        return replace(run, repeated=_more(run.repeated or 0, run.compared or 0))
    spoil = _emptied if fault is Fault.NULLS else _doubtful
    return replace(run, columns=tuple(spoil(column) for column in run.columns))


def _more(count: int, of: int) -> int:
    return min(of, count + round(of * _SHARE))


def _emptied(column: ColumnFacts) -> ColumnFacts:
    nulls = _more(column.nulls, column.values + column.nulls)
    return replace(column, nulls=nulls, values=column.values + column.nulls - nulls)


def _doubtful(column: ColumnFacts) -> ColumnFacts:
    return replace(column, confidence=max(0.0, column.confidence - _SHARE))

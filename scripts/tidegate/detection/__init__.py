"""Detectors that look at every delivery and raise events; they block and quarantine nothing."""

from tidegate.detection.after import after_run, catch_up
from tidegate.detection.checking import Checked, check
from tidegate.detection.detectors import detect
from tidegate.detection.missing import raise_missing
from tidegate.detection.model import ColumnFacts, Finding, History, RunFacts
from tidegate.detection.vocabulary import Assessment, Detector, Outcome, Severity

__all__ = [
    "Assessment",
    "Checked",
    "ColumnFacts",
    "Detector",
    "Finding",
    "History",
    "Outcome",
    "RunFacts",
    "Severity",
    "after_run",
    "catch_up",
    "check",
    "detect",
    "raise_missing",
]

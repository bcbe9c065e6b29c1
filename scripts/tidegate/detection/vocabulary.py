"""The closed words of detection; each is a check or a table in the database as well."""

from __future__ import annotations

from enum import Enum


class Detector(str, Enum):
    """What is watched: five detectors of a run, and a sixth of runs that did not come."""

    VOLUME = "volume"
    """How many records the delivery has; by member of the dimension too, where one is declared."""
    COMPLETENESS = "completeness"
    """The share of nulls, column by column."""
    QUARANTINE = "quarantine"
    """The share of records that could not be accepted."""
    CONFIDENCE = "confidence"
    """The share of values that do not support a column's inferred type, and the type itself."""
    REPETITION = "repetition"
    """The share of records that repeat another record of the same delivery."""
    MISSING_DELIVERY = "missing_delivery"
    """A day on which a delivery was expected passed without one: that is not zero rows."""


OF_A_RUN = tuple(one for one in Detector if one is not Detector.MISSING_DELIVERY)
"""The detectors that judge every run."""


class Outcome(str, Enum):
    """What a detector says; only `normal` and `anomalous` are verdicts."""

    NORMAL = "normal"
    ANOMALOUS = "anomalous"
    INSUFFICIENT_HISTORY = "insufficient_history"
    """Too few comparable runs: neither a pass nor a failure."""
    NOT_MEASURED = "not_measured"
    """The run lacks what the detector looks at, such as records."""
    EXCLUDED = "excluded"
    """The day is a declared holiday."""
    ERROR = "error"
    """The detector itself failed; the run did not."""


_SEVERITIES = ("low", "medium", "high", "critical")


class Severity(str, Enum):
    """How far from normal, on an ordered scale: `Severity.LOW.rank < Severity.HIGH.rank`."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """The place on the scale, from 1; the database orders by the same number."""
        return _SEVERITIES.index(self.value) + 1


class Assessment(str, Enum):
    """What somebody found out about an anomaly (`tidegate anomalies acknowledge`)."""

    INCIDENT = "incident"
    """Something was wrong: the run is left out of every later baseline."""
    EXPECTED = "expected"
    """The dataset is like that: the like of it is not raised again."""

"""Shares of records: nulls, quarantine, failed inference, repetition. More of them is worse.

A share is an anomaly only if it exceeds the usual one by a least difference, by more than the runs'
own spread, and by more than the number of records can explain: one null of ten records says little,
a thousand of ten thousand much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tidegate.detection.robust import improbable, spread

DEVIATIONS = 4.0
"""So many standard deviations are normal, and more where many columns are judged at once."""
LEAST_DIFFERENCE = 0.01
"""A share has to grow by this much: one record in a hundred."""
LEVEL = 0.001
"""How improbable a number of records has to be, shared among all columns of a delivery."""
WINDOW = 60
"""So many newest runs are compared."""


@dataclass(frozen=True)
class Share:
    """`count` of `of` records; `of` is positive."""

    count: int
    of: int

    @property
    def rate(self) -> float:
        """The share, from 0 to 1."""
        return self.count / self.of


@dataclass(frozen=True)
class Usual:
    """The usual share, the highest normal one, and what the records' number is tested against."""

    rate: float
    high: float
    chance: float


def usual(series: Sequence[Share], tests: int) -> Usual:
    """What earlier runs let expect, one of `tests` at once; the series must not be empty."""
    newest = series[-WINDOW:]
    rates = [share.rate for share in newest]
    middle = median(rates)
    width = spread([rate - middle for rate in rates])
    calm = sorted(newest, key=lambda share: share.rate)[: max(1, len(newest) * 4 // 5)]
    seen, records = sum(share.count for share in calm), sum(share.of for share in calm)
    chance = max(middle, (seen + 1) / (records + 2))
    reach = (DEVIATIONS + math.log(tests) / 2) * width
    return Usual(middle, middle + max(LEAST_DIFFERENCE, reach), min(chance, 1.0))


def exceeds(share: Share, limits: Usual, *, tests: int) -> bool:
    """Whether a share is an anomaly where `tests` of its kind are made at once."""
    if share.rate <= limits.high or limits.chance >= 1:
        return False
    return improbable(share.count, share.of, limits.chance, LEVEL / tests)

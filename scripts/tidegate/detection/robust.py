"""Robust statistics of short series: centres and spreads that a few incidents do not move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

WINDOW = 28
"""The level and the trend of a series are those of so many newest runs."""
_NORMAL_MEDIAN = 0.6745
_NORMAL_TAIL = 1.2816
"""The median and the 80th percentile of |x| / standard deviation where x is normal: 0.6745, and
1.2816 where 80 % of |x| lie below."""


def spread(residuals: Sequence[float]) -> float:
    """A standard deviation that up to a fifth of outliers do not move.

    The larger of two estimates: by the median of the absolute residuals, and by their 80th
    percentile, which also sees a second level that a fifth or more of the runs have (weekends).
    Of few residuals either may be far too small by chance, so it is widened a little.
    """
    sizes = sorted(map(abs, residuals))
    count = len(sizes)
    tail = sizes[int(0.8 * (count - 1))]
    width = max(median(sizes) / _NORMAL_MEDIAN, tail / _NORMAL_TAIL)
    return width * (1 + 4 / count)


def median_without(ordered: Sequence[float], value: float) -> float:
    """The median of a sorted series when `value`, one of its own, is left out."""
    rest = list(ordered)
    rest.remove(value)
    return median(rest)


def slope(series: Sequence[float]) -> float:
    """The Theil-Sen slope: the median slope between any two points, a run apart being 1."""
    count = len(series)
    return median(
        (series[j] - series[i]) / (j - i) for i in range(count) for j in range(i + 1, count)
    )


def rises_or_falls(series: Sequence[float]) -> bool:
    """Whether a series has a trend beyond chance (Mann-Kendall, one in a hundred)."""
    count = len(series)
    score = sum(
        (series[j] > series[i]) - (series[j] < series[i])
        for i in range(count)
        for j in range(i + 1, count)
    )
    deviation = math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    return abs(score) > 2.6 * deviation


def improbable(count: int, of: int, share: float, level: float) -> bool:
    """Whether `count` or more of `of` are less likely than `level` where each has `share`.

    By the Chernoff bound, which is never smaller than the probability itself: few records prove
    nothing, and no approximation is needed for any number of them.
    """
    seen = count / of
    if seen <= share:
        return False
    distance = seen * math.log(seen / share)
    if seen < 1:
        distance += (1 - seen) * math.log((1 - seen) / (1 - share))
    return -of * distance < math.log(level)

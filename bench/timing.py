"""Timing on a machine that others use too: rivals in turn, medians, ratios within a round."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rounds:
    """Seconds of every rival in every round; a round runs each rival once, in turn."""

    seconds: Mapping[str, Sequence[float]]

    def median(self, name: str) -> float:
        """The median of one rival, in seconds."""
        return statistics.median(self.seconds[name])

    def ratio(self, name: str, to: str) -> float:
        """The median of the ratios of two rivals within a round: noise they share cancels."""
        pairs = zip(self.seconds[name], self.seconds[to], strict=True)
        return statistics.median(one / other for one, other in pairs)


def in_turn(
    rivals: Mapping[str, Callable[[], float | None]],
    rounds: int,
    note: Callable[[str, float], None] = lambda _, __: None,
) -> Rounds:
    """Run rivals in turn, the order reversed every other round; `note` takes each time.

    A rival that returns seconds has timed itself; otherwise the call is timed.
    """
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for number in range(rounds):
        order = list(rivals.items())
        for name, run in order if number % 2 == 0 else order[::-1]:
            start = time.perf_counter()
            own = run()
            taken = time.perf_counter() - start if own is None else own
            seconds[name].append(taken)
            note(name, taken)
    return Rounds(seconds)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

"""What a benchmark is told, and where its figures go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bench import timing
from bench.report import Report
from bench.server import Server


@dataclass(frozen=True)
class Options:
    """The server to use; `quick` asks for small sizes, which only check the way.

    `size` is the number of rows, or whatever a benchmark counts, where another one is wanted.
    `say` tells how far a benchmark is, `opened` takes each report when it begins.
    """

    server: Server
    quick: bool
    size: int | None = None
    say: Callable[[str], None] = lambda _: None
    opened: Callable[[Report], None] = lambda _: None

    def report(self, name: str, **facts: object) -> Report:
        """Begin a report."""
        found = Report(name, {key.replace("_", " "): str(value) for key, value in facts.items()})
        self.opened(found)
        found.begin()
        return found

    def in_turn(
        self, rivals: Mapping[str, Callable[[], float | None]], rounds: int
    ) -> timing.Rounds:
        """Run rivals in turn, and say each time."""
        return timing.in_turn(
            rivals, rounds, lambda name, seconds: self.say(f"  {name}: {seconds:.3f} s")
        )

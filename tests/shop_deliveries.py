"""Deliveries of the orders of landing_project, uneventful or with faults."""

from __future__ import annotations

from landing_project import LandingProject
from tidegate.deliveries.report import FileOutcome
from tidegate.deliveries.vocabulary import RunStatus


def table(day: int, rows: int, **faults: int) -> str:
    """A delivery; some of its records lack qty, have a wrong one, or are repeated."""
    lines = ["id,item,qty"]
    for number in range(rows):
        if number < faults.get("nulls", 0):
            qty = ""
        else:
            qty = "many" if number >= rows - faults.get("bad", 0) else str(number % 7)
        name = f"{day}{number:06d}" if number >= faults.get("again", 0) else f"{day}000000"
        lines.append(f"{name},thing,{'1' if number < faults.get('again', 0) else qty}")
    return "\n".join(lines) + "\n"


def deliver(project: LandingProject, day: int, rows: int = 200, **faults: int) -> FileOutcome:
    return project.land(f"orders/{day}.csv", table(day, rows, **faults))


def history(project: LandingProject, days: int = 7) -> None:
    """Uneventful deliveries, the first ones too few to compare anything with."""
    for day in range(1, days + 1):
        assert deliver(project, day, 200 + day % 3).status is RunStatus.ACCEPTED

"""What a benchmark found: tables of figures, aims met or missed, and the machine.

Every figure is told when it is known: `Report.changed` is called after each row and each aim, so
that a run that is cut off leaves what it had measured.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

Cell = str | int | float


@dataclass
class Table:
    """Figures under their headings; the note says what a reader has to know about them."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    note: str = ""
    show: Callable[[str], None] = lambda _: None

    def add(self, *cells: Cell) -> None:
        """Add a row, and show it."""
        self.rows.append(cells)
        self.show(_line([_cell(cell) for cell in cells]))

    def document(self) -> dict[str, Any]:
        """The table as JSON."""
        return {"title": self.title, "columns": self.columns, "rows": self.rows, "note": self.note}


@dataclass(frozen=True)
class Aim:
    """A figure that was aimed at: at most `bound`, or at least."""

    text: str
    found: float
    bound: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the figure is on the right side of the bound."""
        return self.found >= self.bound if self.at_least else self.found <= self.bound


@dataclass
class Report:
    """One benchmark's figures; `show` takes each line of Markdown as soon as it is known."""

    name: str
    facts: dict[str, str] = field(default_factory=dict)
    show: Callable[[str], None] = lambda _: None
    tables: list[Table] = field(default_factory=list)
    aims: list[Aim] = field(default_factory=list)

    def begin(self) -> None:
        """Show the heading."""
        self.show(f"## {self.name}\n")
        if self.facts:
            self.show("; ".join(f"{key}: {value}" for key, value in self.facts.items()) + ".\n")

    def table(self, title: str, columns: Sequence[str], note: str = "") -> Table:
        """Begin a table, whose rows follow one by one before anything else is shown."""
        found = Table(title, columns, [], note, self.show)
        self.tables.append(found)
        self.show(f"\n**{title}**\n")
        if note:
            self.show(f"{note}\n")
        self.show(_line(columns))
        self.show(_line(["---"] * len(columns)))
        return found

    def aim(self, text: str, found: float, bound: float, *, at_least: bool = False) -> None:
        """Note a figure that was aimed at; `end` shows it."""
        self.aims.append(Aim(text, found, bound, at_least))

    def end(self) -> None:
        """Show the aims."""
        self.show("")
        for aim in self.aims:
            self.show(f"- {_aim(aim)}")
        self.show("")

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "name": self.name,
            "facts": self.facts,
            "tables": [table.document() for table in self.tables],
            "aims": [{**asdict(aim), "met": aim.met} for aim in self.aims],
        }


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"


def _aim(aim: Aim) -> str:
    sign = "at least" if aim.at_least else "at most"
    verdict = "met" if aim.met else "**missed**"
    return f"{aim.text}: {aim.found:.3g}, aim {sign} {aim.bound:g}: {verdict}"


def machine(server_version: str) -> dict[str, str]:
    """What the figures depend on besides the code."""
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB",
        "load before": " ".join(f"{load:.1f}" for load in os.getloadavg()),
        "system": platform.platform(terse=True),
        "Python": platform.python_version(),
        "PostgreSQL": server_version,
        "dbt-core": version("dbt-core"),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.machine()

"""What a benchmark found: tables of figures, aims met or missed, and the machine."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

Cell = str | int | float


@dataclass(frozen=True)
class Table:
    """Figures under their headings; the note says what a reader has to know about them."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


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
    """One benchmark's figures."""

    name: str
    tables: list[Table] = field(default_factory=list)
    aims: list[Aim] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        aims = [{**asdict(aim), "met": aim.met} for aim in self.aims]
        return {**asdict(self), "aims": aims}

    def markdown(self) -> str:
        """The report as docs/benchmarks.md shows it."""
        parts = [f"## {self.name}"]
        if self.facts:
            parts.append("; ".join(f"{key}: {value}" for key, value in self.facts.items()) + ".")
        for table in self.tables:
            parts += [f"**{table.title}**", _markdown(table)]
            if table.note:
                parts.append(table.note)
        if self.aims:
            parts.append("\n".join(f"- {_aim(aim)}" for aim in self.aims))
        return "\n\n".join(parts) + "\n"


def _markdown(table: Table) -> str:
    cells = [[_cell(cell) for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(table.columns))]
    lines = [_line([c.ljust(width) for c, width in zip(row, widths, strict=True)]) for row in cells]
    return "\n".join([lines[0], _line(["-" * width for width in widths]), *lines[1:]])


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

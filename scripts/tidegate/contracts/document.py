"""One contract file as it was read: plain values, the line of every key, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tidegate.errors import Problem

Step = str | int
KeyPath = tuple[Step, ...]


@dataclass
class Document:
    """One file: its value as plain Python, the line of every key, and what is wrong with it."""

    file: str
    """Path relative to the project, with forward slashes."""
    data: Any = None
    lines: dict[KeyPath, int] = field(default_factory=dict)
    findings: list[tuple[KeyPath, int, str, str]] = field(default_factory=list)
    """Path, line, message, remedy; keys are spelled out when the whole file is known."""

    @property
    def problems(self) -> list[Problem]:
        """All findings, in the order of the file."""
        return [
            Problem(self.file, line, self.key(path), message, remedy)
            for path, line, message, remedy in sorted(self.findings, key=lambda it: it[1])
        ]

    @property
    def folder(self) -> str:
        """The folder inside `contracts/`: `datasets` or a family; empty for none."""
        return "/".join(self.file.split("/")[1:-1])

    def line(self, path: KeyPath) -> int:
        """The one-based line of `path`, or of the nearest parent that has one."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return 1

    def value(self, path: KeyPath) -> Any:
        """The value at `path`, None where there is none."""
        value = self.data
        for step in path:
            value = _child(value, step)
        return value

    def key(self, path: KeyPath) -> str:
        """`path` as people read it: `models[q_trials].columns[phases].data_type`."""
        text = ""
        value = self.data
        for step in path:
            value = _child(value, step)
            if isinstance(step, str):
                text += f".{_shown(step)}" if text else _shown(step)
            else:
                name = value.get("name") if isinstance(value, dict) else None
                text += f"[{_shown(name) if isinstance(name, str) else step}]"
        return text

    def under(self, path: KeyPath) -> list[KeyPath]:
        """Every place below `path`, in the order of the file."""
        return [place for place in self.lines if place[: len(path)] == path and place != path]

    def report(self, path: KeyPath, message: str, remedy: str = "") -> None:
        """Note one problem at `path`."""
        self.findings.append((path, self.line(path), message, remedy))

    def report_line(self, line: int, message: str, remedy: str = "") -> None:
        """Note one problem that belongs to a line, or with 0 to the whole file."""
        self.findings.append(((), line, message, remedy))


def _shown(name: str) -> str:
    """`name` on one line of a terminal, whatever somebody wrote into it."""
    return name if name.isprintable() else ascii(name)


def _child(value: Any, step: Step) -> Any:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None

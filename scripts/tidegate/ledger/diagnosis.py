"""What a look at the surroundings found, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Status(str, Enum):
    """How a check ended; missing makes the exit code 2."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"


@dataclass(frozen=True)
class Check:
    """One thing looked at; `fix` is a sentence, `sql` statements that an administrator can run."""

    name: str
    status: Status
    message: str
    fix: str = ""
    sql: tuple[str, ...] = ()


@dataclass(frozen=True)
class Diagnosis:
    """All checks, in the order they were made."""

    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        """Whether nothing that is needed is missing."""
        return all(check.status is not Status.MISSING for check in self.checks)

"""How violating rows are named, and the refusal to name them by anything that is a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tidegate.errors import UsageError
from tidegate.macros import render
from tidegate.rules.columns import TypeFamily
from tidegate.rules.relation import Facts, Relation


@dataclass(frozen=True)
class Places:
    """How violating rows are named: by `row_number` (a column of one-based numbers), by `row_key`
    (columns that the contract declares public), or, with neither, not at all."""

    row_number: str | None = None
    row_key: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether rows can be named."""
        return bool(self.row_number or self.row_key)

    def check(self, relation: Relation, facts: Facts) -> None:
        """Refuse columns that are absent, and a row number that is not a number but a value."""
        for name in filter(None, (self.row_number, *self.row_key)):
            column = facts.columns.get(name)
            if column is None:
                raise UsageError(
                    f"{relation} has no column {name!r} to name rows by.",
                    remedy="Name one of its columns.",
                )
            if name == self.row_number and column.family is not TypeFamily.INTEGER:
                raise UsageError(
                    f"The column {name!r} of {relation} is {column.sql_type}, not a row number.",
                    remedy="Name a column of whole numbers.",
                )

    @cached_property
    def sql(self) -> str:
        """The expression that names a row."""
        return render("rule_place", self.row_number, self.row_key)

    def of(self, found: Sequence[int | str] | None) -> dict[str, Any]:
        """Found places as fields of an outcome."""
        if not self.known or found is None:
            return {}
        return {"row_numbers" if self.row_number else "row_keys": tuple(found)}

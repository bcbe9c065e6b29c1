"""What rules are judged on: a relation of the database, and what its catalogue says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.macros import render
from tidegate.rules.columns import Column, TypeFamily


@dataclass(frozen=True)
class Relation:
    """A table or view, or the part of it where columns equal values (`only`: pairs)."""

    schema: str
    name: str
    only: tuple[tuple[str, str | int], ...] = ()

    @property
    def sql(self) -> str:
        """What stands after `from`, before an alias."""
        return render("rule_relation", self.schema, self.name, self.only)

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


@dataclass(frozen=True)
class Facts:
    """Columns as the catalogue has them, and what its constraints prove.

    `raw` is the JSON of the macro `rule_facts`, which other rule macros take.
    """

    raw: Mapping[str, Any]

    @property
    def columns(self) -> dict[str, Column]:
        """Columns by name."""
        return {
            name: Column(name, fact["sql_type"], catalogue_family=TypeFamily(fact["family"]))
            for name, fact in self.raw["columns"].items()
        }


def read_facts(conn: Connection, relation: Relation) -> Facts:
    """Ask the catalogue; raise UsageError where there is no such relation, or not all of it."""
    query = render("rule_facts", relation.schema, relation.name)
    row = conn.execute(query.encode()).fetchone()
    if row is None:
        raise UsageError(
            f"There is no table or view {relation}.",
            remedy="Name it as schema.table, and check that the role may see it.",
        )
    facts = Facts(json.loads(row[0]))
    if facts.raw["hides_rows"]:
        raise UsageError(
            render("rule_hidden_rows", relation.schema, relation.name),
            remedy=render("rule_hidden_rows_remedy"),
        )
    return facts

"""The reference domain published family by family: real promotions over copies of what dbt built.

Contracts, gates and tables are those of the project; dbt itself is replaced by copies of what it
built, so that a family costs a second. A test damages what is built next, publishes it, and reads
what readers get.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from shop import Shop, ShopDbt
from tidegate.contracts.load import load_project
from tidegate.gates.manifest import read_models
from tidegate.gates.model import GateSpec, Model
from tidegate.gates.specs import specs_of
from tidegate.ledger import generations
from tidegate.names import candidate_schema
from tidegate.publishing.families import family_references, publication_groups
from tidegate.publishing.node_results import NodeResult
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse
from trial_project import REPOSITORY, Built

PROJECT = load_project(REPOSITORY)
FAMILIES = tuple(sorted(PROJECT.families))


@dataclass(frozen=True)
class Attempt:
    """What came of publishing a family: what the ledger has of it, and what stops or warns.

    Findings are (model, gate, row key, reason) of every sample, each once.
    """

    outcome: FamilyOutcome
    blocking: frozenset[tuple[str, str, str, str]]
    warning: frozenset[tuple[str, str, str, str]]

    @property
    def published(self) -> bool:
        """Whether readers got it."""
        return self.outcome.verdict is Verdict.PUBLISHED

    @property
    def held_back(self) -> bool:
        """Whether readers kept the generation before."""
        return self.outcome.verdict is Verdict.HELD_BACK

    def reasons(self, model: str, gate: str) -> set[str]:
        """Why a gate of a model stops the family."""
        return {
            reason for where, what, _, reason in self.blocking if (where, what) == (model, gate)
        }


class DomainDbt(ShopDbt):
    """Copies what dbt built, and damages the copies as the test says."""

    def run(
        self,
        command: str,
        selected: Sequence[str],
        *more: str,
        built: Callable[[str, str], None] = lambda _, __: None,
    ) -> tuple[NodeResult, ...]:
        """Build the selected models; the damage of a family comes once all of them are there."""
        results = super().run(command, selected, *more, built=built)
        domain = self.shop
        assert isinstance(domain, Domain)
        with domain.warehouse.connect() as conn:
            for family in {domain.contracts[name].family for name in selected}:
                search_path = sql.SQL("set search_path to {}, pg_catalog")
                conn.execute(search_path.format(sql.Identifier(candidate_schema(family))))
                for statement in domain.damage.get(family, ()):
                    conn.execute(statement)  # type: ignore[call-overload]
        return results


class Domain(Shop):
    """The reference domain as a context whose builds copy what dbt has built."""

    def __init__(self, warehouse: Warehouse, built: Built) -> None:
        super().__init__(warehouse, tuple(PROJECT.models.values()), self.copies)
        self.dbt = DomainDbt(self)
        self.built = built
        self.damage: Mapping[str, Sequence[str]] = {}
        """By family, what is done to its candidate once it is built."""
        pairs = family_references(PROJECT.models, _read_by_models_and_checks(built))
        self.groups = publication_groups(PROJECT.families, pairs)
        with warehouse.connect() as conn:
            for family in FAMILIES:
                conn.execute(
                    sql.SQL("alter schema {} rename to {}").format(
                        sql.Identifier(candidate_schema(family)), sql.Identifier(f"kept__{family}")
                    )
                )

    def copies(self, number: int) -> Mapping[str, str]:
        """Each model as it was built, with its constraints."""
        made = {}
        for name, model in self.contracts.items():
            table = f'"{candidate_schema(model.family)}"."{name}"'
            kept = f'"kept__{model.family}"."{name}"'
            made[name] = (
                f"create table {table} (like {kept} including all);"
                f"insert into {table} select * from {kept};"
            )
        return made

    def gate_models(self) -> dict[str, Model]:
        """Every model as gates see it."""
        return dict(read_models(self.built.manifest).by_name)

    def specs(self, group: Any) -> dict[str, tuple[GateSpec, ...]]:
        """The checks that the contracts of the project declare."""
        built = self.built
        return {family: specs_of(built.manifest, family, built.compiled) for family in group}

    def publish(self, group: tuple[str, ...]) -> tuple[FamilyOutcome, ...]:
        """Build, judge and promote one group."""
        return publish_group(self, group, Request())  # type: ignore[arg-type]

    def attempt(self, family: str, *damage: str) -> Attempt:
        """Publish a family (with its cycle) from a damaged candidate; the next build is whole."""
        (group,) = (found for found in self.groups if family in found)
        self.damage = {family: damage}
        try:
            outcomes = self.publish(group)
        finally:
            self.damage = {}
        (outcome,) = (found for found in outcomes if found.family == family)
        return Attempt(outcome, self._findings(outcome, "block"), self._findings(outcome, "warn"))

    def heads(self) -> dict[str, int | None]:
        """What readers are served of each family."""
        with self.warehouse.connect() as conn:
            return {name: generations.served_generation(conn, name) for name in FAMILIES}

    def read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a query, as a reader gets them: with the reader's rights, from the views."""
        with self.warehouse.connect() as conn:
            conn.execute("set role tidegate_reader")
            conn.execute("set search_path to query, pg_catalog")
            return conn.execute(statement, values or None).fetchall()  # type: ignore[arg-type]

    def rows(self, family: str) -> dict[str, int]:
        """How many rows readers see of each model."""
        with self.warehouse.connect() as conn:
            return {
                name: conn.execute(
                    sql.SQL("select count(*) from {}").format(sql.Identifier("query", name))
                ).fetchall()[0][0]
                for name in PROJECT.families[family]
                if not name.endswith(f"__{family}")
            }

    def _findings(self, outcome: FamilyOutcome, level: str) -> frozenset[tuple[str, str, str, str]]:
        with self.warehouse.connect() as conn:
            found: Iterable[Any] = conn.execute(
                "select asset, gate_id, sample ->> 'row_key', sample ->> 'reason'"
                " from governance.gate_results cross join lateral jsonb_array_elements("
                " result -> 'samples') as sample where sample ->> 'level' = %s and family = %s"
                " and generation = %s",
                [level, outcome.family, outcome.generation],
            ).fetchall()
        return frozenset(found)


def _read_by_models_and_checks(built: Built) -> Iterator[tuple[str, str]]:
    """Pairs (model, model that it or a check on it reads): the harness orders families by them."""
    nodes = built.manifest["nodes"]
    for node in nodes.values():
        read = [nodes[key]["name"] for key in node["depends_on"]["nodes"] if key in nodes]
        judged = (node["config"]["meta"].get("tidegate") or {}).get("family")
        attached = (nodes.get(node.get("attached_node")) or {}).get("name")
        for reader in (node["name"], attached, *read):
            model = PROJECT.models.get(reader)
            if model and (reader in (node["name"], attached) or model.family == judged):
                yield from ((reader, name) for name in read)

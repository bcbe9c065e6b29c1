"""A failing gate in any family keeps that family (or its cycle) back, and no other.

The whole reference domain: its contracts, gates and tables as dbt built them, published by the real
promotion; dbt itself is replaced by copies of what it built, so that a family costs a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from psycopg import sql

from databases import copy_of
from shop import Shop
from tidegate.contracts import load_project
from tidegate.gates import GateSpec, Model, specs_of
from tidegate.gates.manifest import read_models
from tidegate.ledger import generations
from tidegate.names import candidate_schema
from tidegate.publishing.families import family_references, publication_groups
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.publish import Request, publish_group
from tidegate.warehouse import Warehouse
from trial_project import REPOSITORY, Built

PROJECT = load_project(REPOSITORY)
FAMILIES = tuple(sorted(PROJECT.families))


def read_by_models_and_checks(built: Built) -> Iterator[tuple[str, str]]:
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


class Domain(Shop):
    """The reference domain as a context whose builds copy what dbt has built."""

    def __init__(self, warehouse: Warehouse, built: Built) -> None:
        super().__init__(warehouse, tuple(PROJECT.models.values()), self.copies)
        self.built = built
        self.damage: tuple[str, ...] = ()
        pairs = family_references(PROJECT.models, read_by_models_and_checks(built))
        self.groups = publication_groups(PROJECT.families, pairs)

    def copies(self, number: int) -> Mapping[str, str]:
        """Each model as it was built, with its constraints; damaged where a test says so."""
        made = {}
        for name, model in self.contracts.items():
            table = f'"{candidate_schema(model.family)}"."{name}"'
            kept = f'"kept__{model.family}"."{name}"'
            made[name] = (
                f"create table {table} (like {kept} including all);"
                f"insert into {table} select * from {kept};"
                + "".join(it for it in self.damage if f'"{name}"' in it)
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

    def heads(self) -> dict[str, int | None]:
        """What readers are served of each family."""
        with self.warehouse.connect() as conn:
            return {name: generations.served_generation(conn, name) for name in FAMILIES}

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


@pytest.fixture(scope="module")
def domain(built: Built) -> Iterator[Domain]:
    """Every family published once, in a copy of the database that dbt built."""
    with copy_of(built.warehouse) as warehouse:
        with warehouse.connect() as conn:
            for family in FAMILIES:
                conn.execute(
                    sql.SQL("alter schema {} rename to {}").format(
                        sql.Identifier(candidate_schema(family)), sql.Identifier(f"kept__{family}")
                    )
                )
        made = Domain(warehouse, built)
        for group in made.groups:
            outcomes = made.publish(group)
            assert {it.verdict for it in outcomes} == {Verdict.PUBLISHED}, outcomes
        yield made


def broken(family: str) -> str:
    """What a blocking gate of the family finds: receipts without bytes, artefacts without hash."""
    table, column = (
        ("q_source_artifacts", "content_hash")
        if family == "support"
        else (f"q_provenance__{family}", "source_content_hash")
    )
    return f"""update "{candidate_schema(family)}"."{table}" set {column} = '';"""


@pytest.mark.parametrize("family", FAMILIES)
def test_a_failing_gate_keeps_its_family_back_and_no_other(domain: Domain, family: str) -> None:
    """The family and its cycle are served as before; another one is published meanwhile."""
    (group,) = (found for found in domain.groups if family in found)
    other = next(found for found in reversed(domain.groups) if found != group)
    before, seen = domain.heads(), domain.rows(family)
    domain.damage = (broken(family),)
    held = domain.publish(group)
    assert {outcome.verdict for outcome in held} == {Verdict.HELD_BACK}
    (mine,) = (outcome for outcome in held if outcome.family == family)
    assert mine.entries
    assert all(entry.gate_id != "family_cycle" for entry in mine.entries)
    assert {outcome.verdict for outcome in domain.publish(other)} == {Verdict.PUBLISHED}
    after = domain.heads()
    assert {name: after[name] for name in after if name not in other} == {
        name: before[name] for name in before if name not in other
    }
    assert all((after[name] or 0) > (before[name] or 0) for name in other)
    assert domain.rows(family) == seen


def test_what_was_held_back_is_published_once_it_is_right(domain: Domain) -> None:
    """Nothing of it stays behind."""
    domain.damage = ()
    for group in domain.groups:
        assert {outcome.verdict for outcome in domain.publish(group)} == {Verdict.PUBLISHED}

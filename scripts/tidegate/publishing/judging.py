"""Judging a frozen candidate: every gate on one exported snapshot, in parallel; policies beside."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tidegate.connection import Connection
from tidegate.gates.model import GateSpec, Model
from tidegate.gates.parallel import evaluate_all
from tidegate.gates.result import GateResult
from tidegate.ledger.publications import Attempt
from tidegate.names import QUERY
from tidegate.publishing import candidate
from tidegate.publishing.frozen import mutation_result
from tidegate.publishing.generation import BuiltFamily
from tidegate.publishing.inbound import inbound_specs
from tidegate.publishing.policies import PolicyVerdict, judge_policies, without_policies
from tidegate.warehouse import Warehouse


@dataclass(frozen=True)
class Promotion:
    """What one promotion needs to know; `models` are all contracted ones, by name."""

    warehouse: Warehouse
    attempt: Attempt
    actor: str
    families: tuple[BuiltFamily, ...]
    specs: Mapping[str, tuple[GateSpec, ...]]
    models: Mapping[str, Model]
    frozen: tuple[tuple[str, str], ...] = ()
    """Further tables that gates read, as (schema, name)."""
    code: tuple[GateResult, ...] = ()
    """What the gates that read code say, one result for each family."""
    workers: int = 2


@dataclass(frozen=True)
class Judged:
    """What was found: gate results by family, and the policies' validations by family and model."""

    results: Mapping[str, tuple[GateResult, ...]]
    policies: Mapping[str, Mapping[str, PolicyVerdict]]


def judge(conn: Connection, work: Promotion) -> Judged:
    """Run every gate on one exported snapshot, fingerprints and policies beside them."""
    row = conn.execute("select pg_export_snapshot()").fetchone()
    assert row is not None  # noqa: S101 (a function returns a row)
    snapshot = str(row[0])
    specs = [spec for built in work.families for spec in without_policies(work.specs[built.family])]
    specs.extend(
        inbound_specs(
            work.models,
            [built.family for built in work.families],
            candidate.relations(conn, QUERY),
        )
    )
    resolve = resolver(conn, work)
    with ThreadPoolExecutor(1) as pool:
        judged = pool.submit(
            evaluate_all,
            work.warehouse.connect,
            snapshot,
            specs,
            resolve,
            workers=min(work.workers, os.cpu_count() or 1),
            protected=True,
        )
        moved = _mutated(conn, work)
        policies = {
            built.family: judge_policies(
                conn,
                [table.contract for table in built.tables],
                resolve,
                work.specs[built.family],
                protected=True,
            )
            for built in work.families
        }
        results = judged.result()
    by_family: dict[str, tuple[GateResult, ...]] = {
        built.family: tuple(r for r in results if r.spec.family == built.family)
        for built in work.families
    }
    for built in work.families:
        by_family[built.family] += tuple(moved.get(built.family, ()))
        by_family[built.family] += tuple(r for r in work.code if r.spec.family == built.family)
        by_family[built.family] += tuple(v.result for v in policies[built.family].values())
    return Judged(by_family, policies)


def read_below(
    conn: Connection, specs: Mapping[str, Sequence[GateSpec]]
) -> tuple[tuple[str, str], ...]:
    """Tables of the layers below that gates read, as (schema, name): frozen with the candidate.

    One that is missing is left out here: its gate is an error, which blocks.
    """
    read = {
        (item.schema, item.relation)
        for found in specs.values()
        for spec in found
        for item in spec.related.values()
        if not item.in_family
    }
    there = {schema: candidate.relations(conn, schema) for schema in {schema for schema, _ in read}}
    return tuple(sorted(item for item in read if there[item[0]].get(item[1]) in ("r", "p", "v")))


def resolver(conn: Connection, work: Promotion) -> Callable[[str], tuple[str, str] | None]:
    """A model's name to the relation a gate reads: this promotion's table, else what is served."""
    here = {
        table.contract.name: (built.schema, table.contract.name)
        for built in work.families
        for table in built.tables
    }
    views = candidate.relations(conn, QUERY)

    def resolve(model: str) -> tuple[str, str] | None:
        if model in here:
            return here[model]
        return (QUERY, model) if model in views else None

    return resolve


def _mutated(conn: Connection, work: Promotion) -> dict[str, list[GateResult]]:
    """Tables whose contents are not those that were frozen, as results that block."""
    found: dict[str, list[GateResult]] = {}
    for built in work.families:
        for table in built.tables:
            name = table.contract.name
            now = candidate.fingerprint_again(conn, built.schema, name, table.mark)
            if now != table.mark:
                result = mutation_result(built, table, now)
                found.setdefault(built.family, []).append(result)
    return found

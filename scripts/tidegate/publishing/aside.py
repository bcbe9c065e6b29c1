"""Building and judging without publishing: what an engineer looks at before a refresh does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tidegate.connection import Connection
from tidegate.errors import HeldBack, NothingJudged, UsageError
from tidegate.gates.parallel import evaluate_all
from tidegate.gates.provider_interface import judge_code
from tidegate.gates.result import GateResult
from tidegate.ledger import generations
from tidegate.names import QUERY, candidate_schema, generation_schema
from tidegate.publishing import build, candidate, waiting
from tidegate.publishing.context import Context
from tidegate.publishing.families import require_known
from tidegate.publishing.policies import judge_policies, without_policies
from tidegate.publishing.promotion_views import is_part
from tidegate.publishing.required import require_contract, require_tables
from tidegate.warehouse import locks

OnStep = Callable[[str], None]


@dataclass(frozen=True)
class Candidate:
    """A family as dbt has built it aside, and how it differs from its contract."""

    family: str
    schema: str
    models: int
    problems: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """The candidate as JSON."""
        return {
            "family": self.family,
            "schema": self.schema,
            "models": self.models,
            "problems": list(self.problems),
        }


def build_aside(
    context: Context, families: Sequence[str] = (), on_step: OnStep = lambda _: None
) -> tuple[Candidate, ...]:
    """Build families into their candidate schemas, under the build lock, in reference order."""
    built = []
    context.prepare_landing()
    for family in _chosen(context, families):
        on_step(f"building {family}")
        with context.warehouse.connect(autocommit=False, application_name="tidegate build") as conn:
            locks.stay_open(conn)
            locks.take_build_lock(conn)
            with (
                waiting.bounded(context.warehouse, candidate_schema(family)),
                context.warehouse.connect() as side,
            ):
                built.append(_build(context, side, family))
    return tuple(built)


def _build(context: Context, side: Any, family: str) -> Candidate:
    problems: list[str] = []
    try:
        build.build_lower_layers(context, (family,))
        build.require_lower_layers(context, family)
        build.run_models(side, context, family)
        require_tables(side, family, context.family_models(family))
        require_contract(side, family, context.family_models(family))
    except HeldBack as refusal:
        problems.append(str(refusal))
    schema = candidate_schema(family)
    return Candidate(family, schema, len(candidate.relations(side, schema)), tuple(problems))


def judge(
    context: Context, families: Sequence[str] = (), *, serving: bool = False, workers: int = 2
) -> tuple[GateResult, ...]:
    """Run every gate of the families on their candidates, or on what is served; write nothing.

    A model without a relation there is not evaluated, which blocks. Raises NothingJudged for a
    family without any candidate: what is served instead would answer another question.
    """
    chosen = _chosen(context, families)
    specs = [spec for found in context.specs(chosen).values() for spec in found]
    with context.warehouse.connect(autocommit=False, application_name="tidegate check") as conn:
        row = conn.execute("select pg_export_snapshot()").fetchone()
        known = {name: (QUERY, name) for name in candidate.relations(conn, QUERY)}
        for family in chosen:
            tables = _parts(conn, family) if serving else _tables(conn, family)
            if not tables and not serving:
                raise NothingJudged(
                    f"{family} has no candidate to judge.",
                    remedy=f"`tidegate build {family}` makes one; --serving judges what is served.",
                )
            known.update(tables)
        resolve = known.get

        assert row is not None  # noqa: S101 (a function returns a row)
        found = evaluate_all(
            context.warehouse.connect,
            str(row[0]),
            without_policies(specs),
            resolve,
            workers=workers,
        )
        policies = judge_policies(conn, context.project.models.values(), resolve, specs)
    return (
        *found,
        *(verdict.result for verdict in policies.values()),
        *judge_code(context.code_scan, chosen),
    )


def _tables(conn: Connection, family: str) -> dict[str, tuple[str, str]]:
    """What dbt has built aside, by model."""
    schema = candidate_schema(family)
    return {name: (schema, name) for name in candidate.relations(conn, schema)}


def _parts(conn: Connection, family: str) -> dict[str, tuple[str, str]]:
    """The family's served parts of the united views: they have no view of their own."""
    served = generations.served_generation(conn, family)
    if served is None:
        return {}
    schema = generation_schema(family, served)
    return {
        name: (schema, name) for name in candidate.relations(conn, schema) if is_part(family, name)
    }


def _chosen(context: Context, families: Sequence[str]) -> tuple[str, ...]:
    require_known(context.project, families)
    ordered = [family for group in context.groups() for family in group]
    if not ordered:
        raise UsageError(
            "The project has no family.", remedy="Write a contract in contracts/<family>/."
        )
    return tuple(family for family in ordered if not families or family in families)

"""dbt builds aside: the layers below once, then each family into its candidate schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tidegate import failpoints
from tidegate.connection import Connection
from tidegate.errors import BuildFailed, HeldBack
from tidegate.names import candidate_schema
from tidegate.publishing import candidate, generation, others
from tidegate.publishing.beside import AnalysedBeside
from tidegate.publishing.context import Context
from tidegate.publishing.generation import BuiltFamily
from tidegate.publishing.lower_gates import blocked_by, needed_below, not_judged, ready_tests
from tidegate.publishing.node_results import NodeResult
from tidegate.publishing.required import require_contract, require_tables
from tidegate.publishing.waiting import refuse_blocked

_GOOD = ("success", "pass", "warn", "no-op")


def build_lower_layers(context: Context, families: Iterable[str]) -> tuple[NodeResult, ...]:
    """Build and test what these families are built from, unless this run has done it already.

    What a gate on these layers reads beside them is built too, or the gate could not run. A
    blocking test on any layer stops what depends on it: dbt skips that, and the families that stand
    on it are held back by `require_lower_layers`.
    """
    manifest = context.dbt.manifest
    wanted: set[str] = set()
    for family in families:
        wanted.update(*needed_below(manifest, context.graph(family)))
    new = wanted - context.lower_built
    tests = ready_tests(manifest, new, context.lower_built | new) - context.lower_tested
    if not tests and not any(key in manifest.nodes for key in new):
        return ()
    results = context.dbt.run("build", sorted(new | tests), "--indirect-selection", "cautious")
    context.lower_built.update(new)
    context.lower_tested.update(node.unique_id for node in results)
    context.lower_failed.update({node.unique_id: node for node in failed_nodes(results)})
    return results


def require_lower_layers(context: Context, family: str) -> None:
    """Raise HeldBack where a model below, or a blocking test on it, has failed in this run.

    Also where such a test did not run: what was not judged has not passed. Raises PublishBlocked
    where only locks of others are to blame.
    """
    graph = context.graph(family)
    blocking = blocked_by(context.dbt.manifest, graph, context.lower_failed)
    if blocking:
        failed = [context.lower_failed[key] for key in blocking]
        refuse_blocked(failed)
        first = sorted(failed, key=lambda node: node.status == "skipped")[:5]
        told = "; ".join(f"{node.told} ({node.said or node.status})" for node in first)
        raise HeldBack(
            f"{family} stands on {len(blocking)} nodes that failed below it: {told}.",
            remedy="Correct them, or the deliveries they read; nothing above them was built.",
        )
    left = not_judged(context.dbt.manifest, graph, context.lower_tested)
    if left:
        raise HeldBack(
            f"{family} stands on {len(left)} blocking gates below it that dbt did not run:"
            f" {', '.join(test.name for test in left[:5])}.",
            remedy=f'Run `dbt test --select "{left[0].name}"` to see why; nothing above was built.',
        )


def failed_nodes(results: Sequence[NodeResult]) -> tuple[NodeResult, ...]:
    """Models that were not built and tests that did not pass."""
    return tuple(result for result in results if result.status not in _GOOD)


def build_family(
    conn: Connection, context: Context, family: str, inputs: Mapping[str, Any]
) -> BuiltFamily:
    """Build a family into its candidate schema and make it an attached generation.

    Raises HeldBack where a model cannot be built or the candidate is not what its contract says.
    """
    analysed = run_models(conn, context, family)
    failpoints.hit("publish.candidate")
    contracts = context.family_models(family)
    require_tables(conn, family, contracts)
    require_contract(conn, family, contracts)
    return generation.make_generation(
        conn,
        family,
        contracts,
        code_sha256=context.graph(family).code_sha256,
        inputs=inputs,
        connect=context.warehouse.connect,
        analysed=analysed,
    )


def run_models(conn: Connection, context: Context, family: str) -> frozenset[str]:
    """Let dbt build the family's models into an empty candidate schema; HeldBack if it cannot.

    Returns the tables that were analysed meanwhile. Raises PublishBlocked where only locks of
    others are to blame.
    """
    graph = context.graph(family)
    if not graph.models:
        raise HeldBack(
            f"The family {family} has contracts and no dbt model.",
            remedy=f"Add models under models/query/{family}/.",
        )
    others.refuse(conn, family, graph.models)
    candidate.clear(conn, family)
    failpoints.hit("publish.cleared")
    beside = AnalysedBeside(context.warehouse.connect, candidate_schema(family))
    try:
        with beside:
            results = context.dbt.run("run", list(graph.models.values()), built=beside.built)
    except BuildFailed as failure:
        raise HeldBack(str(failure)) from None
    failed = failed_nodes(results)
    if failed:
        refuse_blocked(failed)
        told = "; ".join(f"{node.name}: {node.said or node.status}" for node in failed[:5])
        raise HeldBack(
            f"dbt could not build {len(failed)} of {len(results)} models of {family}: {told}.",
            remedy=f"Run `dbt run --select {failed[0].name}` to see the server's own words.",
        )
    return frozenset(beside.done)

"""Which families are published together, and in which order.

Families whose references form a cycle are judged and promoted together; the others follow the
families they refer to, so that an owner's new keys are served before anybody refers to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tidegate.contracts.model import ModelContract, Project
from tidegate.errors import NothingJudged, UsageError


def family_references(
    models: Mapping[str, ModelContract], model_refs: Iterable[tuple[str, str]] = ()
) -> set[tuple[str, str]]:
    """Pairs (family, family it refers to), by declared references and by dbt's `ref`.

    `model_refs` are pairs (model, model it selects from). Deferred references do not count: their
    owner need not exist.
    """
    declared = (
        (model.name, reference.to)
        for model in models.values()
        for reference in model.keys.references
        if not reference.deferred
    )
    pairs = set()
    for consumer, owner in (*declared, *model_refs):
        if consumer in models and owner in models:
            families = (models[consumer].family, models[owner].family)
            if families[0] != families[1]:
                pairs.add(families)
    return pairs


def publication_groups(
    families: Iterable[str], references: Iterable[tuple[str, str]]
) -> tuple[tuple[str, ...], ...]:
    """Families grouped by reference cycles, owners first; ties in alphabetical order."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(families)
    graph.add_edges_from((owner, consumer) for consumer, owner in references)
    condensed = nx.condensation(graph)
    members = {node: tuple(sorted(condensed.nodes[node]["members"])) for node in condensed}
    order = nx.lexicographical_topological_sort(condensed, key=lambda node: members[node])
    return tuple(members[node] for node in order)


def require_known(project: Project, families: Iterable[str]) -> None:
    """Refuse a project that promises readers nothing, and a name that no contract has.

    Raises NothingJudged, or a UsageError that lists the families.
    """
    known = project.families
    if not known:
        raise NothingJudged(
            "No contract of a `q_*` model is there, so there is nothing to publish.",
            remedy="`tidegate contract init schema.table --family name` writes a first one.",
        )
    for family in families:
        if family not in known:
            raise UsageError(
                f"There is no family {family}.", remedy=f"Families: {', '.join(known)}."
            )


def generations_kept(project: Project) -> dict[str, int]:
    """How many published generations each family keeps besides the served one, where declared."""
    kept: dict[str, int] = {}
    for model in project.models.values():
        declared = model.keys.retention.generations
        if declared is not None:
            kept[model.family] = max(declared, kept.get(model.family, 0))
    return kept

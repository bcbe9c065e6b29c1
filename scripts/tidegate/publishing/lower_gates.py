"""Which gates of the layers below have to be judged with a family, and what is built for them.

A gate below may read more than the family is built from: the quarantine beside a staged table, say.
What it reads is built along, for the run in which the gate judges; it is no input of the family.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from tidegate.publishing.graph import FamilyGraph, nodes_below
from tidegate.publishing.nodes import is_test, judged_family, parents, tests_on


def gates_below(manifest: Any, graph: FamilyGraph) -> tuple[Any, ...]:
    """The tests that judge what the family is built from, blocking or not.

    A test is about what it is on; one that is on no model is about all that it reads.
    """
    below = {*graph.lower, *graph.sources}
    return tuple(
        test
        for test in tests_on(manifest, below)
        if judged_family(manifest, test) is None
        and (getattr(test, "attached_node", None) or None) in (None, *below)
    )


def needed_below(manifest: Any, graph: FamilyGraph) -> tuple[set[str], set[str]]:
    """Models and sources below the family and below the gates that judge them, as unique ids."""
    lower, sources, _ = nodes_below(manifest, gates_below(manifest, graph))
    return {*graph.lower, *lower}, {*graph.sources, *sources}


def not_judged(manifest: Any, graph: FamilyGraph, judged: Collection[str]) -> tuple[Any, ...]:
    """The blocking gates below the family that are not among those that ran (unique ids)."""
    return tuple(
        test
        for test in gates_below(manifest, graph)
        if str(test.config.severity).lower() == "error" and test.unique_id not in judged
    )


def blocked_by(manifest: Any, graph: FamilyGraph, failed: Iterable[str]) -> tuple[str, ...]:
    """Which failed nodes (tests or models below) the family is built from, as unique ids."""
    below = {*graph.lower, *graph.sources}
    found = []
    for unique_id in failed:
        node = manifest.nodes.get(unique_id)
        read = set(parents(node)) if node is not None else set()
        if unique_id in below or (is_test(node) and read & below):
            found.append(unique_id)
    return tuple(sorted(found))


def ready_tests(manifest: Any, new: Collection[str], built: Collection[str]) -> set[str]:
    """Tests that read something new, and no model that is not built, by unique id.

    A test may read sources that nothing is built from, and models that were built for another
    family: dbt's own selection of what was just built would leave it out, and it would never run.
    """
    return {
        node.unique_id
        for node in tests_on(manifest, set(new))
        if all(parent in built or parent in manifest.sources for parent in parents(node))
    }

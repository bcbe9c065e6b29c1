"""What the graph of families needs to know of one node of dbt's manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tidegate.gates.calls_layers import DELIVERY_GATES


def family_of(node: Any) -> str | None:
    """The family that a node's contract names under `config.meta.tidegate`."""
    meta = dict(getattr(node.config, "meta", None) or {})
    keys = meta.get("tidegate") or {}
    family = keys.get("family") if isinstance(keys, Mapping) else None
    return str(family) if family else None


def judged_family(manifest: Any, test: Any) -> str | None:
    """The family that a test judges: of the model it is on, else the one that it names or reads.

    None where it is about a layer below, or names none of several or one that it does not read.
    """
    attached = getattr(test, "attached_node", None)
    if attached:
        return family_of(manifest.nodes[attached]) if attached in manifest.nodes else None
    read = {family for family in map(family_of, parent_nodes(manifest, test)) if family}
    declared = family_of(test)
    if declared:
        return declared if declared in read else None
    return read.pop() if len(read) == 1 else None


def judged_dataset(test: Any) -> str | None:
    """The dataset whose deliveries a test judges by what the ledger says of them, if it does."""
    metadata = getattr(test, "test_metadata", None)
    if metadata is None or metadata.name not in DELIVERY_GATES:
        return None
    judged = getattr(test, "attached_node", None) or next(iter(parents(test)), "")
    return str(metadata.kwargs.get("dataset") or judged.rpartition(".")[2])


def models(manifest: Any) -> list[Any]:
    """Every model of the project and its packages."""
    return [node for node in manifest.nodes.values() if node.resource_type == "model"]


def parents(node: Any) -> list[str]:
    """Unique ids of what a node reads; a seed reads nothing, and dbt gives it no list."""
    return list(getattr(node.depends_on, "nodes", ()))


def parent_nodes(manifest: Any, node: Any) -> list[Any]:
    """What a node reads, without the sources."""
    return [manifest.nodes[key] for key in parents(node) if key in manifest.nodes]


def is_test(node: Any) -> bool:
    """Whether a node is a data test."""
    return bool(node.resource_type == "test")


def tests_on(manifest: Any, unique_ids: set[str]) -> list[Any]:
    """The tests that read one of these, by unique id."""
    return sorted(
        (
            node
            for node in manifest.nodes.values()
            if is_test(node) and unique_ids & set(parents(node))
        ),
        key=lambda node: node.unique_id,
    )

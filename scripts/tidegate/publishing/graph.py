"""What dbt's manifest says about families: models, what they are built from, a hash of it all.

Pure functions over the manifest, of which only nodes, sources and macros are used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FamilyGraph:
    """One family in dbt's graph.

    `models` are dbt names of its models, `lower` unique ids of the models below that they are
    built from and of those that its gates read, `sources` unique ids of the sources it is built
    from, `owners` families whose models they select from.
    """

    family: str
    models: tuple[str, ...]
    lower: tuple[str, ...]
    sources: tuple[str, ...]
    owners: tuple[str, ...]
    code_sha256: str


def family_of(node: Any) -> str | None:
    """The family that a node's contract names under `config.meta.tidegate`."""
    meta = dict(getattr(node.config, "meta", None) or {})
    keys = meta.get("tidegate") or {}
    family = keys.get("family") if isinstance(keys, Mapping) else None
    return str(family) if family else None


def model_refs(manifest: Any) -> list[tuple[str, str]]:
    """Pairs (model, model it selects from) between models that have a family."""
    pairs = []
    for node in _models(manifest):
        for parent_id in node.depends_on.nodes:
            parent = manifest.nodes.get(parent_id)
            if parent is not None and family_of(node) and family_of(parent):
                pairs.append((node.name, parent.name))
    return pairs


def family_graph(manifest: Any, family: str, contracts: Mapping[str, str]) -> FamilyGraph:
    """Walk from the family's models down to sources, stopping at models of other families.

    `contracts` are contract hashes by model name; they are part of the code's hash. What only its
    gates read has to be there when they judge, but makes no candidate of other contents.
    """
    own = sorted((n for n in _models(manifest) if family_of(n) == family), key=lambda n: n.name)
    lower, sources, families = _below(manifest, own)
    read, _, _ = _below(manifest, _tests_on(manifest, {node.unique_id for node in own}))
    below = {**read, **lower}
    parts = [*own, *(below[key] for key in sorted(below))]
    tests = _tests_on(manifest, {node.unique_id for node in parts} | set(sources))
    return FamilyGraph(
        family=family,
        models=tuple(node.name for node in own),
        lower=tuple(sorted(below)),
        sources=tuple(sorted(sources)),
        owners=tuple(sorted(families - {family})),
        code_sha256=_hash(manifest, parts, tests, contracts),
    )


def _below(manifest: Any, starts: Iterable[Any]) -> tuple[dict[str, Any], dict[str, Any], set[str]]:
    """Models without a family and sources below these nodes; the families they stop at."""
    lower: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    families: set[str] = set()
    waiting = [parent for node in starts for parent in node.depends_on.nodes]
    while waiting:
        unique_id = waiting.pop()
        if unique_id in sources or unique_id in lower:
            continue
        if unique_id in manifest.sources:
            sources[unique_id] = manifest.sources[unique_id]
            continue
        node = manifest.nodes.get(unique_id)
        if node is None:
            continue
        family = family_of(node)
        if family:
            families.add(family)
            continue
        lower[unique_id] = node
        waiting.extend(node.depends_on.nodes)
    return lower, sources, families


def blocked_by(manifest: Any, graph: FamilyGraph, failed: Iterable[str]) -> tuple[str, ...]:
    """Which failed nodes (tests or models below) the family is built from, as unique ids."""
    below = {*graph.lower, *graph.sources}
    found = []
    for unique_id in failed:
        node = manifest.nodes.get(unique_id)
        parents = set(node.depends_on.nodes) if node is not None else set()
        if unique_id in below or (node.resource_type == "test" and parents & below):
            found.append(unique_id)
    return tuple(sorted(found))


def ready_tests(manifest: Any, new: Collection[str], built: Collection[str]) -> dict[str, str]:
    """Tests that read something new, and no model that is not built: names by unique id.

    A test may read sources that nothing is built from, and models that were built for another
    family: dbt's own selection of what was just built would leave it out, and it would never run.
    """
    return {
        node.unique_id: node.name
        for node in _tests_on(manifest, set(new))
        if all(parent in built or parent in manifest.sources for parent in node.depends_on.nodes)
    }


def _models(manifest: Any) -> list[Any]:
    return [node for node in manifest.nodes.values() if node.resource_type == "model"]


def _tests_on(manifest: Any, unique_ids: set[str]) -> list[Any]:
    return sorted(
        (
            node
            for node in manifest.nodes.values()
            if node.resource_type == "test" and unique_ids & set(node.depends_on.nodes)
        ),
        key=lambda node: node.unique_id,
    )


def _hash(manifest: Any, nodes: list[Any], tests: list[Any], contracts: Mapping[str, str]) -> str:
    """SHA-256 over code, configuration, macros and contracts, whatever their order in files."""
    digest = hashlib.sha256()
    macros: set[str] = set()
    for node in [*nodes, *tests]:
        waiting = list(node.depends_on.macros)
        while waiting:
            name = waiting.pop()
            if name not in macros and name in manifest.macros:
                macros.add(name)
                waiting.extend(manifest.macros[name].depends_on.macros)
        config = node.config.to_dict()
        part = [node.unique_id, node.raw_code, config, contracts.get(node.name, "")]
        if node.resource_type == "seed":
            part.append(node.checksum.checksum)  # its rows are in a file, not in its code
        digest.update(json.dumps(part, sort_keys=True, default=str).encode())
    for name in sorted(macros):
        digest.update(f"{name}\n{manifest.macros[name].macro_sql}\n".encode())
    return digest.hexdigest()

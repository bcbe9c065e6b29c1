"""What dbt's manifest says about families: models, what they are built from, a hash of it all.

Pure functions over the manifest, of which only nodes, sources and macros are used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tidegate.errors import ContractError, Problem
from tidegate.publishing.nodes import (
    family_of,
    is_test,
    judged_dataset,
    judged_family,
    models,
    parent_nodes,
    parents,
    tests_on,
)


@dataclass(frozen=True)
class FamilyGraph:
    """One family in dbt's graph.

    `models` are the unique ids of its models by name; `lower` and `sources` those of the models and
    sources below that its models are built from or that its checks compare them with; `owners` are
    the families whose models either of them reads. `deliveries` are the datasets whose deliveries a
    check of the family or below it judges, accepted or not.
    """

    family: str
    models: Mapping[str, str]
    lower: tuple[str, ...]
    sources: tuple[str, ...]
    owners: tuple[str, ...]
    code_sha256: str
    deliveries: tuple[str, ...] = ()


def model_refs(manifest: Any) -> list[tuple[str, str]]:
    """Pairs (model, model that it or a check on it reads) between models that have a family.

    A check reads of another family what is served, so that family has to be published before.
    """
    pairs: list[tuple[str, str]] = []
    for node in manifest.nodes.values():
        read = [parent for parent in parent_nodes(manifest, node) if family_of(parent)]
        family = judged_family(manifest, node) if is_test(node) else family_of(node)
        for reader in _readers(node, read, family):
            pairs.extend((reader.name, parent.name) for parent in read)
    return pairs


def _readers(node: Any, read: Iterable[Any], family: str | None) -> list[Any]:
    """The models on whose behalf a node reads: a model its own, a test those that it judges."""
    if not family:
        return []
    if is_test(node):
        return [parent for parent in read if family_of(parent) == family]
    return [node] if node.resource_type == "model" else []


def family_graphs(
    manifest: Any, contracts: Mapping[str, Mapping[str, str]], code_findings: str = ""
) -> dict[str, FamilyGraph]:
    """Each family with what is below its models and below the checks on them.

    `contracts` are contract hashes by family and model; they and what the gates that read code find
    are part of the code's hash. What a check only compares with is an input like any other: when
    it changes, the verdict may change. Raises ContractError for a check that nothing would judge.
    """
    tests = [node for node in manifest.nodes.values() if is_test(node)]
    judged = {test.unique_id: judged_family(manifest, test) for test in tests}
    below = [test for test in tests if judged[test.unique_id] is None]
    problems = [problem for test in below if (problem := _misplaced(manifest, test))]
    if problems:
        raise ContractError(problems)
    starts = {
        family: [
            *sorted(
                (node for node in models(manifest) if family_of(node) == family),
                key=lambda node: node.name,
            ),
            *(test for test in tests if judged[test.unique_id] == family),
        ]
        for family in contracts
    }
    _share(manifest, starts, below)
    return {
        family: _graph(manifest, family, starts[family], judged, hashes, code_findings)
        for family, hashes in contracts.items()
    }


def _misplaced(manifest: Any, test: Any) -> Problem | None:
    """A test that judges no family and reads one: no run has both when it would judge."""
    read = [node for node in parent_nodes(manifest, test) if family_of(node)]
    if not read:
        return None
    file = str(test.original_file_path)
    if not getattr(test, "attached_node", None):
        names = ", ".join(sorted({str(family_of(node)) for node in read}))
        said = f"reads models of {names}, and does not say which of these families it judges."
        return Problem(
            file,
            0,
            test.name,
            said,
            "Set `config.meta.tidegate.family` of the test to one of them.",
        )
    return Problem(
        file,
        0,
        test.name,
        f"judges a layer below, and reads {read[0].name} of the family {family_of(read[0])}.",
        f"Put it on {read[0].name}, let it read a model below, or write a test of its own that says"
        " which family it judges.",
    )


def _share(manifest: Any, starts: Mapping[str, list[Any]], tests: list[Any]) -> None:
    """Give a test of the layers below to every family that it concerns, if none has all it reads.

    Else no run would have both sides of it, unless both families happened to be built.
    """
    known = -1
    while known != (known := sum(map(len, starts.values()))):
        below = {family: _ids_below(manifest, nodes) for family, nodes in starts.items()}
        for test in tests:
            read = set(parents(test))
            if not any(read <= found for found in below.values()):
                for family, found in below.items():
                    if read & found:
                        starts[family].append(test)


def _ids_below(manifest: Any, nodes: Iterable[Any]) -> set[str]:
    lower, sources, _ = nodes_below(manifest, nodes)
    return {*lower, *sources}


def _graph(
    manifest: Any,
    family: str,
    starts: list[Any],
    judged: Mapping[str, str | None],
    hashes: Mapping[str, str],
    code_findings: str,
) -> FamilyGraph:
    lower, sources, families = nodes_below(manifest, starts)
    own = [node for node in starts if not is_test(node)]
    parts = [*own, *(lower[key] for key in sorted(lower))]
    tests = [
        test
        for test in tests_on(manifest, {node.unique_id for node in parts} | set(sources))
        if judged[test.unique_id] in (None, family)
    ]
    return FamilyGraph(
        family=family,
        models={node.name: node.unique_id for node in own},
        lower=tuple(sorted(lower)),
        sources=tuple(sorted(sources)),
        owners=tuple(sorted(families - {family})),
        code_sha256=_hash(
            manifest,
            [*parts, *tests],
            hashes,
            code_findings,
        ),
        deliveries=tuple(sorted({name for test in tests if (name := judged_dataset(test))})),
    )


def nodes_below(
    manifest: Any, starts: Iterable[Any]
) -> tuple[dict[str, Any], dict[str, Any], set[str]]:
    """Models without a family and sources below these nodes; the families they stop at."""
    lower: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    families: set[str] = set()
    waiting = [parent for node in starts for parent in parents(node)]
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
        waiting.extend(parents(node))
    return lower, sources, families


def _hash(manifest: Any, nodes: list[Any], contracts: Mapping[str, str], code_findings: str) -> str:
    """SHA-256 over code, configuration, macros and contracts, whatever their order in files."""
    digest = hashlib.sha256(code_findings.encode())
    # All of them: a contract whose model is missing promises something too.
    digest.update(json.dumps(sorted(contracts.items())).encode())
    macros: set[str] = set()
    for node in nodes:
        waiting = list(node.depends_on.macros)
        while waiting:
            name = waiting.pop()
            if name not in macros and name in manifest.macros:
                macros.add(name)
                waiting.extend(manifest.macros[name].depends_on.macros)
        config = node.config.to_dict()
        part = [node.unique_id, node.raw_code, config]
        if node.resource_type == "seed":
            part.append(node.checksum.checksum)  # its rows are in a file, not in its code
        digest.update(json.dumps(part, sort_keys=True, default=str).encode())
    for name in sorted(macros):
        digest.update(f"{name}\n{manifest.macros[name].macro_sql}\n".encode())
    return digest.hexdigest()

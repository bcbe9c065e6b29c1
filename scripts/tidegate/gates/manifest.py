"""dbt's manifest as far as gates need it: contracted models and the tests on them, as plain dicts.

Takes dbt's in-memory `Manifest` as well as a parsed `manifest.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from pydantic import ValidationError

from tidegate.contracts.keys import ModelColumnKeys, ModelKeys, Sensitivity
from tidegate.errors import Problem
from tidegate.gates.model import Column, Model, Related

Node = Mapping[str, Any]


class InMemory(Protocol):
    """What is used of `dbt.contracts.graph.manifest.Manifest`."""

    nodes: Mapping[str, Any]
    sources: Mapping[str, Any]
    disabled: Mapping[str, Any]


Manifest = InMemory | Mapping[str, Any]


def nodes(manifest: Manifest, kind: str) -> Iterator[Node]:
    """All nodes of one resource type."""
    found = manifest["nodes"] if isinstance(manifest, Mapping) else manifest.nodes
    return _of_kind(found.values(), kind)


def tests(manifest: Manifest) -> Iterator[tuple[Node, bool]]:
    """All data tests, and whether dbt drops them although nobody asked for it.

    dbt disables a test whose `ref` finds nothing, with a warning; it may stay among the nodes or
    move to the disabled ones.
    """
    for node in nodes(manifest, "test"):
        yield node, not (node.get("config") or {}).get("enabled", True)
    found = manifest.get("disabled") if isinstance(manifest, Mapping) else manifest.disabled
    for group in (found or {}).values():
        for node in _of_kind(group, "test"):
            if (node.get("unrendered_config") or {}).get("enabled", True) is not False:
                yield node, True


def _of_kind(found: Iterable[Any], kind: str) -> Iterator[Node]:
    for node in found:
        if isinstance(node, Mapping):
            if node.get("resource_type") == kind:
                yield node
        elif str(node.resource_type) == kind:
            yield node.to_dict(omit_none=True)


@dataclass(frozen=True)
class Models:
    """Contracted models by dbt's id and by name; problems of contracts that cannot be read."""

    by_id: Mapping[str, Model]
    by_name: Mapping[str, Model]
    problems: Mapping[str, tuple[Problem, ...]]
    """By family."""

    def of(self, family: str) -> tuple[Model, ...]:
        """The models of a family, by name."""
        found = (model for model in self.by_id.values() if model.keys.family == family)
        return tuple(sorted(found, key=lambda model: model.name))


def read_models(manifest: Manifest) -> Models:
    """Read every model that has keys of Tidegate and a family."""
    by_id: dict[str, Model] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    for node in nodes(manifest, "model"):
        keys = _meta(node)
        family = keys.get("family")
        if not isinstance(family, str):
            continue
        try:
            by_id[node["unique_id"]] = _model(node, keys)
        except ValidationError as error:
            found = tuple(
                Problem(contract_path(node), 0, ".".join(map(str, item["loc"])), item["msg"] + ".")
                for item in error.errors(include_input=False, include_url=False)
            )
            problems[family] = (*problems.get(family, ()), *found)
    return Models(by_id, {model.name: model for model in by_id.values()}, problems)


def relations(manifest: Manifest) -> dict[str, Related]:
    """Every model by its name and every source table as `source.table`, with where dbt puts it."""
    sources = manifest.get("sources") if isinstance(manifest, Mapping) else manifest.sources
    listed = [
        *((node["name"], node, node.get("alias")) for node in nodes(manifest, "model")),
        *(
            (f"{node['source_name']}.{node['name']}", node, node.get("identifier"))
            for node in _of_kind((sources or {}).values(), "source")
        ),
    ]
    return {
        name: Related(
            name=name,
            schema=node["schema"],
            relation=relation or node["name"],
            public=public_columns(node),
            in_family=declared_family(node) is not None,
        )
        for name, node, relation in listed
    }


class Reading:
    """A manifest, each part of it read once, at first need.

    A node in memory is made into a dictionary whenever it is asked for, which takes longer than all
    else here; families that are looked at one after the other ask for the same nodes. What dbt adds
    to a node when it runs, such as compiled SQL, may not be seen here.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest

    @cached_property
    def models(self) -> Models:
        """See `read_models`."""
        return read_models(self._manifest)

    @cached_property
    def tests(self) -> tuple[tuple[Node, bool], ...]:
        """See `tests`."""
        return tuple(tests(self._manifest))

    @cached_property
    def relations(self) -> Mapping[str, Related]:
        """See `relations`."""
        return relations(self._manifest)


def public_columns(node: Node) -> frozenset[str]:
    """Columns of any node, with a contract or without one, that are declared public."""
    return frozenset(
        name
        for name, column in (node.get("columns") or {}).items()
        if _meta(column).get("sensitivity") == Sensitivity.PUBLIC.value
    )


def contract_path(node: Node) -> str:
    """The file of a node's contract, relative to the project."""
    patch = str(node.get("patch_path") or "")
    return patch.partition("://")[2] or str(node.get("original_file_path") or "")


def declared_family(node: Node) -> str | None:
    """The family a node says it belongs to."""
    family = _meta(node).get("family")
    return family if isinstance(family, str) else None


def _meta(node: Node) -> Mapping[str, Any]:
    meta = (node.get("config") or {}).get("meta") or {}
    keys = meta.get("tidegate")
    return keys if isinstance(keys, Mapping) else {}


def _model(node: Node, keys: Mapping[str, Any]) -> Model:
    key_columns = {
        name
        for constraint in node.get("constraints") or ()
        if constraint.get("type") == "primary_key"
        for name in constraint.get("columns") or ()
    }
    return Model(
        name=node["name"],
        keys=ModelKeys.model_validate(keys),
        columns=tuple(
            _column(column, column["name"] in key_columns)
            for column in (node.get("columns") or {}).values()
        ),
        candidate=(node["schema"], node.get("alias") or node["name"]),
        unique_id=node["unique_id"],
        path=contract_path(node),
        is_view=(node.get("config") or {}).get("materialized") == "view",
    )


def _column(column: Mapping[str, Any], is_key: bool) -> Column:
    keys = ModelColumnKeys.model_validate(_meta(column))
    not_null = any(
        constraint.get("type") in ("not_null", "primary_key")
        for constraint in column.get("constraints") or ()
    )
    return Column(
        name=column["name"],
        data_type=column.get("data_type") or "",
        nullable=not (not_null or is_key),
        sensitivity=keys.sensitivity,
        enum=keys.enum,
    )

"""How each gate's macro is called for one spec: arguments from the contract, relations as found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tidegate.contracts.keys import ProvenancePolicy, Reference
from tidegate.gates.model import GateSpec
from tidegate.gates.relations import Relation, Relations
from tidegate.gates.retarget import Unreadable
from tidegate.macros import render
from tidegate.names import provenance_model

OVERLAYS = "int_curation_overlays"
"""The model of every overlay with whether it is in force; only a project with curation has it."""
_LINK = {"fact", "kind", "subject", "slice", "rows"}
_CLAIMED = {"claim_id", "attempt_id", "source_authority_tier"}


@dataclass(frozen=True)
class Call:
    """One gate, rendered.

    `violations` is the gate's select; `checked` is SQL of one scalar, how many rows it looks at;
    `assets` are the models that are read, the judged one first.
    """

    violations: str
    checked: str
    assets: tuple[str, ...]


def referential_integrity(spec: GateSpec, relations: Relations) -> Call:
    """Keys of other models exist there."""
    relation = relations.require(spec.model.name)
    references = _references(spec)
    return Call(
        render(
            "referential_integrity",
            relation.sql,
            spec.model.name,
            _row_key(spec),
            [_reference(spec, item, relations) for item in references],
            where=spec.where,
            when_empty=_when_empty(spec),
        ),
        render("row_count", relation.sql, spec.where),
        _assets(spec, *(item.to for item in references)),
    )


def schema_contract(spec: GateSpec, relations: Relations) -> Call:
    """The relation is what its contract says; checked are the columns of the contract."""
    relation = relations.require(spec.model.name)
    columns = spec.model.columns
    scanned = [
        column.name
        for column in columns
        if relation.is_view and not column.nullable and column.name in relation.columns
    ]
    return Call(
        render(
            "schema_contract",
            relation.sql,
            spec.model.name,
            [
                {"name": item.name, "data_type": item.data_type, "nullable": item.nullable}
                for item in columns
            ],
            scanned,
            [
                {"name": item.name, "array": item.is_array, "values": list(item.enum)}
                for item in columns
                if item.enum is not None
                and item.name in relation.columns
                and item.is_array == (item.name in relation.arrays)
            ],
        ),
        render("number", len(columns)),
        _assets(spec),
    )


def provenance_coverage(spec: GateSpec, relations: Relations) -> Call:
    """Rows and facts have receipts in the family's provenance."""
    relation = relations.require(spec.model.name)
    keys = spec.model.keys.provenance
    policy = ProvenancePolicy(spec.arguments.get("policy") or keys.policy)
    facts = spec.arguments.get("facts")
    receipts = provenance_model(spec.family)
    provenance = relations.find(receipts)
    return Call(
        render(
            "provenance_coverage",
            relation.sql,
            spec.model.name,
            _row_key(spec),
            policy.value,
            list(keys.facts if facts is None else facts),
            provenance.sql if provenance else None,
            bundled="provenance_bundle_key" in relation.columns,
            where=spec.where,
            when_empty=_when_empty(spec),
            curated=_curated(spec, relations, provenance),
            told=provenance is not None and "role" in provenance.columns,
            claimed=provenance is not None and provenance.columns.issuperset(_CLAIMED),
        ),
        render("row_count", relation.sql, spec.where),
        _assets(spec, receipts),
    )


def _curated(
    spec: GateSpec, relations: Relations, provenance: Relation | None
) -> dict[str, Any] | None:
    """What `curated_coverage` takes; None where the project has no overlays of curators."""
    links = spec.arguments.get("links") or []
    if not isinstance(links, list) or not all(_is_link(link) for link in links):
        raise Unreadable("`links` of provenance_coverage are not mappings of fact, kind, subject")
    related = spec.related.get(OVERLAYS)
    overlays = relations.find_related(related) if related else None
    if overlays is None or provenance is None:
        return None
    return {
        "overlays": overlays.sql,
        "named": "curation_overlay_key" in provenance.columns,
        "links": [{**link, **_read_from(spec, relations, link)} for link in links],
    }


def _read_from(spec: GateSpec, relations: Relations, link: Mapping[str, Any]) -> dict[str, str]:
    """The relation that a link's rows were read from, as SQL, where the contract names one."""
    name = link.get("rows")
    if name is None:
        return {}
    found = relations.find_named(name, spec.related)
    if found is None:
        raise LookupError(name)
    return {"rows": found.sql}


def _is_link(link: object) -> bool:
    return isinstance(link, dict) and {"fact", "kind", "subject"} <= set(link) <= _LINK


def catalog_contract_coverage(spec: GateSpec, relations: Relations) -> Call:
    """Physical columns beside the catalogue have rows in it; checked are those columns."""
    catalog = relations.require(spec.model.name)
    return Call(
        render("catalog_contract_coverage", catalog.schema, catalog.sql, spec.model.name),
        render("physical_column_count", catalog.schema),
        _assets(spec),
    )


def _when_empty(spec: GateSpec) -> str:
    return "ignore" if spec.model.keys.may_be_empty else "block"


def _row_key(spec: GateSpec) -> list[str]:
    return list(spec.row_key)


def _assets(spec: GateSpec, *others: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((spec.model.name, *others)))


def _references(spec: GateSpec) -> tuple[Reference, ...]:
    given = spec.arguments.get("references")
    if given is None:
        return spec.model.keys.references
    return tuple(Reference.model_validate(item) for item in given)


def _reference(spec: GateSpec, reference: Reference, relations: Relations) -> dict[str, Any]:
    found = relations.find_named(reference.to, spec.related)
    owner = spec.models.get(reference.to)
    columns = reference.to_columns or (owner.keys.row_key if owner else ())
    usable = found is not None and len(columns) == len(reference.columns)
    return {
        "columns": list(reference.columns),
        "owner": reference.to,
        "owner_relation": found.sql if found and usable else None,
        "owner_columns": list(columns),
        "array": reference.array,
        "expected": reference.expected,
        "deferred": reference.deferred,
        "owner_state": found is not None and "publication_state" in found.columns,
    }

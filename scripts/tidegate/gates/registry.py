"""The gates: where each applies, what it does by default, how its macro is called.

A gate is one macro file in `macros/gates/` and one entry here; docs/gates.md has one section each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tidegate.contracts.keys import Reference
from tidegate.gates.model import GateSpec, Model, Resolve, Severity
from tidegate.macros import render


@dataclass(frozen=True)
class Call:
    """One gate, rendered: its violations, how many rows it looks at, what it needs to exist.

    `checked` is SQL of one scalar; `assets` are the models that were involved.
    """

    violations: str
    checked: str
    assets: tuple[str, ...]


@dataclass(frozen=True)
class Gate:
    """One entry of the acceptance matrix (contracts seed)."""

    gate_id: str
    applies_to: str
    severity: Severity
    demands: str
    remedy: str
    call: Callable[[GateSpec, Resolve], Call]


def relation_sql(name: tuple[str, str]) -> str:
    """A relation as SQL, both parts quoted."""
    return ".".join(render("identifier", part) for part in name)


def required(spec: GateSpec, resolve: Resolve) -> str:
    """The judged relation as SQL; raise LookupError where the model has none."""
    name = resolve(spec.model.name)
    if name is None:
        raise LookupError(spec.model.name)
    return relation_sql(name)


def when_empty(spec: GateSpec) -> str:
    """What an empty relation means to this gate."""
    return "ignore" if spec.model.keys.may_be_empty else "block"


def row_key(spec: GateSpec) -> list[str]:
    """The key columns: the contract's, unless the gate's entry names others."""
    return list(spec.arguments.get("row_key") or spec.model.keys.row_key)


def row_count(relation: str, where: str | None) -> str:
    """SQL that counts the rows a gate looks at."""
    return render("row_count", relation, where)


def _references(spec: GateSpec) -> tuple[Reference, ...]:
    given = spec.arguments.get("references")
    if given is None:
        return spec.model.keys.references
    return tuple(Reference.model_validate(item) for item in given)


def _reference(
    reference: Reference, models: Mapping[str, Model], resolve: Resolve
) -> dict[str, Any]:
    owner = models.get(reference.to)
    name = None if reference.deferred and owner is None else resolve(reference.to)
    columns = reference.to_columns or (owner.keys.row_key if owner else ())
    usable = name is not None and len(columns) == len(reference.columns)
    return {
        "columns": list(reference.columns),
        "owner": reference.to,
        "owner_relation": relation_sql(name) if name and usable else None,
        "owner_columns": list(columns),
        "array": reference.array,
        "expected": reference.expected,
        "deferred": reference.deferred,
        "owner_state": owner is not None and owner.has("publication_state"),
    }


def _referential_integrity(spec: GateSpec, resolve: Resolve) -> Call:
    relation = required(spec, resolve)
    references = _references(spec)
    return Call(
        violations=render(
            "referential_integrity",
            relation,
            spec.model.name,
            row_key(spec),
            [_reference(item, spec.models, resolve) for item in references],
            where=spec.where,
            when_empty=when_empty(spec),
        ),
        checked=row_count(relation, spec.where),
        assets=tuple(dict.fromkeys((spec.model.name, *(item.to for item in references)))),
    )


GATES: Mapping[str, Gate] = MappingProxyType(
    {
        gate.gate_id: gate
        for gate in (
            Gate(
                "referential_integrity",
                "q_* models that carry keys of other models",
                Severity.BLOCKING,
                "Every key that is not null is a key of its owner model.",
                "Build the owner's missing rows, correct the key, or leave it null until it is "
                "resolved; an owner that does not exist yet is declared `deferred: true`.",
                _referential_integrity,
            ),
        )
    }
)
"""Every gate by its id, in the order of the acceptance matrix."""

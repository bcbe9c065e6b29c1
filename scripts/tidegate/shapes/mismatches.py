"""A contract against a live relation: the table of all mismatches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tidegate.contracts.identifiers import TECHNICAL
from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.contracts.reasons import ReasonCode
from tidegate.contracts.types import PgType
from tidegate.shapes.classify import classify
from tidegate.shapes.introspect import LiveRelation
from tidegate.shapes.model import Change, Field, Shape


class _Column(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> PgType: ...
    @property
    def nullable(self) -> bool: ...


class Contract(Protocol):
    """A contract of a model or a dataset: what this module needs of it."""

    @property
    def columns(self) -> Sequence[_Column]:
        """The promised columns, in order."""
        ...


@dataclass(frozen=True)
class Mismatch:
    """One way in which a relation is not what its contract says.

    `column` is "" and `kind` None where the whole relation is meant. `classification` is None where
    nothing is known (`introspection_incomplete`): such a relation has neither passed nor drifted.
    """

    column: str
    contract: str
    found: str
    kind: ChangeKind | None
    reason_code: ReasonCode
    classification: Classification | None
    hint: str = ""

    def document(self) -> dict[str, object]:
        """The mismatch as JSON."""
        return {
            "column": self.column or None,
            "contract": self.contract or None,
            "found": self.found or None,
            "kind": self.kind.value if self.kind else None,
            "reason_code": self.reason_code.value,
            "classification": self.classification.value if self.classification else None,
            "hint": self.hint or None,
        }


def contract_shape(contract: Contract) -> Shape:
    """The columns of a contract as a shape."""
    return Shape(
        tuple(Field(column.name, column.type, column.nullable) for column in contract.columns)
    )


def diff_relation(
    contract: Contract,
    live: LiveRelation,
    overrides: Mapping[ChangeKind, Classification] | None = None,
) -> tuple[Mismatch, ...]:
    """Every mismatch of a live relation and its contract; none means they agree.

    A missing relation and one that the role cannot see in full are one mismatch each, of the
    relation. Columns that Tidegate adds itself (`_generation`) are no mismatch.
    """
    whole = _relation_mismatch(contract, live)
    if whole:
        return (whole,)
    fields = tuple(field for field in live.shape.fields if field.name not in TECHNICAL)
    diff = classify(contract_shape(contract), replace(live.shape, fields=fields), overrides)
    return tuple(mismatch_of(change) for change in diff.changes)


def _relation_mismatch(contract: Contract, live: LiveRelation) -> Mismatch | None:
    promised = f"{len(contract.columns)} columns"
    missing = ReasonCode.RELATION_MISSING
    breaking = Classification.BREAKING
    if live.kind is None:
        hint = f"{live.qualified} does not exist; it has not been built, or is called otherwise."
        return Mismatch("", promised, "no relation", None, missing, breaking, hint)
    if live.hidden:
        found = f"{len(live.hidden)} of {len(live.shape.fields)} columns hidden"
        hint = (
            f"The role may not read {', '.join(live.hidden)} of {live.qualified}: "
            f"grant select on it to the role."
        )
        incomplete = ReasonCode.INTROSPECTION_INCOMPLETE
        return Mismatch("", promised, found, None, incomplete, None, hint)
    if not live.shape.fields:
        hint = f"{live.qualified} has no columns."
        return Mismatch("", promised, "no columns", None, missing, breaking, hint)
    return None


def mismatch_of(change: Change) -> Mismatch:
    """A change as a row of the table of mismatches: `contract` is the old side, `found` the new."""
    return Mismatch(
        column=change.field,
        contract=change.old,
        found=change.new,
        kind=change.kind,
        reason_code=change.reason_code,
        classification=change.classification,
        hint=change.hint,
    )

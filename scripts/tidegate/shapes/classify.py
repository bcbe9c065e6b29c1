"""The one classifier of schema changes: contract against live relation, contract or delivery.

Fields are compared by stable name; the comparison is always with the contract, never with what
came last, so a partner who reverts a change ends where the contract is (transitive). Kinds and
defaults are those of the policy seed ("Schema Classification"); a dataset or model overrides them
by kind. The highest classification is that of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.contracts.reasons import ReasonCode
from tidegate.contracts.types import LogicalType
from tidegate.shapes.model import SEVERITY, Change, Field, Origin, SchemaDiff, Shape
from tidegate.shapes.pairing import case_pairs, moved, possible_renames
from tidegate.shapes.relation import Step, relate, relate_logical
from tidegate.shapes.sensitive import looks_sensitive

LOW_CONFIDENCE = 0.95
"""Below this share of supporting values an observed type is not trusted."""

DEFAULTS: Mapping[ChangeKind, Classification] = {
    ChangeKind.FIELD_ADDED_NULLABLE: Classification.COMPATIBLE,
    ChangeKind.FIELD_ADDED_REQUIRED: Classification.WARNING,
    ChangeKind.FIELD_REMOVED: Classification.BREAKING,
    ChangeKind.TYPE_WIDENED: Classification.COMPATIBLE,
    ChangeKind.TYPE_CHANGED: Classification.BREAKING,
    ChangeKind.NULLABILITY_RELAXED: Classification.BREAKING,
    ChangeKind.NULLABILITY_TIGHTENED: Classification.COMPATIBLE,
    ChangeKind.FIELD_ORDER_CHANGED: Classification.WARNING,
}
"""The policy seed's table."""

LIVE_WARNINGS = frozenset(
    {
        ReasonCode.UNDOCUMENTED_COLUMN,
        ReasonCode.DOMAIN_OVER_BASE,
        ReasonCode.FRACTION_WIDENED,
    }
)
"""What is at least a warning on a live relation, unless its kind is overridden: nothing is lost,
and yet the contract does not say what is there."""


def classify(
    old: Shape, new: Shape, overrides: Mapping[ChangeKind, Classification] | None = None
) -> SchemaDiff:
    """Compare `new` with `old`, which is the contract; `overrides` is `schema_policy` of a policy.

    A new side without any field is `relation_missing`: unknown, not every field removed.
    """
    if not new.fields and old.fields:
        return SchemaDiff(unknown=ReasonCode.RELATION_MISSING)
    return SchemaDiff(tuple(_Comparison(old, new, overrides or {}).changes()))


@dataclass(frozen=True)
class _Comparison:
    old: Shape
    new: Shape
    overrides: Mapping[ChangeKind, Classification]
    cases: dict[str, str] = field(init=False)
    renames: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        old_names, new_names = self.old.by_name, self.new.by_name
        removed = [f for f in self.old.fields if f.name not in new_names]
        added = [f for f in self.new.fields if f.name not in old_names]
        cases = case_pairs(removed, added)
        object.__setattr__(self, "cases", cases)
        paired = set(cases.values())
        rest = [f for f in added if f.name not in paired]
        gone = [f for f in removed if f.name not in cases]
        object.__setattr__(self, "renames", possible_renames(gone, rest))

    def changes(self) -> Iterator[Change]:
        """In the contract's order, then what was added, then what moved."""
        new_names = self.new.by_name
        for old in self.old.fields:
            new = new_names.get(old.name)
            if new is None:
                yield self._removed(old)
            else:
                yield from self._type(old, new)
                yield from self._nullability(old, new)
        known = {*self.old.by_name, *self.cases.values()}
        renamed = {new: old for old, new in self.renames.items()}
        for new in self.new.fields:
            if new.name not in known:
                yield self._added(new, renamed.get(new.name))
        yield from self._order()

    def _change(
        self, kind: ChangeKind, reason: ReasonCode, old: Field | None, new: Field | None, hint: str
    ) -> Change:
        name = old.name if old else new.name if new else ""
        found = self.overrides.get(kind)
        if found is None:
            found = DEFAULTS[kind]
            if self.new.origin is Origin.LIVE and reason in LIVE_WARNINGS:
                found = max(found, Classification.WARNING, key=SEVERITY.__getitem__)
        return Change(
            kind=kind,
            field=name,
            reason_code=reason,
            classification=found,
            old=old.described if old else "",
            new=new.described if new else "",
            hint=hint,
            examples=new.examples if new else (),
        )

    def _removed(self, old: Field) -> Change:
        kind = ChangeKind.FIELD_REMOVED
        if old.name in self.cases:
            other = self.cases[old.name]
            new = self.new.by_name[other]
            hint = f"There is `{other}`: names are exact, upper and lower case included."
            return self._change(kind, ReasonCode.NAME_CASE_DIFFERS, old, new, hint)
        if old.name in self.renames:
            hint = f"`{self.renames[old.name]}` may be this column under another name."
            return self._change(kind, ReasonCode.POSSIBLE_RENAME, old, None, hint)
        return self._change(kind, ReasonCode.REMOVED, old, None, "")

    def _added(self, new: Field, renamed: str | None) -> Change:
        required = new.nullable is False
        kind = ChangeKind.FIELD_ADDED_REQUIRED if required else ChangeKind.FIELD_ADDED_NULLABLE
        hint = f"It may be `{renamed}` under another name." if renamed else ""
        return self._change(kind, self._added_reason(new, renamed is not None), None, new, hint)

    def _added_reason(self, new: Field, renamed: bool) -> ReasonCode:
        if renamed:
            return ReasonCode.POSSIBLE_RENAME
        if self.new.origin is Origin.LIVE:
            return ReasonCode.UNDOCUMENTED_COLUMN
        if looks_sensitive(new.name):
            return ReasonCode.SENSITIVE_LOOKING_ADDED
        if new.nullable is False:
            return ReasonCode.REQUIRED_ADDED
        if new.confidence is not None and new.confidence < LOW_CONFIDENCE:
            return ReasonCode.LOW_CONFIDENCE
        return ReasonCode.NULLABLE_ADDED

    def _type(self, old: Field, new: Field) -> Iterator[Change]:
        step = self._step(old, new)
        if step is None:
            return
        kind = ChangeKind.TYPE_WIDENED if step.widening else ChangeKind.TYPE_CHANGED
        yield self._change(kind, step.reason, old, new, self._type_hint(old, new, step))

    def _step(self, old: Field, new: Field) -> Step | None:
        if self.new.origin is Origin.OBSERVED:
            return _observed_step(old, new)
        if old.type is None or new.type is None:
            return relate_logical(old.logical, new.logical)
        if self.new.origin is Origin.DECLARED:
            return relate(old.type, new.type)
        step = relate(new.type, old.type)
        if step is None or new.base is None:
            return step
        return relate(new.base, old.type) or Step(True, ReasonCode.DOMAIN_OVER_BASE)

    def _type_hint(self, old: Field, new: Field, step: Step) -> str:
        lost = (ReasonCode.LENGTH_CHANGED, ReasonCode.PRECISION_LOSS)
        if self.new.origin is not Origin.LIVE or step.reason not in lost:
            return ""
        if old.type and new.type and old.type.modifiers and not new.type.modifiers:
            return (
                f"Expressions lose length, precision and scale: cast the column to {old.type.sql}."
            )
        return ""

    def _nullability(self, old: Field, new: Field) -> Iterator[Change]:
        """Only where both sides know: a view does not, and one null is a record's fault."""
        if self.new.origin is Origin.OBSERVED or None in (old.nullable, new.nullable):
            return
        if old.nullable == new.nullable:
            return
        relaxed = bool(new.nullable)
        kind = ChangeKind.NULLABILITY_RELAXED if relaxed else ChangeKind.NULLABILITY_TIGHTENED
        reason = ReasonCode.NULLABILITY_RELAXED if relaxed else ReasonCode.NULLABILITY_TIGHTENED
        yield self._change(kind, reason, old, new, "")

    def _order(self) -> Iterator[Change]:
        old_names, new_names = self.old.by_name, self.new.by_name
        before = [f.name for f in self.old.fields if f.name in new_names]
        after = [f.name for f in self.new.fields if f.name in old_names]
        for name in moved(before, after):
            old, new = old_names[name], new_names[name]
            hint = f"Position {old.position} became {new.position}; columns are matched by name."
            yield self._change(
                ChangeKind.FIELD_ORDER_CHANGED, ReasonCode.ORDER_CHANGED, old, new, hint
            )


_FITS = frozenset(
    {
        (LogicalType.INTEGER, LogicalType.NUMBER),
        (LogicalType.DATE, LogicalType.TIMESTAMP),
    }
)
"""Observed logical types whose values a contract's wider type takes as they are."""


def _observed_step(old: Field, new: Field) -> Step | None:
    """How the contract would have to change to take what was observed; None where it need not.

    A delivery whose values are narrower than the contract is no change: nothing is ever narrowed
    because of one delivery. Text, JSON and types that are unknown to the policy take every value
    that parses; whether each does is decided record by record.
    """
    seen, declared = new.logical, old.logical
    if declared in (LogicalType.STRING, LogicalType.JSON) or seen is LogicalType.UNKNOWN:
        return None
    if declared is LogicalType.UNKNOWN and old.type is not None:
        return None
    if seen is declared or (seen, declared) in _FITS:
        return None
    step = relate_logical(declared, seen)
    if step is None:
        return None
    if new.leading_zeros:
        return Step(False, ReasonCode.LEADING_ZERO_COERCION_BLOCKED)
    if new.confidence is not None and new.confidence < LOW_CONFIDENCE:
        return Step(step.widening, ReasonCode.LOW_CONFIDENCE)
    return step

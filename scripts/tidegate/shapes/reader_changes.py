"""What else a new version of a model's contract changes for its readers, beside its shape."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tidegate.contracts.gate_entries import normal_entry
from tidegate.contracts.keys import Classification
from tidegate.contracts.model import ModelColumn, ModelContract
from tidegate.shapes.reader_codes import CLASSIFICATIONS, MEANING, ReaderChangeCode


@dataclass(frozen=True)
class ReaderChange:
    """One change that readers notice; `column` is "" where the whole model is meant."""

    code: ReaderChangeCode
    column: str
    old: str
    new: str

    @property
    def classification(self) -> Classification:
        """How risky it is for readers."""
        return CLASSIFICATIONS[self.code]

    @property
    def meaning(self) -> str:
        """What readers notice, as a sentence."""
        return MEANING[self.code]

    def document(self) -> dict[str, object]:
        """The change as JSON."""
        return {
            "code": self.code.value,
            "column": self.column or None,
            "old": self.old or None,
            "new": self.new or None,
            "classification": self.classification.value,
            "meaning": self.meaning,
        }


def reader_changes(
    old: ModelContract | None, new: ModelContract | None, shape_breaks: bool = False
) -> tuple[ReaderChange, ...]:
    """What readers of a model notice beside its shape; None for a side that has no such model.

    `shape_breaks` says that the shape has a breaking change, so that a version left as it was is
    told. The order is that of the contract: the model first, then its columns.
    """
    if old is None or new is None:
        if new is not None:
            return (ReaderChange(ReaderChangeCode.MODEL_ADDED, "", "", new.name),)
        if old is not None:
            return (ReaderChange(ReaderChangeCode.MODEL_REMOVED, "", old.name, ""),)
        return ()
    found = [*_model_changes(old, new)]
    columns = {column.name: column for column in new.columns}
    for column in old.columns:
        if column.name in columns:
            found += _column_changes(column, columns[column.name])
    found += [*_unique_changes(old, new), *_gate_changes(old, new), *_policy_changes(old, new)]
    breaking = shape_breaks or any(c.classification is Classification.BREAKING for c in found)
    if breaking and old.keys.version == new.keys.version:
        version = new.keys.version
        found.append(ReaderChange(ReaderChangeCode.VERSION_NOT_RAISED, "", version, version))
    return tuple(found)


def _model_changes(old: ModelContract, new: ModelContract) -> Iterator[ReaderChange]:
    sides = (
        (ReaderChangeCode.FAMILY_CHANGED, old.family, new.family),
        (ReaderChangeCode.GRAIN_CHANGED, old.keys.grain, new.keys.grain),
        (
            ReaderChangeCode.ROW_KEY_CHANGED,
            ", ".join(old.keys.row_key),
            ", ".join(new.keys.row_key),
        ),
        (ReaderChangeCode.PROVENANCE_POLICY_CHANGED, _provenance(old), _provenance(new)),
    )
    for code, before, after in sides:
        if before != after:
            yield ReaderChange(code, "", before, after)


def _provenance(model: ModelContract) -> str:
    facts = ", ".join(model.keys.provenance.facts)
    policy = model.keys.provenance.policy.value
    return f"{policy} ({facts})" if facts else policy


def _column_changes(old: ModelColumn, new: ModelColumn) -> Iterator[ReaderChange]:
    yield from _enum_changes(old, new)
    before, after = old.keys.mask, new.keys.mask
    if before is after:
        return
    code = ReaderChangeCode.MASK_CHANGED
    if before is None:
        code = ReaderChangeCode.MASK_ADDED
    elif after is None:
        code = ReaderChangeCode.MASK_REMOVED
    yield ReaderChange(code, new.name, before.value if before else "", after.value if after else "")


def _enum_changes(old: ModelColumn, new: ModelColumn) -> Iterator[ReaderChange]:
    """Values of a closed enum are part of the contract, not data of anybody."""
    before, after = old.keys.enum, new.keys.enum
    if before is None or after is None:
        if before is not None:
            yield ReaderChange(ReaderChangeCode.ENUM_OPENED, new.name, ", ".join(before), "")
        if after is not None:
            yield ReaderChange(ReaderChangeCode.ENUM_CLOSED, new.name, "", ", ".join(after))
        return
    gone = [value for value in before if value not in after]
    come = [value for value in after if value not in before]
    if gone:
        yield ReaderChange(ReaderChangeCode.ENUM_VALUES_REMOVED, new.name, ", ".join(gone), "")
    if come:
        yield ReaderChange(ReaderChangeCode.ENUM_VALUES_ADDED, new.name, "", ", ".join(come))


def _unique_changes(old: ModelContract, new: ModelContract) -> Iterator[ReaderChange]:
    for columns in old.unique:
        if set(columns) not in [set(other) for other in new.unique]:
            yield ReaderChange(ReaderChangeCode.UNIQUE_DROPPED, "", ", ".join(columns), "")
    for columns in new.unique:
        if set(columns) not in [set(other) for other in old.unique]:
            yield ReaderChange(ReaderChangeCode.UNIQUE_ADDED, "", "", ", ".join(columns))


def _gate_changes(old: ModelContract, new: ModelContract) -> Iterator[ReaderChange]:
    """By column and test: there or not, blocking or warning, and with which arguments."""
    before, after = _gates(old), _gates(new)
    for place in sorted({*before, *after}):
        column, test = place
        was, now = before.get(place, Counter()), after.get(place, Counter())
        if was == now:
            continue
        code = _gate_code(was, now)
        yield ReaderChange(code, column, _told(test, was), _told(test, now))


def _gates(model: ModelContract) -> dict[tuple[str, str], Counter[tuple[str, str]]]:
    """Entries as (what is tested, severity), by (column, test)."""
    found: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    entries = [("", entry) for entry in model.tests]
    entries += [(column, entry) for column, them in model.column_tests.items() for entry in them]
    for column, entry in entries:
        normal = normal_entry(entry)
        severity = normal["config"].pop("severity")
        test = str(normal.pop("test"))
        what = json.dumps(normal, sort_keys=True, default=str)
        found.setdefault((column, test), Counter())[(what, severity)] += 1
    return found


def _gate_code(was: Counter[tuple[str, str]], now: Counter[tuple[str, str]]) -> ReaderChangeCode:
    if not was:
        return ReaderChangeCode.GATE_ADDED
    if not now:
        return ReaderChangeCode.GATE_REMOVED
    if Counter(what for what, _ in was.elements()) != Counter(what for what, _ in now.elements()):
        return ReaderChangeCode.GATE_CHANGED
    blocking = [sum(n for (_, severity), n in side.items() if severity == "error")
                for side in (was, now)]  # fmt: skip
    weaker = blocking[1] <= blocking[0]
    return ReaderChangeCode.GATE_WEAKENED if weaker else ReaderChangeCode.GATE_STRENGTHENED


def _told(test: str, entries: Counter[tuple[str, str]]) -> str:
    """The test's name and severities, without arguments: those stand in the file."""
    severities = sorted({severity for _, severity in entries})
    return f"{test} ({', '.join(severities)})" if severities else ""


def _policy_changes(old: ModelContract, new: ModelContract) -> Iterator[ReaderChange]:
    if old.policy != new.policy:
        code = ReaderChangeCode.QUALITY_POLICY_CHANGED
        yield ReaderChange(code, "", _version(old), _version(new))


def _version(model: ModelContract) -> str:
    return f"version {(model.policy or {}).get('version', 'unknown')}" if model.policy else ""

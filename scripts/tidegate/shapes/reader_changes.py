"""What else a new version of a model's contract changes for its readers, beside its shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from tidegate.contracts.keys import Classification
from tidegate.contracts.model import ModelColumn, ModelContract


class ReaderChangeCode(str, Enum):
    """What of a promise to readers changed; the sentence for a pull request is in `MEANING`."""

    MODEL_ADDED = "model_added"
    MODEL_REMOVED = "model_removed"
    DATASET_ADDED = "dataset_added"
    DATASET_REMOVED = "dataset_removed"
    FAMILY_CHANGED = "family_changed"
    GRAIN_CHANGED = "grain_changed"
    ROW_KEY_CHANGED = "row_key_changed"
    PROVENANCE_POLICY_CHANGED = "provenance_policy_changed"
    ENUM_CLOSED = "enum_closed"
    ENUM_OPENED = "enum_opened"
    ENUM_VALUES_ADDED = "enum_values_added"
    ENUM_VALUES_REMOVED = "enum_values_removed"
    MASK_ADDED = "mask_added"
    MASK_CHANGED = "mask_changed"
    MASK_REMOVED = "mask_removed"
    VERSION_NOT_RAISED = "version_not_raised"


_COMPATIBLE, _WARNING, _BREAKING = Classification

CLASSIFICATIONS = {
    ReaderChangeCode.MODEL_ADDED: _COMPATIBLE,
    ReaderChangeCode.MODEL_REMOVED: _BREAKING,
    ReaderChangeCode.DATASET_ADDED: _COMPATIBLE,
    ReaderChangeCode.DATASET_REMOVED: _BREAKING,
    ReaderChangeCode.FAMILY_CHANGED: _WARNING,
    ReaderChangeCode.GRAIN_CHANGED: _WARNING,
    ReaderChangeCode.ROW_KEY_CHANGED: _BREAKING,
    ReaderChangeCode.PROVENANCE_POLICY_CHANGED: _WARNING,
    ReaderChangeCode.ENUM_CLOSED: _COMPATIBLE,
    ReaderChangeCode.ENUM_OPENED: _WARNING,
    ReaderChangeCode.ENUM_VALUES_ADDED: _WARNING,
    ReaderChangeCode.ENUM_VALUES_REMOVED: _WARNING,
    ReaderChangeCode.MASK_ADDED: _BREAKING,
    ReaderChangeCode.MASK_CHANGED: _BREAKING,
    ReaderChangeCode.MASK_REMOVED: _WARNING,
    ReaderChangeCode.VERSION_NOT_RAISED: _WARNING,
}

MEANING = {
    ReaderChangeCode.MODEL_ADDED: "Nothing; a view comes.",
    ReaderChangeCode.MODEL_REMOVED: "Queries that name the view fail.",
    ReaderChangeCode.DATASET_ADDED: "Nothing; files of it are taken from now on.",
    ReaderChangeCode.DATASET_REMOVED: "Files of it are no longer taken.",
    ReaderChangeCode.FAMILY_CHANGED: "It is published together with other models than before.",
    ReaderChangeCode.GRAIN_CHANGED: "A row may stand for something else; counts may change.",
    ReaderChangeCode.ROW_KEY_CHANGED: "Joins and look-ups by the old key may repeat or miss rows.",
    ReaderChangeCode.PROVENANCE_POLICY_CHANGED: "Other receipts stand in q_provenance.",
    ReaderChangeCode.ENUM_CLOSED: "Nothing; only listed values appear from now on.",
    ReaderChangeCode.ENUM_OPENED: "Values may appear that no list names.",
    ReaderChangeCode.ENUM_VALUES_ADDED: "Queries that list every value miss the new ones.",
    ReaderChangeCode.ENUM_VALUES_REMOVED: "Queries for a value that went find nothing.",
    ReaderChangeCode.MASK_ADDED: "Readers outside the unmasking role see masked values.",
    ReaderChangeCode.MASK_CHANGED: "Masked values differ from those that readers kept.",
    ReaderChangeCode.MASK_REMOVED: "Every reader sees the values as they are.",
    ReaderChangeCode.VERSION_NOT_RAISED: "A breaking change looks like the version they know.",
}


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

"""What of a promise to readers can change beside a model's shape, and what it means to them."""

from __future__ import annotations

from enum import Enum

from tidegate.contracts.keys import Classification


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
    UNIQUE_ADDED = "unique_added"
    UNIQUE_DROPPED = "unique_dropped"
    GATE_ADDED = "gate_added"
    GATE_REMOVED = "gate_removed"
    GATE_CHANGED = "gate_changed"
    GATE_STRENGTHENED = "gate_strengthened"
    GATE_WEAKENED = "gate_weakened"
    QUALITY_POLICY_CHANGED = "quality_policy_changed"
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
    ReaderChangeCode.UNIQUE_ADDED: _COMPATIBLE,
    ReaderChangeCode.UNIQUE_DROPPED: _WARNING,
    ReaderChangeCode.GATE_ADDED: _COMPATIBLE,
    ReaderChangeCode.GATE_REMOVED: _WARNING,
    ReaderChangeCode.GATE_CHANGED: _WARNING,
    ReaderChangeCode.GATE_STRENGTHENED: _COMPATIBLE,
    ReaderChangeCode.GATE_WEAKENED: _WARNING,
    ReaderChangeCode.QUALITY_POLICY_CHANGED: _WARNING,
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
    ReaderChangeCode.UNIQUE_ADDED: "Nothing; rows no longer repeat by these columns.",
    ReaderChangeCode.UNIQUE_DROPPED: "Rows may repeat by these columns; joins may multiply.",
    ReaderChangeCode.GATE_ADDED: "Nothing; more is proved before data is served.",
    ReaderChangeCode.GATE_REMOVED: "Less is proved before data is served.",
    ReaderChangeCode.GATE_CHANGED: "Something else is proved before data is served.",
    ReaderChangeCode.GATE_STRENGTHENED: "Nothing; what only warned holds data back.",
    ReaderChangeCode.GATE_WEAKENED: "What held data back only warns.",
    ReaderChangeCode.QUALITY_POLICY_CHANGED: "Other rules judge the data.",
    ReaderChangeCode.VERSION_NOT_RAISED: "A breaking change looks like the version they know.",
}

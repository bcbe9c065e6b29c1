"""Shapes: canonical types compared, relations introspected, the one classifier of schema changes.

`classify(old, new, overrides)` compares two shapes, `decide(diff, policy)` says what happens to the
changes, `introspect(conn, schema, relation)` reads a live relation
(`introspect_all` many of one schema at once), and `diff_relation(contract,
live)` lists every mismatch of the two.
"""

from tidegate.contracts.reasons import ReasonCode
from tidegate.shapes.classify import DEFAULTS, LOW_CONFIDENCE, classify
from tidegate.shapes.decide import ChangeDecision, Decision, decide
from tidegate.shapes.introspect import (
    LiveRelation,
    RelationKind,
    introspect,
    introspect_all,
    list_relations,
    view_sources,
)
from tidegate.shapes.mismatches import Mismatch, contract_shape, diff_relation
from tidegate.shapes.model import Change, Field, Origin, SchemaDiff, Shape
from tidegate.shapes.relation import Step, relate, relate_logical
from tidegate.shapes.sensitive import looks_sensitive

__all__ = [
    "DEFAULTS",
    "LOW_CONFIDENCE",
    "Change",
    "ChangeDecision",
    "Decision",
    "Field",
    "LiveRelation",
    "Mismatch",
    "Origin",
    "ReasonCode",
    "RelationKind",
    "SchemaDiff",
    "Shape",
    "Step",
    "classify",
    "contract_shape",
    "decide",
    "diff_relation",
    "introspect",
    "introspect_all",
    "list_relations",
    "looks_sensitive",
    "relate",
    "relate_logical",
    "view_sources",
]

"""A diff of contracts: what was compared with what, and everything that differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from psycopg.errors import InsufficientPrivilege

from tidegate.contracts import DatasetContract, ModelContract, Project
from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.ledger.generations import served_generation
from tidegate.names import (
    QUERY,
    candidate_schema,
    catalog_model,
    generation_schema,
    provenance_model,
    serving_schema,
)
from tidegate.rules import load_policy
from tidegate.shapes import (
    LiveRelation,
    Mismatch,
    ReasonCode,
    RelationKind,
    classify,
    contract_shape,
    diff_relation,
    introspect_all,
    view_sources,
)
from tidegate.shapes.introspect import Connection
from tidegate.shapes.mismatches import mismatch_of
from tidegate.shapes.model import SEVERITY
from tidegate.shapes.older import OlderContracts
from tidegate.shapes.reader_changes import ReaderChange, reader_changes
from tidegate.shapes.reader_codes import ReaderChangeCode


class Side(str, Enum):
    """Which live relations a diff looks at."""

    CANDIDATE = "candidate"
    SERVING = "serving"
    PRESENT = "candidate, else serving"


@dataclass(frozen=True)
class SubjectDiff:
    """One contract compared: `compared_with` is a relation, or the contract at a ref."""

    subject: str
    kind: str
    compared_with: str
    mismatches: tuple[Mismatch, ...] = ()
    reader_changes: tuple[ReaderChange, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the columns were compared at all."""
        nothing = (ReasonCode.RELATION_MISSING, ReasonCode.INTROSPECTION_INCOMPLETE)
        return not any(mismatch.reason_code in nothing for mismatch in self.mismatches)

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not (self.mismatches or self.reader_changes)

    @property
    def classifications(self) -> tuple[Classification | None, ...]:
        """Of each difference; None for what is not known."""
        return (
            *(mismatch.classification for mismatch in self.mismatches),
            *(change.classification for change in self.reader_changes),
        )

    @property
    def highest(self) -> Classification | None:
        """The highest classification; None where the role could not see everything."""
        known = [found for found in self.classifications if found is not None]
        if len(known) < len(self.classifications):
            return None
        return max(known, key=SEVERITY.__getitem__, default=Classification.COMPATIBLE)

    def document(self) -> dict[str, object]:
        """The comparison as JSON."""
        highest = self.highest
        return {
            "subject": self.subject,
            "kind": self.kind,
            "compared_with": self.compared_with,
            "classification": highest.value if highest else None,
            "mismatches": [mismatch.document() for mismatch in self.mismatches],
            "reader_changes": [change.document() for change in self.reader_changes],
        }


@dataclass(frozen=True)
class DiffReport:
    """Everything that was compared. `against` is None for live relations."""

    subjects: tuple[SubjectDiff, ...]
    against: OlderContracts | None = None

    @property
    def counts(self) -> dict[str, int]:
        """Differences by classification; `unknown` counts what could not be seen."""
        found = [c for subject in self.subjects for c in subject.classifications]
        counts = {grade.value: found.count(grade) for grade in reversed(Classification)}
        return {**counts, "unknown": found.count(None)}

    @property
    def unknown(self) -> tuple[SubjectDiff, ...]:
        """What the role could not see in full: neither passed nor drifted."""
        return tuple(subject for subject in self.subjects if subject.highest is None)

    @property
    def nothing_compared(self) -> bool:
        """Whether not one subject was there to be compared."""
        return not any(subject.known for subject in self.subjects)

    def reaches(self, grade: Classification) -> bool:
        """Whether any difference is classified as `grade` or worse."""
        return any(
            found is not None and SEVERITY[found] >= SEVERITY[grade]
            for subject in self.subjects
            for found in subject.classifications
        )

    def document(self) -> dict[str, object]:
        """The report as JSON."""
        against = self.against
        return {
            "against": {"ref": against.ref, "commit": against.commit} if against else None,
            "compared": len(self.subjects),
            "agree": sum(subject.agrees for subject in self.subjects),
            "counts": self.counts,
            "subjects": [subject.document() for subject in self.subjects],
        }


def diff_live(conn: Connection, models: Iterable[ModelContract], side: Side) -> DiffReport:
    """Each model's contract against what is in the warehouse now."""
    models = list(models)
    by_family: dict[str, list[ModelContract]] = {}
    for model in models:
        by_family.setdefault(model.family, []).append(model)
    live: dict[str, LiveRelation] = {}
    for family, members in by_family.items():
        live |= _live(conn, family, members, side)
    subjects = []
    for model in models:
        found = live[model.name]
        mismatches = diff_relation(model, found, overrides(model))
        subjects.append(SubjectDiff(model.name, "model", found.qualified, mismatches))
    return DiffReport(tuple(subjects))


def _live(
    conn: Connection, family: str, models: Sequence[ModelContract], side: Side
) -> dict[str, LiveRelation]:
    names = [model.name for model in models]
    candidates: dict[str, LiveRelation] = {}
    if side is not Side.SERVING:
        candidates = introspect_all(conn, candidate_schema(family), names)
        if side is Side.CANDIDATE:
            return candidates
    views = _served(conn, family, models)
    return {
        name: candidates[name] if name in candidates and candidates[name].kind else views[name]
        for name in names
    }


def _served(
    conn: Connection, family: str, models: Sequence[ModelContract]
) -> dict[str, LiveRelation]:
    """What readers query of each model, completed by the tables behind the views.

    Columns of a partitioned serving parent are nullable, so that each generation keeps the promise
    of its own contract: the table of the served generation tells.
    """
    shown = {model.name: served_as(family, model.name) for model in models}
    views = introspect_all(conn, QUERY, shown.values())
    sources = view_sources(conn, QUERY, shown.values(), serving_schema(family))
    parents = introspect_all(
        conn, serving_schema(family), [name for names in sources.values() for name in names]
    )
    tables = _served_tables(conn, family, shown)
    found = {}
    for model in models:
        view = shown[model.name]
        masked = frozenset(column.name for column in model.columns if column.keys.mask)
        behind = [parents[name] for name in sources.get(view, ())]
        if any(parent.kind is RelationKind.PARTITIONED_TABLE for parent in behind):
            behind = [tables[model.name]] if model.name in tables else []
        found[model.name] = views[view].backed_by(behind, masked)
    return found


def _served_tables(conn: Connection, family: str, names: Iterable[str]) -> dict[str, LiveRelation]:
    """The tables of the served generation; none where the role may not know which that is."""
    try:
        with conn.transaction():
            served = served_generation(conn, family)
    except InsufficientPrivilege:
        return {}
    if served is None:
        return {}
    found = introspect_all(conn, generation_schema(family, served), names)
    return {name: table for name, table in found.items() if table.kind is not None}


def served_as(family: str, model: str) -> str:
    """The view that shows a model; a family's part of the catalogue is served with all others."""
    return {
        catalog_model(family): "q_catalog",
        provenance_model(family): "q_provenance",
    }.get(model, model)


def diff_against(
    older: OlderContracts,
    project: Project,
    models: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> DiffReport:
    """Each contract against what it was; None takes all names of both sides."""
    model_names = sorted({*older.project.models, *project.models}) if models is None else models
    dataset_names = (
        sorted({*older.project.datasets, *project.datasets}) if datasets is None else datasets
    )
    subjects = [
        _model_against(older, older.project.models.get(name), project.models.get(name), name)
        for name in model_names
    ]
    subjects += [
        _dataset_against(older, older.project.datasets.get(name), project.datasets.get(name), name)
        for name in dataset_names
    ]
    return DiffReport(tuple(subjects), older)


def _model_against(
    older: OlderContracts, old: ModelContract | None, new: ModelContract | None, name: str
) -> SubjectDiff:
    found = _shape_changes(old, new) if old and new else ()
    breaks = any(mismatch.classification is Classification.BREAKING for mismatch in found)
    changes = reader_changes(old, new, breaks)
    return SubjectDiff(name, "model", f"{name} at {older.ref}", found, changes)


def _dataset_against(
    older: OlderContracts, old: DatasetContract | None, new: DatasetContract | None, name: str
) -> SubjectDiff:
    found = _shape_changes(old, new) if old and new else ()
    changes: tuple[ReaderChange, ...] = ()
    if old is None:
        changes = (ReaderChange(ReaderChangeCode.DATASET_ADDED, "", "", name),)
    elif new is None:
        changes = (ReaderChange(ReaderChangeCode.DATASET_REMOVED, "", name, ""),)
    return SubjectDiff(name, "dataset", f"{name} at {older.ref}", found, changes)


def _shape_changes(
    old: ModelContract | DatasetContract, new: ModelContract | DatasetContract
) -> tuple[Mismatch, ...]:
    """By the older contract's overrides: a change cannot declare itself harmless."""
    diff = classify(contract_shape(old), contract_shape(new), overrides(old))
    return tuple(mismatch_of(change) for change in diff.changes)


def overrides(contract: ModelContract | DatasetContract) -> dict[ChangeKind, Classification]:
    """`schema_policy` of the contract's quality policy; empty without one.

    Raises ContractError where the policy is not valid.
    """
    if contract.policy is None:
        return {}
    return dict(load_policy(contract.policy, file=contract.path).schema_policy)

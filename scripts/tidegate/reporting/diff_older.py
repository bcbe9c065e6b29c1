"""Contracts against what they were before, and what a contract itself says of its changes."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.contracts.model import DatasetContract, ModelContract, Project
from tidegate.reporting.diff import DiffReport, SubjectDiff
from tidegate.rules.load import load_policy
from tidegate.shapes.classify import classify
from tidegate.shapes.mismatches import Mismatch, contract_shape, mismatch_of
from tidegate.shapes.older import OlderContracts
from tidegate.shapes.reader_changes import ReaderChange, reader_changes
from tidegate.shapes.reader_codes import ReaderChangeCode


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

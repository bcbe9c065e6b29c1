"""From a file's `models:` to contracts of `q_*` models, with every problem reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tidegate.contracts import pieces
from tidegate.contracts.column_types import column_type
from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.expressions import ExpressionError, canonical_condition
from tidegate.contracts.files import (
    Check,
    Constraint,
    ModelColumnFile,
    ModelHead,
    NotNull,
    Unique,
)
from tidegate.contracts.gate_entries import check_tests
from tidegate.contracts.hashing import model_hash
from tidegate.contracts.model import CheckConstraint, ModelColumn, ModelContract
from tidegate.contracts.model_checks import check_column, check_model
from tidegate.contracts.policies import read_policy
from tidegate.contracts.surroundings import Surroundings
from tidegate.contracts.validation import read_piece


@dataclass(frozen=True)
class ModelDraft:
    """A model as far as it could be read: without its faulty columns, and perhaps not faultless."""

    document: Document
    place: KeyPath
    contract: ModelContract
    column_names: tuple[str, ...]
    """Of all columns as written, the faulty ones too."""
    faultless: bool


def read_models(document: Document, around: Surroundings) -> Iterator[ModelDraft]:
    """The models of one file whose own keys can be read."""
    for path in pieces.items(document, (), "models"):
        model = _read_model(document, path, around)
        if model:
            yield model


class _Constraints:
    """What the constraints of a model and its columns promise together."""

    def __init__(self, document: Document, names: list[str]) -> None:
        self.document = document
        self.names = names
        self.not_null: set[str] = set()
        self.unique: set[tuple[str, ...]] = set()
        self.checks: list[CheckConstraint] = []

    def add(self, path: KeyPath, constraint: Constraint, column: str | None) -> None:
        """Take one constraint; `column` is its column, None for one of the whole model."""
        if isinstance(constraint, Check):
            self._check(path, constraint)
        elif isinstance(constraint, NotNull):
            self._not_null(path, column)
        else:
            self._unique(path, constraint, column)

    def _check(self, path: KeyPath, constraint: Check) -> None:
        try:
            expression = canonical_condition(constraint.expression, self.names, fixed=True)
        except ExpressionError as error:
            self.document.report((*path, "expression"), error.message, error.remedy)
            return
        self.checks.append(CheckConstraint(constraint.name, expression))

    def _not_null(self, path: KeyPath, column: str | None) -> None:
        if column is None:
            self.document.report(path, "is a not_null of no column.", "Write it at the column.")
        else:
            self.not_null.add(column)

    def _unique(self, path: KeyPath, constraint: Unique, column: str | None) -> None:
        columns = constraint.columns if column is None else (column,)
        if column is not None and constraint.columns not in ((), (column,)):
            self.document.report(
                (*path, "columns"), "names other columns.", "Write it at the model."
            )
        if not columns:
            self.document.report(path, "names no columns.", "Add `columns`.")
            return
        if column is None:
            pieces.check_known(self.document, (*path, "columns"), columns, self.names)
        self.unique.add(columns)
        if constraint.type == "primary_key":
            self.not_null.update(columns)


def _read_model(document: Document, path: KeyPath, around: Surroundings) -> ModelDraft | None:
    before = len(document.findings)
    head = read_piece(document, path, ModelHead, "model", ("columns",))
    pieces.check_relation_name(document, path, "q_")
    constraints = _Constraints(document, pieces.column_names(document, path))

    def read_column(document: Document, place: KeyPath) -> ModelColumn | None:
        return _read_column(document, place, constraints, around)

    columns = pieces.columns(document, path, read_column)
    check_tests(document, path, around, constraints.names)
    if head is None:
        return None
    for index, constraint in enumerate(head.constraints):
        constraints.add((*path, "constraints", index), constraint, None)
    columns = [replace(it, nullable=it.name not in constraints.not_null) for it in columns]
    keys = head.config.meta.tidegate
    policy = read_policy(document, path, keys.quality_policy, around.project_dir)
    check_model(document, path, keys, columns, around.prefix)
    for index, index_keys in enumerate(head.config.indexes):
        place = (*path, "config", "indexes", index, "columns")
        pieces.check_known(document, place, index_keys.columns, constraints.names)
    contract = _contract(document, path, head, tuple(columns), constraints, policy)
    if len(document.findings) == before:
        contract = pieces.with_hash(document, path, contract, model_hash)
    faultless = len(document.findings) == before
    return ModelDraft(document, path, contract, tuple(constraints.names), faultless)


def _contract(
    document: Document,
    path: KeyPath,
    head: ModelHead,
    columns: tuple[ModelColumn, ...],
    constraints: _Constraints,
    policy: dict[str, object] | None,
) -> ModelContract:
    return ModelContract(
        name=head.name,
        family=head.config.meta.tidegate.family,
        path=document.file,
        line=document.line((*path, "name")),
        description=head.description,
        columns=columns,
        keys=head.config.meta.tidegate,
        tests=pieces.tests(document, path),
        column_tests=pieces.column_tests(document, path),
        unique=tuple(sorted(constraints.unique)),
        checks=tuple(constraints.checks),
        policy=policy,
        sha256="",
    )


def _read_column(
    document: Document, path: KeyPath, constraints: _Constraints, around: Surroundings
) -> ModelColumn | None:
    column = read_piece(document, path, ModelColumnFile, "column")
    kind = column_type(document, path)
    check_tests(document, path, around, constraints.names)
    if column is None:
        return None
    for index, constraint in enumerate(column.constraints):
        constraints.add((*path, "constraints", index), constraint, column.name)
    if kind is None:
        return None
    keys = column.config.meta.tidegate
    check_column(document, path, keys, kind)
    return ModelColumn(
        name=column.name,
        data_type=column.data_type,
        type=kind,
        description=column.description,
        nullable=True,
        keys=keys,
        line=document.line((*path, "name")),
    )

"""What a project promises, as values: the result of loading `contracts/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tidegate.contracts.keys import DatasetColumnKeys, DatasetKeys, ModelColumnKeys, ModelKeys
from tidegate.contracts.types import PgType
from tidegate.errors import UsageError


@dataclass(frozen=True)
class DatasetColumn:
    """One column of a dataset; `data_type` as written, `type` as PostgreSQL means it."""

    name: str
    data_type: str
    type: PgType
    description: str
    keys: DatasetColumnKeys
    line: int

    @property
    def nullable(self) -> bool:
        """Whether an accepted row may lack a value here."""
        return not self.keys.required


@dataclass(frozen=True)
class DatasetContract:
    """What partners deliver for one dataset; dbt reads it as `landing.<name>`."""

    name: str
    source: str
    path: str
    """Relative to the project, with forward slashes."""
    line: int
    description: str
    columns: tuple[DatasetColumn, ...]
    keys: DatasetKeys
    tests: tuple[Any, ...]
    """The dataset's own `data_tests`, as written; those of its columns are in `column_tests`."""
    column_tests: Mapping[str, tuple[Any, ...]]
    policy: Mapping[str, Any] | None
    """The quality policy as its JSON contract, read from its file where it is one; unchecked."""
    sha256: str

    def column(self, name: str) -> DatasetColumn:
        """The column of that exact name; raise KeyError if there is none."""
        return {column.name: column for column in self.columns}[name]


@dataclass(frozen=True)
class ModelColumn:
    """One column of a model; `data_type` as written, `type` as PostgreSQL means it."""

    name: str
    data_type: str
    type: PgType
    description: str
    nullable: bool
    keys: ModelColumnKeys
    line: int


@dataclass(frozen=True)
class CheckConstraint:
    """A CHECK that dbt puts on the candidate; `expression` is canonical SQL of one condition."""

    name: str | None
    expression: str


@dataclass(frozen=True)
class ModelContract:
    """What one `q_*` model promises its readers."""

    name: str
    family: str
    path: str
    """Relative to the project, with forward slashes."""
    line: int
    description: str
    columns: tuple[ModelColumn, ...]
    keys: ModelKeys
    tests: tuple[Any, ...]
    """The model's own `data_tests`, as written; those of its columns are in `column_tests`."""
    column_tests: Mapping[str, tuple[Any, ...]]
    unique: tuple[tuple[str, ...], ...]
    """Column sets that unique or primary key constraints cover."""
    checks: tuple[CheckConstraint, ...]
    policy: Mapping[str, Any] | None
    """The quality policy as its JSON contract, read from its file where it is one; unchecked."""
    sha256: str

    def column(self, name: str) -> ModelColumn:
        """The column of that exact name; raise KeyError if there is none."""
        return {column.name: column for column in self.columns}[name]


@dataclass(frozen=True)
class Project:
    """All contracts of a project, by name."""

    datasets: Mapping[str, DatasetContract]
    models: Mapping[str, ModelContract]

    def dataset(self, name: str) -> DatasetContract:
        """The contract of a dataset; raise a UsageError that lists those there are."""
        if name not in self.datasets:
            names = ", ".join(sorted(self.datasets)) or "none"
            raise UsageError(f"There is no dataset {name!r}.", remedy=f"There are: {names}.")
        return self.datasets[name]

    @property
    def families(self) -> Mapping[str, tuple[str, ...]]:
        """Family name to the names of its models, both sorted."""
        names = sorted({model.family for model in self.models.values()})
        return {
            family: tuple(
                sorted(name for name, model in self.models.items() if model.family == family)
            )
            for family in names
        }

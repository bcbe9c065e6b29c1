"""Contracts: what datasets and models promise, read from dbt property files."""

from __future__ import annotations

from tidegate.contracts.load import examine_project, load_project
from tidegate.contracts.model import (
    CheckConstraint,
    DatasetColumn,
    DatasetContract,
    ModelColumn,
    ModelContract,
    Project,
)

__all__ = [
    "CheckConstraint",
    "DatasetColumn",
    "DatasetContract",
    "ModelColumn",
    "ModelContract",
    "Project",
    "examine_project",
    "load_project",
]

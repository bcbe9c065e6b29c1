"""Promoting contracts by hand: the marker moves to what the checked-in YAML says now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.contracts.model import ModelContract, Project
from tidegate.deliveries.versions import promote_contract
from tidegate.errors import UsageError
from tidegate.ledger import approvals, contracts
from tidegate.publishing.context import contract_version


def promote_contracts(
    conn: Connection, project_dir: Path, names: Sequence[str], *, by: str, reason: str
) -> list[str]:
    """Promote the contracts of families, models and datasets; return one line for each.

    Raises UsageError for a name that is none of them, before anything is promoted, and
    PrivilegeMissing where the login may not: of a dataset its approvers, of a model an operator.
    """
    if not by.strip() or not reason.strip():
        raise UsageError(
            "A promotion needs who and why.", remedy="Give --by and --reason, not empty."
        )
    project = load_project(project_dir)
    for name in names:
        if not _known(conn, project, name):
            raise UsageError(
                f"{name} is no family, model or dataset.",
                remedy="`tidegate contract check` lists what there is.",
            )
    lines: list[str] = []
    for name in names:
        if name in project.datasets:
            promote_contract(conn, project.datasets[name], by, reason)
            lines.append(f"{name}: contract {project.datasets[name].sha256[:12]} promoted by {by}")
            continue
        approvals.require_operator(conn, f"promote the contract of {name}")
        family = project.models[name].family if name in project.models else name
        models = [m for m in project.models.values() if name in (m.family, m.name)]
        lines.extend(_promote_models(conn, models, by, reason))
        if name == family:
            lines.extend(_retire_gone(conn, project, family, by, reason))
    return lines


def _known(conn: Connection, project: Project, name: str) -> bool:
    return (
        name in project.datasets
        or name in project.models
        or name in project.families
        or bool(contracts.promoted(conn, name))
    )


def _promote_models(
    conn: Connection, models: Sequence[ModelContract], by: str, reason: str
) -> list[str]:
    lines = []
    for model in models:
        entry = contract_version(model)
        if contracts.promoted(conn, entry.family).get(entry.model) == entry.sha256:
            lines.append(f"{entry.model}: contract {entry.sha256[:12]} was promoted before")
            continue
        contracts.promote(conn, entry, by=by, reason=reason)
        lines.append(f"{entry.model}: contract {entry.sha256[:12]} promoted by {by}")
    return lines


def _retire_gone(
    conn: Connection, project: Project, family: str, by: str, reason: str
) -> list[str]:
    gone = sorted(set(contracts.promoted(conn, family)) - set(project.families.get(family, ())))
    for model in gone:
        contracts.retire(conn, family, model, by=by, reason=reason)
    return [f"{model}: retired by {by}; the next publication drops its view" for model in gone]

"""Everything that can be said of contracts without a server: also what only judging would find."""

from __future__ import annotations

from pathlib import Path

from tidegate.contracts.gate_entries import entry_name
from tidegate.contracts.load import examine_project
from tidegate.contracts.model import DatasetContract, ModelContract, Project
from tidegate.contracts.surroundings import PACKAGE, look_around
from tidegate.errors import ContractError, Problem
from tidegate.gates.required import problems_without
from tidegate.rules.load import load_policy

_KEY = "config.meta.tidegate.quality_policy"


def examine(project_dir: Path) -> tuple[Project, tuple[Problem, ...]]:
    """The faultless contracts, and all problems of all files, policies and gates among them."""
    project, problems = examine_project(project_dir)
    prefix = look_around(project_dir).prefix
    more = [
        *(it for made in project.datasets.values() for it in _policy(made, "sources", project_dir)),
        *(it for made in project.models.values() for it in _policy(made, "models", project_dir)),
        *(it for made in project.models.values() for it in _gates(made, prefix)),
    ]
    return project, (*problems, *sorted(more, key=lambda found: (found.file, found.line)))


def _policy(
    contract: DatasetContract | ModelContract, kind: str, project_dir: Path
) -> tuple[Problem, ...]:
    """What is wrong with the rules of a policy, in its file or at the line of its contract."""
    given = contract.keys.quality_policy
    if contract.policy is None or given is None:
        return ()
    key = "" if isinstance(given, str) else f"{kind}[{contract.name}].{_KEY}"
    try:
        load_policy(
            given,
            contract.columns,
            file=contract.path,
            line=contract.line,
            key=key,
            base=project_dir,
        )
    except ContractError as error:
        return error.problems
    return ()


def _gates(model: ModelContract, prefix: str) -> list[Problem]:
    present = {(entry_name(entry) or "").removeprefix(f"{PACKAGE}.") for entry in model.tests}
    return problems_without(model, present, prefix=prefix, line=model.line)

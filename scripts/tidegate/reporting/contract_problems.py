"""Everything that can be said of contracts without a server: also what only judging would find."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tidegate.contracts.gate_entries import bare_name, entry_name, normal_entry
from tidegate.contracts.load import examine_project
from tidegate.contracts.model import DatasetContract, ModelContract, Project
from tidegate.contracts.surroundings import PACKAGE, look_around
from tidegate.errors import ContractError, Problem
from tidegate.gates.gate_columns import strange_columns
from tidegate.gates.registry import GATES
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
    return [
        *problems_without(model, present, prefix=prefix, line=model.line),
        *(
            problem
            for index, entry in enumerate(model.tests)
            for problem in _names(model, index, entry)
        ),
    ]


def _names(model: ModelContract, index: int, entry: Any) -> list[Problem]:
    """What an entry names under `columns` and its gate does not have."""
    gate = bare_name(entry)
    if gate is None or gate not in GATES:
        return []
    strange, said = strange_columns(gate, normal_entry(entry)["arguments"])
    key = f"models[{model.name}].data_tests[{index}].{entry_name(entry)}.arguments.columns"
    remedy = "Correct the name, or remove it."
    return [Problem(model.path, model.line, key, f"{said}.", remedy)] if strange else []

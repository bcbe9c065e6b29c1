"""What a contract may refer to outside the contracts: JSON files and dbt's generic tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from tidegate.macros import macros_dir
from tidegate.settings import PROJECT_FILE

BUILT_IN = frozenset(("unique", "not_null", "accepted_values", "relationships"))
"""Generic tests that dbt itself brings."""
PACKAGE = "tidegate"
"""How projects that install Tidegate as a dbt package call its tests: `tidegate.<name>`."""

_TEST = re.compile(r"{%-?\s*(?:(?:data_)?test\s+|macro\s+test_)(\w+)\s*\(")
_PACKAGE_LISTS = ("packages.yml", "dependencies.yml")


@dataclass(frozen=True)
class Surroundings:
    """The project around the contracts."""

    project_dir: Path
    tests: frozenset[str] | None
    """Names that `data_tests:` may use; None where the project has no generic tests to read."""
    installs_packages: bool = False
    """Whether tests of other packages can be there as well, by `<package>.<name>`."""

    @property
    def prefix(self) -> str:
        """What stands before the names of Tidegate's tests in this project's contracts."""
        own = self.tests or frozenset()
        return "" if not self.installs_packages or own & package_tests() else f"{PACKAGE}."


def look_around(project_dir: Path) -> Surroundings:
    """Find the generic tests that the project defines."""
    folders = [
        *(project_dir / path for path in project_paths(project_dir, "macro-paths", ("macros",))),
        *(
            project_dir / path / "generic"
            for path in project_paths(project_dir, "test-paths", ("tests", "tests/dbt"))
        ),
    ]
    found = _tests_in(folders)
    return Surroundings(
        project_dir,
        found | BUILT_IN if found else None,
        any((project_dir / name).is_file() for name in _PACKAGE_LISTS),
    )


@cache
def package_tests() -> frozenset[str]:
    """The generic tests that this version of Tidegate brings."""
    return _tests_in([macros_dir() / "generic"])


def project_paths(project_dir: Path, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """Folders that `dbt_project.yml` names under `key`; the default where it names none.

    What only dbt could render counts as not named.
    """
    file = project_dir / PROJECT_FILE
    if not file.is_file():
        return default
    try:
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
    except yaml.YAMLError:
        return default  # dbt says what is wrong with it
    named = document.get(key) if isinstance(document, dict) else None
    if not isinstance(named, list) or any("{" in str(path) for path in named):
        return default
    return tuple(str(path) for path in named)


def _tests_in(folders: Iterable[Path]) -> frozenset[str]:
    return frozenset(
        name
        for folder in folders
        for path in sorted(folder.glob("**/*.sql"))
        for name in _TEST.findall(path.read_text(encoding="utf-8"))
    )

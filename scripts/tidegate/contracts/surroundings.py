"""What a contract may refer to outside the contracts: JSON files and dbt's generic tests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

BUILT_IN = frozenset(("unique", "not_null", "accepted_values", "relationships"))
"""Generic tests that dbt itself brings."""

_TEST = re.compile(r"{%-?\s*(?:(?:data_)?test\s+|macro\s+test_)(\w+)\s*\(")


@dataclass(frozen=True)
class Surroundings:
    """The project around the contracts."""

    project_dir: Path
    tests: frozenset[str] | None
    """Names that `data_tests:` may use; None where the project has no generic tests to read."""


def look_around(project_dir: Path) -> Surroundings:
    """Find the generic tests that the project defines."""
    folders = (project_dir / "macros" / "generic", project_dir / "tests" / "dbt" / "generic")
    found = {
        name
        for folder in folders
        for path in sorted(folder.glob("**/*.sql"))
        for name in _TEST.findall(path.read_text(encoding="utf-8"))
    }
    return Surroundings(project_dir, frozenset(found) | BUILT_IN if found else None)

"""Imports go one way (docs/architecture.md), and the command line starts without the heavy ones."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "scripts" / "tidegate"

# What each part may import of Tidegate besides itself; the order is that of docs/architecture.md.
BASE = {"connection", "errors", "names", "settings", "macros", "failpoints", ""}
LAYERS: dict[str, set[str]] = {
    "contracts": BASE,
    "shapes": BASE | {"contracts"},
    "rules": BASE | {"contracts", "shapes", "warehouse"},
    "gates": BASE | {"contracts", "shapes", "warehouse"},
    "warehouse": BASE,
    "starter": BASE,
    "ledger": BASE | {"contracts", "shapes", "rules", "gates", "warehouse"},
    "deliveries": BASE | {"contracts", "shapes", "rules", "gates", "warehouse", "ledger",
                          "detection"},
    "detection": BASE | {"contracts", "shapes", "rules", "warehouse", "ledger"},
    "inference": BASE | {"contracts", "warehouse", "ledger"},
    "publishing": BASE | {"contracts", "shapes", "rules", "gates", "warehouse", "ledger",
                          "deliveries", "detection"},
    "reporting": BASE | {"contracts", "shapes", "rules", "gates", "warehouse", "ledger",
                         "deliveries", "inference", "publishing", "detection"},
}  # fmt: skip


@pytest.mark.parametrize("part", sorted(LAYERS))
def test_imports_go_one_way(part: str) -> None:
    """No part imports one that stands behind it."""
    wrong = []
    for path in (PACKAGE / part).rglob("*.py"):
        for module in imported(path):
            owner = module.removeprefix("tidegate").lstrip(".").partition(".")[0]
            if owner != part and owner not in LAYERS[part]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports {module}")
    assert wrong == []


def imported(path: Path) -> set[str]:
    """Modules of Tidegate that a file imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            if node.module == "tidegate":
                found |= {f"tidegate.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] == "tidegate"}


def test_only_the_command_line_prints_or_exits() -> None:
    """`print` and `sys.exit` stand in cli, and in what a test or a crash needs."""
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] in ("cli", "__main__.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name in ("print", "sys.exit", "exit"):
                    wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {name}")
    assert wrong == []


def loaded_by(script: str) -> str:
    """Which of the heavy libraries a Python program has loaded at its end."""
    heavy = (
        "{'dbt', 'psycopg', 'pydantic', 'sqlalchemy', 'alembic', 'sqlglot', 'rich', 'yaml'}"
        " & set(sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", f"import sys\n{script}\nprint('LOADED', *sorted({heavy}))"],
        env={"PYTHONPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.splitlines()[-1]


def test_help_imports_nothing_heavy() -> None:
    """`tidegate --help` answers without dbt, psycopg, pydantic, SQLAlchemy or sqlglot."""
    script = (
        "from tidegate.cli import main\n"
        "sys.argv = ['tidegate', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass"
    )
    assert loaded_by(script) == "LOADED"


@pytest.mark.parametrize(
    "module",
    [
        "deliveries.drift_rows",
        "deliveries.looking",
        "ledger.review",
        "ledger.conflicts",
        "ledger.outbox",
    ],
)
def test_looking_at_what_waits_needs_the_server_alone(module: str) -> None:
    """What lists drift, quarantine, reviews, conflicts and events reads no contract."""
    assert loaded_by(f"import tidegate.{module}") == "LOADED psycopg"


@pytest.mark.parametrize("module", ["publishing.status", "reporting.publication"])
def test_status_does_without_the_parsers(module: str) -> None:
    """Status knows the words of contracts, without reading YAML or SQL for them."""
    assert loaded_by(f"import tidegate.{module}") == "LOADED psycopg pydantic"

"""What users can meet is documented: error codes, exit codes, environment variables."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import tidegate
from tidegate.errors import TidegateError

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [*sorted((ROOT / "scripts").rglob("*.py")), *sorted((ROOT / "tests").rglob("*.py"))]
NOT_OURS = {"PYTEST_XDIST_WORKER", "PYTHONPATH", "PATH", "HOME"}


def kinds(base: type[TidegateError] = TidegateError) -> Iterator[type[TidegateError]]:
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


def test_every_error_code_is_documented_with_its_exit_code() -> None:
    """No code without a row, no row without a code; two are the command line's own."""
    for module in pkgutil.walk_packages(tidegate.__path__, "tidegate."):
        if "__main__" not in module.name and ".migrations" not in module.name:
            importlib.import_module(module.name)
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_]+)` \| ([012]) \| .+ \| .+ \|$", text, re.MULTILINE)
    known = {(kind.code, str(kind.exit_code)) for kind in kinds()}
    own = {("unexpected", "2"), ("interrupted", "2")}
    assert set(rows) == known | own, "put the code into docs/errors.md"
    assert rows == sorted(rows)


def test_every_environment_variable_is_documented() -> None:
    """Whatever the source looks up by a fixed name, profiles.example.yml included."""
    used = set(re.findall(r"env_var\('([A-Z_]+)'", (ROOT / "profiles.example.yml").read_text()))
    for path in SOURCES:
        used |= set(looked_up(ast.parse(path.read_text(encoding="utf-8"))))
    text = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", text))
    assert used - NOT_OURS - documented == set(), "put the variable into docs/environment.md"


def test_every_documented_variable_is_used() -> None:
    """A variable that nothing reads any more is not promised."""
    text = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    files = [*SOURCES, ROOT / "profiles.example.yml", ROOT / "Makefile"]
    everything = "".join(path.read_text(encoding="utf-8") for path in files)
    documented = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", text))
    assert {name for name in documented if name not in everything} == set()


def looked_up(tree: ast.AST) -> Iterator[str]:
    """Names of variables in `environ["X"]`, `env.get("X")`, `getenv("X")`, and dicts of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and named_environment(node.value):
            yield from constants([node.slice])
        elif isinstance(node, ast.Call) and (
            (isinstance(node.func, ast.Attribute) and named_environment(node.func.value))
            or named(node.func) == "getenv"
        ):
            yield from constants(node.args[:1])


def named(node: ast.AST) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def named_environment(node: ast.AST) -> bool:
    return named(node) in ("environ", "env")


def constants(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and re.fullmatch(r"[A-Z][A-Z0-9_]+", value):
            yield value

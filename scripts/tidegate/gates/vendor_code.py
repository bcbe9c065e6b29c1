"""Where SQL and Python of a project name a vendor of models: its SDK, its address, its models.

Reads `models/`, `macros/` and `scripts/`. Python is parsed, so that comments and docstrings say
what they like; of SQL, comments are left out. Files in a folder named `adapters` are the one place
where a vendor's SDK belongs. Which modules, hosts and model names are vendors' stands in
`vendors.json`.
"""

from __future__ import annotations

import ast
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from tidegate.gates.model import Level
from tidegate.gates.reasons import Reason

FOLDERS = ("models", "macros", "scripts")
ADAPTERS = "adapters"


@dataclass(frozen=True)
class Finding:
    """One place in the code; `line` is one-based, `names` what was found, from `vendors.json`."""

    path: str
    line: int
    level: Level
    reason: Reason
    names: str


@dataclass(frozen=True)
class Scan:
    """Every finding by path and line, how many files were read, and how long that took."""

    files: int
    findings: tuple[Finding, ...]
    duration_ms: float


def scan(project_dir: Path) -> Scan:
    """Read the project's code; a file that cannot be read or parsed is a finding that blocks."""
    started = time.perf_counter()
    found: list[Finding] = []
    count = 0
    for path in _sources(project_dir):
        count += 1
        name = path.relative_to(project_dir).as_posix()
        try:
            text = path.read_text(encoding="utf-8")
            found += _in_file(name, text)
        except (OSError, ValueError, SyntaxError):
            found.append(Finding(name, 1, Level.BLOCK, Reason.CODE_UNREADABLE, ""))
    return Scan(
        files=count,
        findings=tuple(sorted(found, key=lambda item: (item.path, item.line, item.names))),
        duration_ms=(time.perf_counter() - started) * 1000,
    )


def _sources(project_dir: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((project_dir / folder).rglob("*")):
            if path.suffix in (".py", ".sql") and path.is_file():
                yield path


def _in_file(name: str, text: str) -> list[Finding]:
    lowered = text.lower()
    if not any(word in lowered for word in _words()):
        return []  # most files: not worth parsing
    if name.endswith(".sql"):
        return [
            Finding(name, line, Level.BLOCK, reason, names)
            for line, reason, names in _in_text(_without_comments(text))
        ]
    tree = ast.parse(text)
    if ADAPTERS in name.split("/")[:-1]:
        return _degraded(name, tree)
    return [Finding(name, *found) for found in _in_python(tree)]


def _degraded(name: str, tree: ast.Module) -> list[Finding]:
    """An adapter that says at its top level, by `DEGRADED = …`, what its provider cannot do."""
    return [
        Finding(name, node.lineno, Level.WARN, Reason.ADAPTER_DEGRADED, "")
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and target.id == "DEGRADED"
    ]


def _in_python(tree: ast.Module) -> Iterator[tuple[int, Level, Reason, str]]:
    told = _docstrings(tree)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1)
        for vendor in sorted({_vendor(module) for module in _imports(node)} - {""}):
            yield line, Level.BLOCK, Reason.VENDOR_IMPORT, vendor
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            for _, reason, names in _in_text(node.value):
                yield line, Level.BLOCK, reason, names


def _vendor(module: str) -> str:
    """The vendor's module that this is or lies in; empty where it is none."""
    known = _vendors()["modules"]
    return next((item for item in known if module == item or module.startswith(f"{item}.")), "")


def _imports(node: ast.AST) -> list[str]:
    """The modules a statement imports, also by `import_module("x")` and `__import__("x")`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    if isinstance(node, ast.Call) and node.args:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else None
        called = node.func.id if isinstance(node.func, ast.Name) else called
        given = node.args[0]
        if called in ("import_module", "__import__") and isinstance(given, ast.Constant):
            return [str(given.value)]
    return []


def _docstrings(tree: ast.Module) -> set[int]:
    """Constants that stand alone as a statement: they are prose."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _in_text(text: str) -> Iterator[tuple[int, Reason, str]]:
    for line, content in enumerate(text.splitlines(), 1):
        for match in _hosts().finditer(content):
            yield line, Reason.VENDOR_ADDRESS, match[0].lower()
        for match in _model_names().finditer(content):
            yield line, Reason.VENDOR_MODEL, match[0].lower()


def _without_comments(text: str) -> str:
    """SQL and Jinja without comments; lines keep their numbers."""
    blank = re.compile(r"\{#.*?#\}|/\*.*?\*/|--[^\n]*", re.S)
    return blank.sub(lambda match: "\n" * match[0].count("\n"), text)


@cache
def _vendors() -> dict[str, list[str]]:
    text = files(__package__).joinpath("vendors.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@cache
def _words() -> tuple[str, ...]:
    """One of these is in every text that anything is found in, in lower case."""
    known = _vendors()
    named = [*known["modules"], *known["hosts"], *known["host_prefixes"], *known["model_prefixes"]]
    return (*(word.lower() for word in named), "google", "degraded")


@cache
def _hosts() -> re.Pattern[str]:
    known = [re.escape(host) for host in _vendors()["hosts"]]
    known += [
        re.escape(prefix) + r"[a-z0-9-]+\.amazonaws\.com" for prefix in _vendors()["host_prefixes"]
    ]
    return re.compile(rf"(?<![\w-])(?:[\w-]+[.-])*(?:{'|'.join(known)})(?![\w-]|\.[\w-])", re.I)


@cache
def _model_names() -> re.Pattern[str]:
    """A name that stands alone in quotes or as the whole text; a word of prose is none."""
    known = "|".join(re.escape(prefix) for prefix in _vendors()["model_prefixes"])
    return re.compile(rf"(?:(?<=['\"])|^)(?:{known})[0-9a-z.-]+(?=['\"]|$)", re.I)

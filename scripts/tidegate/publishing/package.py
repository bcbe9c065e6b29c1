"""Tidegate's dbt package in the project of somebody else: the macros of the installed version.

Such a project names `.tidegate/package` in its `packages.yml`. The folder is a dbt package made of
links into the installation, so that dbt and the harness read the very same files; a command that
runs dbt makes it, and installs it as `dbt deps` would. No network is needed.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

import tidegate
from tidegate.errors import BuildFailed
from tidegate.macros import FOLDERS, macros_dir
from tidegate.settings import PROJECT_FILE

FOLDER = ".tidegate/package"
_NAME = "tidegate"
_PROJECT = f"""\
# Made by tidegate; changes here are overwritten.
name: {_NAME}
version: "{tidegate.__version__}"
config-version: 2
model-paths: []
macro-paths: ["macros"]
test-paths: []
seed-paths: []
snapshot-paths: []
analysis-paths: []
"""
OVERRIDES = ("ref", "source", "generate_schema_name")
"""Macros of dbt's own that a project has to hand on to Tidegate."""
_INIT = "Run `tidegate init` in it: what is missing is added, nothing is overwritten."
_MACRO = re.compile(r"{%-?\s*macro\s+(\w+)\s*\(")
_LISTS = ("packages.yml", "dependencies.yml")


def provide(project_dir: Path) -> None:
    """Make the package and install it, where the project names it; else do nothing."""
    if not is_named(project_dir):
        return
    folder = project_dir / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / PROJECT_FILE
    if not file.is_file() or file.read_text(encoding="utf-8") != _PROJECT:
        new = file.with_suffix(f".{os.getpid()}.tmp")
        new.write_text(_PROJECT, encoding="utf-8")
        new.replace(file)
    _link(folder / "macros", macros_dir().resolve())
    installed = project_dir / _install_path(project_dir) / _NAME
    installed.parent.mkdir(parents=True, exist_ok=True)
    _link(installed, folder.resolve())


def is_named(project_dir: Path) -> bool:
    """Whether the project installs the package from `.tidegate/package`."""
    return any(
        isinstance(entry, dict) and Path(str(entry.get("local", "-"))) == Path(FOLDER)
        for name in _LISTS
        for entry in _packages(project_dir / name)
    )


def require(project: str, macros: Mapping[str, Any]) -> None:
    """Raise BuildFailed where dbt does not find Tidegate's macros from the project that runs.

    `macros` are those of dbt's manifest, by unique id. Gates and rules have to be the ones that the
    harness renders: two versions would judge differently.
    """
    if project == _NAME:
        return
    if f"macro.{_NAME}.ref" not in macros:
        raise BuildFailed(
            f"The dbt project {project} does not install the package {_NAME}.", remedy=_INIT
        )
    missing = [name for name in OVERRIDES if f"macro.{project}.{name}" not in macros]
    if missing:
        raise BuildFailed(
            f"The dbt project {project} lacks the macros {', '.join(missing)},"
            " which dbt looks for in the project that runs and nowhere else.",
            remedy=_INIT,
        )
    own = {name: macros[f"macro.{project}.{name}"].macro_sql for name in OVERRIDES}
    deaf = [name for name, text in own.items() if f"{_NAME}.{name}" not in text]
    if deaf:
        raise BuildFailed(
            f"The macros {', '.join(deaf)} of the dbt project {project} do not hand on to those of"
            f" {_NAME}: candidates would be built and read in the wrong places.",
            remedy=f"Let each end in `return({_NAME}.<its name>(…))`; `tidegate init` names them.",
        )
    differing = _differing(macros)
    if differing:
        raise BuildFailed(
            f"The package {_NAME} that {project} installs is not of the version that runs,"
            f" {tidegate.__version__}: {len(differing)} macros differ, {differing[0]} for one.",
            remedy=f"Install `- local: {FOLDER}`, or the same version in both places.",
        )


def _differing(macros: Mapping[str, Any]) -> list[str]:
    """Macros of gates and rules that dbt has in another form than the installed files."""
    texts = {
        path.relative_to(macros_dir()).as_posix(): path.read_text(encoding="utf-8")
        for part in FOLDERS
        for path in (macros_dir() / part).glob("*.sql")
    }
    known = {
        macro.name: macro.macro_sql for macro in macros.values() if macro.package_name == _NAME
    }
    return sorted(
        name
        for text in texts.values()
        for name in _MACRO.findall(text)
        if known.get(name, "") not in text or name not in known
    )


def _packages(file: Path) -> list[Any]:
    if not file.is_file():
        return []
    with contextlib.suppress(yaml.YAMLError):  # dbt says what is wrong with it
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
        found = document.get("packages") if isinstance(document, dict) else None
        return found if isinstance(found, list) else []
    return []


def _install_path(project_dir: Path) -> str:
    document = yaml.safe_load((project_dir / PROJECT_FILE).read_text(encoding="utf-8"))
    path = document.get("packages-install-path") if isinstance(document, dict) else None
    return path if isinstance(path, str) and "{" not in path else "dbt_packages"


def _link(link: Path, target: Path) -> None:
    """Make `link` point to `target` in one step: others may do the same. Over no folder."""
    if link.is_symlink() and link.readlink() == target:
        return
    if link.is_dir() and not link.is_symlink():
        return  # what `dbt deps` copied, where it could not link
    new = link.with_name(f"__{link.name}.{os.getpid()}")  # dbt passes over such a name
    new.symlink_to(target, target_is_directory=True)
    new.replace(link)

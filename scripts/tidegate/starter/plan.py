"""What `tidegate init` would do to a folder: files to create, lines to add, what is left to people.

Pure: it reads the folder and changes nothing. A file that is there is never overwritten; a line is
added to one only where the file, read as YAML before and after, differs by that line alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from tidegate.errors import UsageError
from tidegate.settings import PROJECT_FILE

EXAMPLES = (
    "contracts/datasets/shop.yml",
    "contracts/shop/q_products.yml",
    "models/staging/stg_shop__products.sql",
    "models/query/shop/q_products.sql",
    "samples/shop/products.csv",
    "tidegate.yml",
)
OVERRIDES = ("ref", "source", "generate_schema_name", "postgres__get_empty_schema_sql")
"""Macros that dbt looks for in the project that runs; each hands on to Tidegate's own."""
PACKAGE = ".tidegate/package"
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_TAKEN = ("tidegate", "tidegate_reference", "dbt", "dbt_postgres")


@dataclass(frozen=True)
class Step:
    """One file: its whole text where it is new, else the text with the lines added.

    `path` is relative to the project. `text` is "" where a person has to do it; `why` then says
    what, else what the file is for.
    """

    path: str
    text: str
    why: str
    is_new: bool = True

    @property
    def by_hand(self) -> bool:
        """Whether only a person can do it."""
        return not self.text


@dataclass(frozen=True)
class Plan:
    """Everything that a folder needs; `kept` are files that are there and stay as they are."""

    folder: Path
    project: str
    is_new_project: bool
    steps: tuple[Step, ...]
    kept: tuple[str, ...]


def make_plan(folder: Path, name: str | None, schema: str, *, example: bool = True) -> Plan:
    """What is missing in `folder`; `schema` is the JSON Schema of contracts, for editors.

    Raises UsageError where the folder can be no project, or its name none of dbt's.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.", remedy="Name a folder, or an empty place.")
    own = _project_name(folder)
    if own and name and own != name:
        raise UsageError(
            f"{folder} is already the dbt project {own}.", remedy="Leave --name out, or correct it."
        )
    project = _checked(own or name or _from_folder(folder))
    made = _Files(folder, project)
    if own is None:
        made.create(PROJECT_FILE, _text("dbt_project.yml", project), "the dbt project")
    else:
        made.add_model_path()
    made.add_package()
    made.add_overrides()
    for path in EXAMPLES if example else ():
        made.create(path, _text(path, project), "an example: replace it by what is yours")
    made.create("contracts/tidegate.schema.json", schema, "completes contracts in editors")
    made.create(
        "profiles.example.yml",
        _text("profiles.example.yml", project),
        "how to use a server of your own",
    )
    made.add_ignored()
    return Plan(folder, project, own is None, tuple(made.steps), tuple(made.kept))


class _Files:
    """Collects the steps for one folder."""

    def __init__(self, folder: Path, project: str) -> None:
        self.folder = folder
        self.project = project
        self.steps: list[Step] = []
        self.kept: list[str] = []

    def create(self, path: str, text: str, why: str) -> None:
        """A file of its own, unless there is one."""
        if (self.folder / path).exists():
            self.kept.append(path)
        else:
            self.steps.append(Step(path, text, why))

    def add_model_path(self) -> None:
        """`contracts` has to be a model path: dbt and Tidegate read the same files."""
        before = _read(self.folder / PROJECT_FILE)
        document = _yaml(before)
        paths = document.get("model-paths")
        if paths is None:
            after = before.rstrip("\n") + '\n\nmodel-paths: ["models", "contracts"]\n'
            wanted = {**document, "model-paths": ["models", "contracts"]}
        elif "contracts" in paths:
            self.kept.append(PROJECT_FILE)
            return
        else:
            after = re.sub(
                r"(?m)^(model-paths:\s*\[[^\]\n]*\S)(\s*\])", r'\1, "contracts"\2', before
            )
            wanted = {**document, "model-paths": [*paths, "contracts"]}
        why = 'add "contracts" to model-paths'
        self._change(PROJECT_FILE, before, after, wanted, why)

    def _is_tidegate(self, entry: Mapping[str, Any]) -> bool:
        """Whether a package is this one: by its address, or by what a folder says of itself."""
        place = str(entry.get("git") or entry.get("local") or "")
        if re.search(r"(^|/)tidegate(\.git)?/?$", place):
            return True
        local = entry.get("local")
        there = self.folder / str(local) / PROJECT_FILE if local else None
        return there is not None and _yaml(_read(there)).get("name") == "tidegate"

    def add_package(self) -> None:
        """Tidegate's macros, as a local package."""
        listed = [name for name in ("packages.yml", "dependencies.yml") if self._packages(name)]
        for name in listed:
            if any(PACKAGE in str(entry.get("local", "")) or self._is_tidegate(entry)
                   for entry in self._packages(name)):  # fmt: skip
                self.kept.append(name)
                return
        if not listed:
            self.create("packages.yml", _text("packages.yml", self.project), "Tidegate's macros")
            return
        name = listed[0]
        before = _read(self.folder / name)
        after = re.sub(
            r"(?m)^(packages:[ \t]*\n)([ \t]*)-", rf"\1\2- local: {PACKAGE}\n\2-", before
        )
        document = _yaml(before)
        wanted = {**document, "packages": [{"local": PACKAGE}, *document["packages"]]}
        self._change(name, before, after, wanted, f"add `- local: {PACKAGE}` to packages")

    def add_overrides(self) -> None:
        """Four of dbt's macros, each in a file of its own, unless the project has one."""
        own = self._macros()
        for name in OVERRIDES:
            path = f"macros/{name}.sql"
            if name not in own:
                self.create(path, _text(path, self.project), "hands on to Tidegate's macro")
            elif f"tidegate.{name}" in _read(self.folder / own[name]):
                self.kept.append(own[name])
            else:
                why = f"let the macro `{name}` end in `return(tidegate.{name}(…))`"
                self.steps.append(Step(own[name], "", why, is_new=False))

    def add_ignored(self) -> None:
        """What must not be committed."""
        wanted = _text("gitignore", self.project).splitlines()
        file = self.folder / ".gitignore"
        if not file.exists():
            self.create(".gitignore", "\n".join(wanted) + "\n", "what is not committed")
            return
        before = _read(file)
        there = {line.strip().strip("/") for line in before.splitlines()}
        missing = [line for line in wanted if line.strip("/") not in there]
        if not missing:
            self.kept.append(".gitignore")
            return
        after = before + ("" if before.endswith("\n") or not before else "\n")
        text = after + "\n".join(missing) + "\n"
        self.steps.append(Step(".gitignore", text, "what is not committed", is_new=False))

    def _change(
        self, path: str, before: str, after: str, wanted: Mapping[str, Any], why: str
    ) -> None:
        done = after if after != before and _yaml(after) == wanted else ""
        self.steps.append(Step(path, done, why, is_new=False))

    def _packages(self, name: str) -> list[dict[str, Any]]:
        found = _yaml(_read(self.folder / name)).get("packages")
        return [entry for entry in found or [] if isinstance(entry, dict)]

    def _macros(self) -> dict[str, str]:
        """Which of the overridden macros the project has, and in which file."""
        paths = _yaml(_read(self.folder / PROJECT_FILE)).get("macro-paths")
        folders = paths if isinstance(paths, list) else ["macros"]
        return {
            found: path.relative_to(self.folder).as_posix()
            for folder in folders
            for path in sorted((self.folder / str(folder)).rglob("*.sql"))
            for found in _defined(_read(path))
        }


def _defined(text: str) -> Iterator[str]:
    for name in re.findall(r"{%-?\s*macro\s+(\w+)\s*\(", text):
        if name in OVERRIDES:
            yield name


def _project_name(folder: Path) -> str | None:
    file = folder / PROJECT_FILE
    if not file.is_file():
        return None
    name = _yaml(_read(file)).get("name")
    if not isinstance(name, str):
        raise UsageError(
            f"{file} names no project, or is no YAML.", remedy="Correct it: `dbt debug` says more."
        )
    return name


def _from_folder(folder: Path) -> str:
    return re.sub(r"[^a-z0-9_]+", "_", folder.resolve().name.lower()).strip("_")


def _checked(name: str) -> str:
    if not _NAME.match(name) or name in _TAKEN:
        raise UsageError(
            f"{name!r} cannot be the name of a project that uses Tidegate.",
            remedy="Give another with --name: lower-case letters, digits and underscores, "
            f"not {', '.join(_TAKEN)}.",
        )
    return name


def _text(path: str, project: str) -> str:
    text = (files("tidegate.starter") / "files" / path).read_text(encoding="utf-8")
    return text.replace("PROJECT", project)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _yaml(text: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
    return found if isinstance(found, dict) else {}

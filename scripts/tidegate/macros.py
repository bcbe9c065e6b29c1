"""Rules and gates rendered without dbt: the same macro files, plain Jinja (design §4).

dbt makes every macro of a package callable as `tidegate.<macro>(...)`; so does this module. Rule
and gate files therefore hold plain `{% macro %}` only and call each other with that prefix.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

FOLDERS = ("sql", "rules", "gates")
_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)\s*\(")


def macros_dir() -> Path:
    """The folder of the macro files: in the repository, or inside the installed package."""
    inside = Path(__file__).parent / "_macros"
    return inside if inside.is_dir() else Path(__file__).resolve().parents[2] / "macros"


class _Namespace:
    """What `tidegate` means inside a macro: every macro of the package by name.

    A file is compiled when one of its macros is first called: no command needs them all.
    """

    def __init__(self, folder: Path) -> None:
        # The output is SQL, not HTML; values pass through the macros `literal` and `identifier`.
        self._env = Environment(
            loader=FileSystemLoader(folder),
            undefined=StrictUndefined,
            autoescape=False,  # noqa: S701
            extensions=["jinja2.ext.do"],
        )
        self._env.globals["tidegate"] = self
        self._files = {
            name: f"{part}/{path.name}"
            for part in FOLDERS
            for path in sorted((folder / part).glob("*.sql"))
            for name in _MACRO.findall(path.read_text(encoding="utf-8"))
        }

    def __getattr__(self, macro: str) -> Any:
        file = self.__dict__.get("_files", {}).get(macro)
        if file is None:
            raise AttributeError(macro)
        found = getattr(self._env.get_template(file).module, macro)
        setattr(self, macro, found)
        return found


@lru_cache(maxsize=1)
def _namespace() -> _Namespace:
    return _Namespace(macros_dir())


def defined(macro: str) -> bool:
    """Whether there is a macro of this name."""
    return hasattr(_namespace(), macro)


def render(macro: str, /, *args: Any, **kwargs: Any) -> str:
    """Render one macro to SQL text; the caller runs it as it stands."""
    return str(getattr(_namespace(), macro)(*args, **kwargs)).strip()

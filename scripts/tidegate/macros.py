"""Rules and gates rendered without dbt: the same macro files, plain Jinja (design §4).

dbt makes every macro of a package callable as `tidegate.<macro>(...)`; so does this module. Rule
and gate files therefore hold plain `{% macro %}` only and call each other with that prefix.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

FOLDERS = ("sql", "rules", "gates")


def macros_dir() -> Path:
    """The folder of the macro files: in the repository, or inside the installed package."""
    inside = Path(__file__).parent / "_macros"
    return inside if inside.is_dir() else Path(__file__).resolve().parents[2] / "macros"


class _Namespace:
    """What `tidegate` means inside a macro: every macro of the package by name."""


@lru_cache(maxsize=1)
def _namespace() -> _Namespace:
    folder = macros_dir()
    # The output is SQL, not HTML; values pass through the macros `literal` and `identifier`.
    env = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701
        extensions=["jinja2.ext.do"],
    )
    namespace = _Namespace()
    env.globals["tidegate"] = namespace
    for part in FOLDERS:
        for path in sorted((folder / part).glob("*.sql")):
            module = env.get_template(f"{part}/{path.name}").module
            for name, value in vars(module).items():
                if callable(value) and not name.startswith("__"):
                    setattr(namespace, name, value)
    return namespace


def defined(macro: str) -> bool:
    """Whether there is a macro of this name."""
    return hasattr(_namespace(), macro)


def render(macro: str, /, *args: Any, **kwargs: Any) -> str:
    """Render one macro to SQL text; the caller runs it as it stands."""
    return str(getattr(_namespace(), macro)(*args, **kwargs)).strip()

"""Which server is used: DATABASE_URL, else a dbt profile, else the embedded one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import ProgrammingError
from psycopg.conninfo import make_conninfo

from tidegate.errors import EnvironmentFailure
from tidegate.settings import PROFILES_FILE, PROJECT_FILE, Settings
from tidegate.warehouse.connect import Warehouse

PROFILE = "tidegate"
PROFILE_ORIGIN = "profile"


def open_warehouse(settings: Settings) -> Warehouse:
    """Choose the server, start it if it is the embedded one, and write its dbt profile."""
    if settings.database_url:
        return named_by_url(settings.database_url)
    target = profile_target(settings)
    if target:
        return Warehouse(target.conninfo, PROFILE_ORIGIN)
    from tidegate.warehouse import embedded

    return Warehouse(embedded.start(settings.home), "embedded")


def named_by_url(url: str) -> Warehouse:
    """The server that DATABASE_URL names; raise EnvironmentFailure where it names none."""
    try:
        return Warehouse(make_conninfo(url), "DATABASE_URL")
    except ProgrammingError:
        # libpq repeats what it could not read, the password included.
        raise EnvironmentFailure(
            "DATABASE_URL is not a connection string.",
            remedy="Write it as postgresql://user:password@host:5432/database.",
        ) from None


@dataclass(frozen=True)
class ProfileTarget:
    """The chosen target of the project's own profile; `values` are rendered and hold secrets."""

    name: str
    values: Mapping[str, Any]

    @property
    def conninfo(self) -> str:
        """The target as libpq wants it."""
        names = {
            "host": "host", "port": "port", "user": "user", "dbname": "dbname",
            "database": "dbname", "password": "password", "pass": "password", "sslmode": "sslmode",
            "sslrootcert": "sslrootcert", "sslcert": "sslcert", "sslkey": "sslkey",
        }  # fmt: skip
        given = {names[k]: str(value) for k, value in self.values.items() if k in names and value}
        return make_conninfo(**given)


def profile_target(settings: Settings) -> ProfileTarget | None:
    """Render the project's profile as dbt does (env_var only); None where dbt would find none."""
    import os

    from jinja2 import Environment, StrictUndefined

    if settings.profiles_dir is None:
        return None
    folder = settings.profiles_dir
    path = folder / PROFILES_FILE
    if not path.is_file():
        raise EnvironmentFailure(
            f"DBT_PROFILES_DIR names {folder}, where there is no profiles.yml.",
            remedy="Copy profiles.example.yml there, or unset DBT_PROFILES_DIR.",
        )

    def env_var(name: str, default: str | None = None) -> str:
        value = os.environ.get(name, default)
        if value is None:
            raise EnvironmentFailure(
                f"{path} needs the environment variable {name}.", remedy=f"Set {name}."
            )
        return value

    env = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 (YAML, not HTML)
    env.globals["env_var"] = env_var
    # dbt's filters give a type to what YAML would take as text; a connection string is text.
    env.filters |= dict.fromkeys(("as_text", "as_number", "as_bool", "as_native"), str)
    profile = _mapping(path).get(profile_name(settings)) or {}
    target = settings.target or _render(path, env, profile.get("target", "dev"))
    output = (profile.get("outputs") or {}).get(target)
    if not output:
        raise EnvironmentFailure(
            f"{path} has no target {target!r} in the profile {profile_name(settings)!r}.",
            remedy="Name a target that is there with DBT_TARGET.",
        )
    values = {key: _render(path, env, value) for key, value in output.items()}
    if values.get("type") != "postgres":
        raise EnvironmentFailure(
            f"The target {target!r} in {path} is not of type postgres.",
            remedy="Tidegate serves PostgreSQL warehouses.",
        )
    return ProfileTarget(str(target), values)


def profile_name(settings: Settings) -> str:
    """The profile that the dbt project names; `tidegate` where it names none."""
    return str(_mapping(settings.project_dir / PROJECT_FILE).get("profile") or PROFILE)


def _mapping(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping; raises EnvironmentFailure, which never repeats its text."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        found = YAML(typ="safe").load(path.read_text(encoding="utf-8-sig"))
    except (YAMLError, UnicodeDecodeError) as error:
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        place = f"{path}:{mark.line + 1}" if mark else f"{path}"
        raise EnvironmentFailure(
            f"{place} cannot be read as YAML.", remedy="Correct it; `dbt debug` reads it too."
        ) from None
    return found if isinstance(found, dict) else {}


def _render(path: Path, env: Any, value: Any) -> Any:
    from jinja2 import TemplateError

    try:
        return env.from_string(value).render() if isinstance(value, str) else value
    except TemplateError:
        raise EnvironmentFailure(
            f"{path} uses more than `env_var` in the target.",
            remedy="Write what the target needs as text, or as `env_var('NAME')`.",
        ) from None

"""The environment, read once into one frozen object.

| variable | meaning |
| --- | --- |
| `DATABASE_URL` | PostgreSQL connection string of the warehouse; wins over everything |
| `DBT_PROFILES_DIR` | folder of a `profiles.yml` that names the warehouse (default: as dbt) |
| `DBT_TARGET` | target inside that profile (default: the profile's own) |
| `TIDEGATE_PROJECT_DIR` | the dbt project (default: the nearest folder upwards that is one) |
| `TIDEGATE_HOME` | where state lives (default: `.tidegate` in the project) |

Nothing set: the embedded server under `TIDEGATE_HOME` is used and started on demand.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tidegate.errors import UsageError

PROJECT_FILE = "dbt_project.yml"
PROFILES_FILE = "profiles.yml"


@dataclass(frozen=True)
class Settings:
    """Where the project is, where its state lives, and which server was asked for."""

    project_dir: Path
    home: Path
    database_url: str | None = None
    profiles_dir: Path | None = None
    target: str | None = None

    @property
    def artifacts_dir(self) -> Path:
        """The content-addressed store of delivered files."""
        return self.home / "artifacts"

    @property
    def own_profiles_dir(self) -> Path:
        """Where the harness writes the dbt profile of the server it uses."""
        return self.home / "profiles"


def read_settings(environ: Mapping[str, str] | None = None, start: Path | None = None) -> Settings:
    """Read the environment; raise UsageError where no dbt project is found."""
    env = os.environ if environ is None else environ
    project_dir = _project_dir(env, (start or Path.cwd()).resolve())
    home = Path(env.get("TIDEGATE_HOME") or project_dir / ".tidegate")
    if not home.is_absolute():
        home = project_dir / home
    profiles_dir = _profiles_dir(env, project_dir)
    own = home / "profiles"
    return Settings(
        project_dir=project_dir,
        home=home,
        database_url=env.get("DATABASE_URL") or None,
        profiles_dir=None if profiles_dir == own else profiles_dir,
        target=env.get("DBT_TARGET") or None,
    )


def _project_dir(env: Mapping[str, str], start: Path) -> Path:
    named = env.get("TIDEGATE_PROJECT_DIR")
    if named:
        folder = Path(named).resolve()
        if not (folder / PROJECT_FILE).is_file():
            raise UsageError(
                f"TIDEGATE_PROJECT_DIR or --project-dir names {named},"
                f" where there is no {PROJECT_FILE}.",
                remedy="Point it at the folder of the dbt project.",
            )
        return folder
    for folder in (start, *start.parents):
        if (folder / PROJECT_FILE).is_file():
            return folder
    raise UsageError(
        f"No {PROJECT_FILE} in {start} or any folder above it.",
        remedy="Change into the dbt project, or name it with --project-dir;"
        " `tidegate init` starts one.",
    )


def _profiles_dir(env: Mapping[str, str], project_dir: Path) -> Path | None:
    """Where dbt finds the project's profile; None where it would find none."""
    named = env.get("DBT_PROFILES_DIR")
    if named:
        return Path(named).resolve()
    if (project_dir / PROFILES_FILE).is_file():
        return project_dir
    home = env.get("HOME")
    users = Path(home) / ".dbt" if home else None
    return users if users and _has_profile(users / PROFILES_FILE, project_dir) else None


def _has_profile(file: Path, project_dir: Path) -> bool:
    """Whether the user's own profiles hold that of this project; other projects have theirs there.

    Lines are enough to tell, and a file of the user's that is no YAML stops nobody who needs none
    of it.
    """
    if not file.is_file():
        return False
    project = (project_dir / PROJECT_FILE).read_text(encoding="utf-8", errors="replace")
    named = re.search(r"^profile:\s*[\"']?([\w-]+)", project, re.MULTILINE)
    if named is None:
        return False
    profiles = file.read_text(encoding="utf-8", errors="replace")
    wanted = rf"^[\"']?{re.escape(named[1])}[\"']?\s*:"
    return re.search(wanted, profiles, re.MULTILINE) is not None

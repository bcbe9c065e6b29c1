"""What a family was built from, so that an unchanged one is not built again.

Two answers: a quick one from the files of the project, without dbt, and an exact one from dbt's
graph. A family is unchanged when its code, the accepted deliveries of its datasets, the overlays in
force, the records of inference and the served generations of the families it refers to are those of
its newest judged generation; and, where gates judge deliveries, those that could not be taken in.
What only its gates read counts as what its models read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import tidegate
from tidegate.connection import Connection
from tidegate.contracts.surroundings import project_paths
from tidegate.gates import vendor_code
from tidegate.names import PROVENANCE

_DELIVERIES = files(__package__).joinpath("sql/delivery_states.sql").read_text(encoding="utf-8")
_INFERENCE = files(__package__).joinpath("sql/inference_state.sql").read_text(encoding="utf-8")

_FOLDERS = ("models", "contracts", "macros", "tests/dbt")
"""The folders of a project that names none; contracts are in `contracts` whatever it names."""
_PATHS = ("model-paths", "macro-paths", "test-paths", "seed-paths", "snapshot-paths")
_FILES = ("dbt_project.yml", "packages.yml", "dependencies.yml", "requirements.lock")
_PACKAGES = "dbt_packages"
_SUFFIXES = (".sql", ".yml", ".yaml", ".json", ".py", ".csv")


def project_sha256(project_dir: Path) -> str:
    """SHA-256 over every file that dbt or the harness reads, and the version of the harness."""
    digest = hashlib.sha256(tidegate.__version__.encode())
    paths = [project_dir / name for name in _FILES if (project_dir / name).is_file()]
    for root in _folders(project_dir):
        paths.extend(p for p in root.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
    for path in sorted(set(paths)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"\n{path.relative_to(project_dir).as_posix()}\t{content}".encode())
    return digest.hexdigest()


def _folders(project_dir: Path) -> list[Path]:
    """Where the project's files are, and those of the packages that it has installed.

    A package may be a link, as may its folders, which `rglob` does not follow: each is named.
    """
    found = [project_dir / folder for folder in _FOLDERS]
    for key in _PATHS:
        found.extend(project_dir / path for path in project_paths(project_dir, key, ()))
    found.extend(project_dir / folder for folder in vendor_code.FOLDERS)
    for package in sorted((project_dir / _PACKAGES).glob("*")):
        found.extend(package / folder for folder in ("models", "macros", "seeds", "snapshots"))
    return found


def dataset_states(conn: Connection) -> dict[str, str]:
    """For each dataset, what tells one set of accepted rows from another."""
    rows = conn.execute(
        "select dataset, count(*)::text || ':' || max(materialization_id)::text"
        " from governance.materializations group by dataset"
    ).fetchall()
    return {row[0]: row[1] for row in rows}


def delivery_states(conn: Connection) -> dict[str, str]:
    """For each dataset with files that could not be taken in, which they are.

    Nothing was accepted of them, and yet the gates that judge deliveries judge otherwise: by the
    last run of each file, and by whether it is the newest of all.
    """
    rows = conn.execute(_DELIVERIES).fetchall()
    return {str(row[0]): str(row[1]) for row in rows}


def curation_state(conn: Connection) -> str:
    """What tells one set of overlays in force from another; what nobody approved is no part of it.

    Keys are enough: an overlay is never changed, so a value never changes under its key.
    """
    row = conn.execute(
        "select coalesce(md5(string_agg(overlay_key, ' ' order by overlay_key)), 'none')"
        " from curation.effective_overlays where is_active"
    ).fetchone()
    return str(row[0]) if row else "none"


def is_inference(source: Any) -> bool:
    """Whether a dbt source is a record of inference, as the ledger keeps it."""
    return bool(source.schema == PROVENANCE and source.name.startswith("inference_"))


def inference_state(conn: Connection) -> str:
    """What tells one state of the records of inference from another, without reading them all.

    Records are only added; what may still change of one has its own time or is counted.
    """
    row = conn.execute(_INFERENCE).fetchone()
    return str(row[0]) if row else "none"


def head_states(conn: Connection, families: Iterable[str]) -> dict[str, int]:
    """The served generation of each of these families that has one."""
    rows = conn.execute(
        "select family, generation from governance.serving_heads where family = any(%s)",
        [list(families)],
    ).fetchall()
    return {row[0]: row[1] for row in rows}


def same_inputs(conn: Connection, recorded: Mapping[str, Any]) -> bool:
    """Whether what was recorded still holds, the project's files left out of the comparison."""
    if recorded.get("volatile", True):
        return False
    for part, now in (("datasets", dataset_states), ("deliveries", delivery_states)):
        before = recorded.get(part)
        states = now(conn) if before else {}
        if any(states.get(name, "none") != state for name, state in (before or {}).items()):
            return False
    if recorded.get("curation") not in (None, curation_state(conn)):
        return False
    if recorded.get("inference") not in (None, inference_state(conn)):
        return False
    heads = head_states(conn, recorded.get("owners", []))
    return heads == dict(recorded.get("heads", {}))

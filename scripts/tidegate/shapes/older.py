"""The contracts as they stood at a git ref, read without touching the work tree."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tidegate.contracts.load import FOLDER, load_project
from tidegate.contracts.model import Project
from tidegate.errors import ContractError, UsageError

_POLICY_LIMIT = 1 << 20
"""Quality policies may be JSON files anywhere in the project; larger files are data."""


@dataclass(frozen=True)
class OlderContracts:
    """The contracts of a commit: the ref as it was given, and the commit it named."""

    ref: str
    commit: str
    project: Project


@dataclass(frozen=True)
class _Blob:
    object_id: str
    path: str


def load_at(project_dir: Path, ref: str) -> OlderContracts:
    """Load the contracts of `ref` (a branch, tag or commit).

    Raises UsageError where there is no repository or no such ref, and ContractError, with the ref
    in front of each file, where this version does not understand the contracts of that time.
    """
    commit = _commit(project_dir, ref)
    blobs = [*_blobs(project_dir, commit)]
    with tempfile.TemporaryDirectory(prefix="tidegate-older-") as folder:
        root = Path(folder)
        (root / FOLDER).mkdir()
        _write(project_dir, blobs, root)
        try:
            project = load_project(root)
        except ContractError as error:
            raise ContractError(
                [replace(problem, file=f"{ref}:{problem.file}") for problem in error.problems]
            ) from None
    return OlderContracts(ref, commit, project)


def _git(project_dir: Path, *arguments: str, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=project_dir, input=given, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise UsageError(
            "--against needs git, which is not installed.", remedy="Install git, or leave it out."
        ) from None
    if done.returncode:
        raise _Failed
    return done.stdout


class _Failed(Exception):
    """git ended with an error; its words are not ours to show."""


def _commit(project_dir: Path, ref: str) -> str:
    try:
        _git(project_dir, "rev-parse", "--git-dir")
    except _Failed:
        raise UsageError(
            f"{project_dir} is not in a git repository.",
            remedy="--against compares with contracts of an earlier commit.",
        ) from None
    try:
        found = _git(
            project_dir, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"
        )
    except _Failed:
        raise UsageError(
            f"git knows no commit {ref!r}.",
            remedy="Name a branch, tag or commit; in a shallow clone, fetch it first.",
        ) from None
    return found.decode().strip()


def _blobs(project_dir: Path, commit: str) -> Iterator[_Blob]:
    """Contract files and small JSON files of the project; links and submodules are none."""
    listing = _git(project_dir, "ls-tree", "-r", "-z", "--long", commit)
    for entry in listing.split(b"\0"):
        head, _, raw_path = entry.partition(b"\t")
        if not raw_path:
            continue
        mode, kind, object_id, size = head.split()
        path = raw_path.decode("utf-8", "surrogateescape")
        if kind != b"blob" or not mode.startswith(b"100"):
            continue
        contract = path.startswith(f"{FOLDER}/")
        if contract or (path.endswith(".json") and int(size) <= _POLICY_LIMIT):
            yield _Blob(object_id.decode(), path)


def _write(project_dir: Path, blobs: Sequence[_Blob], root: Path) -> None:
    """Write the blobs under `root`, all of them from one git process."""
    wanted = "".join(f"{blob.object_id}\n" for blob in blobs).encode()
    data = _git(project_dir, "cat-file", "--batch", given=wanted)
    at = 0
    for blob in blobs:
        end = data.index(b"\n", at)
        size = int(data[at:end].split()[2])
        target = root / blob.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data[end + 1 : end + 1 + size])
        at = end + 1 + size + 1

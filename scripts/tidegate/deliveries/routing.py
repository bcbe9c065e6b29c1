"""Which dataset a file belongs to: the `delivery.match` patterns of the contracts, or `--dataset`.

A pattern is matched against the path inside the landed folder, with forward slashes, and, for a
file named on its own, against the ends of its path, so that `tidegate land samples/ctgov/a.json`
and `tidegate land samples` find the same dataset. `.gz` at the end is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tidegate.errors import UsageError

_TOKENS = (("**/", "(?:.*/)?"), ("**", ".*"), ("*", "[^/]*"), ("?", "[^/]"))


@dataclass(frozen=True)
class SourceFile:
    """One file to land: where it is, and its name as the ledger records it."""

    path: Path
    name: str
    single: bool = False
    """Named on its own, not found in a folder."""


@dataclass(frozen=True)
class Unrouted:
    """A file that no dataset, or more than one, wants; `datasets` are the ones that do."""

    source: SourceFile
    datasets: tuple[str, ...]

    @property
    def message(self) -> str:
        """Why it was not landed, and what to do."""
        if self.datasets:
            names = ", ".join(self.datasets)
            return (
                f"{self.source.name}: matches the patterns of {names}. "
                "Name one with --dataset, or narrow delivery.match in their contracts."
            )
        return (
            f"{self.source.name}: matches no dataset's delivery.match. "
            "Name its dataset with --dataset, or add a pattern to its contract."
        )


def list_files(paths: Sequence[Path]) -> tuple[SourceFile, ...]:
    """The files of `paths`, folders walked and sorted; hidden files are left out.

    Raises UsageError for a path that is not there, and where nothing is left to land.
    """
    found: list[SourceFile] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(
                (item for item in path.rglob("*") if item.is_file()),
                key=lambda item: item.relative_to(path).as_posix(),
            )
            for item in inside:
                relative = item.relative_to(path)
                if not any(part.startswith(".") for part in relative.parts):
                    found.append(SourceFile(item, relative.as_posix()))
        elif path.exists():
            found.append(SourceFile(path, path.name, single=True))
        else:
            raise UsageError(f"{path} is not there.", remedy="Check the path.")
    if not found:
        raise UsageError(
            "There is no file in " + ", ".join(str(path) for path in paths) + ".",
            remedy="Nothing was landed: an empty folder is an error, not an empty delivery.",
        )
    return tuple(found)


def route(source: SourceFile, patterns: Mapping[str, Sequence[str]]) -> str | Unrouted:
    """The one dataset whose patterns match, or why there is none."""
    names = [name for name, globs in patterns.items() if _matches(source, globs)]
    return names[0] if len(names) == 1 else Unrouted(source, tuple(sorted(names)))


def _matches(source: SourceFile, globs: Sequence[str]) -> bool:
    return any(
        _regex(pattern).match(candidate) for pattern in globs for candidate in _candidates(source)
    )


def _candidates(source: SourceFile) -> list[str]:
    if not source.single:
        return _with_and_without_gz(source.name)
    parts = PurePosixPath(source.path.resolve().as_posix()).parts[1:]
    ends = ["/".join(parts[start:]) for start in range(len(parts))]
    return [name for end in ends for name in _with_and_without_gz(end)]


def _with_and_without_gz(name: str) -> list[str]:
    return [name, name.removesuffix(".gz")] if name.endswith(".gz") else [name]


def _regex(pattern: str) -> re.Pattern[str]:
    """`*` and `?` stay inside a folder, `**/` is any folders, everything else is itself."""
    out, rest = "", pattern
    while rest:
        for token, meaning in _TOKENS:
            if rest.startswith(token):
                out, rest = out + meaning, rest[len(token) :]
                break
        else:
            out, rest = out + re.escape(rest[0]), rest[1:]
    return re.compile(out + r"\Z")
